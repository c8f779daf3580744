from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "talleyrand.web.games"
    label = "games"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings

        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        background.register("report", "talleyrand.web.games.playing.papers.written")
