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

from talleyrand.tournament import standings
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.ruling_acts import AddAdjustment
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import AdjustmentEffect, Announcement, Event, OnlineBoards, ScoreAdjustment
from talleyrand.tournament.standings import PersonStanding, StandingEntry
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.accounts.models import Person, folded_name
from talleyrand.web.tournaments import online_seats, points_breakdown, tournament_names
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament, TournamentMembership, TournamentRole
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts, effect_previews, prize_forms, regulations_form
from .desk_views import DeskRequest, desk_response, edit_mark, for_desk
from .form_fields import DeskFormField, FormFields
from .form_parsing import FormAction

LANGUAGES = (("fr", "français"), ("en", "English"))


@for_desk
def scores_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """The ranking with every figure explained, and what the director changes on it."""
    return desk_response(request, sight, "scores.html", _scores, builders={"adjust": _adjusts})


def _adjusts(_event: Event, pressed: FormAction) -> EventAct:
    if not pressed.value("person"):
        raise ActRefused("act_nobody")
    effect = pressed.value("effect")
    if effect not in set(AdjustmentEffect):
        raise ActRefused("act_bad_value", value=effect[:40])
    value = pressed.value("value").strip().replace(",", ".").replace("\u2212", "-").replace(" ", "")
    where = pressed.number("round") if pressed.value("round") else 0
    return AddAdjustment(
        ScoreAdjustment(
            pressed.number("person"), where, AdjustmentEffect(effect), value, pressed.value("why")
        )
    )


def _scores(visit: DeskRequest) -> dict[str, Any]:
    event, provisional = visit.event, visit.request.GET.get("now") == "1"
    told = standings.compute_standings(event, provisional=provisional)
    return {
        "section": "scores",
        "provisional": provisional,
        "awards": prize_forms.award_rows(event, told),
        "lines": [_line(event, one) for one in told.lines],
        "round_numbers": sorted(event.rounds),
        "faults": [(one.round, one.board) for one in told.faults],
        "adjustments": [_adjustment(event, at, one) for at, one in sorted(event.adjustments.items())],
        "adjust": _adjusting(visit),
        "hidden": [at for at, one in sorted(event.rounds.items()) if not one.revealed],
        "last": max(event.rounds, default=0),
        "unfinished": effect_previews.rounds_not_over(event),
    }


def _adjusting(visit: DeskRequest) -> list[DeskFormField]:
    """The form of a sanction, or of any ruling on points."""
    event, form = visit.event, FormFields(visit, "adjust")
    every = [(str(at), event.people[at].name) for at in desk_texts.alphabetical(event)]
    rounds = [("0", _("the total")), *((str(at), desk_texts.round_name(at)) for at in event.rounds)]
    hint = _("A number or a fraction: 5, 2.5, -3, 1/2.")
    return [
        form.field("person", _("Player"), kind="select", options=[("", "–"), *every]),
        form.field("round", _("Applies to"), kind="select", options=rounds),
        form.field("effect", _("Effect"), kind="select", options=_effects()),
        form.field("value", _("Value"), hint=hint, required=True),
        form.field("why", _("Why"), required=True),
    ]


def _effects() -> list[tuple[str, str]]:
    return [
        (AdjustmentEffect.ADD, _("adds points (− to deduct)")),
        (AdjustmentEffect.TIMES, _("multiplies by")),
        (AdjustmentEffect.SET, _("sets the score to")),
    ]


def _adjustment(event: Event, number: int, one: ScoreAdjustment) -> dict[str, Any]:
    return {
        "number": number,
        "name": desk_texts.person_name(event, one.person),
        "round": one.round,
        "what": dict(_effects())[one.effect],
        "value": tournament_names.typed_number_text(one.value),
        "why": one.why,
    }


def _line(event: Event, one: PersonStanding) -> dict[str, Any]:
    names = desk_texts.names_by_number(event)
    return {
        "place": one.place,
        "number": one.person,
        "name": desk_texts.person_name(event, one.person),
        "total": desk_texts.points_text(one.total),
        "entries": [_entry(entry) for entry in one.entries],
        "steps": [
            *(line for entry in one.entries for line in points_breakdown.entry_lines(entry, names)),
            *points_breakdown.step_lines(one.steps, names),
        ],
    }


def _entry(entry: StandingEntry) -> dict[str, Any]:
    counted = entry.counted and bool(entry.weight)
    return {
        "round": entry.round,
        "board": entry.board,
        "power": desk_texts.power_name(entry.power),
        "points": desk_texts.points_text(entry.points if counted else entry.weighted),
        "counted": counted,
        "provisional": entry.provisional,
    }


@for_desk
def settings_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Name, announcement, regulations; whether it is listed, and people may sign up."""
    if request.method == "POST" and request.POST.get("press", "").startswith("listed"):
        return _list(request, sight)
    builders = {"regulated": regulations_form.regulations_act, "scored": regulations_form.scoring_act}
    return desk_response(request, sight, "settings.html", _settings, builders=builders)


def _list(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Whether the public sees it: of the site, not of the event, so nothing for its journal."""
    if not sight.is_director:
        messages.warning(request, _("Only the director can do this."))
        return redirect(request.path)
    listed = request.POST["press"] == "listed?yes"
    Tournament.objects.filter(pk=sight.tournament.pk).update(is_listed=listed)
    messages.success(
        request,
        _("The tournament is now public.")
        if listed
        else _("The tournament is now private: only the desk and people with a personal link can open it."),
    )
    return redirect(request.path)


def _settings(visit: DeskRequest) -> dict[str, Any]:
    event = visit.event
    told, form = event.announcement, FormFields(visit, "announced")
    return {
        "section": "settings",
        "name_field": FormFields(visit, "renamed").field("name", _("Name"), event.name, required=True),
        "short": _short(form, told),
        "texts": [(code, label, _texts(form, told, code)) for code, label in LANGUAGES],
        "seen": edit_mark(event, "announcement"),
        "seen_rules": edit_mark(event, "regulations"),
        "listed": visit.viewer.tournament.is_listed,
        **regulations_form.regulations_context(visit),
    }


def _short(form: FormFields, told: Announcement) -> list[DeskFormField]:
    name = "announcement."
    return [
        form.field(f"{name}place", pgettext("venue", "Venue"), told.place),
        form.field(f"{name}opens", _("First day"), told.opens[:10], "date"),
        form.field(f"{name}ends", _("Last day"), told.ends[:10], "date"),
        form.field(f"{name}zone", _("Time zone"), told.zone, hint=_("Europe/Paris, America/Montreal…")),
        form.field(f"{name}contact", _("Contact"), told.contact),
        form.field(f"{name}fee", _("Entry fee"), told.fee),
    ]


def _texts(form: FormFields, told: Announcement, language: str) -> list[DeskFormField]:
    labels = {
        "summary": _("Summary"),
        "schedule": _("Schedule"),
        "lodging": _("Accommodation"),
        "initiation": _("For beginners"),
        "regulations": _("About the regulations"),
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


@for_desk
def staff_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Accounts that work at the desk; the director alone says who."""
    if request.method == "POST" and sight.is_director:
        return _staffed(request, sight)

    def shown(visit: DeskRequest) -> dict[str, Any]:
        members = visit.viewer.tournament.memberships.select_related("account").order_by("role", "pk")
        return {"section": "settings", "members": members, "typed_name": ""}

    return desk_response(request, sight, "staff.html", shown)


def _staffed(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    name, press = request.POST.get("name", "").strip()[:80], request.POST.get("press", "")
    with transaction.atomic():
        held = Tournament.objects.select_for_update().get(pk=sight.tournament.pk)
        told = _let_go(held, press) if press.startswith("leave?") else _join(held, name, press)
    (messages.success if told[0] else messages.warning)(request, told[1])
    return redirect(request.path)


def _join(held: Tournament, name: str, press: str) -> tuple[bool, str]:
    account = Person.objects.filter(folded_name=folded_name(name.replace("\0", "")), is_active=True).first()
    if account is None:
        return False, _("No account named %(name)s.") % {"name": name or "–"}
    event = event_of(held)
    games = online_seats.anonymous_games(event)
    plays = held.passes.filter(account=account).exists() or online_seats.has_seat(games, account)
    if event.online is OnlineBoards.HIDDEN and plays:
        said = _("%(name)s plays in this tournament, whose games are anonymous.")
        return False, said % {"name": account.name}
    role = TournamentRole.DIRECTOR if press == "director" else TournamentRole.ASSISTANT
    known = held.memberships.filter(account=account).first()
    if (
        known is not None
        and known.role == TournamentRole.DIRECTOR
        and role != known.role
        and _last(held, known)
    ):
        return False, _("The tournament needs at least one director.")
    TournamentMembership.objects.update_or_create(tournament=held, account=account, defaults={"role": role})
    if known is None:
        online_seats.note_desk(games, [account.pk])
    return True, _("%(name)s works at the desk.") % {"name": account.name}


def _last(held: Tournament, known: TournamentMembership) -> bool:
    """Whether nobody else directs; a closed account directs nothing."""
    others = held.memberships.filter(role=TournamentRole.DIRECTOR, account__is_active=True).exclude(
        pk=known.pk
    )
    return not others.exists()


def _let_go(held: Tournament, press: str) -> tuple[bool, str]:
    known = held.memberships.filter(pk=parse_natural(press.removeprefix("leave?")) or 0).first()
    if known is None:
        return True, _("Nothing was changed.")
    if known.role == TournamentRole.DIRECTOR and _last(held, known):
        return False, _("The tournament needs at least one director.")
    known.delete()
    return True, _("%(name)s no longer works at the desk.") % {"name": known.account.name}
