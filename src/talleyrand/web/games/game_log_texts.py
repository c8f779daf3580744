"""The lines of a game's log, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names

from .deadlines.date_texts import date_text_with_zone, join_names
from .models import GameLogEntry, GameRole

LazySentence = Any  # lazily translated

# One sentence for each kind of line that any part of the site writes. Where a line may lack a fact, the
# second sentence is for that case.
LOG_SENTENCES: Mapping[str, tuple[LazySentence, ...]] = {
    # the table
    "created": (_("Game created."),),
    "by_post": (_("Orders and messages can also be sent by email."),),
    "joined": (_("Someone joined."),),
    "left": (
        _("A player left the game; now open: %(powers)s."),
        _("Someone left the game."),
    ),
    "removed": (_("Someone was removed before the start."),),
    "invited": (
        _("Invitation created: %(invited)s."),
        _("Invitation created for %(power)s."),
        _("Invitation created."),
    ),
    "invitation_withdrawn": (_("Invitation withdrawn."),),
    "drawn": (
        _("Powers drawn at random (players: %(players)s). Seed: %(seed)s"),
        _("Powers drawn at random (players: %(players)s). The seed is revealed with the names."),
    ),
    "lots": (_("Random draw: players %(order)s, powers %(powers)s. Result: %(given)s."),),
    "given_seat": (_("%(power)s joins a side: %(powers)s."),),
    "seat_followed": (_("%(power)s follows the player of its side."),),
    "assigned": (_("The GM assigned the powers."),),
    "taken": (_("Open seat taken: %(power)s."),),
    "forfeited": (_("Player resigned, seat open: %(power)s."),),
    "absence": (_("A player will be away from %(since)s to %(until)s."),),
    "absence_withdrawn": (_("A player’s absence is withdrawn: from %(since)s to %(until)s."),),
    "put_off": (_("Deadline moved to %(due)s (announced absence)."),),
    "gm_absent": (_("The game waits for its GM, who has not been seen."),),
    "desk_offered": (_("Someone offers to lead the game."),),
    "desk_agreed": (_("For the new GM: %(powers)s."),),
    "desk_handed": (_("The desk changed hands: the game has a new GM."),),
    "desk_kept": (_("The GM is back and keeps the desk."),),
    "house_rules": (_("House rules changed."),),
    "pause_asked": (_("Pause requested: %(powers)s."),),
    # the clock and the judge
    "begun": (_("Game started."),),
    "published": (_("Resolved: %(phase)s."),),
    "extended": (_("Orders missing: deadline extended to %(due)s."),),
    "outage": (_("The site was down before the deadline, now %(due)s."),),
    "computer": (_("Played by a bot: %(powers)s."),),
    "computer_quick": (_("Bots thought for a moment only (%(phase)s): %(powers)s."),),
    "absent_player": (_("Seat taken from a player who sent no orders: %(power)s."),),
    "computer_failed": (_("The bot failed for %(powers)s; counted as no orders received: %(phase)s."),),
    "parked": (_("This phase could not be resolved; the game is on hold."),),
    "disorder": (_("%(power)s is in civil disorder."),),
    "ended": (_("Game over: %(powers)s."), _("Game over.")),
    # agreement
    "proposal": (_("%(power)s proposed to end the game."),),
    "proposal_closed": (_("Proposal to end the game closed: %(power)s."),),
    # the game master
    "entered": (_("The GM entered orders for %(power)s: %(phase)s."),),
    "granted": (_("The GM accepted late orders: %(power)s, %(phase)s."),),
    "overridden": (
        _("Results corrected (%(phase)s): %(reason)s"),
        _("Results corrected: %(phase)s."),
    ),
    "edited": (
        _("Position changed (%(phase)s): %(reason)s"),
        _("Position changed: %(phase)s."),
    ),
    "restored": (_("Correction undone: %(phase)s."),),
    "taken_back": (_("Rolled back to %(phase)s."),),
    "replaced": (_("The GM gave %(power)s to another player."),),
    "script_ended": (_("A player takes over from the script: %(power)s, from %(phase)s on."),),
    "script_again": (_("Follows its script again: %(power)s, from %(phase)s on."),),
    "stand_in": (_("%(power)s has a stand-in."),),
    "stand_in_ended": (_("The player of %(power)s is back."),),
    "vacated": (_("The GM opened the seat: %(power)s."),),
    "disorder_ended": (_("The GM ended the civil disorder: %(power)s."),),
    "gazette": (_("Gazette published: %(phase)s."), _("Gazette published.")),
    "gazette_removed": (_("Gazette removed."),),
    "comment_removed": (_("A spectator’s comment removed."),),
    "revealed": (_("Player names revealed."),),
    "appointed": (_("Role given: %(given)s."),),
    "dismissed": (_("Role removed: %(taken)s."),),
    "abandoned": (
        _("The game was abandoned: %(reason)s"),
        _("The game was abandoned."),
    ),
    "closed": (
        _("The GM ended the game: %(powers)s."),
        _("The GM ended the game."),
    ),
    "reopened": (_("Game reopened."),),
    "redated": (_("New deadline: %(due)s."), _("Deadline removed.")),
    "ruled": (_("Deadline settings changed."),),
    "paused": (_("Game paused."),),
    "minute_added": (_("One minute added."),),
    "resumed": (_("Game resumed."),),
    "retried": (_("Resolution retried."),),
    "seat_moved": (_("Seat %(seat)s moved to another phone, by the PIN on the screen."),),
    # at a table, by its referee
    "late_counted": (_("Orders that came after the bell counted: %(power)s, %(phase)s."),),
    "late_torn": (_("Orders that came after the bell torn up: %(power)s, %(phase)s."),),
    "torn": (_("Orders torn up at their player’s request: %(power)s, %(phase)s."),),
    "put_back": (_("Torn orders restored: %(power)s, %(phase)s."),),
    "vote_entered": (_("%(power)s answered the proposal on the table’s device."),),
    "referee_named": (_("A player was put in charge of the table."),),
    "referee_ended": (_("A player is no longer in charge of the table."),),
    "table_restored": (_("Table restored from its archive."),),
    "consent_asked": (_("Players asked whether they agree to electronic orders."),),
    "consent_dropped": (_("Players no longer asked whether they agree to electronic orders."),),
    "reminded": (_("Reminder sent to those who hadn’t submitted: %(phase)s."),),
}


# With the seed anybody can draw again, and learn what the first, the second, the last to join plays.
FACTS_ABOUT_PLAYERS = ("seed",)


def log_sentence(entry: GameLogEntry, variant: Variant, zone: str, *, people: bool = True) -> str:
    """A line in the reader’s language, dates in the reader’s zone; `people`: he may know who plays what."""
    facts = {name: fact for name, fact in entry.facts.items() if people or name not in FACTS_ABOUT_PLAYERS}
    told = _fact_texts(facts, variant, zone)
    for words in LOG_SENTENCES.get(entry.kind, ()):
        try:
            return str(words) % told
        except KeyError:
            continue
    return entry.kind


def role_name(code: str) -> str:
    """Who did it: by role, never by name."""
    names = {
        GameRole.PLAYER: _("player"),
        GameRole.GAME_MASTER: _("game master"),
        GameRole.ASSISTANT: _("assistant"),
        GameRole.OBSERVER: _("observer"),
    }
    return str(names[GameRole(code)]) if code else ""


def _fact_texts(facts: Mapping[str, Any], variant: Variant, zone: str) -> dict[str, str]:
    """The facts that are there, in words."""
    return {name: _fact(name, value, variant, zone) for name, value in facts.items() if value}


def _fact(name: str, value: Any, variant: Variant, zone: str) -> str:
    """One fact in words, by its name; what has no reading of its own is told as it is."""
    language = display_names.reader_language()
    if name in ("due", "since", "until"):
        return date_text_with_zone(datetime.fromisoformat(str(value)), zone, language, begins=name == "since")
    if name == "phase":
        return display_names.phase_name(variant, str(value))
    if name in ("invited", "taken", "given") and isinstance(value, str):
        return role_name(value)
    return _of_powers(name, value, variant)


def _of_powers(name: str, value: Any, variant: Variant) -> str:
    if name == "power":
        return display_names.power_name(variant, str(value))
    if name == "powers":
        return join_names([_share(str(part), variant) for part in value], display_names.reader_language())
    if isinstance(value, Mapping):
        return ", ".join(f"{number}: {_share(str(part), variant)}" for number, part in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _share(part: str, variant: Variant) -> str:
    """What was drawn at once: a power, or several."""
    return " + ".join(display_names.power_name(variant, power) for power in part.split("+"))
