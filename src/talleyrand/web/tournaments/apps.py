from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "talleyrand.web.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        from talleyrand.web.accounts import belongings

        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
