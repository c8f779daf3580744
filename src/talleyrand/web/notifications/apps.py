from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "talleyrand.web.notifications"
    label = "notices"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data

        from .belongings import BELONGINGS

        personal_data.register_personal_data(BELONGINGS)
