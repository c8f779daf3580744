"""What a game master’s command would do, where that is shown and asked before it is done; else at once."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.formats.visible_text import one_line_name
from talleyrand.web.boards import display_names
from talleyrand.web.games import order_submission, power_assignments
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.game_master import (
    action_effects,
    deadline_actions,
    game_actions,
    order_correction,
    phase_corrections,
    seat_actions,
)
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterRefusal,
    last_published_revision,
)
from talleyrand.web.games.lobby import game_start
from talleyrand.web.games.models import ENDED_STATES, Game, GameSeat, random_token
from talleyrand.web.mail.command_results import CommandRefused, ResultFacts
from talleyrand.web.mail.invitations import email_invitations
from talleyrand.web.mail.mailed_orders import late_orders, order_parsing

from .gm_commands import GmAction, GmCommand
from .gm_context import GmContext, check_phase, told_to_others, written_moment


@dataclass(frozen=True)
class PlannedAction:
    """What a command would do to `game` as it stands.

    `effects` are sentences; none, and it is done without a question. `state` is what they were true for.
    `command` asks for the same at any other hour.
    """

    game: Game
    command: GmCommand
    act: Callable[[], ResultFacts]
    effects: tuple[str, ...] = ()
    state: tuple[Any, ...] = ()

    @property
    def digest(self) -> str:
        """A number of the command and of what it was shown for."""
        command = {**dataclasses.asdict(self.command), "line": ""}
        told = json.dumps([command, self.state or self.effects], sort_keys=True, default=str)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


Planner = Callable[[GmContext, GmCommand], PlannedAction]


# the start


def _plan_start(master: GmContext, command: GmCommand) -> PlannedAction:
    game = master.fresh
    players = [one.person.name for one in game_start.players_ready_to_start(game)]

    def act() -> ResultFacts:
        game_start.start_game(game, timezone.now(), master.person)
        return {"said": "begun"}

    empty = power_assignments.player_seat_count(game) - len(players)
    return _planned_action(
        game, command, act, action_effects.start_effects(game, players, empty), len(players)
    )


# deadlines


def _plan_extension(master: GmContext, command: GmCommand) -> PlannedAction:
    now, game = timezone.now(), master.fresh
    check_phase(master, game)
    until = written_moment(command, max(game.deadline or now, now), now)
    if game.deadline is not None and until <= game.deadline:
        raise CommandRefused("earlier", due=game.deadline.isoformat())
    return _with_deadline(master, game, command, until)


def _plan_deadline(master: GmContext, command: GmCommand) -> PlannedAction:
    now, game = timezone.now(), master.fresh
    check_phase(master, game)
    return _with_deadline(master, game, command, written_moment(command, now, now))


def _with_deadline(master: GmContext, game: Game, command: GmCommand, until: datetime) -> PlannedAction:
    def act() -> ResultFacts:
        deadline_actions.gm_set_deadline(game, until, game.deadline, hand=master.hand, now=timezone.now())
        return {"said": "extended", "due": until.isoformat()}

    is_sooner = game.deadline is not None and until < game.deadline
    return _asked_if_soon(master, game, command, until, act, is_sooner=is_sooner)


def _plan_resumption(master: GmContext, command: GmCommand) -> PlannedAction:
    now, game = timezone.now(), master.fresh
    until = written_moment(command, now, now) if command.text else None

    def act() -> ResultFacts:
        resumed = deadline_actions.gm_resume_game(game, until, hand=master.hand, now=timezone.now())
        return {"said": "resumed", "due": resumed.deadline.isoformat() if resumed.deadline else ""}

    return _asked_if_soon(master, game, command, until, act)


def _asked_if_soon(
    master: GmContext,
    game: Game,
    command: GmCommand,
    until: datetime | None,
    act: Callable[[], ResultFacts],
    *,
    is_sooner: bool = False,
) -> PlannedAction:
    now = timezone.now()
    if (
        until is None
        or until <= now
        or not (is_sooner or action_effects.is_close_deadline(master.sight, until, now))
    ):
        return PlannedAction(game, command, act)
    kept = dataclasses.replace(command, text=until.isoformat(), until=True)
    state = (game.phase_number, game.state, game.deadline, deadline_actions.powers_missing_orders(game))
    return PlannedAction(game, kept, act, tuple(action_effects.deadline_effects(game, until, now)), state)


# the phase published last


def _plan_correction(master: GmContext, command: GmCommand) -> PlannedAction:
    game = master.fresh
    corrected = order_correction.corrected_order(game, command.order)
    reason = told_to_others(master, command.text)
    if not reason.strip():
        raise GameMasterRefusal("unreasoned")

    def act() -> ResultFacts:
        phase_corrections.publish_corrected_order(
            game, corrected, reason, hand=master.hand, now=timezone.now()
        )
        return {"said": "corrected", "phase": corrected.before.phase}

    return _planned_action(
        game,
        command,
        act,
        action_effects.order_correction_effects(game, corrected, reason),
        corrected.before.pk,
    )


def _plan_roll_back(master: GmContext, command: GmCommand) -> PlannedAction:
    game = master.fresh
    last = last_published_revision(game)
    if last is None or not last.phase_number:
        raise GameMasterRefusal("first")
    if command.text and not order_parsing.names_phase(command.text, last.phase, variants.load(game.variant)):
        raise CommandRefused("not_last", phase=last.phase)

    def act() -> ResultFacts:
        ground = ExpectedRevision.from_revision(last)
        phase_corrections.roll_back_phase(game, ground, hand=master.hand, now=timezone.now())
        return {"said": "rolled_back", "phase": last.phase}

    effects = (
        *action_effects.roll_back_effects(game),
        *action_effects.orders_lost_by_rolling_back(game, last),
    )
    return _planned_action(game, command, act, effects, last.pk)


def _plan_late_orders(master: GmContext, command: GmCommand) -> PlannedAction:
    game, power = master.fresh, command.powers[0]
    last, late = late_orders.resolved_late_orders(game)
    rows = [one for one in late if one.mailbox.power == power]
    if last is None or not rows:
        raise CommandRefused("no_late", power=power)

    def act() -> ResultFacts:
        ground = ExpectedRevision.from_revision(last)
        try:
            late_orders.roll_back_and_grant(rows[-1], ground, master.hand, timezone.now())
        except late_orders.LateOrdersRefused as refused:
            raise CommandRefused("not_granted", why=refused.code) from None
        except order_submission.OrdersRefusal:
            raise CommandRefused("moved") from None
        return {"said": "granted", "power": power}

    told = _("%(power)s: these orders then count: %(orders)s.") % {
        "power": display_names.power_name(variants.load(game.variant), power),
        "orders": ", ".join(rows[-1].facts["lines"]) or "–",
    }
    effects = (
        told,
        *action_effects.roll_back_effects(game),
        *action_effects.orders_lost_by_rolling_back(game, last),
    )
    return _planned_action(game, command, act, effects, last.pk)


# seats


def _plan_replacement(master: GmContext, command: GmCommand) -> PlannedAction:
    game, power, who = master.fresh, command.powers[0], command.text
    seat_actions.check_is_running(game)
    seat = GameSeat.objects.filter(game=game, power=power).first()
    if seat is None:
        raise CommandRefused("no_seat", power=power)
    held = seat.tenures.filter(ended_at=None, person__isnull=False).select_related("person")
    names = [one.person.name for one in held if one.person is not None]
    players = join_names(names, display_names.reader_language())
    mark = seat_actions.seat_player_mark(seat)
    if "@" in who:
        return _with_invitation(master, game, command, players, mark)
    person = seat_actions.person_by_name(who[:80])
    if barred := power_assignments.why_barred(game, person, power):
        raise GameMasterRefusal(barred)
    if power_assignments.player_of(game, power) == person.pk:
        raise GameMasterRefusal("already")

    def act() -> ResultFacts:
        seat_actions.replace_player(game, power, person, mark, hand=master.hand, now=timezone.now())
        return {"said": "replaced", "power": power}

    effects = action_effects.replacement_effects(game, power, players, person.name)
    return _planned_action(game, command, act, effects, mark, person.pk)


def _with_invitation(
    master: GmContext, game: Game, command: GmCommand, players: str, mark: int
) -> PlannedAction:
    """By address, whoever has it is asked: nobody learns from this whether it is anybody’s account."""
    power, language = command.powers[0], display_names.reader_language()
    address, *others = email_invitations.check_addresses(master.sight, command.text, timezone.now())
    if others:
        raise CommandRefused("one_address")

    def act() -> ResultFacts:
        now = timezone.now()
        if mark or GameSeat.objects.filter(game=game, power=power).exclude(bot="").exists():
            seat_actions.free_seat(game, power, mark, hand=master.hand, now=now)
        email_invitations.send_invitations(master.sight, address, language, random_token(), now, power)
        return {"said": "invited", "power": power, "address": address}

    effects = action_effects.invitation_effects(game, power, players, address)
    return _planned_action(game, command, act, effects, mark)


# the end


def _plan_end(master: GmContext, command: GmCommand) -> PlannedAction:
    game = master.fresh
    if game.state in ENDED_STATES:
        raise GameMasterRefusal("over")
    if not game.phase_number:
        raise GameMasterRefusal("not_begun")

    def act() -> ResultFacts:
        game_actions.gm_end_as_draw(game, command.powers, hand=master.hand, now=timezone.now())
        return {"said": "ended"}

    effects = action_effects.end_effects(game, command.powers)
    return _planned_action(game, command, act, effects, game.phase_number)


def _plan_abandonment(master: GmContext, command: GmCommand) -> PlannedAction:
    game, reason = master.fresh, one_line_name(told_to_others(master, command.text))
    if game.state in ENDED_STATES:
        raise GameMasterRefusal("over")
    if not reason:
        raise GameMasterRefusal("unreasoned")

    def act() -> ResultFacts:
        game_actions.gm_abandon_game(game, reason, hand=master.hand, now=timezone.now())
        return {"said": "abandoned"}

    return _planned_action(
        game, command, act, action_effects.abandon_effects(game, reason), game.phase_number
    )


def _planned_action(
    game: Game, command: GmCommand, act: Callable[[], ResultFacts], effects: Iterable[str], *ground: int
) -> PlannedAction:
    """`ground`: the numbers of what the act changes, and of whom it names."""
    told = tuple(effects)
    return PlannedAction(game, command, act, told, (*ground, *told))


PLANS: Mapping[GmAction, Planner] = {
    GmAction.BEGIN: _plan_start,
    GmAction.EXTEND: _plan_extension,
    GmAction.DEADLINE: _plan_deadline,
    GmAction.RESUME: _plan_resumption,
    GmAction.CORRECT: _plan_correction,
    GmAction.ROLL_BACK: _plan_roll_back,
    GmAction.GRANT: _plan_late_orders,
    GmAction.REPLACE: _plan_replacement,
    GmAction.END: _plan_end,
    GmAction.ABANDON: _plan_abandonment,
}
