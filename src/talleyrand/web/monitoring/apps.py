from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    name = "talleyrand.web.monitoring"
    label = "watching"
