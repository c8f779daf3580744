from django.apps import AppConfig


class TournamentCopiesConfig(AppConfig):
    name = "talleyrand.web.tournaments.copies"
    label = "tournament_copies"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import belongings

        from . import sending
        from .belongings import BELONGINGS

        belongings.register(BELONGINGS)
        background.register(sending.JOB, "talleyrand.web.tournaments.copies.sending.send_due", every=5.0)
