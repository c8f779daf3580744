"""Signing up, with an account or without."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament import name_matching
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.model import Event, OnlineBoards
from talleyrand.web.accounts.attempt_limits import limit_attempts
from talleyrand.web.tournaments import access_tokens, event_journal, tournament_context
from talleyrand.web.tournaments.models import AccessToken, JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import link_mail, player_actions, public_texts, regulations_texts
from .forms import TournamentSignUpForm, open_round_numbers

SIGN_UP_SALT = "talleyrand.tournaments.sign_up"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limit_attempts("entry")
def sign_up_page(request: HttpRequest, key: str) -> HttpResponse:
    """Who signs up is somebody of the event at once, on this device; his link is shown to him."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    if sight.person_number and not sight.is_at_desk:
        return redirect("tournaments:mine", key)
    if sight.event.online is not OnlineBoards.NONE and sight.account is None:
        return redirect_to_login(request.get_full_path())
    if request.method != "POST":
        return _form_page(request, sight, TournamentSignUpForm(event=sight.visible_event))
    form = TournamentSignUpForm(request.POST, event=sight.visible_event)
    refusal, namesakes = _refusal(request, sight, form)
    if refusal or namesakes or not form.is_valid():
        return _form_page(request, sight, form, refusal, namesakes)
    return _enter(request, sight, form)


def _refusal(
    request: HttpRequest, sight: TournamentViewer, form: TournamentSignUpForm
) -> tuple[str, list[str]]:
    """Why nobody is entered by this form though it is well filled in; or who may be the same already."""
    if not sight.event.takes_sign_ups:
        return _("Sign-up is closed. Ask the organisers at the desk."), []
    if not _issued(sight, request.POST.get("submission", "")):
        return _("This form has expired. Check it and submit it again."), []
    if form.is_valid() and not form.cleaned_data["other"] and not _known(request, sight):
        return "", _alike(sight.event, form)
    return "", []


def _enter(request: HttpRequest, sight: TournamentViewer, form: TournamentSignUpForm) -> HttpResponse:
    newcomer = AddPerson(form.person_from_form())
    try:
        entry = event_journal.perform_acts(
            sight.tournament, [newcomer], event_journal.JournalActor(sight.account), once=_once(request)
        )
    except TalleyrandError as refused:
        return _form_page(request, sight, form, public_texts.refusal_text(refused, sight.visible_event))
    assert entry is not None
    held = _pass(sight, entry)
    access_tokens.remember_token(request, sight.tournament, held)
    sent = link_mail.send_own_link(sight.tournament, held, form.cleaned_data["mail"])
    request.session[f"shown:{sight.tournament.key}"] = True
    messages.success(request, _("You are signed up."))
    if sent:
        messages.success(request, _("We’ve sent you an email with your link."))
    return redirect("tournaments:mine", sight.tournament.key)


def _pass(sight: TournamentViewer, entry: JournalEntry) -> AccessToken:
    """The door of whoever the entry added; of his account too, where that has none yet."""
    number = next(int(one["at"][1]) for one in entry.changes if one["at"][0] == "people")
    held = access_tokens.token_of(sight.tournament, number)
    account = None if sight.is_at_desk else sight.account
    if account is not None and not sight.tournament.passes.filter(account=account).exists():
        held.account = account
        held.save(update_fields=["account"])
    return held


def _alike(event: Event, form: TournamentSignUpForm) -> list[str]:
    """Those who may be the same person already."""
    found = name_matching.people_sounding_alike(one_line_name(form.cleaned_data["name"]), event.people)
    return [event.people[number].name for number in found]


def _once(request: HttpRequest) -> str:
    return f"new:{request.POST['submission'].partition(':')[0]}"[:64]


def _known(request: HttpRequest, sight: TournamentViewer) -> bool:
    """Whether this form has come before: its sender did not hear the answer."""
    return sight.tournament.entries.filter(idempotency_key=_once(request)).exists()


def _submission(sight: TournamentViewer) -> str:
    """A number of this form that nobody else can choose: what is done under it is shown to its sender."""
    return signing.Signer(salt=f"{SIGN_UP_SALT}:{sight.tournament.key}").sign(secrets.token_urlsafe(12))


def _issued(sight: TournamentViewer, told: str) -> bool:
    try:
        signing.Signer(salt=f"{SIGN_UP_SALT}:{sight.tournament.key}").unsign(told)
    except signing.BadSignature:
        return False
    return True


def _form_page(
    request: HttpRequest,
    sight: TournamentViewer,
    form: TournamentSignUpForm,
    refusal: str = "",
    namesakes: list[str] | None = None,
) -> HttpResponse:
    typed = request.POST.get("submission", "")
    event = sight.visible_event
    chosen = (
        request.POST.getlist("rounds") if form.is_bound else [str(one) for one in open_round_numbers(event)]
    )
    context: dict[str, Any] = player_actions.public_page_context(
        sight,
        "sign_up",
        form=form,
        refusal=refusal,
        namesakes=namesakes or [],
        open=event.takes_sign_ups,
        submission=typed if _issued(sight, typed) else _submission(sight),
        lines=[
            (line, str(line.number) in chosen)
            for line in regulations_texts.round_summaries(event)
            if line.number in open_round_numbers(event)
        ],
        rules=list(regulations_texts.regulation_sentences(event)),
    )
    status = 409 if form.is_bound else 200
    return render(request, "tournaments/public_site/sign_up.html", context, status=status)
