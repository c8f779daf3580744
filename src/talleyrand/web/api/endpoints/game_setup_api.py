"""Tables: making games, gathering players, beginning, and leaving."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.accounts.models import Person
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import (
    TokenRequest,
    idempotency_key_or_new,
    open_as_host,
    open_as_member,
    open_as_player,
    open_game,
    open_to_invite,
)
from talleyrand.web.api.resource import Refusals, Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    GameKey,
    IdempotencyKey,
    Moment,
    PowerCode,
    RequestSchema,
    ResponseSchema,
    list_out,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import game_lifecycle, house_rules
from talleyrand.web.games.deadlines.forms import default_deadline_settings
from talleyrand.web.games.game_lifecycle import LifecycleRefusal
from talleyrand.web.games.lobby import (
    game_creation,
    game_start,
    invitations,
    join_views,
    membership_actions,
    player_groups,
    split_form,
)
from talleyrand.web.games.lobby.forms import YES_OR_NO, GameForm, variant_option_field
from talleyrand.web.games.lobby.game_settings_texts import rule_lines
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.lobby.setting_options import NO, YES
from talleyrand.web.games.models import Game, GameRole, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer

from .deadline_schemas import DeadlineRulesIn, rhythm_from
from .games_api import AcceptedRules, GameOut, HouseRulesText, RuleLines, RulesDigest


def _lifecycle_refused(refused: LifecycleRefusal, _sight: object) -> ApiError:
    try:
        return ApiError(409, refused.code, LobbyRefusal(refused.code).sentence)
    except KeyError:
        return ApiError(409, "moved", LobbyRefusal("moved").sentence)


SETUP_REFUSALS: Refusals = {
    LobbyRefusal: lambda refused, _sight: ApiError(409, refused.code, refused.sentence),
    QuestionRefusal: lambda refused, _sight: ApiError(409, sentence=refused.sentence),
    LifecycleRefusal: _lifecycle_refused,
}
RESOURCE = Resource("tables", Scope.TABLES, sight=open_game, refused=SETUP_REFUSALS)
ShortText = Annotated[str, StringConstraints(max_length=40, pattern=PRINTABLE)]
RowId = Annotated[int, Path(description=_("Its `id`."), ge=1, le=10**15)]
InvitationToken = Annotated[str, Path(description=_("The last part of an invitation link."), max_length=64)]
PowerPreferences = Annotated[
    list[ShortText], Field(max_length=40, description=_("Powers, in order of preference."))
]


class TermsIn(RequestSchema):
    """What is agreed; what is left out has the usual answer."""

    naming: ShortText | None = None
    anonymity: Literal["open", "until_end"] | None = None
    press: Literal["full", "public", "none", "held"] | None = None
    press_between: bool | None = None
    declarations: bool | None = None
    bots: ShortText | None = Field(
        default=None,
        description=_("Bot for the seats no one takes: “values:normal”; empty: none."),
    )
    bots_when: Literal["start", "left", "both"] | None = Field(
        default=None,
        description=_("Bots play seats that are open at the start, those of players who leave, or both."),
    )
    bot_seats_open: bool | None = Field(
        default=None, description=_("Someone who joins later can take over a bot’s seat.")
    )
    absent: Literal["disorder", "extend", "wait"] | None = None
    extensions: int | None = Field(default=None, ge=0, le=20)
    patience: int | None = Field(default=None, ge=0, le=20)
    drafts_count: bool | None = None
    absence_days: int | None = Field(default=None, ge=0, le=90)
    draw: Literal["unanimous", "veto_then_vote", "never"] | None = None
    last_year: int | None = Field(default=None, ge=0, le=9999)
    last_after: Literal["R", "A"] | None = None
    scoring: ShortText | None = None
    gm_absence_days: int | None = Field(
        default=None, ge=0, le=90, description=_("After which an absent GM may be replaced; 0: never.")
    )
    log_open: bool | None = None
    submissions_shown: bool | None = None
    watching: Literal["everybody", "invited"] | None = None
    delay_phases: int | None = Field(
        default=None, ge=0, le=20, description=_("Spectators see the game so many phases late.")
    )
    delay_hours: int | None = Field(
        default=None, ge=0, le=720, description=_("Spectators see no phase sooner after its results.")
    )
    least_reliability: int | None = Field(
        default=None,
        ge=0,
        le=100,
        description=_("Of players, in per cent; newcomers have none yet and may join."),
    )
    by_post: bool | None = None
    language: Literal["fr", "en"] | None = Field(
        default=None, description=_("In which language people write; null: any.")
    )
    house_rules_fr: HouseRulesText = None
    house_rules_en: HouseRulesText = None
    split: ShortText | None = Field(
        default=None, description=_("Who plays which powers: a split of the variant, by its name.")
    )
    shares: list[list[ShortText]] = Field(
        default_factory=list,
        max_length=40,
        description=_("A split of your own instead: the powers of each player."),
    )
    passive: list[ShortText] = Field(
        default_factory=list,
        max_length=40,
        description=_("With it: powers eliminated before the game, whose units stand."),
    )
    disordered: list[ShortText] = Field(
        default_factory=list, max_length=40, description=_("With it: powers in civil disorder all game.")
    )
    first_year: int | None = Field(default=None, ge=0, le=9999, description=_("Null: the usual one."))
    centres_to_win: int | None = Field(
        default=None, ge=0, le=9999, description=_("Null: those of the variant.")
    )
    readings: dict[ShortText, ShortText] = Field(
        default_factory=dict,
        max_length=40,
        description=_(
            "Points that the variant leaves open, each with its value; the others keep their usual value."
        ),
    )


class GameIn(RequestSchema):
    name: str = Field(min_length=1, max_length=80, pattern=PRINTABLE)
    variant: ShortText = "classic"
    rulebook: ShortText | None = Field(
        default=None, description=_("The name of a rulebook; null: the usual one.")
    )
    own_rulebook: str | None = Field(
        default=None,
        max_length=40_000,
        pattern=PRINTABLE,
        description=_("Your own rulebook in TOML, instead."),
    )
    part: Literal["player", "master"] = "player"
    listed: bool = True
    group: ShortText | None = Field(
        default=None,
        description=_("The `key` of a group of yours: only its members find the game. Null: none."),
    )
    terms: TermsIn = Field(default=TermsIn())
    dates: DeadlineRulesIn | None = Field(
        default=None, description=_("Null: Fridays at midnight in your time zone.")
    )


class JoinIn(RequestSchema):
    role: Literal["player", "observer"] = "player"
    wishes: PowerPreferences = Field(default_factory=list)
    power: ShortText = Field(default="", description=_("One with an open seat, in a game that has started."))
    accepts: ShortText = AcceptedRules


class AcceptInvitationIn(RequestSchema):
    wishes: PowerPreferences = Field(default_factory=list)
    power: ShortText = ""
    accepts: ShortText = AcceptedRules


class PowerPreferencesIn(RequestSchema):
    wishes: PowerPreferences


class BeginIn(RequestSchema):
    how: Literal["lot", "shares", "hand"] = "lot"
    powers: dict[ShortText, int] = Field(
        default_factory=dict,
        max_length=100,
        description=_("By hand: for each power, the `id` of someone in the game."),
    )


class ReasonIn(RequestSchema):
    reason: str = Field(min_length=1, max_length=1000, pattern=PRINTABLE)


class MemberOut(ResponseSchema):
    id: int
    name: str
    role: Literal["player", "master", "assistant", "observer"]


class MembersOut(ResponseSchema):
    count: dict[str, int] = Field(description=_("Number of people in each role."))
    items: list[MemberOut] = Field(description=_("Empty where the players’ identities are secret."))


class InvitationIn(RequestSchema):
    role: Literal["player", "master", "assistant", "observer"] = "player"
    once: bool = Field(default=False, description=_("Single use."))
    power: ShortText = Field(default="", description=_("The seat it gives; empty: any."))


class InvitationOut(ResponseSchema):
    id: int
    token: str
    path: str = Field(description=_("Path of the invitation page, for you to share."))
    role: Literal["player", "master", "assistant", "observer"]
    power: str
    once: bool = Field(validation_alias="is_single_use")

    @staticmethod
    def resolve_path(found: Invitation) -> str:
        return f"/parties/invitation/{found.token}/"


class InvitationGameOut(ResponseSchema):
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
    open: bool = Field(description=_("Whether it can be used to join now."))
    house_rules: RuleLines
    rules_digest: RulesDigest


# making


@RESOURCE.post("/games", _("Create a game. Only its name is required."), GameOut, status=201)
def create_game(request: TokenRequest, sent: GameIn, idempotency_key: IdempotencyKey = None) -> object:
    person = request.auth.person
    form = GameForm(_typed(sent), {}, zone=person.time_zone)
    if not form.is_valid():
        raise ApiError(
            422, fields=[FieldError(_place(name), str(told[0])) for name, told in form.errors.items()]
        )
    if why := game_creation.why_no_new_game(person):
        code = "too_many_games" if why == "open_games" else why
        raise ApiError(403 if why == "makers" else 409, code, LobbyRefusal(why).sentence)
    dates = (
        rhythm_from(sent.dates, "body.dates") if sent.dates else default_deadline_settings(person.time_zone)
    )
    group = player_groups.group_of_member(person, sent.group) if sent.group else None
    if sent.group and group is None:
        raise ApiError(422, fields=[FieldError("body.group", _("You are in no such group."))])
    plan = replace(form.game_plan(dates.as_json()), group=group)
    game = game_creation.create_game(plan, person, idempotency_key_or_new(idempotency_key))
    return GameViewer(game, person)


def _typed(sent: GameIn) -> dict[str, Any]:
    """As the page’s form would send it."""
    given = sent.terms.model_dump(exclude={"readings", "shares", "passive", "disordered"})
    terms = {name: value for name, value in given.items() if value is not None}
    typed = {name: _answer(value) if name in YES_OR_NO else str(value) for name, value in terms.items()}
    typed |= {"name": sent.name, "variant": sent.variant, "part": sent.part, "listed": _answer(sent.listed)}
    typed |= {
        variant_option_field(sent.variant, option): value for option, value in sent.terms.readings.items()
    }
    if sent.terms.shares:
        typed |= _own_split(sent.terms)
    if sent.rulebook is not None:
        typed["rulebook"] = sent.rulebook
    if sent.own_rulebook is not None:
        typed |= {"rulebook": "own", "own": sent.own_rulebook}
    return typed


def _own_split(terms: TermsIn) -> dict[str, Any]:
    """A split of somebody's own as the page's table would send it."""
    players = {str(number): share for number, share in enumerate(terms.shares, 1)}
    others = {split_form.PASSIVE: terms.passive, split_form.DISORDERED: terms.disordered}
    told: dict[str, Any] = {}
    for who, powers in {**players, **others}.items():
        for power in powers:
            field = split_form.own_field(power)
            told[field] = "" if field in told else who  # given twice it is nobody's, and refused
    return {"split": split_form.OWN, "people": str(len(terms.shares)), **told}


def _answer(agreed: bool) -> str:
    return YES if agreed else NO


def _place(name: str) -> str:
    known = name in GameIn.model_fields
    if "-" in name:
        return f"body.terms.readings.{name.partition('-')[2]}"
    return f"body.{name}" if known else f"body.terms.{name}"


# coming


@RESOURCE.post("/games/{key}/join", _("Join a listed game, or watch it."), GameOut, status=201)
def join_game(request: TokenRequest, key: GameKey, sent: JoinIn) -> object:
    game = get_object_or_404(Game, key=key)
    if not GameViewer(game, request.auth.person).may_join:
        raise Http404
    return _joined(
        game, request.auth.person, role=sent.role, wishes=sent.wishes, power=sent.power, accepts=sent.accepts
    )


@RESOURCE.get(
    "/invitations/{token}", _("What an invitation is for, before you accept it."), InvitationGameOut
)
def get_invitation(request: TokenRequest, token: InvitationToken) -> object:
    found = get_object_or_404(Invitation.objects.select_related("game"), token=token)
    if found.revoked_at is not None and not GameViewer(found.game, request.auth.person).role:
        raise Http404
    game = found.game
    told = {
        "name": game.name,
        "variant": game.variant,
        "rulebook": game.rulebook,
        "started": game.started_at,
    }
    told |= {"game": game.key, "terms": game.settings.as_json(), "role": found.role, "power": found.power}
    players = len(membership_actions.members_with_role(game, GameRole.PLAYER))
    may = (
        found.revoked_at is None
        and join_views.why_not_join(game, found.role, found, request.auth.person) is None
    )
    rules = {"house_rules": rule_lines(game), "rules_digest": house_rules.rules_digest(game)}
    return {**told, **rules, "seats": game.seats.count(), "players": players, "open": may}


@RESOURCE.post("/invitations/{token}/join", _("Accept an invitation."), GameOut, status=201)
def accept_invitation(request: TokenRequest, token: InvitationToken, sent: AcceptInvitationIn) -> object:
    found = get_object_or_404(Invitation.objects.select_related("game"), token=token)
    return _joined(
        found.game,
        request.auth.person,
        role=found.role,
        invitation=found,
        wishes=sent.wishes,
        power=sent.power,
        accepts=sent.accepts,
    )


def _joined(game: Game, person: Person, **how: Any) -> GameViewer:
    try:
        membership_actions.join_game(game, person, **how)
    except LobbyRefusal as refused:
        if refused.code != "house_rules":
            raise
        told = [refused.sentence, *rule_lines(game), f"accepts: {house_rules.rules_digest(game)}"]
        raise ApiError(409, refused.code, "\n".join(told)) from None
    if how["role"] == GameRole.PLAYER:
        game_start.start_game_if_full(game, timezone.now())
    return GameViewer(Game.objects.get(pk=game.pk), person)


@RESOURCE.put(
    "/games/{key}/wishes", _("Your power preferences, before the draw."), GameOut, sight=open_as_player
)
def set_power_preferences(request: TokenRequest, sight: GameViewer, sent: PowerPreferencesIn) -> object:
    membership_actions.set_preferences(sight.game, request.auth.person, sent.wishes)
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/leave", _("Leave a game."), sight=open_as_member)
def leave_game(request: TokenRequest, sight: GameViewer) -> None:
    membership_actions.leave_game(sight.game, request.auth.person)


@RESOURCE.post(
    "/games/{key}/powers/{power}/give-up", _("Resign one of your powers."), GameOut, sight=open_as_player
)
def give_up_power(request: TokenRequest, sight: GameViewer, power: PowerCode) -> object:
    if power not in sight.powers:
        raise Http404
    membership_actions.resign_power(sight.game, request.auth.person, power)
    return reloaded_game(sight)


# gathering


@RESOURCE.get(
    "/games/{key}/people", _("Who is in the game, and in which role."), MembersOut, scope=Scope.READ
)
def list_members(sight: GameViewer) -> object:
    found = [
        one for role in GameRole.values for one in membership_actions.members_with_role(sight.game, role)
    ]
    count = {role: sum(one.role == role for one in found) for role in GameRole.values}
    named = [{"id": one.pk, "name": one.person.shown_name, "role": one.role} for one in found]
    return {"count": count, "items": named if sight.may_see_players else []}


@RESOURCE.delete("/games/{key}/people/{row}", _("Remove someone from a game that has not started."))
def remove_member(request: TokenRequest, sight: GameViewer, row: RowId) -> None:
    if not (sight.is_host and sight.may_see_players):
        raise Http404
    membership_actions.remove_member(sight.game, row, request.auth.person)


@RESOURCE.get(
    "/games/{key}/invitations",
    _("Links that can still be used to join."),
    list_out("InvitationsOut", InvitationOut),
    sight=open_to_invite,
)
def list_invitations(sight: GameViewer) -> object:
    return {"items": invitations.open_invitations(sight.game)}


@RESOURCE.post(
    "/games/{key}/invitations",
    _("Create an invitation link."),
    InvitationOut,
    status=201,
    sight=open_to_invite,
)
def make_invitation(request: TokenRequest, sight: GameViewer, sent: InvitationIn) -> object:
    power = sent.power if sent.role == "player" else ""
    if power and not sight.may_see_players:  # whoever gives a link for a power knows who plays it
        raise Http404
    return invitations.create_invitation(
        sight.game, request.auth.person, sent.role, once=sent.once, power=power
    )


@RESOURCE.delete("/games/{key}/invitations/{row}", _("Revoke an invitation link."), sight=open_to_invite)
def withdraw_invitation(request: TokenRequest, sight: GameViewer, row: RowId) -> None:
    invitations.revoke_invitation(sight.game, request.auth.person, row)


@RESOURCE.post(
    "/games/{key}/begin",
    _("Start: powers drawn at random, the rules’ groups of powers drawn at random, or assigned by hand."),
    GameOut,
    sight=open_as_host,
)
def begin_game(request: TokenRequest, sight: GameViewer, sent: BeginIn) -> object:
    by_hand = sent.how == "hand"
    if by_hand and not sight.is_game_master:
        raise Http404
    chosen = sent.powers if by_hand else None
    game_start.start_game(
        sight.game, timezone.now(), request.auth.person, chosen, shared=sent.how == "shares"
    )
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/abandon", _("Abandon a game, with a reason."), GameOut, sight=open_as_host)
def abandon_game(request: TokenRequest, sight: GameViewer, sent: ReasonIn) -> object:
    role = GameRole.GAME_MASTER if sight.is_game_master else ""
    game_lifecycle.abandon_game(sight.game, sent.reason, timezone.now(), role=role, by=request.auth.person)
    return reloaded_game(sight)


def reloaded_game(sight: GameViewer) -> GameViewer:
    """The game as it is after a change."""
    return GameViewer(Game.objects.get(pk=sight.game.pk), sight.person)
