from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "talleyrand.web.api"
    label = "api"

    def ready(self) -> None:
        from talleyrand.web.accounts import password_rules, personal_data

        from . import api_tokens

        personal_data.register_personal_data(api_tokens.PERSONAL_DATA)
        password_rules.password_changed.connect(
            api_tokens.revoke_after_password_change, dispatch_uid="api.tokens"
        )
