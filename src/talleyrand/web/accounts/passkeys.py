"""Passkeys: signing in by finger, face or the code of a device, instead of a password or after it.

django-allauth keeps and checks them. A browser makes and shows them under a name and over HTTPS alone, or on
`localhost`: where that is not so, the page says why.
"""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.account.models import Login
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth, flows
from allauth.mfa.webauthn.views import AddWebAuthnView, LoginWebAuthnView, ReauthenticateWebAuthnView
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext

from talleyrand.web.common.network import is_ip_address

from . import account_texts, signed_in_devices
from .models import Person

NAME = "Talleyrand"
HERE = "localhost"
MOST = 10  # of one person
# Why a browser makes and shows none at the address by which the site was asked.
BY_NUMBER, WITHOUT_HTTPS, ELSEWHERE = "number", "https", "elsewhere"


def request_host(request: HttpRequest) -> str:
    """The name by which the site was asked, without a port."""
    return urlsplit(f"//{request.get_host()}").hostname or ""


def passkey_host(request: HttpRequest) -> str:
    """The name under which passkeys are made: the site's own, or the one it was asked by."""
    return urlsplit(settings.SITE_URL).hostname or request_host(request)


def passkeys_unavailable(request: HttpRequest) -> str:
    """Why passkeys are not known at this address; "" where they are."""
    asked, own = request_host(request), passkey_host(request)
    if asked != own and not asked.endswith(f".{own}"):
        return ELSEWHERE
    if is_ip_address(asked):
        return BY_NUMBER
    return "" if request.is_secure() or asked == HERE or asked.endswith(f".{HERE}") else WITHOUT_HTTPS


def passkeys_of(person: Person) -> list[Authenticator]:
    """Somebody's passkeys, the oldest first."""
    found = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN)
    return list(found.order_by("pk"))


def recovery_codes_left(person: Person) -> int | None:
    """How many recovery codes somebody has left; None where there are none to have."""
    found = Authenticator.objects.filter(user=person, type=Authenticator.Type.RECOVERY_CODES).first()
    return len(found.wrap().get_unused_codes()) if found else None


def delete_authenticators(person: Person) -> None:
    """Whoever gives somebody a link for a password gives them back an account without its keys."""
    Authenticator.objects.filter(user=person).delete()


class PasskeyAdapter(DefaultMFAAdapter):
    """Names as the site has them, sentences as in `account_texts`."""

    error_messages: ClassVar[dict[str, account_texts.Text]] = account_texts.KEY_REFUSALS

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": passkey_host(context.request), "name": NAME}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002, ARG002
        """The browser in which it is made, with a number from the second on."""
        found = signed_in_devices.browser_name(context.request.headers.get("User-Agent", ""))
        name = found if found != signed_in_devices.UNKNOWN else gettext("Passkey")
        taken = {one.data.get("name") for one in passkeys_of(user)}
        later = (f"{name} {number}" for number in range(2, MOST + 2))
        return next(one for one in (name, *later) if one not in taken)

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.name)


class AddPasskeyView(AddWebAuthnView):
    """One more key that is found without a name, and that asks for a finger, a face or a code."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().get_context_data(**kwargs)
        options = auth.begin_registration(self.request.user, passwordless=True)
        return {**shown, "options": options, "why_not": passkeys_unavailable(self.request)}


class ReauthenticateByPasskeyView(ReauthenticateWebAuthnView):
    """A key that does not answer as it should is asked once more."""

    def form_invalid(self, form: Any) -> HttpResponse:
        again: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return again


class SignInByPasskeyView(LoginWebAuthnView):
    """The question that a key answers, on demand; and the answer. Looking asks nothing."""

    http_method_names: ClassVar[list[str]] = ["post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "credential" not in request.POST:
            return JsonResponse(auth.begin_authentication(None))
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        key = form.cleaned_data["credential"]
        response: HttpResponse = flows.perform_passwordless_login(self.request, key, Login(user=key.user))
        if not self.request.POST.get("remember"):
            self.request.session.set_expiry(0)
        return response
