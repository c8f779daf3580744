from django.apps import AppConfig


class TournamentNotificationsConfig(AppConfig):
    name = "talleyrand.web.tournaments.notifications"
    label = "tournament_news"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.tournaments import private_data

        from .chat_private_data import CHAT_PRIVATE_DATA

        background.register(
            "tournament_news",
            "talleyrand.web.tournaments.notifications.notification_sending.notify_due_tournaments",
            every=5.0,
        )
        private_data.register_private_data(CHAT_PRIVATE_DATA)
        background.register(
            "chats", "talleyrand.web.tournaments.notifications.chat_sending.send_due_posts", every=5.0
        )
