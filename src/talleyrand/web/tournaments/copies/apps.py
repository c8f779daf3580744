from django.apps import AppConfig


class TournamentCopiesConfig(AppConfig):
    name = "talleyrand.web.tournaments.copies"
    label = "tournament_copies"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data

        from . import copy_sending
        from .copies_personal_data import COPIES_PERSONAL_DATA

        personal_data.register_personal_data(COPIES_PERSONAL_DATA)
        background.register(
            copy_sending.COPY_JOB, "talleyrand.web.tournaments.copies.copy_sending.send_due_copies", every=5.0
        )
