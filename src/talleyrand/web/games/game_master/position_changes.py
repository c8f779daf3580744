"""The position that a phase begins with, as text for the game master's hand, and what he changes in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import drawing, messages, variants
from talleyrand.engine import game as engine
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase, province_of
from talleyrand.formats import question_input
from talleyrand.formats.plain_text import GameText, read_game_text
from talleyrand.formats.position_json import write_position
from talleyrand.variants import Variant
from talleyrand.web.boards import adjudicator, display_names, phase_maps, position_texts
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, Json, PhaseRevision

from .action_base import GameMasterRefusal

LARGEST_POSITION_TEXT = 20_000
POSITION_FIELDS = ("phase", "units", "dislodged", "contested", "centers")


class PositionTextRefusal(Exception):
    """A text that is no position of this game; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def position_after(game: Game, revision: PhaseRevision) -> Json:
    """What comes after a phase: as published, or as it would go on where it ended the game.

    Raises GameMasterRefusal for a phase without an answer of the judge.
    """
    if revision.next_situation is not None:
        return revision.next_situation
    question, answer = GameHistory(game).question(revision.phase_number), revision.answer
    if question is None or answer is None:
        raise GameMasterRefusal("unpublished")
    calendar, phase = variants.load(game.variant).definition.calendar, Phase.parse(question["phase"])
    after: Json = {}
    for _later in calendar.cycle:
        phase = calendar.next_phase(phase)
        after = adjudicator.situation_after(question, {**answer, "next": str(phase)}) or {}
        if adjudicator.deciding_powers(
            adjudicator.make_question(game.variant, game.rulebook, game.seed, after)
        ):
            break
    return after


def winners_in_position(game: Game, phase: str, after: Json) -> tuple[str, ...]:
    """Whoever has won with the position that follows a phase, where the year’s centres are counted between
    the two, or a season ends that may be won; nobody where the later one does not follow. Raises
    QuestionRefusal for a position that cannot stand.
    """
    if not phase:
        return ()
    setting = variants.load(game.variant).definition
    here, goal = Phase.parse(phase), Phase.parse(after["phase"])
    counted = here.kind == "A"
    for _later in (*setting.calendar.opening, *setting.calendar.cycle):
        entered = setting.calendar.next_phase(here)
        counted = counted or setting.calendar.captures_between(here, entered)
        if setting.politics and setting.politics.wins_each_season:
            counted = counted or setting.calendar.season_ends_between(here, entered)
        if entered == goal:
            asked = adjudicator.make_question(game.variant, game.rulebook, game.seed, after)
            adjudicator.check_question(asked)
            reached = question_input.read_question(asked).position.changed(phase=here)  # rules may ask for it
            return engine.winners(setting, reached) if counted else ()
        here = entered
    return ()


def position_as_text(game: Game, situation: Json) -> str:
    """A situation as text that `position_from_text` gives back."""
    settings = {"variant": game.variant}
    if isinstance(game.rulebook, str):
        settings["rulebook"] = game.rulebook
    lines = position_texts.position_lines(situation, variants.load(game.variant))
    return "\n".join([*position_texts.setting_lines(settings), *lines]) + "\n"


def drawn_position_text(game: Game, text: str) -> str:
    """The map of a text, empty for one that is no position."""
    variant = variants.load(game.variant)
    try:
        asked = {
            **read_game_text(text, variant).question(),
            "variant": game.variant,
            "rulebook": game.rulebook,
        }
        position = question_input.read_question({**asked, "orders": {}}).position
    except TalleyrandError:
        return drawing.draw_empty_board(variant, display_names.reader_language())
    return drawing.draw_board(variant, position, language=display_names.reader_language(), caption=False)


def phases_of_year(variant: Variant) -> list[tuple[str, str]]:
    """The phases of a year, each with its name."""
    calendar = variant.definition.calendar
    found = dict.fromkeys((*calendar.opening, *calendar.cycle))
    return [
        (code, display_names.phase_name(variant, f"{code[0]}0{code[1]}").replace(" 0,", ","))
        for code in found
    ]


def position_from_text(game: Game, text: str, base: Json) -> Json:
    """The situation that a text tells; what it cannot tell (rights, homes) stays as in `base`.

    Raises PositionTextRefusal.
    """
    if len(text) > LARGEST_POSITION_TEXT:
        raise PositionTextRefusal(_("This position is too long."))
    if "\x00" in text:
        raise PositionTextRefusal(_("The text has invalid characters."))
    try:
        found = _parsed_position(game, read_game_text(text, variants.load(game.variant)), base)
    except TalleyrandError as error:
        raise PositionTextRefusal(messages.error_sentence(error, display_names.reader_language())) from error
    return _as_before(found, base)


def _parsed_position(game: Game, parsed: GameText, base: Json) -> Json:
    named = parsed.fields.get("variant", game.variant)
    if named != game.variant:
        raise PositionTextRefusal(_("This text is for another variant. Nothing was changed."))
    if "units" not in parsed.fields or "centers" not in parsed.fields:
        raise PositionTextRefusal(
            _("The text needs two parts, “Positions” and “Centres”, each under its title.")
        )
    if parsed.lines_without_power or any(
        any(chapter.sheets(parsed.variant)[0].values()) for chapter in parsed.phase_texts
    ):
        raise PositionTextRefusal(_("The text contains orders: a position only has units and centres."))
    told = {name: value for name, value in parsed.question().items() if name in POSITION_FIELDS}
    memory = {name: value for name, value in base.items() if name not in POSITION_FIELDS}
    if told["phase"] != base["phase"]:
        memory.pop("disorder", None)
    return canonical_position(game, {**memory, **told})


def canonical_position(game: Game, situation: Json) -> Json:
    """A situation in one order; raises TalleyrandError and PositionTextRefusal for one that cannot be
    played.
    """
    asked = adjudicator.make_question(game.variant, game.rulebook, game.seed, situation)
    position = question_input.read_question(asked).position
    if not adjudicator.deciding_powers(asked):
        raise PositionTextRefusal(_("No one would have orders to give in this phase: choose another."))
    kept = {"politics": situation["politics"]} if situation.get("politics") else {}
    return {**write_position(position, variants.load(game.variant).board), **kept}


def _as_before(found: Json, base: Json) -> Json:
    """`base` itself where the text tells the same: a form sent unchanged changes nothing."""
    return base if _plain(found) == _plain(base) else found


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = {name: _plain(part) for name, part in value.items()}
        return {name: part for name, part in kept.items() if part}
    return sorted(map(_plain, value), key=repr) if isinstance(value, list) else (value or None)


# what changes


@dataclass(frozen=True)
class PositionDifference:
    """What stands in a place, or whose it is, before and after."""

    place: str
    before: str
    after: str


def position_change_rows(game: Game, before: Json, after: Json) -> list[PositionDifference]:
    """What a change of position changes, place by place, in the reader's words."""
    variant = variants.load(game.variant)
    return [*_phases(variant, before, after), *_places(variant, before, after)]


def _phases(variant: Variant, before: Json, after: Json) -> Iterator[PositionDifference]:
    if before["phase"] != after["phase"]:
        names = [display_names.phase_name(variant, one["phase"]) for one in (before, after)]
        yield PositionDifference(_("Phase"), *names)


def _places(variant: Variant, before: Json, after: Json) -> Iterator[PositionDifference]:
    names = variant.names(display_names.reader_language())
    found = [
        PositionDifference(f"{names.location(place)}, {title}", held.get(place, "–"), holds.get(place, "–"))
        for title, tell in _views()
        for held, holds in ((tell(variant, before), tell(variant, after)),)
        for place in {*held, *holds}
        if held.get(place) != holds.get(place)
    ]
    yield from sorted(found, key=lambda one: one.place)


def _views() -> tuple[tuple[str, Any], ...]:
    return (
        (_("unit"), _units),
        (_("dislodged"), _fallen),
        (_("centre of"), _centres),
        (_("standoff"), _contested),
    )


def _units(variant: Variant, at: Json) -> dict[str, str]:
    return {
        province_of(unit.partition(" ")[2]): _unit(variant, unit, power)
        for power, units in (at.get("units") or {}).items()
        for unit in units
    }


def _unit(variant: Variant, unit: str, power: str) -> str:
    return f"{phase_maps.unit_text(variant, unit)}, {display_names.power_name(variant, power)}"


def _fallen(variant: Variant, at: Json) -> dict[str, str]:
    return {
        province_of(one["unit"].partition(" ")[2]): _unit(variant, one["unit"], power)
        for power, several in (at.get("dislodged") or {}).items()
        for one in several
    }


def _centres(variant: Variant, at: Json) -> dict[str, str]:
    return {
        place: display_names.power_name(variant, power)
        for power, places in (at.get("centers") or {}).items()
        for place in places
    }


def _contested(variant: Variant, at: Json) -> dict[str, str]:  # noqa: ARG001 one of the views
    return dict.fromkeys(at.get("contested") or (), _("yes"))
