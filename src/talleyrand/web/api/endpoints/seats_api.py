"""Who sits where, who leads, and how a game master ends a game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja.params import Query
from pydantic import Field

from talleyrand.web.api.authentication import for_game_master, open_seat
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import PRINTABLE, Moment, PowerCode, RequestSchema, ResponseSchema
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import visibility
from talleyrand.web.games.game_master import game_actions, scripted_powers, seat_actions
from talleyrand.web.games.game_master.game_master_access import actor_of
from talleyrand.web.games.models import Game, GameSeat, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer

from .game_setup_api import InvitationOut, ReasonIn, RowId, ShortText, reloaded_game
from .games_api import GameOut
from .gm_desk_api import DESK_REFUSALS

RESOURCE = Resource("people", Scope.DESK, sight=for_game_master, refused=DESK_REFUSALS)
Alone = Annotated[bool, Query(description=_("The game continues without a game master."))]


class SeatTimeOut(ResponseSchema):
    player: str | None = Field(description=_("Null: an account that no longer exists."))
    stand_in: bool = Field(validation_alias="is_stand_in")
    since: Moment = Field(validation_alias="started_at")
    until: Moment | None = Field(validation_alias="ended_at")

    @staticmethod
    def resolve_player(assignment: PowerAssignment) -> str | None:
        return assignment.person.shown_name if assignment.person else None


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


@RESOURCE.get(
    "/games/{key}/desk/seats/{power}", _("One seat, and who has played it."), DeskSeatOut, sight=open_seat
)
def get_seat(sight: GameViewer, power: PowerCode) -> object:
    return _seat(sight, power)


@RESOURCE.put("/games/{key}/desk/seats/{power}/player", _("Assign a seat to someone."), DeskSeatOut)
def replace_player(sight: GameViewer, power: PowerCode, sent: ReplacementIn) -> object:
    if power in scripted_powers.free_scripted_powers(sight.game):
        person = seat_actions.person_by_name(sent.name)
        scripted_powers.take_from_script(sight.game, power, person, hand=actor_of(sight), now=timezone.now())
        return _seat(sight, power)
    get_object_or_404(GameSeat, game=sight.game, power=power)
    seat_actions.replace_player(
        sight.game,
        power,
        seat_actions.person_by_name(sent.name),
        sent.mark,
        stand_in=sent.stand_in,
        hand=actor_of(sight),
        now=timezone.now(),
    )
    return _seat(sight, power)


@RESOURCE.post(
    "/games/{key}/desk/seats/{power}/script",
    _("Give a power back to its script, as long as no phase has been resolved since."),
    sight=open_seat,
)
def give_back_to_script(sight: GameViewer, power: PowerCode) -> object:
    scripted_powers.return_to_script(sight.game, power, hand=actor_of(sight), now=timezone.now())
    return None


@RESOURCE.post(
    "/games/{key}/desk/seats/{power}/end-stand-in",
    _("The player has their power back."),
    DeskSeatOut,
    sight=open_seat,
)
def end_stand_in(sight: GameViewer, power: PowerCode, sent: SeatMarkIn) -> object:
    seat_actions.end_stand_in(sight.game, power, sent.mark, hand=actor_of(sight), now=timezone.now())
    return _seat(sight, power)


@RESOURCE.post("/games/{key}/desk/seats/{power}/vacate", _("Vacate a seat."), DeskSeatOut, sight=open_seat)
def vacate_seat(sight: GameViewer, power: PowerCode, sent: SeatMarkIn) -> object:
    seat_actions.free_seat(sight.game, power, sent.mark, hand=actor_of(sight), now=timezone.now())
    return _seat(sight, power)


@RESOURCE.put(
    "/games/{key}/desk/seats/{power}/computer",
    _("Let a bot play an open seat."),
    DeskSeatOut,
    sight=open_seat,
)
def give_to_bot(sight: GameViewer, power: PowerCode, sent: BotIn) -> object:
    seat_actions.give_seat_to_bot(sight.game, power, sent.player, sent.mark, hand=actor_of(sight))
    return _seat(sight, power)


@RESOURCE.put(
    "/games/{key}/desk/seats/{power}/disorder",
    _("Put a power into civil disorder, or take it out."),
    DeskSeatOut,
    sight=open_seat,
)
def set_civil_disorder(sight: GameViewer, power: PowerCode, sent: CivilDisorderIn) -> object:
    seat_actions.set_civil_disorder(
        sight.game, power, lost=sent.disorder, hand=actor_of(sight), now=timezone.now()
    )
    return _seat(sight, power)


@RESOURCE.post(
    "/games/{key}/desk/seats/{power}/invitation",
    _("A link that gives an open seat to the first person who uses it."),
    InvitationOut,
    status=201,
    sight=open_seat,
)
def invite_to_seat(sight: GameViewer, power: PowerCode) -> object:
    return seat_actions.invite_to_seat(sight.game, power, hand=actor_of(sight), now=timezone.now())


def _seat(viewer: GameViewer, power: str) -> dict[str, Any]:
    sight = GameViewer.for_user(Game.objects.get(pk=viewer.game.pk), viewer.person)
    found = get_object_or_404(GameSeat, game=sight.game, power=power)
    return {
        "power": found.power,
        "mark": seat_actions.seat_player_mark(found),
        "stood_in": seat_actions.has_stand_in(found),
        "disorder": found.in_civil_disorder,
        "history": visibility.visible_assignments(sight).filter(seat=found).select_related("person"),
    }


# roles


@RESOURCE.post("/games/{key}/desk/people", _("Give someone a role in the game."), GameOut)
def appoint_role(sight: GameViewer, sent: RoleIn) -> object:
    person = seat_actions.person_by_name(sent.name)
    game_actions.give_role(sight.game, person, sent.role, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.delete("/games/{key}/desk/people/{row}", _("Remove a role."))
def remove_role(sight: GameViewer, row: RowId, alone: Alone = False) -> None:
    game_actions.take_role(sight.game, row, hand=actor_of(sight), now=timezone.now(), alone=alone)


@RESOURCE.post("/games/{key}/desk/reveal", _("Reveal to everyone who plays what."), GameOut)
def reveal_players(sight: GameViewer) -> object:
    game_actions.reveal_powers(sight.game, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


# the end


@RESOURCE.post("/games/{key}/desk/end", _("End a game as its players agreed."), GameOut)
def end_by_agreement(sight: GameViewer, sent: AgreedEndIn) -> object:
    game_actions.gm_end_as_draw(sight.game, sent.powers, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/desk/abandon", _("Abandon a game from the desk, with a reason."), GameOut)
def abandon_by_gm(sight: GameViewer, sent: ReasonIn) -> object:
    game_actions.gm_abandon_game(sight.game, sent.reason, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/desk/reopen", _("Reopen a game that had ended."), GameOut)
def reopen_game(sight: GameViewer) -> object:
    game_actions.reopen_game(sight.game, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)
