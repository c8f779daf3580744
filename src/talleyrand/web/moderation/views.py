"""The moderators' desk: open reports, one of them, somebody's record, the log; and one's own warnings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.accounts.models import Person, folded_name, signed_in_person
from talleyrand.web.conduct import bans, game_traces, moderated_games
from talleyrand.web.conduct.models import Measure, ModerationEntry, Moderator, Report, ReportKind
from talleyrand.web.conduct.reports import reason_titles
from talleyrand.web.games.models import Game

from . import moderation_texts
from .forms import BAN_DAYS, ModerationForm
from .moderation_actions import (
    ModerationRefusal,
    act_on,
    dismiss_departed,
    is_own_affair,
    name_moderator,
    own_affairs,
)

View = Callable[..., HttpResponse]
ON_A_PAGE, GAMES_A_PAGE, LONGEST_NAME = 50, 20, 80
OF_REPORTS, OF_PEOPLE = ("dismiss", "warn", "ban", "note"), ("warn", "ban", "lift", "note")


def moderators_only(view: View) -> View:
    """For everybody else the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not (isinstance(request.user, Person) and bans.is_moderator(request.user)):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@never_cache
@login_required
@require_safe
def own_measures(request: HttpRequest) -> HttpResponse:
    """One's own warnings and bans, and until when."""
    person = signed_in_person(request)
    context = {**_measures(Measure.objects.filter(person=person)), "ban": bans.running_ban(person)}
    return render(request, "moderation/own.html", context)


@never_cache
@moderators_only
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The open reports, the oldest first, but for those that are an affair of one's own; moderators."""
    aside = own_affairs(signed_in_person(request)).filter(outcome="").values("pk")
    reports = Report.objects.filter(outcome="").exclude(pk__in=aside).select_related("accused")
    page = Paginator(reports, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "reports": [(one, reason_titles()[one.reason]) for one in page.object_list],
        "others": aside.count(),
        "moderators": Moderator.objects.select_related("person").order_by("person__folded_name"),
    }
    return render(request, "moderation/desk.html", context)


@never_cache
@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def report_page(request: HttpRequest, report: str) -> HttpResponse:
    """A report, what the accused had before, and what to do; one that is one's own affair is not there."""
    found = get_object_or_404(Report.objects.select_related("accused", "reporter"), key=report)
    reader = signed_in_person(request)
    if is_own_affair(reader, found):
        raise Http404
    moderated_games.note_read(reader, [found.game_key])
    if is_own_affair(reader, found):  # they have joined in this moment
        raise Http404
    if found.accused is None:
        return _departed_page(request, found)
    is_comment = found.kind == ReportKind.COMMENT
    form = ModerationForm((*OF_REPORTS, *(["remove"] if is_comment else [])), request.POST or None)
    if request.method == "POST" and _has_acted(request, form, found.accused, found):
        closes = form.moderation_act.kind not in ("note", "remove")
        return redirect("moderation:desk" if closes else request.path)
    context = {"is_comment": is_comment, **_report(found), **_record(request, found.accused, form)}
    return render(request, "moderation/report.html", context, status=409 if form.errors else 200)


def _report(found: Report) -> dict[str, Any]:
    return {
        "report": found,
        "reason": reason_titles()[found.reason],
        "outcome": moderation_texts.outcome_text(found.outcome),
        "excerpt": [
            {
                **one,
                "signature": one.get("signatures", {}).get(get_language(), one["signature"]),
                "at": datetime.fromisoformat(one["at"]),
            }
            for one in found.excerpt
        ],
        "lines": moderation_texts.log_lines(found.entries.select_related("by", "person")),
    }


def _departed_page(request: HttpRequest, found: Report) -> HttpResponse:
    """A report about an account that is deleted: it is read, and closed."""
    if request.method == "POST" and request.POST.get("act") == "dismiss":
        dismiss_departed(found, signed_in_person(request))
        messages.success(request, _("Done, and noted in the log."))
        return redirect("moderation:desk")
    if request.method == "POST":  # from a page of before
        messages.error(request, moderation_texts.refusal_text("gone"))
    status = 409 if request.method == "POST" else 200
    return render(request, "moderation/report.html", _report(found), status=status)


@never_cache
@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def person_page(request: HttpRequest) -> HttpResponse:
    """What moderators did about somebody, found by name, and what to do."""
    typed = request.GET.get("name", "").replace("\0", "").strip()[:LONGEST_NAME]
    person = Person.objects.filter(folded_name=folded_name(typed), is_guest=False).first()
    if person is None:
        messages.error(request, _("No one here has this name."))
        return redirect("moderation:desk")
    form = ModerationForm(OF_PEOPLE, request.POST or None)
    if request.method == "POST" and _has_acted(request, form, person, None):
        return redirect(f"{reverse('moderation:person')}?{urlencode({'name': person.name})}")
    page = _log_page(request, _entries(signed_in_person(request)).filter(person=person))
    context = {**_record(request, person, form), **page}
    return render(request, "moderation/person.html", context, status=409 if form.errors else 200)


def _has_acted(request: HttpRequest, form: ModerationForm, person: Person, report: Report | None) -> bool:
    """Whether what was sent is done; if not, the form says why."""
    if not form.is_valid():
        return False
    try:
        act_on(person, form.moderation_act, signed_in_person(request), report)
    except ModerationRefusal as refused:
        form.add_error(None, moderation_texts.refusal_text(refused.code))
        return False
    messages.success(request, _("Done, and noted in the log."))
    return True


def _record(request: HttpRequest, person: Person, form: ModerationForm) -> dict[str, Any]:
    """What the pages about somebody share; nothing that came of an affair of the reader's own."""
    aside = own_affairs(signed_in_person(request)).values("pk")
    before = Report.objects.filter(accused=person).exclude(outcome="").exclude(pk__in=aside)
    return {
        "accused": person,
        **_measures(Measure.objects.filter(person=person).exclude(report__in=aside)),
        "ban": bans.running_bans(person).exclude(report__in=aside).exists(),
        "reports_before": before.count(),
        "form": form,
        "days": BAN_DAYS,
    }


def _measures(found: QuerySet[Measure]) -> dict[str, Any]:
    """The newest, and how many are left out."""
    shown = [(one, moderation_texts.measure_text(one)) for one in found[:ON_A_PAGE]]
    return {"measures": shown, "older": found.count() - len(shown)}


@never_cache
@moderators_only
@require_safe
def log_page(request: HttpRequest) -> HttpResponse:
    """Who did what about whom, the newest first."""
    return render(request, "moderation/log.html", _log_page(request, _entries(signed_in_person(request))))


def _entries(reader: Person) -> QuerySet[ModerationEntry]:
    """The log but for what was done about its reader, or comes of an affair of theirs: others did it."""
    aside = own_affairs(reader).values("pk")
    shown = ModerationEntry.objects.exclude(person=reader).exclude(report__in=aside)
    return shown.select_related("by", "person")


def _log_page(request: HttpRequest, entries: QuerySet[ModerationEntry]) -> dict[str, Any]:
    page = Paginator(entries, ON_A_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "lines": moderation_texts.log_lines(page.object_list)}


@never_cache
@moderators_only
@require_safe
def shared_accounts(request: HttpRequest) -> HttpResponse:
    """Accounts that gave orders in one game from one device or address, but in games of one's own."""
    reader = signed_in_person(request)
    mine = Game.objects.filter(memberships__person=reader)
    now, aside = timezone.now(), list(mine.values_list("key", flat=True))
    games = game_traces.games_with_shared_traces(aside, now)
    page = Paginator(games, GAMES_A_PAGE).get_page(request.GET.get("page"))
    keys = list(page.object_list)
    moderated_games.note_read(reader, keys)
    names = dict(
        Game.objects.filter(key__in=keys).exclude(memberships__person=reader).values_list("key", "name")
    )
    found = game_traces.shared_traces(names, now)
    pairs = [(one, names[one.game_key]) for one in found]
    return render(request, "moderation/accounts.html", {"pairs": pairs, "page": page})


@administrators_only
@require_POST
def change_moderators(request: HttpRequest) -> HttpResponse:
    """Name a moderator, or no longer; in the log."""
    name = request.POST.get("name", "").replace("\0", "")[:LONGEST_NAME]
    person = Person.objects.filter(folded_name=folded_name(name), is_guest=False, is_active=True).first()
    if person is None:
        messages.error(request, _("No one here has this name."))
        return redirect("moderation:desk")
    name_moderator(person, signed_in_person(request), is_wanted=request.POST.get("action") == "add")
    messages.success(request, _("Saved."))
    return redirect("moderation:desk")
