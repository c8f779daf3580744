"""What a phone that asks for a seat is told."""

from __future__ import annotations

from django.utils.translation import gettext as _


def seat_refusal_text(code: str) -> str:
    """Why a seat was not given, and what to do."""
    return {
        "taken": _("This seat has a phone already. Ask for a PIN: the table’s screen shows it."),
        "full": _("No free seat. If one is yours, choose it below and ask for a PIN."),
        "over": _("This game is over."),
        "kept": _("An account plays this seat already."),
        "member": _("This account is in this game already."),
        "one_device": _("At this table everyone shares one device: no seat of it goes to an account."),
        "class": _("A class keeps nothing: no seat of it goes to an account."),
        "seat_taken": _("That seat has just been taken. Choose another."),
        "begun": _("The game has begun: nothing was changed. A seat moves to another phone by a PIN."),
        "referee": _("A table needs its referee. Name another one first."),
        "no_wishes": _("At this table, powers are not dealt by preference."),
        "no_pin": _("This PIN is no longer valid. Ask for a new one: the table’s screen shows it."),
        "wrong_pin": _("Wrong PIN. It is on the table’s screen."),
        "too_many_pins": _("Three wrong PINs. Ask for a new one in three minutes."),
    }[code]
