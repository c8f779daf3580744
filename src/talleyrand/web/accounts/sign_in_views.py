"""Coming in: signing up, by oneself or by a link, and the addresses that need mail."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.utils import perform_login
from allauth.account.views import PasswordChangeView, SignupView
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from talleyrand.web.common import error_pages

from . import account_texts, attempt_limits, known_devices, one_time_links, passkeys
from .attempt_limits import limit_attempts
from .forms import NameTaken, NewPasswordForm
from .models import OneTimeLink, Person

View = Callable[..., HttpResponse]


def only_with_mail(view: View) -> View:
    """An address that is there only where the site sends mail."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.HAS_MAIL:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


class ChangePasswordView(PasswordChangeView):
    """A new password; the device on which it is chosen knows it."""

    def form_valid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        assert isinstance(self.request.user, Person)
        known_devices.remember_device(self.request, response, self.request.user)
        return response


class SignUpView(SignupView):
    """Signing up; a name that somebody takes meanwhile is refused like one taken before."""

    def form_valid(self, form: Any) -> HttpResponse:
        if not self.has_turn():
            form.add_error(None, account_texts.REFUSALS["many_accounts"])
            answer = self.refused(form)
            answer.status_code = HTTPStatus.TOO_MANY_REQUESTS
            return answer
        try:
            response: HttpResponse = super().form_valid(form)
        except NameTaken:
            form.add_error("username", account_texts.REFUSALS["username_taken"])
            return self.refused(form)
        return response

    def has_turn(self) -> bool:
        """Whether one more account may be made from where this one is asked for."""
        return attempt_limits.count_attempt(self.request, "account")

    def refused(self, form: Any) -> HttpResponse:
        response: HttpResponse = self.form_invalid(form)
        return response


class SignUpByLinkView(SignUpView):
    """Signing up by a link, on a site that is open to all or not."""

    link: OneTimeLink | None = None

    def is_open(self) -> bool:
        return True

    def has_turn(self) -> bool:
        return True

    def get_success_url(self) -> str:
        """The first administrator goes on to set up the site."""
        if self.link is not None and self.link.kind == one_time_links.Kind.ADMINISTRATOR:
            return reverse("administration:settings")
        return str(super().get_success_url())

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "link": self.link}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "link": self.link}


@never_cache
@limit_attempts("link")
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def one_time_link(request: HttpRequest, token: str) -> HttpResponse:
    """What a link leads to; looking at it does not use it up."""
    try:
        return _lead(request, one_time_links.find_link(token))
    except one_time_links.LinkGone:
        return link_gone(request)


def _lead(request: HttpRequest, link: OneTimeLink) -> HttpResponse:
    if link.kind == one_time_links.Kind.PASSWORD:
        return _password(request, link)
    if link.kind == one_time_links.Kind.SIGN_IN:
        return _sign_in(request, link)
    if request.user.is_authenticated:
        return _signed_in(request, link)
    page: HttpResponse = SignUpByLinkView.as_view(link=link)(request)
    return page


def link_gone(request: HttpRequest) -> HttpResponse:
    sentence = _(
        "This link has been used, has expired or is incomplete. Ask the person who gave it to "
        "you for another."
    )
    return error_pages.error_page(request, 404, _("This link no longer works"), sentence)


def _signed_in(request: HttpRequest, link: OneTimeLink) -> HttpResponse:
    """For whoever has an account: it can become an administrator's, nothing else."""
    assert isinstance(request.user, Person)
    if link.kind == one_time_links.Kind.ADMINISTRATOR and request.method == "POST":
        one_time_links.grant_administrator(link, request.user)
        messages.success(request, _("You are now an administrator of this site."))
        return redirect("administration:settings")
    return render(request, "accounts/link.html", {"link": link})


def _password(request: HttpRequest, link: OneTimeLink) -> HttpResponse:
    assert link.person is not None
    form = NewPasswordForm(request.POST if request.method == "POST" else None, user=link.person)
    if request.method != "POST" or not form.is_valid():
        shown = {"form": form, "person": link.person, "has_passkeys": bool(passkeys.passkeys_of(link.person))}
        return render(request, "accounts/link_password.html", shown)
    with transaction.atomic():
        one_time_links.use_link(link)
        form.save()
        passkeys.delete_authenticators(link.person)
    get_adapter().logout(request)
    return _enter(request, link.person)


def _sign_in(request: HttpRequest, link: OneTimeLink) -> HttpResponse:
    """Signs its reader in when they say so: programs that look at a mail’s links must not use it up."""
    assert link.person is not None
    if request.method != "POST":
        return render(request, "accounts/link_sign_in.html", {"person": link.person})
    with transaction.atomic():
        one_time_links.use_link(link)
    if request.user.is_authenticated:
        get_adapter().logout(request)
    response: HttpResponse = perform_login(request, link.person)
    return response


def _enter(request: HttpRequest, person: Person) -> HttpResponse:
    messages.success(request, _("Password set. Other devices are signed out."))
    response: HttpResponse = perform_login(request, person)
    return response
