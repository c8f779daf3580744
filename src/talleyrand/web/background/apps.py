from django.apps import AppConfig
from django.conf import settings

SWEEP = 5.0  # seconds between two looks whether a document is wanted


class BackgroundConfig(AppConfig):
    name = "talleyrand.web.background"
    label = "background"

    def ready(self) -> None:
        from . import register

        every = SWEEP if settings.WORKERS else None
        register(
            "documents", "talleyrand.web.background.generated_documents.make_requested_documents", every=every
        )
