"""One's tokens: made, shown once, listed with their last use, revoked."""

from __future__ import annotations

import secrets
from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from talleyrand.web.accounts.models import signed_in_person

from . import api_tokens
from .api_errors import translated
from .scopes import SENTENCES, Scope


class NewTokenForm(forms.Form):
    """What a token is called, what it may do, and until when."""

    submission = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=60, label=_("Program name"))
    scopes = forms.MultipleChoiceField(
        choices=(),
        widget=forms.CheckboxSelectMultiple,
        label=_("Scopes"),
        error_messages={"required": _("Choose at least one scope.")},
    )
    days = forms.TypedChoiceField(coerce=int, choices=(), label=_("Valid for"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        days, scopes = self.fields["days"], self.fields["scopes"]
        assert isinstance(days, forms.TypedChoiceField)
        assert isinstance(scopes, forms.MultipleChoiceField)
        scopes.choices = [(str(one), translated(SENTENCES[one])) for one in Scope]
        days.choices = [
            (many, ngettext("%(n)s day", "%(n)s days", many) % {"n": many}) for many in api_tokens.DAYS_VALID
        ]

    def clean_scopes(self) -> list[Scope]:
        return [Scope(one) for one in self.cleaned_data["scopes"]]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: HttpRequest) -> HttpResponse:
    """The tokens one has; a new one is shown once, in the answer to the form."""
    if request.method == "POST":
        response: HttpResponse = reauthentication_required(_make)(request)
        return response
    return _show(request, _fresh())


def _make(request: HttpRequest) -> HttpResponse:
    """Whoever finds a device unlocked has no password, and makes no token."""
    form = NewTokenForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=400)
    wanted = form.cleaned_data
    kept = (
        wanted["name"],
        wanted["scopes"],
        wanted["days"],
        wanted["submission"] or secrets.token_urlsafe(16),
    )
    try:
        return _show(
            request, _fresh(), made=api_tokens.make_token(signed_in_person(request), *kept, timezone.now())
        )
    except api_tokens.TokenMadeAlready:
        messages.warning(
            request,
            str(
                _("This token has already been created and is shown only once. Revoke it and create another.")
            ),
        )
    except api_tokens.TooManyTokens:
        refused = _("You have %(most)s tokens, the maximum: revoke one first.")
        form.add_error(None, refused % {"most": api_tokens.MOST})
        return _show(request, form, status=400)
    return redirect("api:tokens")


def _show(request: HttpRequest, form: NewTokenForm, made: str = "", status: int = 200) -> HttpResponse:
    now = timezone.now()
    listed = [
        {
            "token": one,
            "may": [translated(SENTENCES[Scope(name)]) for name in one.scopes],
            "ended": one.expires_at <= now,
        }
        for one in api_tokens.tokens_of(signed_in_person(request))
    ]
    return render(request, "api/tokens.html", {"form": form, "made": made, "listed": listed}, status=status)


@never_cache
@login_required
@require_POST
def revoke_token(request: HttpRequest, token: int) -> HttpResponse:
    """End a token; twice does no harm."""
    api_tokens.revoke_token(signed_in_person(request), token)
    messages.success(request, str(_("The token no longer works.")))
    return redirect("api:tokens")


def _fresh() -> NewTokenForm:
    return NewTokenForm(initial={"submission": secrets.token_urlsafe(16), "days": 90})
