"""Every kind of page of tournaments, tables and their people, with those for whom it is; what is no page."""

from __future__ import annotations

from tests.e2e import company, online, round_tables
from tests.e2e.online import SAMPLE, Online, Visit

PLAYER, DIRECTOR = "Joueur", "Maëlle"  # whose tickets `scene` has


def pages(scene: Online, full: bool = True) -> dict[str, list[Visit]]:
    """What to visit on line and in the room under each name that leads to a page; only some unless `full`."""
    listed = {**_lists(scene), **_hall(scene), **_desk(scene), **company.pages(scene)}
    listed |= round_tables.pages(scene)
    for name, visits in company.more(scene).items():
        listed[name] = [listed[name][0], *visits, *listed[name][1:]]
    sampled = {name: visits if full else visits[:SAMPLE] for name, visits in listed.items()}
    return {**online.pages(scene, full), **sampled}


def _lists(scene: Online) -> dict[str, list[Visit]]:
    season = scene.told["rooms"]["season"]
    names = ("season", "season_winners", "season_statistics")
    return {
        "nearby": [Visit(status=404)],  # where the site answers phones of a room alone
        "tournaments:all": [Visit(who=DIRECTOR), Visit()],
        "tournaments:new": [Visit(who=DIRECTOR)],
        "tournaments:restore": [Visit(who=DIRECTOR)],
        "tournaments:copies": [Visit(who=DIRECTOR)],
        "tournaments:seasons": [Visit(), Visit(who=DIRECTOR)],
        "tournaments:season_new": [Visit(who=DIRECTOR)],
        **{f"tournaments:{name}": [Visit((season,), DIRECTOR)] for name in names},
        "tournaments:season_keep": [Visit((season,), DIRECTOR)],
        "tournaments:season_people": [Visit((season,), DIRECTOR)],
    }


def _hall(scene: Online) -> dict[str, list[Visit]]:
    """What everybody reads, and a player on his phone."""
    key = scene.told["rooms"]["played"]
    return {
        "tournaments:welcome": [Visit((key,)), Visit((key,), PLAYER)],
        "tournaments:people": [Visit((key,))],
        "tournaments:person": [Visit((key, 2))],
        "tournaments:rounds": [Visit((key,))],
        "tournaments:round": [Visit((key, 3), PLAYER), Visit((key, 1))],
        "tournaments:board": [Visit((key, 3, 1), PLAYER), Visit((key, 1, 1))],
        "tournaments:standings": [Visit((key,))],
        "tournaments:prizes": [Visit((key,))],
        "tournaments:script": [Visit((key,))],
        "tournaments:sign_up": [Visit((key,))],
        "tournaments:join": [Visit((key,))],
        "tournaments:mine": [Visit((key,), PLAYER), Visit((key,))],
        "tournaments:screen": [
            Visit((key, name), DIRECTOR) for name in ("clock", "draw", "standings", "door")
        ],
    }


def _desk(scene: Online) -> dict[str, list[Visit]]:
    key, drafted = scene.told["rooms"]["played"], scene.told["rooms"]["drafted"]
    alone = ("", "_people", "_teams", "_notebook", "_scores", "_log", "_settings", "_staff", "_news", "_copy")
    return {
        **{f"tournaments:desk{name}": [Visit((key,), DIRECTOR)] for name in (*alone, "_forget", "_delete")},
        "tournaments:desk_person": [Visit((key, 2), DIRECTOR)],
        "tournaments:desk_round": [Visit((key, 3), DIRECTOR), Visit((key, 4), DIRECTOR)],
        "tournaments:desk_numbers": [Visit((drafted, 3), DIRECTOR)],
        "tournaments:desk_draw": [Visit((drafted, 3), DIRECTOR)],
        "tournaments:desk_boards": [Visit((key, 3), DIRECTOR)],
        "tournaments:desk_board": [Visit((key, 3, 1), DIRECTOR), Visit((key, 1, 2), DIRECTOR)],
        "tournaments:desk_text": [Visit((key, 3), DIRECTOR)],
        "tournaments:desk_entry": [Visit((drafted, 1), DIRECTOR)],
        "tournaments:screens": [Visit((key,), DIRECTOR)],
        "tournaments:papers": [Visit((key,), DIRECTOR), Visit((key,))],
        "tournaments:paper_people": [Visit((key,), DIRECTOR)],
    }


def others(scene: Online) -> dict[str, Visit]:
    """What is kept as a file, read by a script, or only sent to, on line and in the room."""
    tables = round_tables.others(scene)
    return {**online.others(scene), **company.others(scene), **tables, **_others(scene)}


def _others(scene: Online) -> dict[str, Visit]:
    key, board = scene.told["rooms"]["played"], (scene.told["rooms"]["played"], 3, 1)
    printed = ("badges", "standings", "results", "diplomas")
    of_a_round = ("script", "cards", "slips", "sheets", "draw")
    on_a_board = (
        "enter_result",
        "confirm_result",
        "withdraw_result",
        "take_result",
        "tell_farthest",
        "count_years",
    )
    return {
        "tournaments:calendar": Visit((key,)),
        "tournaments:clock_data": Visit((key,)),
        "tournaments:copy": Visit((key,), status=404),
        "tournaments:enter": Visit((key, "none"), status=404),
        **{f"tournaments:{name}": Visit((key,), PLAYER) for name in ("arrive", "choose_rounds", "facts")},
        **{
            f"tournaments:{name}": Visit((key,), PLAYER)
            for name in ("ride", "team", "answer_team", "leave", "wish", "mails")
        },
        **{f"tournaments:{name}": Visit(board, PLAYER) for name in (*on_a_board, "ask_end", "cast_ballot")},
        "tournaments:quiet": Visit((key, "none"), status=404),
        "tournaments:photo": Visit((key, "none"), status=404),
        "tournaments:change_photo": Visit((key, "none"), status=404),
        "tournaments:send_photo": Visit(board, PLAYER),
        "tournaments:answer_end": Visit((*board, 1), PLAYER),
        "tournaments:paper_archive": Visit((key,), DIRECTOR),
        "tournaments:paper_album": Visit((key, 1), DIRECTOR, status=404),
        "tournaments:take_album": Visit((key,), DIRECTOR),
        "tournaments:paper_file": Visit((key, "standings")),
        **{f"tournaments:paper_{name}": Visit((key,), DIRECTOR) for name in printed},
        **{f"tournaments:paper_{name}": Visit((key, 1), DIRECTOR) for name in of_a_round},
    }
