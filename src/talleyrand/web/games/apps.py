from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "talleyrand.web.games"
    label = "games"
