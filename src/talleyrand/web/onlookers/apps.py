from django.apps import AppConfig


class OnlookersConfig(AppConfig):
    name = "talleyrand.web.onlookers"
    label = "onlookers"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data

        from .onlooker_personal_data import ONLOOKER_PERSONAL_DATA

        personal_data.register_personal_data(ONLOOKER_PERSONAL_DATA)
        background.register("followed", "talleyrand.web.onlookers.followed_games.tell_followers", every=60.0)
