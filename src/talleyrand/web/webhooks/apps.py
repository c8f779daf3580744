from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "talleyrand.web.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings
        from talleyrand.web.notices import outbox

        from . import telling
        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        outbox.heard_by(telling.hear)
        background.register(telling.JOB, "talleyrand.web.webhooks.sending.send_due", every=2.0)
