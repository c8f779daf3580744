from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "talleyrand.web.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import password_rules, personal_data
        from talleyrand.web.notifications import outbox

        from . import webhook_actions, webhook_events
        from .webhook_personal_data import PERSONAL_DATA

        personal_data.register_personal_data(PERSONAL_DATA)
        outbox.add_listener(webhook_events.on_notifications)
        password_rules.password_changed.connect(
            webhook_actions.pause_after_new_password, dispatch_uid="webhooks"
        )
        background.register(
            webhook_events.JOB, "talleyrand.web.webhooks.webhook_sending.send_due_calls", every=2.0
        )
