from django.apps import AppConfig


class PushConfig(AppConfig):
    name = "talleyrand.web.push"
    label = "push"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out

        from talleyrand.web import background
        from talleyrand.web.accounts import belongings, signed_in
        from talleyrand.web.notices import choices

        from . import devices
        from .belongings import BELONGINGS

        background.register("push", "talleyrand.web.push.sending.send_due", every=2.0)
        belongings.register(BELONGINGS)
        choices.reach_by("push", devices.reached)
        user_logged_out.connect(devices.signed_out, dispatch_uid="push")
        signed_in.ended.connect(devices.ended, dispatch_uid="push")
