from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "talleyrand.web.library"
    label = "library"
