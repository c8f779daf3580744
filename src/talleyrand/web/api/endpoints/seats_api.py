"""Who sits where, who leads, and how a game master ends a game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.utils import timezone
from ninja.params import Query
from pydantic import Field

from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    GameKey,
    Moment,
    PowerCode,
    RequestSchema,
    ResponseSchema,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import visibility
from talleyrand.web.games.game_master import game_actions, scripted_powers, seat_actions
from talleyrand.web.games.models import GameSeat
from talleyrand.web.games.viewer_permissions import GameViewer

from .game_setup_api import (
    InvitationOut,
    ReasonIn,
    RowId,
    ShortText,
    invitation_details,
    reloaded_game,
)
from .games_api import GameOut
from .gm_desk_api import acting_gm, desk_act, for_game_master

RESOURCE = Resource("people")
Alone = Annotated[bool, Query(description=_("The game continues without a game master."))]


class SeatTimeOut(ResponseSchema):
    player: str | None = Field(description=_("Null: an account that no longer exists."))
    stand_in: bool
    since: Moment
    until: Moment | None


class DeskSeatOut(ResponseSchema):
    power: str
    mark: int = Field(description=_("Changes when the seat changes hands."))
    stood_in: bool = Field(description=_("Whether a stand-in is playing it."))
    disorder: bool
    history: list[SeatTimeOut]


class SeatMarkIn(RequestSchema):
    mark: int = Field(ge=0, le=10**9, description=_("The seat’s `mark`, as you know it."))


class ReplacementIn(SeatMarkIn):
    name: str = Field(min_length=1, max_length=80, pattern=PRINTABLE)
    stand_in: bool = Field(default=False, description=_("As a stand-in, for a while."))


class BotIn(SeatMarkIn):
    player: ShortText = Field(description=_("A bot: “values:normal”."))


class CivilDisorderIn(RequestSchema):
    disorder: bool


class RoleIn(RequestSchema):
    name: str = Field(min_length=1, max_length=80, pattern=PRINTABLE)
    role: Literal["master", "assistant", "observer"]


class AgreedEndIn(RequestSchema):
    powers: list[ShortText] = Field(max_length=100, description=_("Those that win, or share the draw."))


# seats


@RESOURCE.read_view(
    "/games/{key}/desk/seats/{power}", _("One seat, and who has played it."), DeskSeatOut, Scope.DESK
)
def get_seat(request: TokenRequest, key: GameKey, power: PowerCode) -> object:
    return _seat(*_found(request, key, power))


@RESOURCE.change_view(
    "PUT", "/games/{key}/desk/seats/{power}/player", _("Assign a seat to someone."), DeskSeatOut, Scope.DESK
)
def replace_player(request: TokenRequest, key: GameKey, power: PowerCode, sent: ReplacementIn) -> object:
    sight = for_game_master(request, key)
    if power in scripted_powers.free_scripted_powers(sight.game):
        return _taken(request, sight, power, sent)
    sight, _before = _found(request, key, power)
    with desk_act():
        seat_actions.replace_player(
            sight.game,
            power,
            seat_actions.person_by_name(sent.name),
            sent.mark,
            stand_in=sent.stand_in,
            hand=acting_gm(sight),
            now=timezone.now(),
        )
    return _seat(*_found(request, key, power))


def _taken(request: TokenRequest, sight: GameViewer, power: str, sent: ReplacementIn) -> object:
    """A power that its script played until now, which had no seat."""
    with desk_act():
        person = seat_actions.person_by_name(sent.name)
        scripted_powers.take_from_script(sight.game, power, person, hand=acting_gm(sight), now=timezone.now())
    return _seat(*_found(request, sight.game.key, power))


@RESOURCE.change_view(
    "POST",
    "/games/{key}/desk/seats/{power}/script",
    _("Give a power back to its script, as long as no phase has been resolved since."),
    None,
    Scope.DESK,
    status=204,
)
def give_back_to_script(request: TokenRequest, key: GameKey, power: PowerCode) -> object:
    sight, _before = _found(request, key, power)
    with desk_act():
        scripted_powers.return_to_script(sight.game, power, hand=acting_gm(sight), now=timezone.now())
    return None


@RESOURCE.change_view(
    "POST",
    "/games/{key}/desk/seats/{power}/end-stand-in",
    _("The player has their power back."),
    DeskSeatOut,
    Scope.DESK,
)
def end_stand_in(request: TokenRequest, key: GameKey, power: PowerCode, sent: SeatMarkIn) -> object:
    sight, _before = _found(request, key, power)
    with desk_act():
        seat_actions.end_stand_in(sight.game, power, sent.mark, hand=acting_gm(sight), now=timezone.now())
    return _seat(*_found(request, key, power))


@RESOURCE.change_view(
    "POST", "/games/{key}/desk/seats/{power}/vacate", _("Vacate a seat."), DeskSeatOut, Scope.DESK
)
def vacate_seat(request: TokenRequest, key: GameKey, power: PowerCode, sent: SeatMarkIn) -> object:
    sight, _before = _found(request, key, power)
    with desk_act():
        seat_actions.free_seat(sight.game, power, sent.mark, hand=acting_gm(sight), now=timezone.now())
    return _seat(*_found(request, key, power))


@RESOURCE.change_view(
    "PUT",
    "/games/{key}/desk/seats/{power}/computer",
    _("Let a bot play an open seat."),
    DeskSeatOut,
    Scope.DESK,
)
def give_to_bot(request: TokenRequest, key: GameKey, power: PowerCode, sent: BotIn) -> object:
    sight, _before = _found(request, key, power)
    with desk_act():
        seat_actions.give_seat_to_bot(sight.game, power, sent.player, sent.mark, hand=acting_gm(sight))
    return _seat(*_found(request, key, power))


@RESOURCE.change_view(
    "PUT",
    "/games/{key}/desk/seats/{power}/disorder",
    _("Put a power into civil disorder, or take it out."),
    DeskSeatOut,
    Scope.DESK,
)
def set_civil_disorder(
    request: TokenRequest, key: GameKey, power: PowerCode, sent: CivilDisorderIn
) -> object:
    sight, _before = _found(request, key, power)
    with desk_act():
        seat_actions.set_civil_disorder(
            sight.game, power, lost=sent.disorder, hand=acting_gm(sight), now=timezone.now()
        )
    return _seat(*_found(request, key, power))


@RESOURCE.change_view(
    "POST",
    "/games/{key}/desk/seats/{power}/invitation",
    _("A link that gives an open seat to the first person who uses it."),
    InvitationOut,
    Scope.DESK,
    status=201,
)
def invite_to_seat(request: TokenRequest, key: GameKey, power: PowerCode) -> object:
    sight, _before = _found(request, key, power)
    with desk_act():
        return invitation_details(
            seat_actions.invite_to_seat(sight.game, power, hand=acting_gm(sight), now=timezone.now())
        )


def _found(request: TokenRequest, key: str, power: str) -> tuple[GameViewer, GameSeat]:
    sight = for_game_master(request, key)
    found = GameSeat.objects.filter(game=sight.game, power=power).first()
    if found is None:
        raise Http404
    return sight, found


def _seat(sight: GameViewer, found: GameSeat) -> dict[str, Any]:
    history = [
        {
            "player": one.person.name if one.person else None,
            "stand_in": one.is_stand_in,
            "since": one.started_at,
            "until": one.ended_at,
        }
        for one in visibility.visible_assignments(sight).filter(seat=found).select_related("person")
    ]
    told = {"power": found.power, "disorder": found.in_civil_disorder, "history": history}
    return {
        **told,
        "mark": seat_actions.seat_player_mark(found),
        "stood_in": seat_actions.has_stand_in(found),
    }


# roles


@RESOURCE.change_view(
    "POST", "/games/{key}/desk/people", _("Give someone a role in the game."), GameOut, Scope.DESK
)
def appoint_role(request: TokenRequest, key: GameKey, sent: RoleIn) -> object:
    sight = for_game_master(request, key)
    with desk_act():
        person = seat_actions.person_by_name(sent.name)
        game_actions.give_role(sight.game, person, sent.role, hand=acting_gm(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.change_view(
    "DELETE", "/games/{key}/desk/people/{row}", _("Remove a role."), None, Scope.DESK, status=204
)
def remove_role(request: TokenRequest, key: GameKey, row: RowId, alone: Alone = False) -> None:
    sight = for_game_master(request, key)
    with desk_act():
        game_actions.take_role(sight.game, row, hand=acting_gm(sight), now=timezone.now(), alone=alone)


@RESOURCE.change_view(
    "POST", "/games/{key}/desk/reveal", _("Reveal to everyone who plays what."), GameOut, Scope.DESK
)
def reveal_players(request: TokenRequest, key: GameKey) -> object:
    sight = for_game_master(request, key)
    with desk_act():
        game_actions.reveal_powers(sight.game, hand=acting_gm(sight), now=timezone.now())
    return reloaded_game(sight)


# the end


@RESOURCE.change_view(
    "POST", "/games/{key}/desk/end", _("End a game as its players agreed."), GameOut, Scope.DESK
)
def end_by_agreement(request: TokenRequest, key: GameKey, sent: AgreedEndIn) -> object:
    sight = for_game_master(request, key)
    with desk_act():
        game_actions.gm_end_as_draw(sight.game, sent.powers, hand=acting_gm(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.change_view(
    "POST",
    "/games/{key}/desk/abandon",
    _("Abandon a game from the desk, with a reason."),
    GameOut,
    Scope.DESK,
)
def abandon_by_gm(request: TokenRequest, key: GameKey, sent: ReasonIn) -> object:
    sight = for_game_master(request, key)
    with desk_act():
        game_actions.gm_abandon_game(sight.game, sent.reason, hand=acting_gm(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.change_view(
    "POST", "/games/{key}/desk/reopen", _("Reopen a game that had ended."), GameOut, Scope.DESK
)
def reopen_game(request: TokenRequest, key: GameKey) -> object:
    sight = for_game_master(request, key)
    with desk_act():
        game_actions.reopen_game(sight.game, hand=acting_gm(sight), now=timezone.now())
    return reloaded_game(sight)
