from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "talleyrand.web.library"
    label = "library"

    def ready(self) -> None:
        from talleyrand.web import background

        background.register("book", "talleyrand.web.library.rules_pdf.make_rules_pdf")
