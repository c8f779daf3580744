"""Letters: one’s rooms, what stands in them, and writing; those that wait for the game master."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja.params import Path, Query
from pydantic import Field, StringConstraints

from talleyrand.web.api import paging
from talleyrand.web.api.callers import Call, entered, once
from talleyrand.web.api.forms import CLEAN, After, Given, Key, Limit, Moment, Once, Page, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.press import marks, motions, posting, rules, seen, sentences, writing
from talleyrand.web.press.composing import Desk
from talleyrand.web.press.models import Fate, Room
from talleyrand.web.press.models import Letter as Kept
from talleyrand.web.press.naming import address_of
from talleyrand.web.press.rules import Address, Kind, NoAddress
from talleyrand.web.press.text import LONGEST, Unfit

RESOURCE = Resource("letters")
WORD = "^[A-Za-z0-9_-]{1,64}$"
MOST_RECIPIENTS = 60
RoomKey = Annotated[str, Path(description=_("A room, as the list of rooms names it."), pattern=WORD)]
LetterKey = Annotated[str, Path(description=_("A letter that waits, by its `letter`."), pattern=WORD)]
InRoom = Annotated[str | None, Query(description=_("Only those of a room."), pattern=WORD)]
Text = Annotated[str, StringConstraints(max_length=2 * LONGEST, pattern=CLEAN)]
Signature = Annotated[str, StringConstraints(max_length=40, pattern=r"^(@|[A-Z0-9_-]{1,40})$")]
Recipient = Annotated[str, StringConstraints(max_length=40, pattern=r"^([@*]|[A-Z0-9_-]{1,40})$")]


class RoomFacts(Given):
    room: str
    kind: Literal["pair", "group", "all", "master"]
    powers: list[str] = Field(description=_("Who is in it; nobody is named in the room of all."))
    unread: int = Field(description=_("How many letters in it you have not read."))


class Rooms(Given):
    items: list[RoomFacts]


class About(Sent):
    """A public proposal of the open turn."""

    vote: str = Field(max_length=20, pattern=WORD, description=_("In which vote, as proposals are numbered."))
    by: Signature = Field(description=_("Who made it."))


class MotionFacts(Given):
    number: int = Field(description=_("The phase in which it was made."))
    vote: str
    by: str


class Letter(Given):
    letter: str | None = Field(description=_("Its name, for whoever wrote it and for the game master."))
    room: str
    signed: str = Field(description=_("A power, “@” for the game master, “?” for nobody."))
    number: int = Field(description=_("The phase that was open."))
    phase: str
    text: str
    about: MotionFacts | None = Field(description=_("The public proposal that it is about."))
    state: Literal["delivered", "held", "returned"]
    reason: str = Field(description=_("Why the game master returned it."))
    at: Moment = Field(description=_("When it was delivered; of one that was not, when it was written."))


class Letters(Page[Letter]):
    pass


class NewLetter(Sent):
    to: list[Recipient] = Field(
        min_length=1,
        max_length=MOST_RECIPIENTS,
        description=_("Powers; or “*” alone for everybody, “@” alone for the game master."),
    )
    text: Text
    writer: Signature | None = Field(
        default=None, description=_("The power that signs; needed where you have several.")
    )
    unsigned: bool = Field(default=False, description=_("A declaration to everybody without a signature."))
    about: About | None = Field(
        default=None, description=_("To everybody alone: the proposal that it argues for or answers.")
    )


class Read(Given):
    unread: int


class Reason(Sent):
    reason: Annotated[str, StringConstraints(max_length=2 * writing.LONGEST_REASON, pattern=CLEAN)]


@RESOURCE.reads(
    "/games/{key}/rooms", _("Your rooms, and how much of each you have not read."), Rooms, Scope.LETTERS
)
def rooms(request: Call, key: Key) -> object:
    sight = entered(request, key)
    unread = marks.by_room(sight)
    found = _rooms(request, sight).order_by("pk")
    return {"items": [_room(one, unread.get(one.pk, 0)) for one in found]}


@RESOURCE.reads(
    "/games/{key}/letters",
    _("The letters that you may read, the oldest first; with `desk` a game master reads all."),
    Letters,
    Scope.LETTERS,
)
def letters(request: Call, key: Key, room: InRoom = None, after: After = None, limit: Limit = 50) -> object:
    sight = entered(request, key)
    found = _letters(request, sight)
    if room is not None:
        found = found.filter(room=get_object_or_404(_rooms(request, sight), key=room))
    return paging.part(found, after, limit, lambda one: _letter(sight, one))


@RESOURCE.changes(
    "POST",
    "/games/{key}/letters",
    _("Write a letter. Where letters go through the game master, it is `held` until he passes it on."),
    Letter,
    Scope.LETTERS,
    status=201,
)
def write(request: Call, key: Key, sent: NewLetter, idempotency_key: Once = None) -> object:
    sight = entered(request, key)
    desk = Desk.of(sight)
    writer = sent.writer or _only(desk)
    to = _address(sight, writer, sent.to)
    about = _about(sight, sent.about)
    written = writing.Written(sent.text, writer, once(idempotency_key), sent.unsigned, about=about)
    try:
        made = writing.send(sight.game, request.auth.person, to, written, timezone.now())
    except writing.Refused as refused:
        raise Refusal(409, refused.code, sentences.refusal(refused.code)) from refused
    except Unfit as unfit:
        raise _unfit("body.text", unfit.code, sentences.refusal(unfit.code)) from unfit
    return _letter(sight, made)


@RESOURCE.changes(
    "POST",
    "/games/{key}/rooms/{room}/read",
    _("Say that you have read a room, as opening its page does."),
    Read,
    Scope.LETTERS,
)
def read(request: Call, key: Key, room: RoomKey) -> object:
    sight = entered(request, key)
    kept = get_object_or_404(_rooms(request, sight), key=room)
    moments = [one.delivered for one in seen.letters(sight).filter(room=kept) if one.delivered]
    posting.seen_by(sight, kept, max(moments, default=None))
    return {"unread": marks.by_room(sight).get(kept.pk, 0)}


def _about(sight: Sight, sent: About | None) -> str:
    """How a letter names the proposal; one that was made in no phase of now is refused when it is sent."""
    if sent is None:
        return ""
    story = Story(sight.game)
    number = motions.made_in(story, sight.game.number, sight.game.phase)
    return motions.Motion(number, sent.vote, sent.by).key


def _letters(request: Call, sight: Sight) -> QuerySet[Kept]:
    """The letters that this token reads: what players write to each other the game master reads at his desk,
    which a token for one’s own letters does not reach.
    """
    found = seen.letters(sight)
    if not sight.is_master or Scope.DESK in request.auth.token.scopes:
        return found
    return found.filter(room__kind__in=(Kind.ALL, Kind.MASTER), state=Fate.DELIVERED)


def _rooms(request: Call, sight: Sight) -> QuerySet[Room]:
    """The rooms in which this token reads something."""
    return Room.objects.filter(pk__in=_letters(request, sight).order_by().values("room"))


# the game master’s


@RESOURCE.reads(
    "/games/{key}/letters/held",
    _("The letters that wait for you, their game master, the oldest first."),
    Letters,
    Scope.DESK,
)
def held(request: Call, key: Key, after: After = None, limit: Limit = 50) -> object:
    sight = _master(request, key)
    return paging.part(seen.held(sight), after, limit, lambda one: _letter(sight, one))


@RESOURCE.changes(
    "POST", "/games/{key}/letters/{letter}/pass", _("Pass on a letter that waits."), Letter, Scope.DESK
)
def pass_on(request: Call, key: Key, letter: LetterKey) -> object:
    sight, kept = _waiting(request, key, letter)
    try:
        return _letter(sight, writing.pass_on(kept, timezone.now()))
    except writing.Settled as settled:
        raise Refusal(409, settled.state, sentences.settled(settled.state)) from settled


@RESOURCE.changes(
    "POST",
    "/games/{key}/letters/{letter}/return",
    _("Return a letter that waits to its writer, with a reason."),
    Letter,
    Scope.DESK,
)
def give_back(request: Call, key: Key, letter: LetterKey, sent: Reason) -> object:
    sight, kept = _waiting(request, key, letter)
    try:
        return _letter(sight, writing.give_back(kept, sent.reason))
    except writing.Settled as settled:
        raise Refusal(409, settled.state, sentences.settled(settled.state)) from settled
    except Unfit as unfit:
        raise _unfit("body.reason", unfit.code, sentences.reasonless(unfit.code)) from unfit


def _master(request: Call, key: str) -> Sight:
    sight = entered(request, key)
    if not sight.is_master:
        raise Http404
    return sight


def _waiting(request: Call, key: str, letter: str) -> tuple[Sight, Kept]:
    """A letter of players, whatever became of it."""
    sight = _master(request, key)
    return sight, get_object_or_404(seen.letters(sight).exclude(writer=""), key=letter)


def _only(desk: Desk) -> str:
    """The signature of somebody who has one alone."""
    signatures = desk.pen.signatures
    if len(signatures) > 1:
        raise Refusal(422, fields=[Wrong("body.writer", _("You have several signatures: name one."))])
    return signatures[0] if signatures else ""


def _address(sight: Sight, writer: str, to: list[str]) -> Address:
    powers = list(sight.game.seats.values_list("power", flat=True))
    try:
        return rules.address(writer, to, powers)
    except NoAddress as problem:
        raise _unfit("body.to", problem.code, sentences.refusal(problem.code)) from problem


def _unfit(where: str, code: str, sentence: str) -> Refusal:
    return Refusal(422, code, sentence, [Wrong(where, sentence)])


def _room(room: Room, unread: int) -> dict[str, Any]:
    to = address_of(room)
    return {"room": room.key, "kind": str(to.kind), "powers": list(to.powers), "unread": unread}


def _letter(sight: Sight, one: Kept) -> dict[str, Any]:
    mine = sight.is_master or (bool(one.writer) and one.writer in sight.powers)
    told = {name: getattr(one, name) for name in ("signed", "number", "phase", "text", "state")}
    reason = one.reason if one.state == Fate.RETURNED else ""
    at = one.delivered or one.written
    motion = motions.Motion.read(one.about)
    told |= {"about": motion._asdict() if motion else None, "reason": reason, "at": at}
    return {"letter": one.key if mine else None, "room": one.room.key, **told}
