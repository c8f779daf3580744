from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "talleyrand.web.mail"
    label = "mail"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data

        from .mail_personal_data import PERSONAL_DATA

        personal_data.register_personal_data(PERSONAL_DATA)
        # Swept by `post`, with all that leaves.
        background.register("mail", "talleyrand.web.mail.outbound.email_sending.send_due_now")
