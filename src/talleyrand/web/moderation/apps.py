from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "talleyrand.web.moderation"
    label = "moderation"
