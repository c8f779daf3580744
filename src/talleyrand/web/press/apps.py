from django.apps import AppConfig


class PressConfig(AppConfig):
    name = "talleyrand.web.press"
    label = "press"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data

        from .message_export import PERSONAL_DATA

        personal_data.register_personal_data(PERSONAL_DATA)
