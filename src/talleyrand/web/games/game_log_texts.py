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
    "created": (_("The game was made."),),
    "by_post": (_("It is played by post: orders and letters may come as mail."),),
    "joined": (_("Somebody joined."),),
    "left": (
        _("A player left the game; free from now on: %(powers)s."),
        _("Somebody left the table."),
    ),
    "removed": (_("Somebody was removed before the beginning."),),
    "invited": (
        _("An invitation was made: %(invited)s."),
        _("An invitation was made for %(power)s."),
        _("An invitation was made."),
    ),
    "invitation_withdrawn": (_("An invitation was withdrawn."),),
    "drawn": (
        _("The powers were drawn by lot among %(players)s players. Seed: %(seed)s"),
        _("The powers were drawn by lot among %(players)s players. The seed is told with the names."),
    ),
    "lots": (_("The lots: players %(order)s, powers %(powers)s. %(given)s."),),
    "assigned": (_("The game master gave the powers by hand."),),
    "taken": (_("Somebody took the free seat of %(power)s."),),
    "forfeited": (_("The player of %(power)s gave up: the seat is free."),),
    "absence": (_("A player announced an absence, from %(since)s until %(until)s."),),
    "absence_withdrawn": (_("A player withdrew an absence, from %(since)s until %(until)s."),),
    "put_off": (_("An announced absence moved the deadline to %(due)s."),),
    "pause_asked": (_("A pause was asked for by %(powers)s."),),
    # the clock and the judge
    "begun": (_("The game began."),),
    "published": (_("Published: %(phase)s."),),
    "extended": (_("A sheet was missing: the deadline moved to %(due)s."),),
    "outage": (_("The site was out of reach before the deadline, which moved to %(due)s."),),
    "computer": (_("The computer plays %(powers)s."),),
    "computer_failed": (
        _("The computer could not order %(powers)s, which count as without a sheet: %(phase)s."),
    ),
    "parked": (_("The phase could not be judged; the game waits for its game master."),),
    "disorder": (_("%(power)s is in civil disorder until somebody plays it."),),
    "ended": (_("The game ended: %(powers)s."), _("The game ended.")),
    # agreement
    "proposal": (_("%(power)s proposed to end the game."),),
    "proposal_closed": (_("The proposal of %(power)s to end the game was closed."),),
    # the game master
    "entered": (_("The game master entered the orders of %(power)s: %(phase)s."),),
    "granted": (_("The game master let in late orders of %(power)s: %(phase)s."),),
    "overridden": (
        _("The result was corrected (%(phase)s): %(reason)s"),
        _("The result was corrected: %(phase)s."),
    ),
    "edited": (
        _("The position was changed (%(phase)s): %(reason)s"),
        _("The position was changed: %(phase)s."),
    ),
    "restored": (_("The judge’s result was restored: %(phase)s."),),
    "taken_back": (_("The phase was taken back: %(phase)s."),),
    "replaced": (_("The game master gave %(power)s to another player."),),
    "script_ended": (_("Somebody plays %(power)s, which had played by its script: from %(phase)s on."),),
    "script_again": (_("%(power)s plays by its script again: from %(phase)s on."),),
    "stand_in": (_("%(power)s has a stand-in for a while."),),
    "stand_in_ended": (_("The player of %(power)s is back."),),
    "vacated": (_("The game master freed the seat of %(power)s."),),
    "disorder_ended": (_("The game master ended the civil disorder of %(power)s."),),
    "gazette": (_("A gazette came out: %(phase)s."), _("A gazette came out.")),
    "gazette_removed": (_("A gazette was removed."),),
    "revealed": (_("It was revealed who plays what."),),
    "appointed": (_("Somebody was made %(given)s."),),
    "dismissed": (_("Somebody is no longer %(taken)s."),),
    "abandoned": (
        _("The game was abandoned: %(reason)s"),
        _("The game was abandoned."),
    ),
    "closed": (
        _("The game master ended the game: %(powers)s."),
        _("The game master ended the game."),
    ),
    "reopened": (_("The game goes on after all."),),
    "redated": (_("The deadline was set to %(due)s."), _("The deadline was lifted.")),
    "ruled": (_("The rule for the deadlines was changed."),),
    "paused": (
        _("All players wanted a pause: the game rests."),
        _("The game was paused."),
    ),
    "resumed": (_("The game goes on."),),
    "retried": (_("The judge was asked again."),),
    "reminded": (_("Those without a sheet were reminded: %(phase)s."),),
}


# With the seed anybody can draw again, and learn what the first, the second, the last to join plays.
FACTS_ABOUT_PLAYERS = ("seed",)


def log_sentence(entry: GameLogEntry, variant: Variant, zone: str, *, people: bool = True) -> str:
    """A line in the reader’s language, dates in the reader’s zone; `people`: he may know who plays what."""
    facts = {name: fact for name, fact in entry.facts.items() if people or name not in FACTS_ABOUT_PLAYERS}
    told = _told(facts, variant, zone)
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


def _told(facts: Mapping[str, Any], variant: Variant, zone: str) -> dict[str, str]:
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
