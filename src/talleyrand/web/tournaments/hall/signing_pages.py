"""Signing up, with an account or without."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.signs import on_one_line
from talleyrand.tournament import likeness
from talleyrand.tournament.acts.people import AddPerson
from talleyrand.tournament.model import Event
from talleyrand.web.accounts.attempts import counted
from talleyrand.web.tournaments import frame, journal, passes
from talleyrand.web.tournaments.models import Entry, Pass
from talleyrand.web.tournaments.sight import Sight

from . import posting, regulating, visiting, words
from .entering import SignUp, open_rounds

SALT = "talleyrand.tournaments.sign_up"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@counted("entry")
def sign_up(request: HttpRequest, key: str) -> HttpResponse:
    """Who signs up is somebody of the event at once, on this device; his link is shown to him."""
    sight = frame.entered(request, key)
    if sight.number and not sight.at_desk:
        return redirect("tournaments:mine", key)
    if request.method != "POST":
        return _ask(request, sight, SignUp(event=sight.shown))
    form = SignUp(request.POST, event=sight.shown)
    refusal, namesakes = _refusal(request, sight, form)
    if refusal or namesakes or not form.is_valid():
        return _ask(request, sight, form, refusal, namesakes)
    return _enter(request, sight, form)


def _refusal(request: HttpRequest, sight: Sight, form: SignUp) -> tuple[str, list[str]]:
    """Why nobody is entered by this form though it is well filled in; or who may be the same already."""
    if not sight.event.signups or sight.event.over:
        return _("Signing up is closed: ask the organisers at the desk."), []
    if not _issued(sight, request.POST.get("submission", "")):
        return _("This form has expired. Look it over and send it again."), []
    if form.is_valid() and not form.cleaned_data["other"] and not _known(request, sight):
        return "", _alike(sight.event, form)
    return "", []


def _enter(request: HttpRequest, sight: Sight, form: SignUp) -> HttpResponse:
    newcomer = AddPerson(form.person())
    try:
        entry = journal.perform(sight.tournament, [newcomer], journal.By(sight.account), once=_once(request))
    except TalleyrandError as refused:
        return _ask(request, sight, form, words.refusal(refused, sight.shown))
    assert entry is not None
    held = _pass(sight, entry)
    passes.enter(request, sight.tournament, held)
    sent = posting.send_link(sight.tournament, held, form.cleaned_data["mail"])
    request.session[f"shown:{sight.tournament.key}"] = True
    messages.success(request, _("You are signed up."))
    if sent:
        messages.success(request, _("A mail with your link is on its way to you."))
    return redirect("tournaments:mine", sight.tournament.key)


def _pass(sight: Sight, entry: Entry) -> Pass:
    """The door of whoever the entry added; of his account too, where that has none yet."""
    number = next(int(one["at"][1]) for one in entry.changes if one["at"][0] == "people")
    held = passes.of(sight.tournament, number)
    account = None if sight.at_desk else sight.account
    if account is not None and not sight.tournament.passes.filter(account=account).exists():
        held.account = account
        held.save(update_fields=["account"])
    return held


def _alike(event: Event, form: SignUp) -> list[str]:
    """Those who may be the same person already."""
    found = likeness.alike(on_one_line(form.cleaned_data["name"]), event.people)
    return [event.people[number].name for number in found]


def _once(request: HttpRequest) -> str:
    return f"new:{request.POST['submission'].partition(':')[0]}"[:64]


def _known(request: HttpRequest, sight: Sight) -> bool:
    """Whether this form has come before: its sender did not hear the answer."""
    return sight.tournament.entries.filter(once=_once(request)).exists()


def _submission(sight: Sight) -> str:
    """A number of this form that nobody else can choose: what is done under it is shown to its sender."""
    return signing.Signer(salt=f"{SALT}:{sight.tournament.key}").sign(secrets.token_urlsafe(12))


def _issued(sight: Sight, told: str) -> bool:
    try:
        signing.Signer(salt=f"{SALT}:{sight.tournament.key}").unsign(told)
    except signing.BadSignature:
        return False
    return True


def _ask(
    request: HttpRequest, sight: Sight, form: SignUp, refusal: str = "", namesakes: list[str] | None = None
) -> HttpResponse:
    typed = request.POST.get("submission", "")
    event = sight.shown
    chosen = request.POST.getlist("rounds") if form.is_bound else [str(one) for one in open_rounds(event)]
    context: dict[str, Any] = visiting.context(
        sight,
        "sign_up",
        form=form,
        refusal=refusal,
        namesakes=namesakes or [],
        open=event.signups and not event.over,
        submission=typed if _issued(sight, typed) else _submission(sight),
        lines=[
            (line, str(line.number) in chosen)
            for line in regulating.round_lines(event)
            if line.number in open_rounds(event)
        ],
        rules=list(regulating.sentences(event)),
    )
    status = 409 if form.is_bound else 200
    return render(request, "tournaments/hall/sign_up.html", context, status=status)
