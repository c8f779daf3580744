from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "talleyrand.web.api"
    label = "api"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data

        from . import leaving
        from .api_personal_data import PERSONAL_DATA

        personal_data.register_personal_data(PERSONAL_DATA)
        leaving.watch()
