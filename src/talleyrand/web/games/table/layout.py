"""How the page that makes a game is laid out: its questions in groups, each answer with its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.games import readings
from talleyrand.web.games.deadlines.form import RhythmForm
from talleyrand.web.games.deadlines.rhythm import Rhythm
from talleyrand.web.games.deadlines.sentence import sentence as rhythm_sentence
from talleyrand.web.games.deadlines.zones import said_zone
from talleyrand.web.games.models import Role
from talleyrand.web.library.books_input import OWN
from talleyrand.web.practice import opponents

from .form import GameForm, field_of, with_choices
from .options import OPTIONS, Option, Options

# Whose answers stand beside the title of a group that is folded.
TELLING = (
    "variant",
    "rulebook",
    "anonymity",
    "listed",
    "watching",
    "by_post",
    "press",
    "press_between",
    "draw",
    "scoring",
)


@dataclass(frozen=True)
class Item:
    """One question: `kind` names its template (radios, select, number, book, end)."""

    kind: str
    name: str
    label: str
    value: Any
    errors: list[str]
    hint: str = ""
    options: Options = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)
    marked: tuple[str, ...] = ()  # answers that show a group of questions of their own


@dataclass(frozen=True)
class Group:
    """Questions that are folded together; `now` says how they are answered."""

    title: str
    items: list[Item]
    now: str
    open: bool
    dates: bool = False
    own: bool = False  # of one board alone: hidden while a board without such questions is chosen


def part(form: GameForm) -> Item:
    """Whether one plays or leads: the only question besides the name that is not folded."""
    options = {
        Role.PLAYER: Option(_("I play"), _("You play a power; the clock runs the game.")),
        Role.MASTER: Option(
            _("I am the game master"), _("You lead the game, see everything, and play nothing.")
        ),
    }
    return _radios(form, "part", _("Your part"), {str(name): one for name, one in options.items()})


def groups(form: GameForm, dates: RhythmForm, begun: Rhythm) -> list[Group]:
    """The questions after the name, in the order of the terms; `begun` is the rule before any answer."""
    return [
        _group(_("Board and rules"), list(_rules(form))),
        *(_open_points(form, variant) for variant in with_choices()),
        _group(_("People"), list(_people(form))),
        _group(_("Letters"), list(_letters(form))),
        _deadlines(form, dates, begun),
        _group(_("The end"), list(_end(form))),
    ]


def _group(title: str, items: list[Item]) -> Group:
    return Group(title, items, _said(items), any(item.errors for item in items))


def _open_points(form: GameForm, variant: Variant) -> Group:
    """What the text of a variant leaves open, in the words of its rules page."""
    title = _("%(board)s: points the text leaves open") % {"board": variant.title[wording.language()]}
    items = []
    for one in readings.choices(variant):
        options = {value: Option(sentence, "") for value, sentence in one.values.items()}
        name = field_of(variant.name, one.option)
        items.append(replace(_radios(form, name, one.title, options), hint=one.text))
    changed = [item.options[item.value].label for item in items if item.value in list(item.options)[1:]]
    faulty = any(item.errors for item in items)
    return Group(title, items, " ".join(changed) or _("All as usual."), faulty, own=True)


def _said(items: list[Item]) -> str:
    """The answers that say enough by themselves."""
    told = (item for item in items if item.name in TELLING and item.value in item.options)
    return " · ".join(item.options[item.value].label for item in told)


def _rules(form: GameForm) -> Iterator[Item]:
    marked = tuple(variant.name for variant in with_choices())
    yield replace(_radios(form, "variant", _("Board"), _boards()), marked=marked)
    titles = {name: Option(title, "") for name, title in wording.rulebook_titles()}
    own = {OWN: Option(_("a rulebook of our own"), "")}
    more = {"text": form["own"].value() or "", "errors": _errors(form, "own")}
    yield Item(
        "book",
        "rulebook",
        _("Rulebook"),
        form["rulebook"].value(),
        [*_errors(form, "rulebook"), *_errors(form, "own_file")],
        _("The judge follows it, and names its articles."),
        {**titles, **own},
        more,
    )
    yield _select(form, "naming", _("Abbreviations of provinces"))


def _boards() -> Options:
    return {name: _board(name) for name in variants.names()}


def _board(name: str) -> Option:
    variant = variants.load(name)
    facts = {"powers": len(variant.setting.players), "centres": len(variant.board.centres)}
    return Option(variant.title[wording.language()], _("%(powers)s powers, %(centres)s centres.") % facts)


def _people(form: GameForm) -> Iterator[Item]:
    yield _radios(form, "anonymity", _("Who plays what"))
    yield _radios(form, "chair", _("On boards that have a seat without land"))
    if opponents.available() or form["bots"].errors:
        yield _select(form, "bots", _("Seats that nobody takes"))
    yield _radios(form, "listed", _("Where one finds the game"))
    yield _radios(form, "watching", _("Who may look on"))
    yield _radios(form, "log_open", _("The log of what the game master does"))
    if settings.HAS_POST:
        yield _radios(form, "by_post", _("Where one plays"))


def _letters(form: GameForm) -> Iterator[Item]:
    yield _radios(form, "press", _("Letters"))
    yield _radios(form, "press_between", _("When one may write"))
    yield _radios(form, "declarations", _("Declarations without a signature"))


def _deadlines(form: GameForm, dates: RhythmForm, begun: Rhythm) -> Group:
    items = [
        _radios(form, "absent", _("If a sheet is missing at the deadline")),
        _number(form, "extensions", _("How often a phase is extended by itself"), ""),
        _number(
            form,
            "patience",
            _("Movement phases without a sheet before civil disorder"),
            _("0: the game waits each time."),
        ),
        _radios(form, "drafts_count", _("Orders in preparation at the deadline")),
        _number(
            form,
            "absence_days",
            _("Days of absence, announced beforehand, that move deadlines"),
            _("0: absences move nothing."),
        ),
    ]
    faulty = bool(dates.errors) or any(item.errors for item in items)
    return Group(_("Deadlines and absences"), items, _pace(dates, begun), faulty, dates=True)


def _pace(dates: RhythmForm, begun: Rhythm) -> str:
    if not dates.is_bound:
        return rhythm_sentence(begun, wording.language())
    return rhythm_sentence(dates.rhythm(), wording.language()) if dates.is_valid() else ""


def _end(form: GameForm) -> Iterator[Item]:
    yield _radios(form, "draw", _("Ending by agreement"))
    yield _number(form, "last_year", _("Last year"), _("Left empty: none."))
    yield _radios(form, "last_after", _("The last year ends"))
    more = {
        "time": _text(form["ends_time"].value()),
        "errors": _errors(form, "ends_time"),
        "zone": said_zone(form.zone, wording.language()),
    }
    yield Item(
        "end",
        "ends_on",
        _("Agreed end"),
        _text(form["ends_on"].value()),
        _errors(form, "ends_on"),
        _("Left empty: none. Otherwise the most units win at that hour."),
        {},
        more,
    )
    yield _radios(form, "scoring", _("Points"))


def _errors(form: GameForm, name: str) -> list[str]:
    return [str(error) for error in form[name].errors]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _radios(form: GameForm, name: str, label: str, options: Options | None = None) -> Item:
    offered = {str(value): one for value, one in (options or OPTIONS[name]()).items()}
    return Item("radios", name, label, str(form[name].value()), _errors(form, name), "", offered)


def _select(form: GameForm, name: str, label: str) -> Item:
    offered = {str(value): one for value, one in OPTIONS[name]().items()}
    return Item("select", name, label, str(form[name].value() or ""), _errors(form, name), "", offered)


def _number(form: GameForm, name: str, label: str, hint: str) -> Item:
    return Item("number", name, label, _text(form[name].value()), _errors(form, name), hint)
