from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "talleyrand.web.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings

        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        background.register("paper", "talleyrand.web.tournaments.papers.printing.written")
