from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "talleyrand.web.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings, passwords
        from talleyrand.web.notices import outbox

        from . import owning, telling
        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        outbox.heard_by(telling.hear)
        passwords.renewed.connect(owning.pause_renewed, dispatch_uid="webhooks")
        background.register(telling.JOB, "talleyrand.web.webhooks.sending.send_due", every=2.0)
