"""Every act of the referee by its word: what it does, what is said before it and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from talleyrand.web.boards import display_names
from talleyrand.web.boards.order_requests import whole_number_of
from talleyrand.web.games.game_master import deadline_actions, phase_corrections
from talleyrand.web.games.game_master.action_base import ExpectedRevision
from talleyrand.web.games.game_master.game_master_access import Confirmation
from talleyrand.web.tables import clock_control

from . import consents, orders_acts, referee_texts, seat_acts
from .referee_desk import RefereeDesk, RefereeRefusal, seat_name

Effects = Callable[[RefereeDesk, QueryDict], Confirmation]


@dataclass(frozen=True)
class Act:
    """`do` acts and tells what was done; `asks`, where there is one, is what is asked first. `page`: the name
    of the page that it leads back to; a seat's own needs its number.
    """

    do: Callable[[RefereeDesk, QueryDict], str]
    asks: Effects | None = None
    page: str = "referee"


def _confirmation(title: str, effects: Iterable[str], button: str) -> Confirmation:
    return Confirmation(title, list(effects), button)


# the clock


def _clock(act: str, said: Callable[[], str]) -> Callable[[RefereeDesk, QueryDict], str]:
    """An act on the clock as the page showed it (`clock_control.clock_mark`)."""

    def do(desk: RefereeDesk, sent: QueryDict) -> str:
        clock_control.act_on_clock(desk.table, act, sent.get("mark", ""), desk.hand, desk.now)
        return said()

    return do


def _ask_bell(desk: RefereeDesk, sent: QueryDict) -> Confirmation:  # noqa: ARG001 one of ACTS
    missing = deadline_actions.powers_missing_orders(desk.game)
    told = [_("No one can write any more: what is on the phones counts.")]
    if missing:
        told.append(_("Not submitted yet: %(powers)s.") % {"powers": desk.names(missing)})
    return _confirmation(_("Ring the bell now?"), told, _("Ring the bell"))


# the phase


def _read_on(desk: RefereeDesk, sent: QueryDict) -> str:
    orders_acts.read_on(desk, whole_number_of(sent.get("number", "")))
    return _("Phase resolved.")


def _ask_read_on(desk: RefereeDesk, sent: QueryDict) -> Confirmation:  # noqa: ARG001 one of ACTS
    return _confirmation(
        _("Read on without them?"), referee_texts.read_on_effects(desk), _("Read the orders")
    )


def _roll_back(desk: RefereeDesk, sent: QueryDict) -> str:
    ground = ExpectedRevision(whole_number_of(sent.get("on", "")), whole_number_of(sent.get("revision", "")))
    phase_corrections.roll_back_phase(desk.game, ground, hand=desk.hand, now=desk.now)
    return _("Rolled back: the phase is in progress again, with its orders.")


def _ask_roll_back(desk: RefereeDesk, sent: QueryDict) -> Confirmation:  # noqa: ARG001 one of ACTS
    return _confirmation(
        _("Roll back the last phase?"), referee_texts.roll_back_effects(desk), _("Roll back")
    )


# orders


def _count_late(desk: RefereeDesk, sent: QueryDict) -> str:
    sheet = orders_acts.count_late_orders(desk, whole_number_of(sent.get("late", "")))
    return _("They count. Receipt: v%(receipt)s.") % {"receipt": sheet.receipt_number}


def _tear_late(desk: RefereeDesk, sent: QueryDict) -> str:
    late = orders_acts.tear_late_orders(desk, whole_number_of(sent.get("late", "")))
    power = display_names.power_name(desk.variant, late.power)
    return _("Torn up: these orders of %(power)s don’t count.") % {"power": power}


def _tear(desk: RefereeDesk, sent: QueryDict) -> str:
    power = desk.power(sent.get("power", ""))
    orders_acts.tear_orders(desk, power)
    return _("Torn up: %(power)s has no orders now.") % {
        "power": display_names.power_name(desk.variant, power)
    }


def _ask_tear(desk: RefereeDesk, sent: QueryDict) -> Confirmation:
    effects = referee_texts.tear_effects(desk, desk.power(sent.get("power", "")))
    return _confirmation(_("Tear up these orders, as their player asks?"), effects, _("Tear up"))


def _put_back(desk: RefereeDesk, sent: QueryDict) -> str:
    power = desk.power(sent.get("power", ""))
    orders_acts.put_back_orders(desk, power)
    return _("The orders of %(power)s count again.") % {
        "power": display_names.power_name(desk.variant, power)
    }


# seats


def _mark(desk: RefereeDesk, sent: QueryDict) -> str:
    mark, value = {
        "beginner": ("is_beginner", True),
        "experienced": ("is_beginner", False),
        "paper": ("is_on_paper", True),
        "phone": ("is_on_paper", False),
    }.get(sent.get("mark", ""), ("", False))
    if not mark:
        raise RefereeRefusal("unknown")
    name = {"name": seat_name(seat_acts.set_mark(desk, sent.get("seat", ""), mark, value=value))}
    if mark == "is_on_paper":
        return (_("%(name)s writes on paper.") if value else _("%(name)s plays by phone.")) % name
    return (_("%(name)s is a beginner.") if value else _("%(name)s is not a beginner.")) % name


def _swap(desk: RefereeDesk, sent: QueryDict) -> str:
    one, other = seat_acts.swap_seats(desk, sent.get("seat", ""), sent.get("other", ""))
    return _("%(one)s and %(other)s have changed places.") % {
        "one": seat_name(one),
        "other": seat_name(other),
    }


def _replace(desk: RefereeDesk, sent: QueryDict) -> str:
    power, mark = sent.get("power", "").replace("\x00", ""), whole_number_of(sent.get("player_mark", ""))
    who, for_a_while = sent.get("who", ""), sent.get("how") == "stand_in"
    if who == seat_acts.BOT:
        seat_acts.leave_to_bot(desk, power, mark)
        return _("A bot plays this power from now on.")
    player = seat_acts.give_power(desk, power, who, sent.get("name", ""), mark, for_a_while=for_a_while)
    return _("%(name)s plays this power from now on.") % {"name": seat_name(player)}


def _ask_replace(desk: RefereeDesk, sent: QueryDict) -> Confirmation:
    who, power = sent.get("who", ""), sent.get("power", "").replace("\x00", "")
    named = {seat_acts.NEWCOMER: sent.get("name", "")[:40], seat_acts.BOT: _("A bot")}
    newcomer = named[who] if who in named else seat_name(desk.seat(who))
    if power not in seat_acts.powers_to_give(desk.game):
        desk.power(power)
    effects = referee_texts.replacement_effects(
        desk, power, newcomer, for_a_while=sent.get("how") == "stand_in" and who != seat_acts.BOT
    )
    return _confirmation(_("Replace this player?"), effects, _("Replace"))


def _end_stand_in(desk: RefereeDesk, sent: QueryDict) -> str:
    power, mark = desk.power(sent.get("power", "")), whole_number_of(sent.get("player_mark", ""))
    seat_acts.end_stand_in(desk, power, mark)
    return _("The player is back.")


def _name_referee(desk: RefereeDesk, sent: QueryDict) -> str:
    player = seat_acts.set_referee(desk, sent.get("seat", ""), value=True)
    return _("%(name)s is referee too.") % {"name": seat_name(player)}


def _end_referee(desk: RefereeDesk, sent: QueryDict) -> str:
    player = seat_acts.set_referee(desk, sent.get("seat", ""), value=False)
    return _("%(name)s is no longer referee.") % {"name": seat_name(player)}


# consent


def _ask_consent(desk: RefereeDesk, sent: QueryDict) -> str:  # noqa: ARG001 one of ACTS
    consents.ask_all(desk.table, asked=True)
    return _("Everyone is asked on their phone.")


def _drop_consent(desk: RefereeDesk, sent: QueryDict) -> str:  # noqa: ARG001 one of ACTS
    consents.ask_all(desk.table, asked=False)
    return _("No one is asked any more.")


def _note_consent(desk: RefereeDesk, sent: QueryDict) -> str:
    seat = desk.seat(sent.get("seat", ""))
    if seat.phone_digest:
        raise RefereeRefusal("not_on_paper")
    consents.answer(seat, agrees=sent.get("answer") == "yes", now=desk.now, noted=True)
    return _("Noted.")


ACTS: Mapping[str, Act] = {
    "start-clock": Act(_clock("start", lambda: _("The clock is running."))),
    "stop-clock": Act(_clock("pause", lambda: _("The clock is stopped."))),
    "add-minute": Act(_clock("minute", lambda: _("One minute more."))),
    "ring-bell": Act(_clock("ring", lambda: _("The bell has rung.")), _ask_bell),
    "read-on": Act(_read_on, _ask_read_on),
    "roll-back": Act(_roll_back, _ask_roll_back),
    "count-late": Act(_count_late),
    "tear-late": Act(_tear_late),
    "tear": Act(_tear, _ask_tear, "referee_seat"),
    "put-back": Act(_put_back, None, "referee_seat"),
    "mark": Act(_mark, None, "referee_seat"),
    "swap": Act(_swap),
    "replace": Act(_replace, _ask_replace),
    "end-stand-in": Act(_end_stand_in),
    "name-referee": Act(_name_referee, None, "referee_seat"),
    "end-referee": Act(_end_referee),
    "ask-consent": Act(_ask_consent, None, "consents"),
    "drop-consent": Act(_drop_consent, None, "consents"),
    "note-consent": Act(_note_consent, None, "consents"),
}
