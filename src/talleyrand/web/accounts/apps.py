from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "talleyrand.web.accounts"
    label = "accounts"
