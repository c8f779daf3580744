"""The game master's desk: what an open phase waits for, dates, judging, words to all."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Literal

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from pydantic import AwareDatetime, Field

from talleyrand.engine.errors import TalleyrandError
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import (
    for_game_master,
    idempotency_key_or_new,
    open_desk,
    open_game,
    open_seat,
)
from talleyrand.web.api.resource import Refusals, Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    RESPONSE_PRECISION,
    AdjudicationAnswer,
    AdjudicationQuestion,
    IdempotencyKey,
    Moment,
    PhaseNumber,
    PowerCode,
    RequestedDate,
    RequestSchema,
    ResponseSchema,
    list_out,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import order_submission, phase_adjudication, power_assignments, visibility
from talleyrand.web.games.game_master import deadline_actions, deadline_settings_change, game_actions
from talleyrand.web.games.game_master.action_base import GameMasterRefusal
from talleyrand.web.games.game_master.game_master_access import action_refusal_text, actor_of
from talleyrand.web.games.game_master.game_master_texts import entered_orders_refusal_text
from talleyrand.web.games.models import RUNNING_STATES, Game
from talleyrand.web.games.viewer_permissions import GameViewer

from .deadline_schemas import DeadlineRulesIn, rhythm_from
from .game_setup_api import RowId, reloaded_game
from .games_api import GameOut
from .orders_api import ORDER_REFUSALS, OrderSetIn, OrderSetReadOut, order_set_read


def _act_refused(refused: Any, _sight: GameViewer) -> ApiError:
    code = refused.code if isinstance(refused, GameMasterRefusal) else ""
    return ApiError(409, code, action_refusal_text(refused))


DESK_REFUSALS: Refusals = dict.fromkeys((GameMasterRefusal, QuestionRefusal, TalleyrandError), _act_refused)
RESOURCE = Resource("desk", Scope.DESK, sight=open_desk, refused=DESK_REFUSALS)


class SeatStateOut(ResponseSchema):
    power: str
    deciding: bool = Field(description=_("Whether it has something to decide in the current phase."))
    state: Literal["", "nothing", "draft", "saved", "final"]
    missed: int = Field(description=_("Movement phases in a row without orders."))
    disorder: bool
    vacant: bool


class DeskOut(ResponseSchema):
    number: int
    phase: str
    due: Moment | None
    next: Moment | None = Field(
        description=_("The next date by the deadline settings, after the current one.")
    )
    waiting: bool
    trouble: bool = Field(description=_("The phase could not be resolved; the game is waiting for you."))
    missing: list[str]
    seats: list[SeatStateOut]


class DeadlineIn(RequestSchema):
    """Exactly one of `until`, `hours` and `next`."""

    due: AwareDatetime | None = Field(
        description=_("The current deadline, as you know it: if it is another one, nothing changes.")
    )
    until: RequestedDate | None = None
    hours: int | None = Field(default=None, ge=1, le=deadline_actions.MOST_EXTENSION_HOURS)
    next: Literal[True] | None = Field(default=None, description=_("To the next date by the settings."))


class ResumeIn(RequestSchema):
    until: RequestedDate | None = Field(default=None, description=_("Null: with the time that was left."))


class OpenPhaseIn(RequestSchema):
    number: int = Field(ge=1, le=100_000, description=_("The current phase, as you know it."))


class RemindedOut(ResponseSchema):
    powers: list[str]


class DeadlineRulesChangeIn(RequestSchema):
    dates: DeadlineRulesIn
    follow: bool = Field(default=False, description=_("The current phase follows the new settings too."))


class GazetteOut(ResponseSchema):
    id: int
    number: int = Field(validation_alias="phase_number")
    text: str
    published: Moment = Field(validation_alias="published_at")


class GazetteIn(RequestSchema):
    number: int = Field(
        ge=0, le=100_000, description=_("The resolved phase it is about; 0: the start of the game.")
    )
    text: str = Field(min_length=1, max_length=game_actions.LONGEST_GAZETTE, pattern=PRINTABLE)


class PreviewOut(ResponseSchema):
    question: AdjudicationQuestion
    answer: AdjudicationAnswer
    missing: list[str]


@RESOURCE.get("/games/{key}/desk", _("What the current phase is waiting for."), DeskOut)
def get_desk(sight: GameViewer) -> object:
    game = sight.game
    running = game.state in RUNNING_STATES
    missing = deadline_actions.powers_missing_orders(game) if running else ()
    return {
        "number": game.phase_number,
        "phase": game.phase,
        "due": game.deadline,
        "waiting": game.is_waiting,
        "trouble": bool(game.adjudication_error),
        "next": deadline_actions.next_deadline(game, timezone.now()) if running else None,
        "missing": list(missing),
        "seats": _seats(game),
    }


def _seats(game: Game) -> list[dict[str, Any]]:
    running = game.state in RUNNING_STATES
    deciding = deadline_actions.powers_with_orders_to_give(game) if running else ()
    standing = order_submission.order_states(game, game.phase_number) if running else {}
    free = power_assignments.unplayed_powers(game)
    return [
        {
            "power": seat.power,
            "deciding": seat.power in deciding,
            "state": standing.get(seat.power, ""),
            "missed": seat.missed_phases,
            "disorder": seat.in_civil_disorder,
            "vacant": seat.power in free,
        }
        for seat in game.seats.all()
    ]


# dates


@RESOURCE.put("/games/{key}/desk/deadline", _("Change the deadline."), GameOut)
def move_deadline(sight: GameViewer, sent: DeadlineIn) -> object:
    now = timezone.now()
    until = _until(sight.game, sent, now)
    deadline_actions.gm_set_deadline(
        sight.game, until, _deadline_shown(sight.game, sent.due), hand=actor_of(sight), now=now
    )
    return reloaded_game(sight)


def _deadline_shown(game: Game, told: datetime | None) -> datetime | None:
    """The deadline that stands, where it is the one that was told."""
    if told is None or game.deadline is None or not timedelta() <= game.deadline - told < RESPONSE_PRECISION:
        return told
    return game.deadline


def _until(game: Game, sent: DeadlineIn, now: datetime) -> datetime:
    told = [one for one in (sent.until, sent.hours, sent.next) if one is not None]
    if len(told) != 1:
        problem = _("Give either a date, or a number of hours, or ask for the next date.")
        raise ApiError(422, fields=[FieldError("body", problem)])
    if sent.hours is not None:
        return max(game.deadline or now, now) + timedelta(hours=sent.hours)
    found = sent.until or deadline_actions.next_deadline(game, now)
    if found is None:
        raise GameMasterRefusal("undated")
    return found


@RESOURCE.post("/games/{key}/desk/pause", _("Stop the clock."), GameOut)
def pause_game(sight: GameViewer) -> object:
    deadline_actions.gm_pause_game(sight.game, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/desk/resume", _("Restart the clock."), GameOut)
def resume_game(sight: GameViewer, sent: ResumeIn) -> object:
    deadline_actions.gm_resume_game(sight.game, sent.until, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/desk/reminders", _("Remind players whose orders are missing."), RemindedOut)
def remind_missing(sight: GameViewer, sent: OpenPhaseIn) -> object:
    told = deadline_actions.remind_missing_players(
        sight.game, sent.number, hand=actor_of(sight), now=timezone.now()
    )
    return {"powers": list(told)}


@RESOURCE.put("/games/{key}/desk/dates", _("Change the deadline settings."), GameOut, sight=for_game_master)
def change_deadline_rules(sight: GameViewer, sent: DeadlineRulesChangeIn) -> object:
    act = deadline_settings_change.DeadlineSettingsChange(rhythm_from(sent.dates, "body.dates"), sent.follow)
    act.save(sight.game, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


# the open phase


@RESOURCE.get(
    "/games/{key}/desk/preview",
    _("Preview of the current phase, with all orders received so far."),
    PreviewOut,
    also=(409,),
    sight=for_game_master,
)
def preview(sight: GameViewer) -> object:
    with deadline_actions.adjudication_errors_as_refusals(sight.game):
        taken, answer = phase_adjudication.preview_phase(sight.game, sight.game.phase_number, timezone.now())
    question = {name: value for name, value in taken.question.items() if name != "seed"}
    return {
        "question": question,
        "answer": answer,
        "missing": list(deadline_actions.powers_missing_orders(sight.game)),
    }


@RESOURCE.post(
    "/games/{key}/desk/adjudicate",
    _("Resolve the current phase now, even if orders are missing."),
    GameOut,
    sight=for_game_master,
)
def adjudicate(sight: GameViewer, sent: OpenPhaseIn) -> object:
    deadline_actions.gm_adjudicate_phase(sight.game, sent.number, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post("/games/{key}/desk/retry", _("Try to resolve the phase again, after a failure."), GameOut)
def retry(sight: GameViewer) -> object:
    deadline_actions.gm_retry_adjudication(sight.game, hand=actor_of(sight), now=timezone.now())
    return reloaded_game(sight)


@RESOURCE.post(
    "/games/{key}/desk/phases/{number}/orders/{power}",
    _("Enter orders for someone who cannot."),
    OrderSetReadOut,
    status=201,
    sight=open_seat,
    refused=ORDER_REFUSALS,
)
def enter_orders(
    sight: GameViewer,
    number: PhaseNumber,
    power: PowerCode,
    sent: OrderSetIn,
    idempotency_key: IdempotencyKey = None,
) -> object:
    _check_deciding(sight.game, number, power)
    made = order_submission.submit_orders(
        sight.game,
        power,
        sent.lines,
        number=number,
        key=idempotency_key_or_new(idempotency_key),
        origin="master",
        at=timezone.now(),
        by=sight.person,
        final=sent.final,
    )
    return order_set_read(Game.objects.get(pk=sight.game.pk), made)


def _check_deciding(game: Game, number: int, power: str) -> None:
    """No sheet is entered for a power that has nothing to decide; other phases are refused by the inbox."""
    if (
        game.state in RUNNING_STATES
        and number == game.phase_number
        and power not in deadline_actions.powers_with_orders_to_give(game)
    ):
        raise ApiError(409, "idle", entered_orders_refusal_text("idle"))


# words to all


@RESOURCE.get(
    "/games/{key}/gazettes",
    _("The game master’s gazettes."),
    list_out("GazettesOut", GazetteOut),
    scope=Scope.READ,
    sight=open_game,
)
def list_gazettes(sight: GameViewer) -> object:
    return {"items": visibility.visible_gazettes(sight).order_by("-phase_number", "-pk")[:200]}


@RESOURCE.post(
    "/games/{key}/gazettes", _("Publish a gazette on a phase, for everyone."), GazetteOut, status=201
)
def publish_gazette(sight: GameViewer, sent: GazetteIn) -> object:
    return game_actions.publish_gazette(sight.game, sent.number, sent.text, hand=actor_of(sight))


@RESOURCE.delete("/games/{key}/gazettes/{row}", _("Withdraw a gazette."))
def remove_gazette(sight: GameViewer, row: RowId) -> None:
    game_actions.remove_gazette(sight.game, row, hand=actor_of(sight))
