"""No more mails, by the link in each of them or on one's own page; and mails again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.public_site import player_actions
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import notification_mail
from .models import MailUnsubscription


@never_cache
@csrf_exempt  # mail programs send it by themselves, signed by the address alone (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_page(request: HttpRequest, key: str, sign: str) -> HttpResponse:
    """The link in a mail: one touch, and no more of them come. Nothing is stopped by whoever only looks."""
    tournament = get_object_or_404(Tournament, key=key)
    number = notification_mail.person_of_signature(tournament, sign)
    if not number:
        raise Http404
    if request.method == "POST":
        notification_mail.unsubscribe_person(tournament, number)
    stopped = MailUnsubscription.objects.filter(tournament=tournament, person_number=number).exists()
    context = {"name": tournament.name, "stopped": stopped}
    return render(request, "tournaments/notifications/quiet.html", context)


@player_actions.player_action
def change_mail_subscription(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Mails of the tournament to the address one gave: yes or no."""
    if request.POST.get("mails") == "yes":
        notification_mail.resubscribe_person(sight.tournament, sight.person_number)
        messages.success(request, _("You will get emails again, if the organisers send any."))
    else:
        notification_mail.unsubscribe_person(sight.tournament, sight.person_number)
        messages.success(request, _("You will get no more emails from this tournament."))
    return redirect("tournaments:mine", sight.tournament.key)
