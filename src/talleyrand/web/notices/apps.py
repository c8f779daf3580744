from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "talleyrand.web.notices"
    label = "notices"
