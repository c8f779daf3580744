from django.apps import AppConfig


class PushConfig(AppConfig):
    name = "talleyrand.web.push"
    label = "push"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out

        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data, signed_in_devices
        from talleyrand.web.notifications import preferences

        from . import devices
        from .push_personal_data import PERSONAL_DATA

        background.register("push", "talleyrand.web.push.push_sending.send_due_pushes", every=2.0)
        personal_data.register_personal_data(PERSONAL_DATA)
        preferences.register_channel("push", devices.people_with_devices)
        user_logged_out.connect(devices.on_signed_out, dispatch_uid="push")
        signed_in_devices.sessions_ended.connect(devices.on_sessions_ended, dispatch_uid="push")
