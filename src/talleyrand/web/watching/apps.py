from django.apps import AppConfig


class WatchingConfig(AppConfig):
    name = "talleyrand.web.watching"
    label = "watching"
