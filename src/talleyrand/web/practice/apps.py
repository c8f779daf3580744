from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "talleyrand.web.practice"
    label = "practice"
