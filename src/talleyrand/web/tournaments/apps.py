from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "talleyrand.web.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data

        from .tournament_personal_data import TOURNAMENT_PERSONAL_DATA

        personal_data.register_personal_data(TOURNAMENT_PERSONAL_DATA)
