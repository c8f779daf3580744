from django.apps import AppConfig


class AdministrationConfig(AppConfig):
    name = "talleyrand.web.administration"
    label = "administration"
