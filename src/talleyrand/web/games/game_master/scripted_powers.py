"""A power that plays by its script is taken by somebody who comes late; and goes back to its script."""

from __future__ import annotations

from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments, recipients
from talleyrand.web.games.models import (
    RUNNING_STATES,
    Game,
    GameSeat,
    OrderSet,
    PhaseRevision,
    PowerAssignment,
)

from .action_base import GameMasterActor, GameMasterRefusal, locked_game
from .seat_actions import check_is_running, remove_players_without_power, seat_player


def free_scripted_powers(game: Game) -> tuple[str, ...]:
    """The powers of a running game that a script plays and somebody may take."""
    if game.state not in RUNNING_STATES or not variants.variant_after_takeover(game.variant):
        return ()
    return variants.load(game.variant).definition.scripted_powers


def powers_taken_from_script(game: Game) -> tuple[str, ...]:
    """The powers that somebody took from their script."""
    return variants.load(game.scripted_variant).definition.scripted_powers if game.scripted_variant else ()


def may_return_to_script(game: Game) -> bool:
    """Whether nothing that counts has been published since somebody sat down in a script's seat."""
    since = PhaseRevision.objects.filter(
        game=game, phase_number__gt=game.scripted_until_phase, is_current=True
    )
    return bool(game.scripted_variant) and game.state in RUNNING_STATES and not since.exists()


@write_transaction
def take_from_script(
    game: Game, power: str, person: Person, *, hand: GameMasterActor, now: datetime
) -> PowerAssignment:
    """Give somebody the power of a script, from the open phase on; what was published stays as it is.

    Raises GameMasterRefusal: not_begun, over, unscripted, kept_out, saw_all, held_other.
    """
    with locked_game(game) as fresh:
        check_is_running(fresh)
        if power not in free_scripted_powers(fresh):
            raise GameMasterRefusal("unscripted")
        told = [one for one in recipients.member_ids(fresh) if one != person.pk]
        _end_script(fresh)
        GameSeat.objects.get_or_create(game=fresh, power=power)
        given = seat_player(fresh, power, person, now)
        hand.log(fresh, "script_ended", power=power, phase=fresh.phase)
        recipients.notify_about_game(fresh, [person.pk], "given", f"given:{given.pk}", power=power)
        recipients.notify_about_game(fresh, told, "replaced", f"script_ended:{given.pk}", power=power)
    return given


def _end_script(game: Game) -> None:
    """The open phase is the first that the script does not play."""
    game.scripted_variant, game.scripted_until_phase = game.variant, game.phase_number - 1
    game.variant = variants.variant_after_takeover(game.variant)
    game.save(update_fields=["variant", "scripted_variant", "scripted_until_phase"])


@write_transaction
def return_to_script(game: Game, power: str, *, hand: GameMasterActor, now: datetime) -> None:
    """Let the script play on, as if nobody had sat down; refused once a phase has been published since.

    Raises GameMasterRefusal: over, unscripted, played.
    """
    with locked_game(game) as fresh:
        check_is_running(fresh)
        if power not in powers_taken_from_script(fresh):
            raise GameMasterRefusal("unscripted")
        if not may_return_to_script(fresh):
            raise GameMasterRefusal("played")
        told = recipients.member_ids(fresh)
        power_assignments.end_assignment(fresh, power)
        remove_players_without_power(fresh, now)
        GameSeat.objects.filter(game=fresh, power=power).delete()
        OrderSet.objects.filter(game=fresh, power=power, withdrawn_at=None).update(withdrawn_at=now)
        Game.objects.filter(pk=fresh.pk).update(
            variant=fresh.scripted_variant, scripted_variant="", scripted_until_phase=0
        )
        hand.log(fresh, "script_again", power=power, phase=fresh.phase)
        once = f"script_again:{power}:{now.isoformat()}"
        recipients.notify_about_game(fresh, told, "replaced", once, power=power)
