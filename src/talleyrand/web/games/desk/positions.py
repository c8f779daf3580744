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
from talleyrand.formats import asking
from talleyrand.formats.plain import Text, read_text
from talleyrand.formats.positions import write_position
from talleyrand.variants import Variant
from talleyrand.web.boards import picture, referee, texts, wording
from talleyrand.web.games.models import Game, Json, Revision
from talleyrand.web.games.story import Story

from .acts import NotDone

LARGEST = 20_000
TOLD = ("phase", "units", "dislodged", "contested", "centers")


class Unreadable(Exception):
    """A text that is no position of this game; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def following(game: Game, revision: Revision) -> Json:
    """What comes after a phase: as published, or as it would go on where it ended the game.

    Raises NotDone for a phase without an answer of the judge.
    """
    if revision.after is not None:
        return revision.after
    question, answer = Story(game).question(revision.number), revision.answer
    if question is None or answer is None:
        raise NotDone("unpublished")
    calendar, phase = variants.load(game.variant).setting.calendar, Phase.parse(question["phase"])
    after: Json = {}
    for _later in calendar.cycle:
        phase = calendar.after(phase)
        after = referee.following(question, {**answer, "next": str(phase)}) or {}
        if referee.choosers(referee.ask(game.variant, game.rulebook, game.seed, after)):
            break
    return after


def winners(game: Game, phase: str, after: Json) -> tuple[str, ...]:
    """Whoever has won with the position that follows a phase, where the year’s centres are counted between
    the two; nobody where the later one does not follow.
    """
    if not phase:
        return ()
    setting = variants.load(game.variant).setting
    here, goal = Phase.parse(phase), Phase.parse(after["phase"])
    counted = here.kind == "A"
    for _later in (*setting.calendar.opening, *setting.calendar.cycle):
        entered = setting.calendar.after(here)
        counted = counted or setting.calendar.captures(here, entered)
        if entered == goal:
            asked = referee.ask(game.variant, game.rulebook, game.seed, after)
            return engine.winners(setting, asking.read_question(asked).position) if counted else ()
        here = entered
    return ()


def written(game: Game, situation: Json) -> str:
    """A situation as text that `read` gives back."""
    settings = {"variant": game.variant}
    if isinstance(game.rulebook, str):
        settings["rulebook"] = game.rulebook
    lines = texts.position_lines(situation, variants.load(game.variant))
    return "\n".join([*texts.setting_lines(settings), *lines]) + "\n"


def drawn(game: Game, text: str) -> str:
    """The map of a text, empty for one that is no position."""
    variant = variants.load(game.variant)
    try:
        asked = {**read_text(text, variant).question(), "variant": game.variant, "rulebook": game.rulebook}
        position = asking.read_question({**asked, "orders": {}}).position
    except TalleyrandError:
        return drawing.base(variant, wording.language())
    return drawing.draw(variant, position, language=wording.language(), caption=False)


def seasons(variant: Variant) -> list[tuple[str, str]]:
    """The phases of a year, each with its name."""
    calendar = variant.setting.calendar
    found = dict.fromkeys((*calendar.opening, *calendar.cycle))
    return [(code, wording.phase(variant, f"{code[0]}0{code[1]}").replace(" 0,", ",")) for code in found]


def read(game: Game, text: str, base: Json) -> Json:
    """The situation that a text tells; what it cannot tell (rights, homes) stays as in `base`.

    Raises Unreadable.
    """
    if len(text) > LARGEST:
        raise Unreadable(_("This position is too long."))
    if "\x00" in text:
        raise Unreadable(_("The text holds characters that are not text."))
    try:
        found = _told(game, read_text(text, variants.load(game.variant)), base)
    except TalleyrandError as error:
        raise Unreadable(messages.error(error, wording.language())) from error
    return _as_before(found, base)


def _told(game: Game, parsed: Text, base: Json) -> Json:
    named = parsed.fields.get("variant", game.variant)
    if named != game.variant:
        raise Unreadable(_("This text is for another board: nothing has been changed."))
    if "units" not in parsed.fields or "centers" not in parsed.fields:
        raise Unreadable(_("The text needs its two parts, “Positions” and “Centres”, each under its title."))
    if parsed.loose or any(any(chapter.sheets(parsed.variant)[0].values()) for chapter in parsed.chapters):
        raise Unreadable(_("The text holds orders: a position has units and centres alone."))
    told = {name: value for name, value in parsed.question().items() if name in TOLD}
    memory = {name: value for name, value in base.items() if name not in TOLD}
    if told["phase"] != base["phase"]:
        memory.pop("disorder", None)
    return canonical(game, {**memory, **told})


def canonical(game: Game, situation: Json) -> Json:
    """A situation in one order; raises TalleyrandError and Unreadable for one that cannot be played."""
    asked = referee.ask(game.variant, game.rulebook, game.seed, situation)
    position = asking.read_question(asked).position
    if not referee.choosers(asked):
        raise Unreadable(
            _("Nobody would have anything to decide in this phase: write one in which somebody has.")
        )
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
class Difference:
    """What stands in a place, or whose it is, before and after."""

    subject: str
    before: str
    after: str


def differences(game: Game, before: Json, after: Json) -> list[Difference]:
    """What a change of position changes, place by place, in the reader's words."""
    variant = variants.load(game.variant)
    return [*_phases(variant, before, after), *_places(variant, before, after)]


def _phases(variant: Variant, before: Json, after: Json) -> Iterator[Difference]:
    if before["phase"] != after["phase"]:
        names = [wording.phase(variant, one["phase"]) for one in (before, after)]
        yield Difference(_("Phase"), *names)


def _places(variant: Variant, before: Json, after: Json) -> Iterator[Difference]:
    names = variant.names(wording.language())
    found = [
        Difference(f"{names.location(place)}, {title}", held.get(place, "–"), holds.get(place, "–"))
        for title, tell in _views()
        for held, holds in ((tell(variant, before), tell(variant, after)),)
        for place in {*held, *holds}
        if held.get(place) != holds.get(place)
    ]
    yield from sorted(found, key=lambda one: one.subject)


def _views() -> tuple[tuple[str, Any], ...]:
    return (
        (_("unit"), _units),
        (_("dislodged"), _fallen),
        (_("centre of"), _centres),
        (_("stand-off"), _contested),
    )


def _units(variant: Variant, at: Json) -> dict[str, str]:
    return {
        province_of(unit.partition(" ")[2]): _unit(variant, unit, power)
        for power, units in (at.get("units") or {}).items()
        for unit in units
    }


def _unit(variant: Variant, unit: str, power: str) -> str:
    return f"{picture.unit_words(variant, unit)}, {wording.power(variant, power)}"


def _fallen(variant: Variant, at: Json) -> dict[str, str]:
    return {
        province_of(one["unit"].partition(" ")[2]): _unit(variant, one["unit"], power)
        for power, several in (at.get("dislodged") or {}).items()
        for one in several
    }


def _centres(variant: Variant, at: Json) -> dict[str, str]:
    return {
        place: wording.power(variant, power)
        for power, places in (at.get("centers") or {}).items()
        for place in places
    }


def _contested(variant: Variant, at: Json) -> dict[str, str]:  # noqa: ARG001 one of the views
    return dict.fromkeys(at.get("contested") or (), _("yes"))
