"""What a table asks of one phone now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.games.models import ENDED_STATES
from talleyrand.web.games.phase_pages.game_board import GameBoard

from . import table_reading
from .models import Table


@dataclass(frozen=True)
class PhoneTask:
    """What is asked: `kind` is over, trouble, screen, orders or nothing, `sentence` what the phone says.

    Only with `orders` is there something for this phone to write.
    """

    kind: str
    sentence: str


def is_read_out(table: Table) -> bool:
    """Whether the room's screen is reading what came of the last phase."""
    return table_reading.looks_at_screen(table, timezone.now())


def phone_task(table: Table, board: GameBoard) -> PhoneTask:
    """What the phone whose seat `board` shows is asked to do."""
    game = board.game
    if game.state in ENDED_STATES or board.question is None:
        return PhoneTask("over", _("The game is over."))
    if game.adjudication_error:
        return PhoneTask("trouble", _("This phase could not be resolved: the referee decides what to do."))
    if is_read_out(table):
        return PhoneTask("screen", _("Look at the screen."))
    deciding = board.history.deciding_powers(board.phase_number)
    mine = [power for power in board.viewer.orderable_powers if power in deciding]
    names = [display_names.power_name(board.variant, power) for power in deciding if power not in mine]
    kind = board.phase_code[-1:]
    if not mine:
        return PhoneTask("nothing", _nothing(kind, names))
    return PhoneTask("orders", _task_sentence(board))


def _nothing(kind: str, names: Collection[str]) -> str:
    """Who is asked where this phone is not."""
    facts = {"powers": ", ".join(names)}
    if not names:
        return _("Nothing for you in this phase.")
    if kind == "R":
        return (
            ngettext(
                "Nothing for you: %(powers)s retreats.", "Nothing for you: %(powers)s retreat.", len(names)
            )
            % facts
        )
    return _("Nothing for you: waiting for %(powers)s.") % facts


def _task_sentence(board: GameBoard) -> str:
    kind = board.phase_code[-1:]
    if kind == "M":
        return _("Write your orders.")
    if kind == "R":
        return _("You have been dislodged: say where you retreat.")
    dues = [menu.adjustments_due for menu in (board.preparation.menus if board.preparation else [])]
    builds, removals = (sum(getattr(due, name) for due in dues if due) for name in ("builds", "removals"))
    if builds:
        return ngettext("You build %(n)d unit.", "You build %(n)d units.", builds) % {"n": builds}
    if removals:
        return ngettext("You remove %(n)d unit.", "You remove %(n)d units.", removals) % {"n": removals}
    return _("It is your turn.")


def seat_powers(variant: Variant, powers: Collection[str]) -> list[dict[str, str]]:
    """The powers of a seat as a phone shows them, big: name and colour."""
    return [
        {
            "code": power,
            "name": display_names.power_name(variant, power),
            "colour": display_names.power_colour(variant, power),
        }
        for power in powers
    ]
