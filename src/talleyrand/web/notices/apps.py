from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "talleyrand.web.notices"
    label = "notices"

    def ready(self) -> None:
        from talleyrand.web.accounts import belongings

        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
