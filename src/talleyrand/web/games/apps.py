from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "talleyrand.web.games"
    label = "games"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data
        from talleyrand.web.bots import bot_queue

        from . import game_bots
        from .finding_personal_data import FINDING_PERSONAL_DATA
        from .game_personal_data import GAME_PERSONAL_DATA
        from .player_records.record_personal_data import RECORD_PERSONAL_DATA
        from .record_models import RATING_JOB, RECORD_JOB

        personal_data.register_personal_data(GAME_PERSONAL_DATA)
        personal_data.register_personal_data(RECORD_PERSONAL_DATA)
        personal_data.register_personal_data(FINDING_PERSONAL_DATA)
        bot_queue.register_bot_queue(
            game_bots.GAME_BOT_QUEUE, first=True
        )  # whoever plays on line has a deadline
        background.register(
            RECORD_JOB, "talleyrand.web.games.player_records.record_queue.count_finished_games", every=60.0
        )
        background.register(
            RATING_JOB, "talleyrand.web.games.player_records.rating_history.compute_due_ratings", every=60.0
        )
        background.register(
            "desks", "talleyrand.web.games.lobby.desk_handover.tell_of_absent_game_masters", every=600.0
        )
        background.register("report", "talleyrand.web.games.phase_pages.phase_reports.report_pdf_bytes")
