from django.apps import AppConfig


class ConductConfig(AppConfig):
    name = "talleyrand.web.conduct"
    label = "conduct"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data

        from .conduct_personal_data import CONDUCT_PERSONAL_DATA

        personal_data.register_personal_data(CONDUCT_PERSONAL_DATA)
