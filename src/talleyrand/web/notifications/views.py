"""One's own news, and how one wants to be told."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts import email_addresses, time_zones
from talleyrand.web.accounts.models import Person

from . import (
    forms,
    notification_list,
    outbox,
    preferences,
    signed_topics,
    topic_versions,
)


@require_safe
@never_cache
@login_required
def all_notifications(request: HttpRequest) -> HttpResponse:
    """My news, unread first."""
    person = cast(Person, request.user)
    page = notification_list.notification_page(person, request.GET.get("page"))
    context = {
        "page": page,
        "sections": notification_list.sections(page, person),
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
    """Where a server has no streams (`door.with_streams`), 204 tells a browser not to ask again."""
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
    if request.method == "POST":
        forms.preferences_from_form(
            request.POST, preferences.NotificationPreferences.for_person(person)
        ).save(person)
        messages.success(request, _("Settings saved."))
        return redirect("notices:choices")
    rows = forms.preference_rows(
        preferences.NotificationPreferences.for_person(person), is_administrator=person.is_administrator
    )
    context = {"table": rows, "address": email_addresses.confirmed_email(person)}
    return render(request, "notifications/choices.html", context)
