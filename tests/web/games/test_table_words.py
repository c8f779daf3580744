"""Every term and every line of the log has its sentence, in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from talleyrand import notation, scoring, variants
from talleyrand.web.games import game_log, game_log_texts
from talleyrand.web.games.game_master.phase_corrections import LOG_KINDS
from talleyrand.web.games.game_settings import (
    Anonymity,
    BotSeatRule,
    DrawRule,
    GameSettings,
    LandlessSeatRule,
    MissingOrdersRule,
    PressSetting,
    SpectatorRule,
)
from talleyrand.web.games.lobby import game_settings_texts
from talleyrand.web.games.lobby.lobby_refusals import lobby_refusal_texts
from talleyrand.web.games.lobby.setting_options import SETTING_OPTIONS
from talleyrand.web.games.models import Game, GameRole
from tests.web.cast import member, table
from tests.web.games import states

GAMES = Path(game_log.__file__).parent
DATE = datetime(2027, 6, 30, 18, 30, tzinfo=UTC)
BOTH = pytest.mark.parametrize("language", ["fr", "en"])

# Another value of each term than the usual one, with what makes it matter.
OTHERS: list[dict[str, Any]] = [
    {"naming": "descartes"},
    {"anonymity": Anonymity.OPEN},
    *({"press": press} for press in PressSetting if press != PressSetting.FULL),
    {"press_between": False},
    {"declarations": True},
    {"rhythm": {"hours": 24}},
    {"rhythm": {"hours": 0}},
    *({"absent": absent} for absent in MissingOrdersRule if absent != MissingOrdersRule.EXTEND),
    {"extensions": 0},
    {"extensions": 3},
    {"patience": 0},
    {"patience": 1},
    {"drafts_count": False},
    {"absence_days": 0},
    {"absence_days": 1},
    *({"draw": draw} for draw in DrawRule if draw != DrawRule.UNANIMOUS),
    {"last_year": 1908},
    {"ends_at": DATE},
    {"scoring": "squares"},
    {"log_open": False},
    {"submissions_shown": True},
    {"watching": SpectatorRule.INVITED},
    {"bots": "values:normal"},
    {"bots": "hold"},
    *({"bots": "random", "bots_when": when} for when in BotSeatRule),
    {"bots": "random", "bot_seats_open": True},
    {"bots": "random", "bots_when": BotSeatRule.BOTH, "patience": 0},
    {"by_post": True},
    {"opens_paused": True},
    {"language": "fr"},
    {"language": "en"},
    {"least_reliability": 90},
    {"gm_absence_days": 0},
    {"gm_absence_days": 1},
    {"gm_absence_days": 30},
    {"house_rules_fr": "Soyez polis.", "house_rules_en": "Be polite."},
    {"delay_phases": 1},
    {"delay_phases": 2},
    {"delay_hours": 1},
    {"delay_hours": 24},
    {"delay_phases": 2, "delay_hours": 24},
]


def told(game: Game) -> list[str]:
    return [
        sentence
        for _title, several in game_settings_texts.settings_sections(game, "Europe/Paris")
        for sentence in several
    ]


@BOTH
@pytest.mark.django_db
def test_each_term_changes_what_is_told(language: str) -> None:
    game = table(begun=False)
    with translation.override(language):
        usual = told(game)
        assert len(usual) == len(set(usual))
        for other in OTHERS:
            game.settings_json = GameSettings(**other).as_json()
            assert set(told(game)) - set(usual), other
            assert all("%(" not in sentence and sentence.endswith(".") for sentence in told(game)), other
        game.settings_json = GameSettings(last_year=1908).as_json()
        adjusted = told(game)
        game.settings_json = GameSettings(last_year=1908, last_after="R").as_json()
        assert set(told(game)) - set(adjusted)
        game.is_listed = False
        assert set(told(game)) - set(usual)


@BOTH
@pytest.mark.django_db
def test_a_strict_rulebook_is_told_of(language: str) -> None:
    game = table(begun=False)
    with translation.override(language):
        strict = game_settings_texts.badly_written_text()
        assert strict not in told(game)
        game.rulebook = "play_by_mail_001"
        assert strict in told(game)


def test_no_term_is_left_out() -> None:
    """A term added later has to be added to the page that tells the terms, and to this table."""
    # told of some boards alone: `chair` where there is a seat without land (below), `readings` where the
    # text leaves points open (`test_readings`), `start` where it begins elsewhere (`test_opening_positions`);
    # who plays what from which year on is told as a split (`test_splits`)
    dealt = {"split", "shares", "passive", "disordered", "first_year", "centres_to_win"}
    named = (
        {name for other in OTHERS for name in other} | {"last_after", "chair", "readings", "start"} | dealt
    )
    assert named == {one.name for one in fields(GameSettings)}


def test_every_value_is_offered() -> None:
    kinds = {
        "chair": LandlessSeatRule,
        "anonymity": Anonymity,
        "press": PressSetting,
        "absent": MissingOrdersRule,
        "draw": DrawRule,
        "watching": SpectatorRule,
        "bots_when": BotSeatRule,
    }
    for name, kind in kinds.items():
        assert set(SETTING_OPTIONS[name]()) == set(kind)
    assert set(SETTING_OPTIONS["scoring"]()) <= set(scoring.names())
    profiles = {
        profile
        for name in variants.playable_names()
        for profile in notation.naming_profiles(variants.load(name))
    }
    assert set(SETTING_OPTIONS["naming"]()) == {"", *profiles}


@pytest.mark.one_in(3)
@BOTH
@pytest.mark.django_db
@pytest.mark.parametrize("chair", list(LandlessSeatRule))
def test_the_terms_of_a_board_with_a_seat_without_land(chair: LandlessSeatRule, language: str) -> None:
    """Who presides, two dates a turn, and how one wins, each in a sentence."""
    pace = {"movement": {"days": [4], "minute": 1440}, "proposals": {"days": [1], "minute": 1440}}
    world = states.gathered(chair=chair, rhythm=pace)
    with translation.override(language):
        said = told(world)
        assert SETTING_OPTIONS["chair"]()[chair].sentence in said
        proposals = "Propositions chaque mardi à" if language == "fr" else "Proposals every Tuesday at"
        assert any(one.replace("\u00a0", " ").startswith(proposals) for one in said)
        goal = "1\u00a0000" if language == "fr" else "1,000"
        assert any(goal in one for one in said)
        assert SETTING_OPTIONS["chair"]()[chair].sentence not in told(table(begun=False))


@BOTH
def test_each_answer_has_a_name_and_a_meaning_of_its_own(language: str) -> None:
    with translation.override(language):
        for name, options in SETTING_OPTIONS.items():
            told = [(option.label, option.sentence) for option in options().values()]
            assert all(label and sentence.endswith(".") for label, sentence in told), name
            assert len(set(told)) == len({label for label, _ in told}) == len(told), name


def test_the_french_is_not_the_english() -> None:
    with translation.override("en"):
        english = {
            name: [one.sentence for one in options().values()] for name, options in SETTING_OPTIONS.items()
        }
        refusals = lobby_refusal_texts()
    for name, options in SETTING_OPTIONS.items():
        assert not {one.sentence for one in options().values()} & set(english[name])
    assert not set(lobby_refusal_texts().values()) & set(refusals.values())


# the log


def kinds() -> Iterator[tuple[str, str]]:
    """Every kind of line that the site writes, with the file that does."""
    for path in sorted(GAMES.parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("add_log_entry", "log", "note")
            ):
                told = node.args[0 if node.func.attr == "note" else 1]
                yield from ((kind, path.name) for kind in named(told, path))


def named(kind: ast.expr, path: Path) -> list[str]:
    """What a call calls its kind: a text, one of two, or a name that the file gives to texts."""
    if isinstance(kind, ast.Constant):
        return [str(kind.value)]
    if isinstance(kind, ast.IfExp):
        return [str(one.value) for one in (kind.body, kind.orelse) if isinstance(one, ast.Constant)]
    if isinstance(kind, ast.Subscript):
        return list(LOG_KINDS.values())
    assert isinstance(kind, ast.Name), ast.dump(kind)
    return given_to(kind.id, path)


def given_to(name: str, path: Path) -> list[str]:
    found: list[object] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign):
            for target, value in pairs(node):
                if isinstance(target, ast.Name) and target.id == name:
                    found += [one.value for one in ast.walk(value) if isinstance(one, ast.Constant)]
    return [kind for kind in found if isinstance(kind, str)]


def pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


@pytest.mark.long
def test_every_kind_has_its_words() -> None:
    written = set(kinds())
    assert len(written) > 30
    assert {(kind, file) for kind, file in written if kind not in game_log_texts.LOG_SENTENCES} == set()


@pytest.mark.long
def test_no_words_for_what_nobody_writes() -> None:
    assert set(game_log_texts.LOG_SENTENCES) - {kind for kind, _file in kinds()} == set()


FACTS: dict[str, Any] = {
    "power": "FRANCE",
    "powers": ["FRANCE", "ITALY"],
    "phase": "S1901M",
    "due": "2026-03-13T23:00:00+00:00",
    "since": "2026-03-13T23:00:00+00:00",
    "until": "2026-03-20T23:00:00+00:00",
    "reason": "Kiel n’était pas à Berlin.",
    "invited": "player",
    "given": "assistant",
    "taken": "assistant",
    "seed": "ab12",
    "players": 7,
    "order": [3, 1, 2],
    "seat": 3,
}


@BOTH
@pytest.mark.django_db
def test_each_line_reads_with_and_without_its_facts(language: str) -> None:
    game = table()
    variant = variants.load("classic")
    with translation.override(language):
        for kind in game_log_texts.LOG_SENTENCES:
            game_log.add_log_entry(game, kind, **FACTS)
            entry = game.log.filter(kind=kind).last()
            assert entry is not None
            full = game_log_texts.log_sentence(entry, variant, "Europe/Paris")
            assert full != kind
            assert "%(" not in full
            assert not any(code in full for code in ("FRANCE", "S1901M", "T23:00"))


@pytest.mark.django_db
def test_a_whole_log_in_words() -> None:
    game = table()
    game_log.add_log_entry(game, "taken_back", role=GameRole.GAME_MASTER, phase="S1901M")
    game_log.add_log_entry(
        game, "lots", order=[2, 1], powers=["ITALY", "FRANCE"], given={"2": "ITALY", "1": "FRANCE"}
    )
    game_log.add_log_entry(game, "left", role=GameRole.PLAYER, powers=[])
    found = [
        game_log_texts.log_sentence(entry, variants.load("classic"), "Europe/Paris")
        for entry in game.log.all()
    ]
    assert found[-3:] == [
        "Retour à\u00a0: Printemps 1901, mouvements.",
        (
            "Tirage au sort\u00a0: joueurs 2, 1, puissances Italie et France. Résultat\u00a0: "
            "2: Italie, 1: France."
        ),
        "Un participant a quitté la partie.",
    ]
    assert game_log_texts.role_name("") == ""
    assert {game_log_texts.role_name(role) for role in GameRole.values} == {
        "joueur",
        game_log_texts.role_name(GameRole.GAME_MASTER),
        "assistant",
        "observateur",
    }


@pytest.mark.django_db
def test_a_second_game_master_is_told_of() -> None:
    game = table(begun=False)
    assert any(
        "Un MJ mène la partie\u00a0: il voit tous les messages et tous" in sentence for sentence in told(game)
    )
    game.memberships.filter(role=GameRole.GAME_MASTER).delete()
    assert any(
        "Pas de MJ\u00a0: l’horloge mène la partie, et personne ne voit" in sentence
        for sentence in told(game)
    )
    member(game, "Sylvain", GameRole.GAME_MASTER)
    assert any(
        "Un MJ mène la partie\u00a0: il voit tous les messages et tous" in sentence for sentence in told(game)
    )
