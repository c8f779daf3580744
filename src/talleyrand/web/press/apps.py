from django.apps import AppConfig


class PressConfig(AppConfig):
    name = "talleyrand.web.press"
    label = "press"

    def ready(self) -> None:
        from talleyrand.web.accounts import belongings

        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
