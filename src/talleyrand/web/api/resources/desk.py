"""The game master's desk: what an open phase waits for, dates, judging, words to all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Literal

from django.http import Http404
from django.utils import timezone
from pydantic import AwareDatetime, Field

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.api.callers import Call, entered, once
from talleyrand.web.api.forms import (
    CLEAN,
    TOLD_TO,
    Answer,
    Given,
    Key,
    Moment,
    Number,
    Once,
    Power,
    Question,
    Sent,
    Wished,
)
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import inbox, referee, seats
from talleyrand.web.games.desk import directing, ruling, timing
from talleyrand.web.games.desk.acts import Hand, NotDone
from talleyrand.web.games.desk.doors import sentence
from talleyrand.web.games.desk.words import untaken
from talleyrand.web.games.models import RUNNING, Game, Gazette
from talleyrand.web.games.sight import Sight

from .dates import Dates, rhythm
from .games import GameWhole
from .orders import NewSheet, SheetWhole, taking, whole_sheet
from .tables import Row, again

RESOURCE = Resource("desk")


class SeatState(Given):
    power: str
    deciding: bool = Field(description=_("Whether it has something to decide in the open phase."))
    state: Literal["", "nothing", "draft", "saved", "final"]
    missed: int = Field(description=_("Movement phases in a row without a sheet."))
    disorder: bool
    vacant: bool


class Desk(Given):
    number: int
    phase: str
    due: Moment | None
    next: Moment | None = Field(description=_("The date of the rule after the one that stands."))
    waiting: bool
    trouble: bool = Field(description=_("The judge could not settle the phase: the game waits for you."))
    missing: list[str]
    seats: list[SeatState]


class NewDeadline(Sent):
    """Exactly one of `until`, `hours` and `next`."""

    due: AwareDatetime | None = Field(
        description=_("The deadline that stands, as you know it: another one, and nothing is changed.")
    )
    until: Wished | None = None
    hours: int | None = Field(default=None, ge=1, le=timing.MOST_HOURS)
    next: Literal[True] | None = Field(default=None, description=_("To the next date of the rule."))


class Resuming(Sent):
    until: Wished | None = Field(default=None, description=_("Null: with the time that was left."))


class ThePhase(Sent):
    number: int = Field(ge=1, le=100_000, description=_("The phase that is open, as you know it."))


class Reminded(Given):
    powers: list[str]


class NewDates(Sent):
    dates: Dates
    follow: bool = Field(default=False, description=_("The open phase is due by the new rule too."))


class Words(Given):
    id: int
    number: int
    text: str
    published: Moment


class Gazettes(Given):
    items: list[Words]


class NewWords(Sent):
    number: int = Field(
        ge=0, le=100_000, description=_("The published phase that they are about; 0: the beginning.")
    )
    text: str = Field(min_length=1, max_length=directing.LONGEST, pattern=CLEAN)


class Preview(Given):
    question: Question
    answer: Answer
    missing: list[str]


@RESOURCE.reads("/games/{key}/desk", _("What the open phase waits for."), Desk, Scope.DESK)
def desk(request: Call, key: Key) -> object:
    sight = at_desk(request, key)
    game = sight.game
    names = ("number", "phase", "due", "waiting")
    told = {name: getattr(game, name) for name in names} | {"trouble": bool(game.trouble)}
    running = game.state in RUNNING
    missing = timing.missing(game) if running else ()
    return {
        **told,
        "next": timing.next_date(game, timezone.now()) if running else None,
        "missing": list(missing),
        "seats": _seats(game),
    }


def _seats(game: Game) -> list[dict[str, Any]]:
    running = game.state in RUNNING
    deciding = timing.deciding(game) if running else ()
    standing = inbox.standing(game, game.number) if running else {}
    free = seats.vacant(game)
    return [
        {
            "power": seat.power,
            "deciding": seat.power in deciding,
            "state": standing.get(seat.power, ""),
            "missed": seat.missed,
            "disorder": seat.disorder,
            "vacant": seat.power in free,
        }
        for seat in game.seats.all()
    ]


# dates


@RESOURCE.changes("PUT", "/games/{key}/desk/deadline", _("Move the deadline."), GameWhole, Scope.DESK)
def extend(request: Call, key: Key, sent: NewDeadline) -> object:
    sight, now = at_desk(request, key), timezone.now()
    until = _until(sight.game, sent, now)
    with doing():
        timing.extend(sight.game, until, _shown(sight.game, sent.due), hand=hand(sight), now=now)
    return again(sight)


def _shown(game: Game, told: datetime | None) -> datetime | None:
    """The deadline that stands, where it is the one that was told."""
    if told is None or game.due is None or not timedelta() <= game.due - told < TOLD_TO:
        return told
    return game.due


def _until(game: Game, sent: NewDeadline, now: datetime) -> datetime:
    told = [one for one in (sent.until, sent.hours, sent.next) if one is not None]
    if len(told) != 1:
        problem = _("Say either until when, or by how many hours, or that it goes to the next date.")
        raise Refusal(422, fields=[Wrong("body", problem)])
    if sent.hours is not None:
        return max(game.due or now, now) + timedelta(hours=sent.hours)
    found = sent.until or timing.next_date(game, now)
    if found is None:
        with doing():
            raise NotDone("undated")
    assert found is not None
    return found


@RESOURCE.changes("POST", "/games/{key}/desk/pause", _("Stop the clock."), GameWhole, Scope.DESK)
def pause(request: Call, key: Key) -> object:
    sight = at_desk(request, key)
    with doing():
        timing.pause(sight.game, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes("POST", "/games/{key}/desk/resume", _("Let the clock go on."), GameWhole, Scope.DESK)
def resume(request: Call, key: Key, sent: Resuming) -> object:
    sight = at_desk(request, key)
    with doing():
        timing.resume(sight.game, sent.until, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST", "/games/{key}/desk/reminders", _("Remind those who are missing."), Reminded, Scope.DESK
)
def remind(request: Call, key: Key, sent: ThePhase) -> object:
    sight = at_desk(request, key)
    with doing():
        told = timing.remind(sight.game, sent.number, hand=hand(sight), now=timezone.now())
    return {"powers": list(told)}


@RESOURCE.changes("PUT", "/games/{key}/desk/dates", _("Another rule for the dates."), GameWhole, Scope.DESK)
def rule(request: Call, key: Key, sent: NewDates) -> object:
    sight = for_master(request, key)
    act = ruling.Ruling(rhythm(sent.dates, "body.dates"), sent.follow)
    with doing():
        act.kept(sight.game, hand=hand(sight), now=timezone.now())
    return again(sight)


# the open phase


@RESOURCE.reads(
    "/games/{key}/desk/preview",
    _("What the open phase would come to now, with every sheet that is there."),
    Preview,
    Scope.DESK,
    also=(409,),
)
def preview(request: Call, key: Key) -> object:
    sight = for_master(request, key)
    with doing(), timing.judging(sight.game):
        taken, answer = referee.preview(sight.game, sight.game.number, timezone.now())
    question = {name: value for name, value in taken.question.items() if name != "seed"}
    return {"question": question, "answer": answer, "missing": list(timing.missing(sight.game))}


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/adjudicate",
    _("Judge and publish the open phase now, whoever is missing."),
    GameWhole,
    Scope.DESK,
)
def adjudicate(request: Call, key: Key, sent: ThePhase) -> object:
    sight = for_master(request, key)
    with doing():
        timing.adjudicate(sight.game, sent.number, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/retry",
    _("Ask the judge again, where he could not settle it."),
    GameWhole,
    Scope.DESK,
)
def retry(request: Call, key: Key) -> object:
    sight = at_desk(request, key)
    with doing():
        timing.retry(sight.game, hand=hand(sight), now=timezone.now())
    return again(sight)


@RESOURCE.changes(
    "POST",
    "/games/{key}/desk/phases/{number}/orders/{power}",
    _("Enter the sheet of somebody who cannot."),
    SheetWhole,
    Scope.DESK,
    status=201,
)
def enter(
    request: Call, key: Key, number: Number, power: Power, sent: NewSheet, idempotency_key: Once = None
) -> object:
    sight = for_master(request, key)
    if not sight.game.seats.filter(power=power).exists():
        raise Http404
    _check_deciding(sight.game, number, power)
    with taking():
        made = inbox.hand_in(
            sight.game,
            power,
            sent.lines,
            number=number,
            key=once(idempotency_key),
            origin="master",
            at=timezone.now(),
            by=sight.person,
            final=sent.final,
        )
    return whole_sheet(Game.objects.get(pk=sight.game.pk), made)


def _check_deciding(game: Game, number: int, power: str) -> None:
    """No sheet is entered for a power that has nothing to decide; other phases are refused by the inbox."""
    if game.state in RUNNING and number == game.number and power not in timing.deciding(game):
        raise Refusal(409, "idle", untaken("idle"))


# words to all


@RESOURCE.reads("/games/{key}/gazettes", _("The game master’s words on the phases."), Gazettes, Scope.READ)
def gazettes(request: Call, key: Key) -> object:
    sight = entered(request, key)
    return {"items": [_words(one) for one in sight.game.gazettes.order_by("-number", "-pk")[:200]]}


@RESOURCE.changes(
    "POST",
    "/games/{key}/gazettes",
    _("Publish words on a phase, for everybody."),
    Words,
    Scope.DESK,
    status=201,
)
def publish(request: Call, key: Key, sent: NewWords) -> object:
    sight = at_desk(request, key)
    with doing():
        return _words(directing.publish(sight.game, sent.number, sent.text, hand=hand(sight)))


@RESOURCE.changes(
    "DELETE", "/games/{key}/gazettes/{row}", _("Take published words away."), None, Scope.DESK, status=204
)
def unpublish(request: Call, key: Key, row: Row) -> None:
    sight = at_desk(request, key)
    with doing():
        directing.remove(sight.game, row, hand=hand(sight))


def _words(found: Gazette) -> dict[str, Any]:
    return {name: getattr(found, name) for name in ("number", "text", "published")} | {"id": found.pk}


def at_desk(request: Call, key: str) -> Sight:
    """The game of a game master or an assistant; for others there is no desk."""
    sight = entered(request, key)
    if not sight.at_desk:
        raise Http404
    return sight


def for_master(request: Call, key: str) -> Sight:
    """The game of its game master; for others this does not exist."""
    sight = entered(request, key)
    if not sight.is_master:
        raise Http404
    return sight


def hand(sight: Sight) -> Hand:
    """Whoever calls, as one who acts."""
    assert sight.person is not None
    return Hand(sight.person, sight.role)


@contextmanager
def doing() -> Iterator[None]:
    """An act at the desk, or why it is refused."""
    try:
        yield
    except NotDone as refused:
        raise Refusal(409, refused.code, sentence(refused)) from None
    except (Unanswered, TalleyrandError) as refused:
        raise Refusal(409, sentence=sentence(refused)) from None
