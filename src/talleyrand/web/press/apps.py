from django.apps import AppConfig


class PressConfig(AppConfig):
    name = "talleyrand.web.press"
    label = "press"

    def ready(self) -> None:
        from talleyrand.web.accounts import personal_data
        from talleyrand.web.bots import bot_queue

        from .bot_replies import BOT_LETTER_QUEUE
        from .message_export import OPENINGS, PERSONAL_DATA

        personal_data.register_personal_data(PERSONAL_DATA)
        personal_data.register_personal_data(OPENINGS)
        bot_queue.register_bot_queue(BOT_LETTER_QUEUE, first=True)  # before the orders that regard them
