from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "talleyrand.web.mail"
    label = "mail"
