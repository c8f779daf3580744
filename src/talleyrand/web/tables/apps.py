from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "talleyrand.web.tables"
    label = "tables"

    def ready(self) -> None:
        from talleyrand.web import background

        from . import table_erasing

        path = "talleyrand.web.tables.table_erasing"
        background.register(table_erasing.CLASSES_JOB, f"{path}.erase_due", every=table_erasing.EACH_MINUTE)
        background.register(
            table_erasing.TABLES_JOB, f"{path}.erase_idle_tables", every=table_erasing.EACH_HOUR
        )
