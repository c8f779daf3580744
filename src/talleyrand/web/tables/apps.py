from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "talleyrand.web.tables"
    label = "tables"
