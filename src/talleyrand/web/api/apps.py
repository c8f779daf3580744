from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "talleyrand.web.api"
    label = "api"

    def ready(self) -> None:
        from talleyrand.web.accounts import belongings

        from . import leaving
        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        leaving.watch()
