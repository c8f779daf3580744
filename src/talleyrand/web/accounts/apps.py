from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "talleyrand.web.accounts"
    label = "accounts"

    def ready(self) -> None:
        from allauth.usersessions.models import UserSession
        from django.contrib.auth.signals import user_logged_out
        from django.db.models.signals import pre_save

        from . import signed_in_devices

        pre_save.connect(signed_in_devices.strip_session_row, UserSession, dispatch_uid="accounts")
        user_logged_out.connect(signed_in_devices.note_sign_out, dispatch_uid="accounts")
