"""Tables: making games, gathering players, beginning, and leaving."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.accounts.models import Person
from talleyrand.web.api.callers import Call, entered, once
from talleyrand.web.api.forms import CLEAN, Given, Key, Moment, Once, Power, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import running
from talleyrand.web.games.deadlines.form import usual
from talleyrand.web.games.models import Game, Invitation, Role
from talleyrand.web.games.running import NotPossible
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table import gathering, invitations, joining, making, starting
from talleyrand.web.games.table.form import YES_OR_NO, GameForm, field_of
from talleyrand.web.games.table.options import NO, YES
from talleyrand.web.games.table.refusals import Refused

from .dates import Dates, rhythm
from .games import GameWhole, whole

RESOURCE = Resource("tables")
Chosen = Annotated[str, StringConstraints(max_length=40, pattern=CLEAN)]
Row = Annotated[int, Path(description=_("Its `id`."), ge=1, le=10**15)]
Token = Annotated[str, Path(description=_("The last part of an invitation’s link."), max_length=64)]
Wishes = Annotated[list[Chosen], Field(max_length=40, description=_("Powers, the best liked first."))]


class NewTerms(Sent):
    """What is agreed; what is left out has the usual answer."""

    naming: Chosen | None = None
    anonymity: Literal["open", "until_end"] | None = None
    press: Literal["full", "public", "none", "held"] | None = None
    press_between: bool | None = None
    declarations: bool | None = None
    bots: Chosen | None = Field(
        default=None,
        description=_("The computer’s player of the seats nobody takes: “values:normal”; empty: none."),
    )
    absent: Literal["disorder", "extend", "wait"] | None = None
    extensions: int | None = Field(default=None, ge=0, le=20)
    patience: int | None = Field(default=None, ge=0, le=20)
    drafts_count: bool | None = None
    absence_days: int | None = Field(default=None, ge=0, le=90)
    draw: Literal["unanimous", "veto_then_vote", "never"] | None = None
    last_year: int | None = Field(default=None, ge=0, le=9999)
    last_after: Literal["R", "A"] | None = None
    scoring: Chosen | None = None
    log_open: bool | None = None
    watching: Literal["everybody", "invited"] | None = None
    by_post: bool | None = None
    readings: dict[Chosen, Chosen] = Field(
        default_factory=dict,
        max_length=40,
        description=_(
            "Points that the text of the variant leaves open, each with its value; the others are as usual."
        ),
    )


class NewGame(Sent):
    name: str = Field(min_length=1, max_length=80, pattern=CLEAN)
    variant: Chosen = "classic"
    rulebook: Chosen | None = Field(default=None, description=_("The name of a book; null: the usual one."))
    own_rulebook: str | None = Field(
        default=None, max_length=40_000, pattern=CLEAN, description=_("A book of your own in TOML, instead.")
    )
    part: Literal["player", "master"] = "player"
    listed: bool = True
    terms: NewTerms = Field(default=NewTerms())
    dates: Dates | None = Field(default=None, description=_("Null: Fridays at midnight of your zone."))


class Joining(Sent):
    role: Literal["player", "observer"] = "player"
    wishes: Wishes = Field(default_factory=list)
    power: Chosen = Field(default="", description=_("A free one, in a game that has begun."))


class Coming(Sent):
    wishes: Wishes = Field(default_factory=list)
    power: Chosen = ""


class Wishing(Sent):
    wishes: Wishes


class Beginning(Sent):
    how: Literal["lot", "shares", "hand"] = "lot"
    powers: dict[Chosen, int] = Field(
        default_factory=dict,
        max_length=100,
        description=_("By hand: for each power the `id` of somebody at the table."),
    )


class Reason(Sent):
    reason: str = Field(min_length=1, max_length=1000, pattern=CLEAN)


class Member(Given):
    id: int
    name: str
    role: Literal["player", "master", "assistant", "observer"]


class People(Given):
    count: dict[str, int] = Field(description=_("How many have each role."))
    items: list[Member] = Field(description=_("Empty where it is secret who they are."))


class NewLink(Sent):
    role: Literal["player", "master", "assistant", "observer"] = "player"
    once: bool = Field(default=False, description=_("For one person alone."))
    power: Chosen = Field(default="", description=_("The seat that it gives; empty: any."))


class Link(Given):
    id: int
    token: str
    path: str = Field(description=_("Of the page, to be sent to whom you like."))
    role: Literal["player", "master", "assistant", "observer"]
    power: str
    once: bool


class Links(Given):
    items: list[Link]


class Invited(Given):
    game: str
    name: str
    variant: str
    rulebook: str | dict[str, Any]
    terms: dict[str, Any]
    role: Literal["player", "master", "assistant", "observer"]
    power: str
    seats: int
    players: int
    started: Moment | None
    open: bool = Field(description=_("Whether one may come in by it now."))


# making


@RESOURCE.changes(
    "POST",
    "/games",
    _("Make a game. Everything but its name may be left out."),
    GameWhole,
    Scope.TABLES,
    status=201,
)
def make(request: Call, sent: NewGame, idempotency_key: Once = None) -> object:
    person = request.auth.person
    form = GameForm(_typed(sent), {}, zone=person.zone)
    if not form.is_valid():
        raise Refusal(422, fields=[Wrong(_place(name), str(told[0])) for name, told in form.errors.items()])
    if making.too_many(person):
        sentence = _("You gather players for too many games: begin or abandon one first.")
        raise Refusal(409, "too_many_games", sentence)
    dates = rhythm(sent.dates, "body.dates") if sent.dates else usual(person.zone)
    game = making.create(form.plan(dates.kept()), person, once(idempotency_key))
    return whole(Sight(game, person))


def _typed(sent: NewGame) -> dict[str, Any]:
    """As the page’s form would send it."""
    given = sent.terms.model_dump(exclude={"readings"})
    terms = {name: value for name, value in given.items() if value is not None}
    typed = {name: _answer(value) if name in YES_OR_NO else str(value) for name, value in terms.items()}
    typed |= {"name": sent.name, "variant": sent.variant, "part": sent.part, "listed": _answer(sent.listed)}
    typed |= {field_of(sent.variant, option): value for option, value in sent.terms.readings.items()}
    if sent.rulebook is not None:
        typed["rulebook"] = sent.rulebook
    if sent.own_rulebook is not None:
        typed |= {"rulebook": "own", "own": sent.own_rulebook}
    return typed


def _answer(agreed: bool) -> str:
    return YES if agreed else NO


def _place(name: str) -> str:
    known = name in NewGame.model_fields
    if "-" in name:
        return f"body.terms.readings.{name.partition('-')[2]}"
    return f"body.{name}" if known else f"body.terms.{name}"


# coming


@RESOURCE.changes(
    "POST",
    "/games/{key}/join",
    _("Join a game of the list, or look on at it."),
    GameWhole,
    Scope.TABLES,
    status=201,
)
def join(request: Call, key: Key, sent: Joining) -> object:
    game = get_object_or_404(Game, key=key)
    if not Sight(game, request.auth.person).may_join:
        raise Http404
    return _joined(game, request.auth.person, role=sent.role, wishes=sent.wishes, power=sent.power)


@RESOURCE.reads(
    "/invitations/{token}", _("What an invitation is for, before one says yes."), Invited, Scope.TABLES
)
def invited(request: Call, token: Token) -> object:
    found = get_object_or_404(Invitation.objects.select_related("game"), token=token)
    if found.revoked is not None and not Sight(found.game, request.auth.person).role:
        raise Http404
    game = found.game
    told = {name: getattr(game, name) for name in ("name", "variant", "rulebook", "started")}
    told |= {"game": game.key, "terms": game.terms.kept(), "role": found.role, "power": found.power}
    players = len(gathering.members(game, Role.PLAYER))
    may = found.revoked is None and joining.why_not(game, found.role, found, request.auth.person) is None
    return {**told, "seats": game.seats.count(), "players": players, "open": may}


@RESOURCE.changes(
    "POST", "/invitations/{token}/join", _("Accept an invitation."), GameWhole, Scope.TABLES, status=201
)
def come(request: Call, token: Token, sent: Coming) -> object:
    found = get_object_or_404(Invitation.objects.select_related("game"), token=token)
    return _joined(
        found.game,
        request.auth.person,
        role=found.role,
        invitation=found,
        wishes=sent.wishes,
        power=sent.power,
    )


def _joined(game: Game, person: Person, **how: Any) -> dict[str, Any]:
    with acting():
        gathering.join(game, person, **how)
    if how["role"] == Role.PLAYER:
        starting.begin_full(game, timezone.now())
    return whole(Sight(Game.objects.get(pk=game.pk), person))


@RESOURCE.changes(
    "PUT",
    "/games/{key}/wishes",
    _("The powers you would like, before they are drawn."),
    GameWhole,
    Scope.TABLES,
)
def wish(request: Call, key: Key, sent: Wishing) -> object:
    sight = playing(request, key)
    with acting():
        gathering.wish(sight.game, request.auth.person, sent.wishes)
    return again(sight)


@RESOURCE.changes("POST", "/games/{key}/leave", _("Leave a game."), None, Scope.TABLES, status=204)
def leave(request: Call, key: Key) -> None:
    sight = entered(request, key)
    if not sight.role:
        raise Http404
    with acting():
        gathering.leave(sight.game, request.auth.person)


@RESOURCE.changes(
    "POST", "/games/{key}/powers/{power}/give-up", _("Give up one power of yours."), GameWhole, Scope.TABLES
)
def give_up(request: Call, key: Key, power: Power) -> object:
    sight = playing(request, key)
    if power not in sight.powers:
        raise Http404
    with acting():
        gathering.give_up(sight.game, request.auth.person, power)
    return again(sight)


# gathering


@RESOURCE.reads("/games/{key}/people", _("Who is at the table, and as what."), People, Scope.READ)
def people(request: Call, key: Key) -> object:
    sight = entered(request, key)
    found = [one for role in Role.values for one in gathering.members(sight.game, role)]
    count = {role: sum(one.role == role for one in found) for role in Role.values}
    named = [{"id": one.pk, "name": one.person.name, "role": one.role} for one in found]
    return {"count": count, "items": named if sight.knows_people else []}


@RESOURCE.changes(
    "DELETE",
    "/games/{key}/people/{row}",
    _("Send somebody away from a game that has not begun."),
    None,
    Scope.TABLES,
    status=204,
)
def remove(request: Call, key: Key, row: Row) -> None:
    sight = entered(request, key)
    if not (sight.hosts and sight.knows_people):
        raise Http404
    with acting():
        gathering.remove(sight.game, row, request.auth.person)


@RESOURCE.reads("/games/{key}/invitations", _("The links by which one may still join."), Links, Scope.TABLES)
def links(request: Call, key: Key) -> object:
    sight = _inviting(request, key)
    return {"items": [link(one) for one in invitations.current(sight.game)]}


@RESOURCE.changes("POST", "/games/{key}/invitations", _("Make a link."), Link, Scope.TABLES, status=201)
def invite(request: Call, key: Key, sent: NewLink) -> object:
    sight = _inviting(request, key)
    power = sent.power if sent.role == "player" else ""
    if power and not sight.knows_people:  # whoever gives a link for a power knows who plays it
        raise Http404
    with acting():
        return link(
            invitations.invite(sight.game, request.auth.person, sent.role, once=sent.once, power=power)
        )


@RESOURCE.changes(
    "DELETE", "/games/{key}/invitations/{row}", _("Make a link worthless."), None, Scope.TABLES, status=204
)
def withdraw(request: Call, key: Key, row: Row) -> None:
    sight = _inviting(request, key)
    with acting():
        invitations.withdraw(sight.game, request.auth.person, row)


@RESOURCE.changes(
    "POST",
    "/games/{key}/begin",
    _("Begin: powers by lot, the shares of the rules by lot, or by hand."),
    GameWhole,
    Scope.TABLES,
)
def begin(request: Call, key: Key, sent: Beginning) -> object:
    sight = entered(request, key)
    by_hand = sent.how == "hand"
    if not sight.hosts or (by_hand and not sight.is_master):
        raise Http404
    chosen = sent.powers if by_hand else None
    with acting():
        starting.begin(sight.game, timezone.now(), request.auth.person, chosen, shared=sent.how == "shares")
    return again(sight)


@RESOURCE.changes(
    "POST", "/games/{key}/abandon", _("End a game without a result, for a reason."), GameWhole, Scope.TABLES
)
def abandon(request: Call, key: Key, sent: Reason) -> object:
    sight = entered(request, key)
    if not sight.hosts:
        raise Http404
    role = Role.MASTER if sight.is_master else ""
    with acting():
        running.abandon(sight.game, sent.reason, timezone.now(), role=role, by=request.auth.person)
    return again(sight)


def playing(request: Call, key: str) -> Sight:
    """The game for one of its players; it is there for nobody else."""
    sight = entered(request, key)
    if sight.role != Role.PLAYER:
        raise Http404
    return sight


def _inviting(request: Call, key: str) -> Sight:
    sight = entered(request, key)
    if not sight.may_invite:
        raise Http404
    return sight


def link(found: Invitation) -> dict[str, Any]:
    told = {"token": found.token, "path": f"/parties/invitation/{found.token}/"}
    return {**told, "id": found.pk, "role": found.role, "power": found.power, "once": found.once}


def again(sight: Sight) -> dict[str, Any]:
    """The game as it is after a change."""
    return whole(Sight(Game.objects.get(pk=sight.game.pk), sight.person))


@contextmanager
def acting() -> Iterator[None]:
    """Something is done at the table, or refused in words."""
    try:
        yield
    except Refused as refused:
        raise Refusal(409, refused.code, refused.sentence) from None
    except Unanswered as refused:
        raise Refusal(409, sentence=refused.sentence) from None
    except NotPossible as refused:
        known = Refused(refused.code)
        try:
            raise Refusal(409, refused.code, known.sentence) from None
        except KeyError:
            raise Refusal(409, "moved", Refused("moved").sentence) from None
