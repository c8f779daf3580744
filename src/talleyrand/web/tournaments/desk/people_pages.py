"""People at the desk: the list, and one person with all that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand.tournament import likeness, regulations
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.people import AddPerson, Flag
from talleyrand.tournament.boards import CLASSIC, powers_of, sat
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, Office, Person, RoundState
from talleyrand.web import qr
from talleyrand.web.addresses import absolute
from talleyrand.web.tournaments import passes
from talleyrand.web.tournaments.models import Entry
from talleyrand.web.tournaments.sight import Sight

from . import pressing, words
from .doors import Visit, answer, at_desk, seen
from .fields import Field, Form, Option
from .pressing import Pressed

AMOUNT = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)
WISHES = 3  # powers of which somebody is asked


@at_desk
def people(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Everybody, in one alphabetical list; one more in one line."""
    return answer(request, sight, "people.html", _people, builders={"walk_in": walk_in})


def walk_in(event: Event, pressed: Pressed) -> Act:
    """Somebody entered in one line: a name, a club, the rounds; those to come where none are chosen."""
    check_namesakes(event, pressed)
    chosen = pressed.numbers("rounds")
    return AddPerson(Person(pressed.get("name"), club=pressed.get("club").strip(), rounds=chosen))


def check_namesakes(event: Event, pressed: Pressed) -> None:
    """Refused (`act_sounds_like`) where the list has that sound, until it is said to be somebody else."""
    alike = [event.people[at].name for at in likeness.alike(pressed.get("name"), event.people)]
    if alike and not pressed.get("another"):
        raise Refused("act_sounds_like", names=", ".join(alike))


def to_come(event: Event) -> list[int]:
    """Rounds that somebody can still sign up for."""
    states = (RoundState.PLANNED, RoundState.OPEN)
    return [at for at, one in sorted(event.rounds.items()) if one.state in states]


def another(form: Form) -> Field:
    """That a name which sounds like one of the list is somebody else’s."""
    return form.check("another", _("It is somebody else"), kept=False)


def _people(visit: Visit) -> dict[str, Any]:
    event, request = visit.event, visit.request
    wanted = request.GET.get("show", "all")
    sought = likeness.plain(request.GET.get("q", "")[:60])
    shown = [at for at in words.in_order(event) if _matches(event.people[at], wanted, sought)]
    form = Form(visit, "walk_in")
    return {
        "section": "people",
        "rows": [_row(event, at, visit.sight.tournament.key) for at in shown],
        "count": len(event.people),
        "sought": request.GET.get("q", "")[:60],
        "filters": [(value, label, value == wanted) for value, label in _filters()],
        "fees": _fees(event),
        "twins": [_pair(event, *pair, visit.sight.tournament.key) for pair in likeness.pairs(event.people)],
        "may_merge": visit.sight.directs,
        "add_name": form.field("name", _("Name"), required=True),
        "add_club": form.field("club", _("Club or town")),
        "another": another(form),
        "add_rounds": form.checks("rounds", _("Rounds"), map(str, to_come(event)), rounds(to_come(event))),
    }


def rounds(numbers: Iterable[int]) -> list[Option]:
    """Rounds as options."""
    return [(str(at), str(at)) for at in numbers]


def _filters() -> list[Option]:
    return [
        ("all", _("Everybody")),
        ("unpaid", _("Fee not paid")),
        ("organisation", _("Organisation and volunteers")),
        ("beginners", _("Beginners and youth")),
        ("recorders", _("Can keep the record of a board")),
        ("unaccepted", _("Regulations not accepted")),
        ("gone", _("Withdrawn")),
    ]


def _matches(known: Person, wanted: str, sought: str) -> bool:
    if sought and sought not in likeness.plain(f"{known.name} {known.club} {known.town}"):
        return False
    return {
        "unpaid": bool(owed(known)) and not known.gone,
        "organisation": known.office is not Office.NONE,
        "beginners": known.beginner or known.youth,
        "recorders": known.recorder,
        "unaccepted": not known.accepted and not known.gone,
        "gone": known.gone,
    }.get(wanted, True)


def amount(text: str) -> Fraction:
    """A sum of money as it was typed; nothing where it is none."""
    bare = text.strip().replace(",", ".")
    return Fraction(bare) if AMOUNT.fullmatch(bare) else Fraction(0)


def owed(known: Person) -> Fraction:
    """What somebody still has to pay."""
    return max(Fraction(0), amount(known.private.due) - amount(known.private.paid))


def money(sum_of: Fraction) -> str:
    """A sum in euros and cents, without the cents where there are none."""
    return f"{float(sum_of):.2f}".removesuffix(".00")


def _fees(event: Event) -> dict[str, str]:
    every = [one for one in event.people.values() if not one.gone]
    due = sum((amount(one.private.due) for one in every), Fraction(0))
    paid = sum((amount(one.private.paid) for one in event.people.values()), Fraction(0))
    left = sum(map(owed, every), Fraction(0))
    return {"due": money(due), "paid": money(paid), "left": money(left)} if due or paid else {}


def _row(event: Event, number: int, key: str) -> dict[str, Any]:
    known = event.people[number]
    return {
        "number": number,
        "name": known.name,
        "plain": likeness.plain(f"{known.name} {known.club} {known.town}"),
        "club": ", ".join(filter(None, (known.club, known.town))),
        "rounds": " ".join(map(str, known.rounds)),
        "flags": flags(known),
        "owed": money(owed(known)) if owed(known) else "",
        "gone": known.gone,
        "way": reverse("tournaments:desk_person", args=[key, number]),
    }


def flags(known: Person) -> list[str]:
    """What is remarkable of somebody, in a word each."""
    said = {
        Office.ORGANISER: _("organiser"),
        Office.ASSISTANT: _("assistant"),
        Office.VOLUNTEER: _("volunteer"),
    }
    found = [said[known.office]] if known.office in said else []
    found += [_("beginner")] if known.beginner else []
    found += [_("young")] if known.youth else []
    found += [_("recorder")] if known.recorder else []
    return found + ([pgettext("person", "withdrawn")] if known.gone else [])


def _pair(event: Event, one: int, other: int, key: str) -> dict[str, Any]:
    return {"one": _row(event, one, key), "other": _row(event, other, key)}


@at_desk
def person(request: HttpRequest, sight: Sight, person: int) -> HttpResponse:
    """One person: facts, rounds, fee, door, and where he sat."""
    if person not in sight.event.people:
        raise Http404
    pressed = pressing.read(dict(request.POST.lists())) if request.method == "POST" else None
    if pressed is not None and pressed.name == "release":
        passes.release(sight.tournament, person)
        return redirect(request.path)
    here = reverse("tournaments:desk_people", args=[sight.tournament.key])

    def way(entry: Entry | None) -> str:
        gone = entry is not None and any(one["kind"] in ("removed", "merged") for one in entry.acts)
        return here if gone else request.path

    def shown(visit: Visit) -> dict[str, Any]:
        return _person(visit, person)

    return answer(request, sight, "person.html", shown, builders={"paid": _paid(person)}, way=way)


def _paid(number: int) -> Any:
    def build(event: Event, _pressed: Pressed) -> Act:
        return Flag(number, paid=event.people[number].private.due)

    return build


def _person(visit: Visit, number: int) -> dict[str, Any]:
    event = visit.event
    if number not in event.people:
        raise Http404
    known, held = event.people[number], passes.of(visit.sight.tournament, number)
    link = _link(visit, held.key)
    return {
        "section": "people",
        "known": known,
        "number_of": number,
        "fields": _facts(visit, known),
        "private_fields": _private(visit, known),
        "wishes": _wishes(visit, known),
        "rounds_field": _rounds(visit, known),
        "seen": seen(event, f"people.{number}"),
        "owed": money(owed(known)),
        "seats": list(_seats(event, number)),
        **_others(event, number),
        "held": held,
        "link": link,
        "picture": qr.svg(link, _("Own link of %(name)s") % {"name": known.name}),
    }


def _others(event: Event, number: int) -> dict[str, Any]:
    """Who never sits with somebody, who may be the same person, and everybody else."""
    apart = sorted({who for pair in event.apart if number in pair for who in pair} - {number})
    alike = [at for at in likeness.alike(event.people[number].name, event.people) if at != number]
    return {
        "apart": [(who, words.name_of(event, who)) for who in apart],
        "alike": [(at, words.name_of(event, at)) for at in alike],
        "others": [(str(at), event.people[at].name) for at in words.in_order(event) if at != number],
    }


def _link(visit: Visit, held: str) -> str:
    return absolute(visit.request, reverse("tournaments:enter", args=[visit.sight.tournament.key, held]))


def _offices() -> list[Option]:
    return [
        (Office.NONE, _("player")),
        (Office.ORGANISER, _("organiser")),
        (Office.ASSISTANT, _("assistant")),
        (Office.VOLUNTEER, _("volunteer, who stands down when it helps")),
    ]


def _facts(visit: Visit, known: Person) -> list[Field]:
    form = Form(visit, "person_changed")
    minutes = "" if known.minutes is None else str(known.minutes)
    return [
        form.field("person.name", _("Name"), known.name, required=True),
        form.field("person.club", _("Club"), known.club),
        form.field("person.town", _("Town"), known.town),
        form.field("person.country", _("Country"), known.country),
        form.field("person.office", _("Part"), known.office, "select", options=_offices()),
        form.check("person.beginner", _("First tournament"), known.beginner),
        form.check("person.youth", _("Young, where the date of birth is not known"), known.youth),
        form.check("person.recorder", _("Can keep the record of a board"), known.recorder),
        form.check("person.accepted", _("Has accepted the regulations"), known.accepted),
        form.field(
            "person.minutes",
            _("Minutes by car"),
            minutes,
            "number",
            hint=_("For the prize of the longest journey."),
        ),
        form.check("person.gone", _("Has withdrawn"), known.gone),
    ]


def _private(visit: Visit, known: Person) -> list[Field]:
    form, kept = Form(visit, "person_changed"), known.private
    return [
        form.field("person.private.born", _("Born"), kept.born, hint=_("A date, 2001-05-30, or a year.")),
        form.field("person.private.mail", _("Mail address"), kept.mail, "email"),
        form.field("person.private.phone", _("Telephone"), kept.phone, "tel"),
        form.field("person.private.due", _("Fee due"), kept.due),
        form.field("person.private.paid", _("Fee paid"), kept.paid),
        form.field("person.private.note", _("Note"), kept.note, "area"),
    ]


def _wishes(visit: Visit, known: Person) -> list[Field]:
    """The powers he would like, best first, where the regulations ask for them."""
    if not regulations.read(visit.event.regulations).wishes:
        return []
    name, pressed = "person.private.prefers", visit.pressed
    typed = pressed.typed.get(name) if pressed and pressed.name == "person_changed" else None
    powers = [("", pgettext("a power", "any")), *((code, words.power(code)) for code in powers_of(CLASSIC))]
    shown = (*(typed or known.private.prefers), *[""] * WISHES)[: max(WISHES, len(known.private.prefers))]
    return [
        Field(name, _("Choice %(at)s") % {"at": at}, (one,), "select", tuple(powers), form=f"wish{at}")
        for at, one in enumerate(shown, 1)
    ]


def _rounds(visit: Visit, known: Person) -> Field:
    return Form(visit, "person_changed").checks(
        "person.rounds", _("Rounds"), map(str, known.rounds), rounds(sorted(visit.event.rounds))
    )


def _seats(event: Event, number: int) -> Iterable[dict[str, Any]]:
    """Where somebody sat, or why he did not, round by round."""
    for at, one in sorted(event.rounds.items()):
        for table, board in sorted(one.boards.items()):
            for power, seat in board.seats.items():
                if number in sat(seat):
                    yield {"round": at, "board": table, "power": words.power(power)}
        if number in one.resting:
            yield {"round": at, "rest": one.resting[number].why}
