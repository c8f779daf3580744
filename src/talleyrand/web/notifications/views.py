"""One's own news, and how one wants to be told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts import email_addresses, time_zones
from talleyrand.web.accounts.models import Person

from . import forms, notification_sentences, outbox, preferences, signed_topics, topic_versions
from .models import Notification

ON_A_PAGE = 40
GAME_KEY = re.compile(r"[A-Za-z0-9_-]{1,16}")


@require_safe
@never_cache
@login_required
def all_notifications(request: HttpRequest) -> HttpResponse:
    """My news, unread first."""
    person = cast(Person, request.user)
    page = notification_page(person, request.GET.get("page"))
    context = {
        "page": page,
        "sections": sections(page, person),
        "zone": preferences.time_zone_of(person),
        "place": time_zones.zone_label(person.time_zone),
        "unread": outbox.unread_count(person),
        "until": max((one.pk for one in page), default=0),
    }
    return render(request, "notifications/all.html", context)


@require_safe
@never_cache
def poll_versions(request: HttpRequest) -> JsonResponse:
    """What the topics of a page are at now, for one that hears no stream; and how many news are unread."""
    person = request.user if isinstance(request.user, Person) else None
    try:
        made = signed_topics.unsign_topics(
            request.GET.getlist("topics"), request.session.session_key or "" if person else ""
        )
    except signed_topics.InvalidTopics:
        raise Http404 from None
    known = signed_topics.known_versions(made, request.GET.get("since", ""))
    return JsonResponse(
        {
            "changed": signed_topics.changed_topics(known, topic_versions.current_versions(made)),
            "unread": outbox.unread_count(person) if person else None,
        }
    )


@require_safe
def no_stream(_request: HttpRequest) -> HttpResponse:
    """Where a server has no streams (`server.event_stream_asgi`), 204 tells a browser not to ask again."""
    return HttpResponse(status=204)


@require_POST
@login_required
def mark_read(request: HttpRequest) -> HttpResponseRedirect:
    """Mark all that had come when the page was made, one game's, or one alone; the unknown marks none."""
    person = cast(Person, request.user)
    marked = outbox.mark_read(person, **forms.marked_filter(request.POST))
    if not marked:
        messages.info(request, _("Nothing left to mark as read."))
    return redirect("notices:all")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def edit_preferences(request: HttpRequest) -> HttpResponse:
    """What I want to be told, and how."""
    person = cast(Person, request.user)
    chosen = forms.preferences_from_form(
        request.POST, preferences.NotificationPreferences.for_person(person)
    )  # what was typed stands beside a refusal
    typed = request.POST if request.method == "POST" else None
    quiet = forms.QuietHoursForm(typed, preferences.quiet_hours(person))
    if quiet.is_valid():
        if forms.TIMES[0] in request.POST:
            preferences.keep_quiet_hours(person, quiet.hours)
        chosen.save(person)
        messages.success(request, _("Settings saved."))
        return redirect("notices:choices")
    rows = forms.preference_rows(chosen, is_administrator=person.is_administrator)
    context = {
        "table": rows,
        "address": email_addresses.confirmed_email(person),
        "quiet": quiet,
        "place": time_zones.zone_label(person.time_zone),
    }
    return render(request, "notifications/choices.html", context, status=400 if quiet.errors else 200)


@require_POST
@login_required
def mute_game(request: HttpRequest, key: str) -> HttpResponseRedirect:
    """Hear of a game on the site alone, or everywhere again."""
    person, muted = cast(Person, request.user), request.POST.get("do") != "unmute"
    if not GAME_KEY.fullmatch(key):
        raise Http404
    preferences.mute(person, topic_versions.game_topic(key), muted=muted)
    if muted:
        messages.success(request, _("Muted: this game tells you nothing outside the site."))
    else:
        messages.success(request, _("This game’s notifications reach you again."))
    return redirect("games:table", key)


# What the page of news shows: one's own, unread first, by game.


@dataclass(frozen=True)
class NotificationLine:
    """One notice, said."""

    sentence: str
    path: str
    created_at: datetime
    date_text: str


@dataclass
class NotificationGroup:
    """What is told of one game."""

    name: str
    topic: str
    lines: list[NotificationLine] = field(default_factory=list)


def notification_page(person: Person, number: str | None) -> Page[Notification]:
    """A page of somebody's news; the nearest there is where the number makes no sense."""
    mine = Notification.objects.filter(person=person, is_shown=True)
    unread_first = mine.order_by(F("read_at").desc(nulls_first=True), "-created_at", "-pk")
    return Paginator(unread_first, ON_A_PAGE).get_page(number)


def sections(page: Page[Notification], person: Person) -> list[tuple[bool, list[NotificationGroup]]]:
    """The news of a page: the unread ones (True), then the others, those of a game together."""
    zone = preferences.time_zone_of(person)
    both = ((new, [one for one in page if (one.read_at is None) == new]) for new in (True, False))
    return [(new, _groups(notices, zone)) for new, notices in both if notices]


def _groups(notices: Iterable[Notification], zone: tzinfo) -> list[NotificationGroup]:
    found: dict[str, NotificationGroup] = {}
    for one in notices:
        group = found.setdefault(
            one.topic, NotificationGroup(notification_sentences.game_name(one), one.topic)
        )
        group.lines.append(_line(one, zone))
    return list(found.values())


def _line(notice: Notification, zone: tzinfo) -> NotificationLine:
    sentence = notification_sentences.notification_sentence(notice.kind, notice.facts, zone)
    path = outbox.path_in_language(notice.path, get_language() or "fr") if notice.path else ""
    told = date_format(localtime(notice.created_at, zone), _("j M Y, H:i"))
    return NotificationLine(sentence, path, notice.created_at, told)
