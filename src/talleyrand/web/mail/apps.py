from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "talleyrand.web.mail"
    label = "mail"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings

        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        # Swept by `post`, with all that leaves.
        background.register("mail", "talleyrand.web.mail.outgoing.sending.send_now")
