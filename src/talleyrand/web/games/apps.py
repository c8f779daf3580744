from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "talleyrand.web.games"
    label = "games"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings
        from talleyrand.web.practice import opponents_queues

        from . import computers
        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        opponents_queues.register(computers.QUEUE, first=True)  # whoever plays on line has a deadline
        background.register("report", "talleyrand.web.games.playing.papers.written")
