from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "talleyrand.web.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.accounts import personal_data
        from talleyrand.web.tables import table_links

        from . import board_tables, online_rounds
        from .tournament_personal_data import TOURNAMENT_PERSONAL_DATA

        personal_data.register_personal_data(TOURNAMENT_PERSONAL_DATA)
        table_links.register_table_link(board_tables.board_link)
        background.register(
            board_tables.ROUND_JOB,
            "talleyrand.web.tournaments.board_tables.follow_rounds",
            every=2.0,
        )
        background.register(
            online_rounds.ONLINE_JOB,
            "talleyrand.web.tournaments.online_rounds.follow_online_rounds",
            every=10.0,
        )
