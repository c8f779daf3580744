from django.apps import AppConfig


class PressConfig(AppConfig):
    name = "talleyrand.web.press"
    label = "press"
