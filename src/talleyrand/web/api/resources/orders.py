"""One’s own orders: the draft, the sheets handed in, and that nobody need wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from django.http import Http404
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.api import paging
from talleyrand.web.api.callers import Call, entered, once
from talleyrand.web.api.forms import CLEAN, After, Given, Key, Limit, Moment, Number, Once, Page, Power, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.boards import drafts, wording
from talleyrand.web.boards.drafts import Reading, Unfit
from talleyrand.web.boards.incoming import Refused
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import inbox, seen
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import RUNNING, Game, Sheet
from talleyrand.web.games.playing import telling
from talleyrand.web.games.playing.board import opening
from talleyrand.web.games.playing.sheets import OwnSheet
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.threaded import received

RESOURCE = Resource("orders")
PLACE = "/games/{key}/phases/{number}/orders/{power}"
ORIGIN = "program"
Line = Annotated[str, StringConstraints(max_length=drafts.LONGEST_LINE, pattern=CLEAN)]
Lines = Annotated[list[Line], Field(max_length=drafts.MOST_LINES, description=_("As a player writes them."))]
Opening = Annotated[
    str | None,
    Field(
        max_length=24, pattern="^[0-9]*$", description=_("`opening` of the phase these orders are meant for.")
    ),
]
Receipt = Annotated[int, Path(description=_("The number of a sheet of this power."), ge=1, le=1_000_000)]


class Note(Given):
    line: str
    unit: str = Field(description=_("In normal form; empty where none was understood."))
    order: str = Field(description=_("In normal form; empty where none was understood."))
    error: str | None


class SheetFacts(Given):
    receipt: int = Field(description=_("Counted for each power from 1: the last one counts."))
    number: int
    power: str
    at: Moment = Field(description=_("When it was received."))
    digest: str = Field(description=_("SHA-256 of what was received, told with the receipt."))
    origin: Literal["map", "text", "mail", "granted", "master", "draft", "program", "computer"]
    final: bool
    counts: bool = Field(description=_("Whether it is the sheet that counts."))
    lines: list[str]


class SheetWhole(SheetFacts):
    understood: list[Note]


class Sheets(Page[SheetFacts]):
    pass


class Standing(Given):
    number: int
    power: str
    state: Literal["nothing", "draft", "saved", "final"]
    draft: list[str]
    understood: list[Note] = Field(description=_("What is read of the draft."))
    sheet: SheetFacts | None = Field(description=_("The sheet that counts."))
    differs: bool = Field(description=_("Whether the draft is another than the sheet that counts."))


class NewDraft(Sent):
    lines: Lines
    opening: Opening = None


class NewSheet(Sent):
    lines: Lines
    final: bool = Field(default=False, description=_("Nobody need wait for me in this phase."))
    opening: Opening = None


class Finality(Sent):
    final: bool


@RESOURCE.reads(
    PLACE, _("How far the orders of a power of yours are in the open phase."), Standing, Scope.ORDERS
)
def standing(request: Call, key: Key, number: Number, power: Power) -> object:
    sight = entered(request, key)
    if power not in sight.powers:
        raise Http404
    return _standing(sight.game, power, number)


@RESOURCE.changes(
    "PUT",
    f"{PLACE}/draft",
    _("Put lines in the place of the draft. A draft is no sheet: hand in what has to count."),
    Standing,
    Scope.ORDERS,
)
def draft(request: Call, key: Key, number: Number, power: Power, sent: NewDraft) -> object:
    at = received(request)
    sight = _ordering(request, key, power)
    lines = list(sent.lines)
    with taking():
        _check(sight.game, number, sent.opening)
        inbox.redraft(sight.game, power, number, lambda _question, _draft: {power: lines}, at, sight.person)
    return _standing(_fresh(sight), power, number)


@RESOURCE.changes(
    "POST",
    f"{PLACE}/sheets",
    _("Hand in a whole sheet. The answer is its receipt: from then on it counts, until another does."),
    SheetWhole,
    Scope.ORDERS,
    status=201,
)
def hand_in(
    request: Call, key: Key, number: Number, power: Power, sent: NewSheet, idempotency_key: Once = None
) -> object:
    at = received(request)
    sight = _ordering(request, key, power)
    once_only = once(idempotency_key)
    with taking():
        _check(sight.game, number, sent.opening)
        sheet = inbox.hand_in(
            sight.game,
            power,
            sent.lines,
            number=number,
            key=once_only,
            origin=ORIGIN,
            at=at,
            by=sight.person,
            final=sent.final,
        )
    return whole_sheet(_fresh(sight), sheet)


@RESOURCE.changes(
    "PUT",
    f"{PLACE}/final",
    _("Say that nobody need wait for you, or take that back."),
    Standing,
    Scope.ORDERS,
)
def final(request: Call, key: Key, number: Number, power: Power, sent: Finality) -> object:
    at = received(request)
    sight = _ordering(request, key, power)
    with taking():
        inbox.set_final(sight.game, power, number, sent.final, at, sight.person)
    return _standing(_fresh(sight), power, number)


@RESOURCE.reads(
    f"{PLACE}/sheets",
    _("The sheets of a power that were received in a phase: yours; with `desk` any."),
    Sheets,
    Scope.ORDERS,
)
def sheets(
    request: Call, key: Key, number: Number, power: Power, after: After = None, limit: Limit = 50
) -> object:
    sight = _reading(request, key, power)
    found = seen.sheets(sight).filter(number=number, power=power).order_by("receipt")
    counting = inbox.counting(sight.game, number)
    return paging.part(found, after, limit, lambda one: _facts(one, counting.get(power)))


@RESOURCE.reads(
    f"{PLACE}/sheets/{{receipt}}", _("One sheet, with what was understood of it."), SheetWhole, Scope.ORDERS
)
def sheet(request: Call, key: Key, number: Number, power: Power, receipt: Receipt) -> object:
    sight = _reading(request, key, power)
    found = seen.sheets(sight).filter(number=number, power=power, receipt=receipt).first()
    if found is None:
        raise Http404
    return whole_sheet(sight.game, found)


def _reading(request: Call, key: str, power: str) -> Sight:
    """The game as the caller sees it, where he reads the sheets of this power: those of others at the desk,
    which a token for one’s own orders does not reach.
    """
    sight = entered(request, key)
    if not sight.sees_orders(power) or not sight.game.seats.filter(power=power).exists():
        raise Http404
    if power not in sight.powers and Scope.DESK not in request.auth.token.scopes:
        raise Refusal(403)
    return sight


def _ordering(request: Call, key: str, power: str) -> Sight:
    """The game as the caller sees it, where he orders this power now."""
    sight = entered(request, key)
    if power not in sight.acting:
        raise Http404
    return sight


def _check(game: Game, number: int, given: str | None) -> None:
    """Orders made for a phase that was taken back and opened again may be meant for another position."""
    if given and number == game.number and given != opening(game):
        raise NotTaken("moved")


@contextmanager
def taking() -> Iterator[None]:
    """What was sent is taken, or refused in words."""
    try:
        yield
    except NotTaken as refused:
        raise Refusal(409, refused.code, telling.not_taken(refused)) from refused
    except Unfit as refused:
        wrong = Wrong("body.lines", telling.unfit(refused))
        raise Refusal(422, refused.code, wrong.sentence, [wrong]) from refused
    except (Refused, Unanswered) as refused:
        raise Refusal(422, sentence=refused.sentence) from refused


def _fresh(sight: Sight) -> Game:
    return Game.objects.get(pk=sight.game.pk)


def _standing(game: Game, power: str, number: int) -> dict[str, Any]:
    question = Story(game).question(number) if number == game.number else None
    if question is None or game.state not in RUNNING:
        raise Http404
    own = OwnSheet.of(game, power, number, question)
    told = {"number": number, "power": power, "state": own.state, "draft": own.lines, "differs": own.differs}
    handed = _facts(own.handed, own.handed) if own.handed else None
    return {**told, "sheet": handed, "understood": [_note(one) for one in own.preparation.readings]}


def whole_sheet(game: Game, sheet: Sheet) -> dict[str, Any]:
    """A sheet with what was understood of it."""
    counting = inbox.counting(game, sheet.number).get(sheet.power)
    return {**_facts(sheet, counting), "understood": [_note(one) for one in inbox.understood(sheet)]}


def _facts(sheet: Sheet, counting: Sheet | None) -> dict[str, Any]:
    names = ("receipt", "number", "power", "at", "digest", "origin", "final", "lines")
    told = {name: getattr(sheet, name) for name in names}
    return {**told, "counts": counting is not None and counting.pk == sheet.pk}


def _note(reading: Reading) -> dict[str, Any]:
    error = reading.error[wording.language()] if reading.error else None
    return {"line": reading.line, "unit": reading.unit, "order": reading.order, "error": error}
