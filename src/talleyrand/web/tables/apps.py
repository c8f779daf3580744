from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "talleyrand.web.tables"
    label = "tables"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data

        from . import table_erasing
        from .table_personal_data import TABLE_PERSONAL_DATA

        path = "talleyrand.web.tables.table_erasing"
        background.register(table_erasing.CLASSES_JOB, f"{path}.erase_due", every=table_erasing.EACH_MINUTE)
        background.register(
            table_erasing.TABLES_JOB, f"{path}.erase_idle_tables", every=table_erasing.EACH_HOUR
        )
        personal_data.register_personal_data(TABLE_PERSONAL_DATA)
