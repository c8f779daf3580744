"""People at the desk: the list, and one person with all that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand.tournament import name_matching, regulations
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.people_acts import AddPerson, SetPersonFlags
from talleyrand.tournament.board_rules import CLASSIC, seat_players, variant_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventPerson, Office, RoundState
from talleyrand.tournament.people_list import list_rows
from talleyrand.tournament.people_list.list_rows import InvalidList
from talleyrand.web.common import qr_codes
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.tournaments import access_tokens
from talleyrand.web.tournaments.event_times import act_time
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts, form_parsing
from .desk_views import DeskRequest, desk_response, edit_mark, for_desk
from .form_fields import DeskFormField, FieldOption, FormFields
from .form_parsing import FormAction

AS_IN_LISTS = {
    "person.private.born": list_rows.birth_cell,
    "person.private.due": list_rows.amount_cell,
    "person.private.paid": list_rows.amount_cell,
}
AMOUNT_PATTERN = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)
MOST_PREFERENCES = 3  # powers of which somebody is asked


@for_desk
def desk_people_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Everybody, in one alphabetical list; one more in one line."""
    return desk_response(request, sight, "people.html", _people, builders={"walk_in": add_walk_in})


def add_walk_in(event: Event, pressed: FormAction) -> EventAct:
    """Somebody entered in one line: a name, a club, the rounds; those to come where none are chosen."""
    check_namesakes(event, pressed)
    chosen = pressed.numbers("rounds")
    return AddPerson(EventPerson(pressed.value("name"), club=pressed.value("club").strip(), rounds=chosen))


def check_namesakes(event: Event, pressed: FormAction) -> None:
    """Refused (`act_sounds_like`) where the list has that sound, until it is said to be somebody else."""
    alike = [
        event.people[at].name
        for at in name_matching.people_sounding_alike(pressed.value("name"), event.people)
    ]
    if alike and not pressed.value("another"):
        raise ActRefused("act_sounds_like", names=", ".join(alike))


def coming_round_numbers(event: Event) -> list[int]:
    """Rounds that somebody can still sign up for."""
    states = (RoundState.PLANNED, RoundState.OPEN)
    return [at for at, one in sorted(event.rounds.items()) if one.state in states]


def another_person_field(form: FormFields) -> DeskFormField:
    """That a name which sounds like one of the list is somebody else’s."""
    return form.check("another", _("This is someone else"), kept=False)


def _people(visit: DeskRequest) -> dict[str, Any]:
    event, request = visit.event, visit.request
    wanted = request.GET.get("show", "all")
    sought = name_matching.fold_name(request.GET.get("q", "")[:60])
    shown = [at for at in desk_texts.alphabetical(event) if _matches(event.people[at], wanted, sought)]
    form = FormFields(visit, "walk_in")
    return {
        "section": "people",
        "rows": [_row(event, at, visit.viewer.tournament.key) for at in shown],
        "count": len(event.people),
        "sought": request.GET.get("q", "")[:60],
        "filters": [(value, label, value == wanted) for value, label in _filters()],
        "fees": _fees(event),
        "twins": [
            _pair(event, *pair, visit.viewer.tournament.key)
            for pair in name_matching.possible_duplicates(event.people)
        ],
        "may_merge": visit.viewer.is_director,
        "add_name": form.field("name", _("Name"), required=True),
        "add_club": form.field("club", _("Club or town")),
        "another": another_person_field(form),
        "add_rounds": form.checks(
            "rounds",
            _("Rounds"),
            map(str, coming_round_numbers(event)),
            round_options(coming_round_numbers(event)),
        ),
    }


def round_options(numbers: Iterable[int]) -> list[FieldOption]:
    """Rounds as options."""
    return [(str(at), str(at)) for at in numbers]


def _filters() -> list[FieldOption]:
    return [
        ("all", _("Everyone")),
        ("unpaid", _("Fee not paid")),
        ("organisation", _("Organisers and volunteers")),
        ("beginners", _("Beginners and young players")),
        ("recorders", _("Can be record keeper of a board")),
        ("unaccepted", _("Regulations not accepted")),
        ("gone", _("Withdrawn")),
    ]


def _matches(known: EventPerson, wanted: str, sought: str) -> bool:
    if sought and sought not in name_matching.fold_name(f"{known.name} {known.club} {known.town}"):
        return False
    return {
        "unpaid": bool(amount_owed(known)) and not known.gone,
        "organisation": known.office is not Office.NONE,
        "beginners": known.beginner or known.youth,
        "recorders": known.recorder,
        "unaccepted": not known.accepted and not known.gone,
        "gone": known.gone,
    }.get(wanted, True)


def parse_amount(text: str) -> Fraction:
    """A sum of money as it was typed; nothing where it is none."""
    bare = text.strip().replace(",", ".")
    return Fraction(bare) if AMOUNT_PATTERN.fullmatch(bare) else Fraction(0)


def amount_owed(known: EventPerson) -> Fraction:
    """What somebody still has to pay."""
    return max(Fraction(0), parse_amount(known.private.due) - parse_amount(known.private.paid))


def owed_text(known: EventPerson) -> str:
    """What somebody still has to pay; "" for nothing."""
    owed = amount_owed(known)
    return money_text(owed) if owed else ""


def money_text(sum_of: Fraction) -> str:
    """A sum in euros and cents, without the cents where there are none."""
    return f"{float(sum_of):.2f}".removesuffix(".00")


def _fees(event: Event) -> dict[str, str]:
    every = [one for one in event.people.values() if not one.gone]
    due = sum((parse_amount(one.private.due) for one in every), Fraction(0))
    paid = sum((parse_amount(one.private.paid) for one in event.people.values()), Fraction(0))
    left = sum(map(amount_owed, every), Fraction(0))
    return {"due": money_text(due), "paid": money_text(paid), "left": money_text(left)} if due or paid else {}


def _row(event: Event, number: int, key: str) -> dict[str, Any]:
    known = event.people[number]
    return {
        "number": number,
        "name": known.name,
        "plain": name_matching.fold_name(f"{known.name} {known.club} {known.town}"),
        "club": ", ".join(filter(None, (known.club, known.town))),
        "rounds": " ".join(map(str, known.rounds)),
        "flags": person_flags(known),
        "owed": owed_text(known),
        "gone": known.gone,
        "way": reverse("tournaments:desk_person", args=[key, number]),
    }


def person_flags(known: EventPerson) -> list[str]:
    """What is remarkable of somebody, in a word each."""
    said = {
        Office.ORGANISER: _("organiser"),
        Office.ASSISTANT: _("assistant"),
        Office.VOLUNTEER: _("volunteer"),
    }
    found = [said[known.office]] if known.office in said else []
    found += [_("beginner")] if known.beginner else []
    found += [_("young")] if known.youth else []
    found += [_("record keeper")] if known.recorder else []
    return found + ([pgettext("person", "withdrawn")] if known.gone else [])


def _pair(event: Event, one: int, other: int, key: str) -> dict[str, Any]:
    return {"one": _row(event, one, key), "other": _row(event, other, key)}


@for_desk
def desk_person_page(request: HttpRequest, sight: TournamentViewer, person: int) -> HttpResponse:
    """One person: facts, rounds, fee, door, and where he sat."""
    if person not in sight.event.people:
        raise Http404
    pressed = form_parsing.form_action_of(dict(request.POST.lists())) if request.method == "POST" else None
    if pressed is not None and pressed.name == "release":
        access_tokens.release_person(sight.tournament, person)
        messages.success(
            request, _("New personal link. The old one, its devices and its account are cut off.")
        )
        return redirect(request.path)
    here = reverse("tournaments:desk_people", args=[sight.tournament.key])

    def way(entry: JournalEntry | None) -> str:
        gone = entry is not None and any(one["kind"] in ("removed", "merged") for one in entry.acts)
        return here if gone else request.path

    def shown(visit: DeskRequest) -> dict[str, Any]:
        return _person(visit, person)

    builders = {"paid": _paid(person), "person_changed": _changed}
    return desk_response(request, sight, "person.html", shown, builders=builders, way=way)


def _changed(_event: Event, pressed: FormAction) -> EventAct:
    """A date and amounts are read as in a list; what is none is refused as it was typed."""
    typed = dict(pressed.values)
    for name, read in AS_IN_LISTS.items():
        with suppress(InvalidList):
            typed[name] = (read(pressed.value(name).strip()),)
    return form_parsing.act_from_form(FormAction(pressed.name, typed), act_time())


def _paid(number: int) -> Any:
    def build(event: Event, _pressed: FormAction) -> EventAct:
        return SetPersonFlags(number, paid=event.people[number].private.due)

    return build


def _person(visit: DeskRequest, number: int) -> dict[str, Any]:
    event = visit.event
    if number not in event.people:
        raise Http404
    known, held = event.people[number], access_tokens.token_of(visit.viewer.tournament, number)
    link = absolute_url(
        visit.request, reverse("tournaments:enter", args=[visit.viewer.tournament.key, held.token])
    )
    return {
        "section": "people",
        "known": known,
        "number_of": number,
        "fields": _facts(visit, known),
        "private_fields": _private(visit, known),
        "wishes": _wishes(visit, known),
        "rounds_field": _rounds(visit, known),
        "seen": edit_mark(event, f"people.{number}"),
        "owed": money_text(amount_owed(known)),
        "seats": list(_seats(event, number)),
        **_others(event, number),
        "held": held,
        "link": link,
        "picture": qr_codes.qr_svg(link, _("Personal link: %(name)s") % {"name": known.name}),
    }


def _others(event: Event, number: int) -> dict[str, Any]:
    """Who never sits with somebody, who may be the same person, and everybody else."""
    apart = sorted({who for pair in event.apart if number in pair for who in pair} - {number})
    alike = [
        at
        for at in name_matching.people_sounding_alike(event.people[number].name, event.people)
        if at != number
    ]
    return {
        "apart": [(who, desk_texts.person_name(event, who)) for who in apart],
        "alike": [(at, desk_texts.person_name(event, at)) for at in alike],
        "others": [(str(at), event.people[at].name) for at in desk_texts.alphabetical(event) if at != number],
    }


def _offices() -> list[FieldOption]:
    return [
        (Office.NONE, _("player")),
        (Office.ORGANISER, _("organiser")),
        (Office.ASSISTANT, _("assistant")),
        (Office.VOLUNTEER, _("volunteer (sits out if it helps)")),
    ]


def _facts(visit: DeskRequest, known: EventPerson) -> list[DeskFormField]:
    form = FormFields(visit, "person_changed")
    minutes = "" if known.minutes is None else str(known.minutes)
    return [
        form.field("person.name", _("Name"), known.name, required=True),
        form.field("person.club", _("Club"), known.club),
        form.field("person.town", _("Town"), known.town),
        form.field("person.country", _("Country"), known.country),
        form.field("person.office", _("Role at the tournament"), known.office, "select", options=_offices()),
        form.check("person.beginner", _("First tournament"), known.beginner),
        form.check("person.youth", _("Young (if date of birth unknown)"), known.youth),
        form.check("person.recorder", _("Can be record keeper of a board"), known.recorder),
        form.check("person.accepted", _("Has accepted the regulations"), known.accepted),
        form.field(
            "person.minutes",
            _("Journey by car, in minutes"),
            minutes,
            "number",
            hint=_("For the longest-journey prize."),
        ),
        form.check("person.gone", _("Has withdrawn"), known.gone),
    ]


def _private(visit: DeskRequest, known: EventPerson) -> list[DeskFormField]:
    form, kept = FormFields(visit, "person_changed"), known.private
    return [
        form.field(
            "person.private.born",
            _("Date of birth"),
            kept.born,
            hint=_("A date (2001-05-30) or a year (2001)."),
        ),
        form.field("person.private.mail", _("Email address"), kept.mail, "email"),
        form.field("person.private.phone", _("Phone"), kept.phone, "tel"),
        form.field("person.private.due", _("Fee due"), kept.due),
        form.field("person.private.paid", _("Fee paid"), kept.paid),
        form.field("person.private.note", _("Note"), kept.note, "area"),
    ]


def _wishes(visit: DeskRequest, known: EventPerson) -> list[DeskFormField]:
    """The powers he would like, best first, where the regulations ask for them."""
    if not regulations.read_regulations(visit.event.regulations).wishes:
        return []
    name, pressed = "person.private.prefers", visit.action
    typed = pressed.values.get(name) if pressed and pressed.name == "person_changed" else None
    powers = [
        ("", pgettext("a power", "any")),
        *((code, desk_texts.power_name(code)) for code in variant_powers(CLASSIC)),
    ]
    shown = (*(typed or known.private.prefers), *[""] * MOST_PREFERENCES)[
        : max(MOST_PREFERENCES, len(known.private.prefers))
    ]
    return [
        DeskFormField(
            name, _("Choice %(at)s") % {"at": at}, (one,), "select", tuple(powers), form=f"wish{at}"
        )
        for at, one in enumerate(shown, 1)
    ]


def _rounds(visit: DeskRequest, known: EventPerson) -> DeskFormField:
    return FormFields(visit, "person_changed").checks(
        "person.rounds", _("Rounds"), map(str, known.rounds), round_options(sorted(visit.event.rounds))
    )


def _seats(event: Event, number: int) -> Iterable[dict[str, Any]]:
    """Where somebody sat, or why he did not, round by round."""
    for at, one in sorted(event.rounds.items()):
        for table, board in sorted(one.boards.items()):
            for power, seat in board.seats.items():
                if number in seat_players(seat):
                    yield {"round": at, "board": table, "power": desk_texts.power_name(power)}
        if number in one.resting:
            yield {"round": at, "rest": one.resting[number].why}
