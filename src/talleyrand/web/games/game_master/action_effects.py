"""What an act of the game master would do, in sentences, before it is done: for the desk and for mails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.web.boards import display_names, result_rows
from talleyrand.web.games import order_submission, page_context, phase_deadlines
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, join_names
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import ENDED_STATES, RUNNING_STATES, Game, Json, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer

from . import deadline_actions, desk_context, phase_corrections, position_changes
from .action_base import last_published_revision
from .order_correction import CorrectedOrder

# Within these a deadline is asked about first: any but a later one, and one in place of one that is over.
SOON, VERY_SOON = timedelta(hours=12), timedelta(minutes=10)


# the start


def start_effects(game: Game, players: Sequence[str], empty: int) -> Iterator[str]:
    """What it does to start a game with these players, by name; `empty`: for how many seats there is none."""
    names = join_names(players, display_names.reader_language())
    told = {"players": names, "count": len(players), "number": empty}
    begins = ngettext(
        "The game starts with %(count)s player: %(players)s.",
        "The game starts with %(count)s players: %(players)s.",
        len(players),
    )
    yield begins % told
    yield _("Powers are drawn at random; to assign them yourself, start the game on the site.")
    if empty > 0 and game.settings.bots_at_start:
        yield ngettext("A bot will play %(number)s seat.", "Bots will play %(number)s seats.", empty) % told
    elif empty > 0:
        left = ngettext(
            "%(number)s power would have no player: in civil disorder until someone takes it.",
            "%(number)s powers would have no player: in civil disorder until someone takes them.",
            empty,
        )
        yield left % told
    yield _("The clock starts, and everyone learns their power: that cannot be undone.")


# deadlines


def is_close_deadline(sight: GameViewer, until: datetime, now: datetime) -> bool:
    """Whether a deadline that is asked for comes so soon that somebody may not hear of it; no later one than
    what everybody has been told, and none that will be refused.
    """
    known = sight.game.deadline
    if until <= now or sight.game.state not in RUNNING_STATES:
        return False
    if known is not None and (known > now if until >= known else not sight.is_game_master):
        return False
    is_over = known is not None and known <= now
    return until < now + (VERY_SOON if is_over else SOON)


def deadline_effects(game: Game, until: datetime, now: datetime) -> Iterator[str]:
    """What a deadline does that comes sooner than people expect."""
    when = {
        "date": date_text_with_zone(until, page_context.reader_time_zone(), display_names.reader_language()),
        "left": timeuntil(until, now),
    }
    if until < now + timedelta(minutes=1):
        yield _("The deadline becomes %(date)s: that is in less than a minute.") % when
    else:
        yield _("The deadline becomes %(date)s: that is in %(left)s.") % when
    missing = deadline_actions.powers_missing_orders(game)
    if missing:
        yield _(
            "Missing orders: %(powers)s. If some are still missing then, the game’s rule "
            "for missing orders applies."
        ) % {"powers": desk_context.power_names(game, missing)}
    yield _("Everyone is notified, but not everyone will read it in time.")


# the end


def end_effects(game: Game, powers: Sequence[str]) -> Iterator[str]:
    """What it does to end a game with these powers as its winners."""
    told = {"powers": desk_context.power_names(game, list(powers))}
    yield _("The game ends now. Winning or sharing: %(powers)s.") % told
    yield from _effects_of_any_end(game)


def abandon_effects(game: Game, reason: str) -> Iterator[str]:
    """What it does to stop a game without a result."""
    yield _("The game stops now, without a result. Everyone reads why: “%(reason)s”") % {"reason": reason}
    yield from _effects_of_any_end(game)


def _effects_of_any_end(game: Game) -> Iterator[str]:
    is_hidden = game.settings.anonymity == Anonymity.UNTIL_END and game.powers_revealed_at is None
    if is_hidden and game.phase_number:
        yield reveal_effect()
    if game.revisions.filter(is_current=True, secret_part__isnull=False).exists():
        yield _("Secret votes become public.")
    yield (
        _("Everyone is notified. The game can be reopened later.")
        if game.phase_number
        else _("Everyone is notified. The game cannot be reopened.")
    )


def reveal_effect() -> str:
    return _("Everyone learns at once who plays what: that cannot be undone.")


# phases


def roll_back_effects(game: Game) -> Iterator[str]:
    """What it does to roll back to the phase published last."""
    last = last_published_revision(game)
    phase = display_names.phase_name(variants.load(game.variant), last.phase) if last else ""
    yield _(
        "This phase reopens: %(phase)s. Orders received for it count unless their players submit again; no "
        "one is ready any more."
    ) % {"phase": phase}
    yield _("Everyone may have seen the results; they will be told that these no longer count.")
    yield _("A new deadline is set by the game’s deadline settings.")
    if game.state not in RUNNING_STATES:
        yield _("The game was over: it resumes.")


def orders_lost_by_rolling_back(game: Game, last: PhaseRevision) -> Iterator[str]:
    """Whose orders count no more where the phase published last is rolled back to."""
    sent = order_submission.counting_order_sets(game, last.phase_number + 1)
    if sent:
        yield _(
            "Orders for the current phase were received from: %(powers)s. They are kept but will no longer "
            "count; their players will have to submit again."
        ) % {"powers": desk_context.power_names(game, sorted(sent))}


def order_correction_effects(game: Game, corrected: CorrectedOrder, reason: str) -> Iterator[str]:
    """What another order of the phase published last changes."""
    yield from _changed_by(game, corrected)
    yield _("Everyone is notified, and reads your reason: “%(reason)s”") % {"reason": reason}


def _changed_by(game: Game, corrected: CorrectedOrder) -> Iterator[str]:
    variant = variants.load(game.variant)
    for entry, results in corrected.changed_results():
        yield _("%(power)s, %(order)s: %(after)s (before: %(before)s).") % {
            "power": display_names.power_name(variant, entry["power"]),
            "order": result_rows.result_entry(variant, entry)["order"],
            "after": ", ".join(display_names.result_name(code, variant) for code in entry["results"]),
            "before": ", ".join(display_names.result_name(code, variant) for code in results) or "–",
        }
    after = corrected.next_situation
    if after is None:
        won = desk_context.power_names(game, corrected.answer.get("winner") or [])
        yield _("This position ends the game. Victory: %(powers)s.") % {"powers": won}
        return
    before = position_changes.position_after(game, corrected.before)
    changed = position_changes.position_change_rows(game, before, after)
    for row in changed:
        told = {"place": row.place, "before": row.before, "after": row.after}
        yield _("%(place)s: %(after)s (before: %(before)s).") % told
    if not changed:
        yield _("The position is unchanged.")
    yield from consequence_effects(game, corrected.before, after)


def consequence_effects(
    game: Game, last: PhaseRevision, after: Json, *, tells_misfits: bool = True
) -> Iterator[str]:
    """What follows from another position after the phase published last: for the game, and for orders, where
    one may know of them.
    """
    won = position_changes.winners_in_position(game, last.phase, after)
    if won:
        told = {"powers": desk_context.power_names(game, won)}
        yield _("This position ends the game. Victory: %(powers)s.") % told
    if game.state in ENDED_STATES and not phase_corrections.ends_game_with(game, last, after):
        yield _("The game is over: with this correction it resumes from this position.")
    number = last.phase_number + 1
    misfits = phase_corrections.powers_newly_invalid(game, number, after) if tells_misfits else ()
    if misfits:
        yield _(
            "Some orders already received would no longer fit: %(powers)s. They are kept, and their "
            "players are notified."
        ) % {"powers": desk_context.power_names(game, misfits)}


# orders


def no_orders_effects(game: Game, power: str) -> Iterator[str]:
    """What an empty set of orders does, entered for a power."""
    names = {"power": desk_context.power_names(game, [power])}
    yield _("%(power)s gives no orders in this phase, and no longer counts as missing.") % names
    if power in order_submission.counting_order_sets(game, game.phase_number):
        yield _("The orders received before no longer count.")


# seats


def replacement_effects(game: Game, power: str, players: str, newcomer: str) -> Iterator[str]:
    """What it does to give a power to somebody; `players`: the names of those who lose it, "" for nobody."""
    names = {"power": desk_context.power_names(game, [power]), "players": players, "newcomer": newcomer}
    if players:
        yield _("%(players)s no longer plays this power: %(power)s.") % names
    yield _("%(newcomer)s plays it from the current phase on.") % names
    yield _("Orders already received stay. A draft that was not submitted is lost.")
    yield _("The new player sees the power’s orders and messages so far.")
    yield _("Everyone is notified of the change, without names.")


def opening_effects(game: Game, power: str, players: str) -> Iterator[str]:
    """What it does to open a seat; `players`: the names of those who lose it."""
    names = {"power": desk_context.power_names(game, [power]), "players": players}
    yield _("%(players)s no longer plays this power: %(power)s.") % names
    yield _("The seat is open, and in civil disorder, until someone takes it; everyone is notified.")
    yield _("Orders already received stay. A draft that was not submitted is lost.")


def civil_disorder_effects(game: Game, power: str) -> Iterator[str]:
    """What it does to declare a power in civil disorder."""
    names = {"power": desk_context.power_names(game, [power])}
    yield _("The game no longer waits for this power: %(power)s.") % names
    if phase_deadlines.deadline_settings_of(game).plays_early:
        yield _("If no other orders are awaited, the phase is resolved at once.")
    yield _(
        "Everyone is notified. Civil disorder ends when orders come from this power, or when you end it "
        "at the desk."
    )


def invitation_effects(game: Game, power: str, players: str, address: str) -> Iterator[str]:
    """What it does to offer a power to an address; `players`: the names of those who lose it first."""
    names = {"power": desk_context.power_names(game, [power]), "address": address}
    if players:
        yield from opening_effects(game, power, players)
    yield _("%(address)s is invited by email: a yes from there takes the seat of %(power)s.") % names
    yield _("The new player sees the power’s orders and messages so far.")
