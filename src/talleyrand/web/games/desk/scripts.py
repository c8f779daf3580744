"""A power that plays by its script is taken by somebody who comes late; and goes back to its script."""

from __future__ import annotations

from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, seats
from talleyrand.web.games.models import RUNNING, Game, Revision, Seat, Sheet, Tenure
from talleyrand.web.games.writing import writing

from .acts import Hand, NotDone, held
from .seating import admit, check_played, dismiss_unseated


def free(game: Game) -> tuple[str, ...]:
    """The powers of a running game that a script plays and somebody may take."""
    if game.state not in RUNNING or not variants.taken_over(game.variant):
        return ()
    return variants.load(game.variant).setting.scripted


def taken(game: Game) -> tuple[str, ...]:
    """The powers that somebody took from their script."""
    return variants.load(game.script).setting.scripted if game.script else ()


def may_go_back(game: Game) -> bool:
    """Whether nothing that counts has been published since somebody sat down in a script's seat."""
    since = Revision.objects.filter(game=game, number__gt=game.script_until, current=True)
    return bool(game.script) and game.state in RUNNING and not since.exists()


@writing
def take(game: Game, power: str, person: Person, *, hand: Hand, now: datetime) -> Tenure:
    """Give somebody the power of a script, from the open phase on; what was published stays as it is.

    Raises NotDone: not_begun, over, unscripted, saw_all, held_other.
    """
    with held(game) as fresh:
        check_played(fresh)
        if power not in free(fresh):
            raise NotDone("unscripted")
        told = [one for one in audience.everybody(fresh) if one != person.pk]
        _end_script(fresh)
        Seat.objects.get_or_create(game=fresh, power=power)
        given = admit(fresh, power, person, now)
        hand.note(fresh, "script_ended", power=power, phase=fresh.phase)
        audience.tell(fresh, [person.pk], "given", f"given:{given.pk}", power=power)
        audience.tell(fresh, told, "replaced", f"script_ended:{given.pk}", power=power)
    return given


def _end_script(game: Game) -> None:
    """The open phase is the first that the script does not play."""
    game.script, game.script_until = game.variant, game.number - 1
    game.variant = variants.taken_over(game.variant)
    game.save(update_fields=["variant", "script", "script_until"])


@writing
def give_back(game: Game, power: str, *, hand: Hand, now: datetime) -> None:
    """Let the script play on, as if nobody had sat down; refused once a phase has been published since.

    Raises NotDone: over, unscripted, played.
    """
    with held(game) as fresh:
        check_played(fresh)
        if power not in taken(fresh):
            raise NotDone("unscripted")
        if not may_go_back(fresh):
            raise NotDone("played")
        told = audience.everybody(fresh)
        seats.vacate(fresh, power)
        dismiss_unseated(fresh, now)
        Seat.objects.filter(game=fresh, power=power).delete()
        Sheet.objects.filter(game=fresh, power=power, withdrawn=None).update(withdrawn=now)
        Game.objects.filter(pk=fresh.pk).update(variant=fresh.script, script="", script_until=0)
        hand.note(fresh, "script_again", power=power, phase=fresh.phase)
        once = f"script_again:{power}:{now.isoformat()}"
        audience.tell(fresh, told, "replaced", once, power=power)
