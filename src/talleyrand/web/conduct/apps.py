from django.apps import AppConfig


class ConductConfig(AppConfig):
    name = "talleyrand.web.conduct"
    label = "conduct"

    def ready(self) -> None:
        from allauth.account.models import EmailAddress
        from django.db.models.signals import post_save

        from talleyrand.web.accounts import personal_data

        from . import departed_accounts
        from .conduct_personal_data import CONDUCT_PERSONAL_DATA

        personal_data.register_personal_data(CONDUCT_PERSONAL_DATA)
        post_save.connect(departed_accounts.take_up_again, sender=EmailAddress, dispatch_uid="conduct")
