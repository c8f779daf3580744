"""The pages of what people do besides playing: they find games, report, moderate, play in leagues."""

from __future__ import annotations

from tests.e2e.online import Online, Visit

PLAYER, MODERATOR, DIRECTOR = "Flora", "Sylvain", "Maëlle"


def pages(scene: Online) -> dict[str, list[Visit]]:
    """What to visit under each of their names, the most telling first."""
    return {**_finding(scene), **_conduct(scene), **_leagues(scene)}


def _finding(scene: Online) -> dict[str, list[Visit]]:
    at = scene.told["company"]
    return {
        "games:groups": [Visit(who=PLAYER), Visit(who="Edmond")],
        "games:group": [Visit((at["group"],), PLAYER)],
        "games:group_door": [Visit((at["group_token"],), "Edmond")],
        "games:page_choices": [Visit(who=PLAYER)],
        "games:person": [Visit(("Roman",), PLAYER), Visit((PLAYER,), PLAYER)],
        "games:coach": [Visit((scene.keys["ended"], 1), PLAYER)],
    }


def _conduct(scene: Online) -> dict[str, list[Visit]]:
    at = scene.told["company"]
    return {
        "games:blocked": [Visit(who=PLAYER), Visit(who="Edmond")],
        "press:report": [Visit((at["reported_game"], at["reported_letter"]), PLAYER)],
        "onlookers:report_comment": [Visit((scene.keys["running"], at["comment"]), "Noël")],
        "moderation:own": [Visit(who="Roman"), Visit(who=PLAYER)],
        "moderation:desk": [Visit(who=MODERATOR), Visit(who="Adèle")],
        "moderation:log": [Visit(who=MODERATOR)],
        "moderation:accounts": [Visit(who=MODERATOR)],
        "moderation:person": [
            Visit(who=MODERATOR, query="?name=Roman"),
            Visit(who=MODERATOR, query=f"?name={PLAYER}"),
        ],
        "moderation:report": [Visit((key,), MODERATOR) for key in at["reports"]],
    }


def _leagues(scene: Online) -> dict[str, list[Visit]]:
    at = scene.told["company"]
    return {
        "tournaments:leagues": [Visit(who=DIRECTOR), Visit()],
        "tournaments:league": [Visit((key,), DIRECTOR) for key in at["leagues"]]
        + [Visit((at["leagues"][0],), "seasoned")],
        "tournaments:league_keep": [Visit((key,), DIRECTOR) for key in at["leagues"]],
        "tournaments:desk_online": [Visit((key,), DIRECTOR) for key in at["divisions"]],
    }


def more(scene: Online) -> dict[str, list[Visit]]:
    """Pages of tournaments in the room that a tournament on line shows otherwise."""
    division = scene.told["company"]["divisions"][0]
    return {
        "tournaments:welcome": [Visit((division,))],
        "tournaments:mine": [Visit((division,), "seasoned")],
        "tournaments:round": [Visit((division, 1), "seasoned")],
        "tournaments:board": [Visit((division, 1, 1), "seasoned")],
        "tournaments:sign_up": [Visit((division,), PLAYER)],
    }


def others(scene: Online) -> dict[str, Visit]:
    """What is only sent to, or read by a program."""
    key, played = scene.keys["running"], scene.told["rooms"]["played"]
    return {
        "games:ended_feed": Visit(),
        "games:phases_feed": Visit((key,)),
        "games:searches": Visit(who=PLAYER),
        "games:queue": Visit(("silent",), PLAYER),
        "games:table_rematch": Visit((scene.keys["ended"],), PLAYER),
        "notices:mute": Visit((key,), PLAYER),
        "moderation:moderators": Visit(who="Adèle"),
        "tournaments:league_feed": Visit((scene.told["company"]["leagues"][0],)),
        "tournaments:sit_down": Visit((played, 3, 1)),
    }
