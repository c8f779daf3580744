from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "talleyrand.web.tables"
    label = "tables"

    def ready(self) -> None:
        from talleyrand.web import background

        from . import table_erasing

        background.register(
            table_erasing.JOB, "talleyrand.web.tables.table_erasing.erase_due", every=table_erasing.EVERY
        )
