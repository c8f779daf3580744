"""The event as a whole: scores and sanctions, announcement, regulations, who works at the desk."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand.messages import tournament as sentences
from talleyrand.tournament import standings
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.notebook import Adjust
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Adjustment, Announcement, Effect, Event
from talleyrand.tournament.numbers import natural
from talleyrand.tournament.standings import Entry, Standing
from talleyrand.web.accounts.models import Person, folded
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import naming
from talleyrand.web.tournaments.models import Membership, Role, Tournament
from talleyrand.web.tournaments.sight import Sight

from . import prize_giving, ruling_book, words
from .doors import Visit, answer, at_desk, seen
from .fields import Field, Form
from .pressing import Pressed

LANGUAGES = (("fr", "français"), ("en", "English"))


@at_desk
def scores(request: HttpRequest, sight: Sight) -> HttpResponse:
    """The ranking with every figure explained, and what the director changes on it."""
    return answer(request, sight, "scores.html", _scores, builders={"adjust": _adjusts})


def _adjusts(_event: Event, pressed: Pressed) -> Act:
    if not pressed.get("person"):
        raise Refused("act_nobody")
    effect = pressed.get("effect")
    if effect not in set(Effect):
        raise Refused("act_bad_value", value=effect[:40])
    value = pressed.get("value").strip().replace(",", ".").replace("\u2212", "-").replace(" ", "")
    where = pressed.number("round") if pressed.get("round") else 0
    return Adjust(Adjustment(pressed.number("person"), where, Effect(effect), value, pressed.get("why")))


def _scores(visit: Visit) -> dict[str, Any]:
    event, provisional = visit.event, visit.request.GET.get("now") == "1"
    told = standings.of(event, provisional=provisional)
    return {
        "section": "scores",
        "provisional": provisional,
        "awards": prize_giving.awards(event, told),
        "lines": [_line(event, one) for one in told.lines],
        "round_numbers": sorted(event.rounds),
        "faults": [(one.round, one.board) for one in told.faults],
        "adjustments": [_adjustment(event, at, one) for at, one in sorted(event.adjustments.items())],
        "adjust": _adjusting(visit),
        "hidden": [at for at, one in sorted(event.rounds.items()) if not one.revealed],
        "last": max(event.rounds, default=0),
    }


def _adjusting(visit: Visit) -> list[Field]:
    """The form of a sanction, or of any ruling on points."""
    event, form = visit.event, Form(visit, "adjust")
    every = [(str(at), event.people[at].name) for at in words.in_order(event)]
    rounds = [("0", _("the total")), *((str(at), words.round_name(at)) for at in event.rounds)]
    hint = _("A number or a fraction: 5, 2.5, -3, 1/2.")
    return [
        form.field("person", _("Player"), kind="select", options=[("", "–"), *every]),
        form.field("round", _("On"), kind="select", options=rounds),
        form.field("effect", _("What it does"), kind="select", options=_effects()),
        form.field("value", _("Value"), hint=hint, required=True),
        form.field("why", _("Why"), required=True),
    ]


def _effects() -> list[tuple[str, str]]:
    return [
        (Effect.ADD, _("adds points (or takes them: −)")),
        (Effect.TIMES, _("multiplies by")),
        (Effect.SET, _("sets the score to")),
    ]


def _adjustment(event: Event, number: int, one: Adjustment) -> dict[str, Any]:
    return {
        "number": number,
        "name": words.name_of(event, one.person),
        "round": one.round,
        "what": dict(_effects())[one.effect],
        "value": naming.written(one.value),
        "why": one.why,
    }


def _line(event: Event, one: Standing) -> dict[str, Any]:
    names = words.names(event)
    return {
        "place": one.place,
        "number": one.person,
        "name": words.name_of(event, one.person),
        "total": words.points(one.total),
        "entries": [_entry(entry) for entry in one.entries],
        "steps": [
            (sentences.working(step, names)[wording.language()], words.points(step.points))
            for step in one.working
        ],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    counted = entry.counted and bool(entry.weight)
    return {
        "round": entry.round,
        "board": entry.board,
        "power": words.power(entry.power),
        "points": words.points(entry.points if counted else entry.weighted),
        "counted": counted,
        "provisional": entry.provisional,
    }


@at_desk
def settings(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Name, announcement, regulations; whether it is listed, and people may sign up."""
    if request.method == "POST" and request.POST.get("press", "").startswith("listed"):
        return _list(request, sight)
    builders = {"regulated": ruling_book.regulates}
    return answer(request, sight, "settings.html", _settings, builders=builders)


def _list(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Whether the public sees it: of the site, not of the event, so nothing for its journal."""
    if not sight.directs:
        messages.warning(request, _("The director alone does this."))
        return redirect(request.path)
    listed = request.POST["press"] == "listed?yes"
    Tournament.objects.filter(pk=sight.tournament.pk).update(listed=listed)
    messages.success(
        request,
        _("Everybody may find and open it now.") if listed else _("Nobody finds it now without a link."),
    )
    return redirect(request.path)


def _settings(visit: Visit) -> dict[str, Any]:
    event = visit.event
    told, form = event.announcement, Form(visit, "announced")
    return {
        "section": "settings",
        "name_field": Form(visit, "renamed").field("name", _("Name"), event.name, required=True),
        "short": _short(form, told),
        "texts": [(label, _texts(form, told, code)) for code, label in LANGUAGES],
        "seen": seen(event, "announcement"),
        "seen_rules": seen(event, "regulations"),
        "listed": visit.sight.tournament.listed,
        **ruling_book.shown(visit),
    }


def _short(form: Form, told: Announcement) -> list[Field]:
    name = "announcement."
    return [
        form.field(f"{name}place", pgettext("venue", "Place"), told.place),
        form.field(f"{name}opens", _("First day"), told.opens[:10], "date"),
        form.field(f"{name}ends", _("Last day"), told.ends[:10], "date"),
        form.field(
            f"{name}zone", _("Zone of its hours"), told.zone, hint=_("Europe/Paris, America/Montreal…")
        ),
        form.field(f"{name}contact", _("Contact"), told.contact),
        form.field(f"{name}fee", _("Fee"), told.fee),
    ]


def _texts(form: Form, told: Announcement, language: str) -> list[Field]:
    labels = {
        "summary": _("Summary"),
        "schedule": _("Schedule"),
        "lodging": _("Lodging"),
        "initiation": _("Initiation"),
        "regulations": _("On the regulations"),
    }
    return [
        replace(
            form.field(
                f"announcement.{name}.{language}", label, getattr(told, name).get(language, ""), "area"
            ),
            lang=language,
        )
        for name, label in labels.items()
    ]


@at_desk
def staff(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Accounts that work at the desk; the director alone says who."""
    if request.method == "POST" and sight.directs:
        return _staffed(request, sight)

    def shown(visit: Visit) -> dict[str, Any]:
        members = visit.sight.tournament.memberships.select_related("account").order_by("role", "pk")
        return {"section": "settings", "members": members, "typed_name": ""}

    return answer(request, sight, "staff.html", shown)


def _staffed(request: HttpRequest, sight: Sight) -> HttpResponse:
    name, press = request.POST.get("name", "").strip()[:80], request.POST.get("press", "")
    with transaction.atomic():
        held = Tournament.objects.select_for_update().get(pk=sight.tournament.pk)
        told = _let_go(held, press) if press.startswith("leave?") else _join(held, name, press)
    (messages.success if told[0] else messages.warning)(request, told[1])
    return redirect(request.path)


def _join(held: Tournament, name: str, press: str) -> tuple[bool, str]:
    account = Person.objects.filter(folded=folded(name.replace("\0", "")), is_active=True).first()
    if account is None:
        return False, _("No account has the name %(name)s.") % {"name": name or "–"}
    role = Role.DIRECTOR if press == "director" else Role.ASSISTANT
    known = held.memberships.filter(account=account).first()
    if known is not None and known.role == Role.DIRECTOR and role != known.role and _last(held, known):
        return False, _("There must be a director.")
    Membership.objects.update_or_create(tournament=held, account=account, defaults={"role": role})
    return True, _("%(name)s works at the desk.") % {"name": account.name}


def _last(held: Tournament, known: Membership) -> bool:
    """Whether nobody else directs; a closed account directs nothing."""
    others = held.memberships.filter(role=Role.DIRECTOR, account__is_active=True).exclude(pk=known.pk)
    return not others.exists()


def _let_go(held: Tournament, press: str) -> tuple[bool, str]:
    known = held.memberships.filter(pk=natural(press.removeprefix("leave?")) or 0).first()
    if known is None:
        return True, _("Nothing has changed.")
    if known.role == Role.DIRECTOR and _last(held, known):
        return False, _("There must be a director.")
    known.delete()
    return True, _("%(name)s no longer works at the desk.") % {"name": known.account.name}
