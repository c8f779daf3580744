from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "talleyrand.web.notifications"
    label = "notices"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data

        from .notification_personal_data import PERSONAL_DATA

        personal_data.register_personal_data(PERSONAL_DATA)
