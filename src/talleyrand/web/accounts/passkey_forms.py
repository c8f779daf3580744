"""The forms by which passkeys and recovery codes come: whatever is sent, they answer with a sentence."""

from __future__ import annotations

import struct
from typing import Any, ClassVar

from allauth.mfa.base import forms as codes
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import forms as recovery
from allauth.mfa.webauthn import forms as theirs
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from . import passkeys
from .forms import PlainForm, plain

LARGEST = 20_000  # characters; a key says some 2,000
NAME = 60
# What reading bytes of a stranger may end with.
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
UNKNOWN = _("This passkey is not known here, or its response was incomplete. Try again.")


class CredentialField(forms.JSONField):
    """What a browser says of a key: one object, no longer than such are."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > LARGEST:
            raise forms.ValidationError(UNKNOWN)
        try:
            found = super().to_python(value)
        except RecursionError as deep:
            raise forms.ValidationError(UNKNOWN) from deep
        if not isinstance(found, dict):
            raise forms.ValidationError(UNKNOWN)
        return found


class AddPasskeyForm(PlainForm, theirs.AddWebAuthnForm):
    labels: ClassVar[dict[str, str | Promise]] = {"name": _("Passkey name")}
    credential = CredentialField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("passwordless", None)
        name = self.fields["name"]
        assert isinstance(name, forms.CharField)
        name.help_text = _("So that you recognise it: “my phone”, “the blue key”.")
        name.validators.append(MaxLengthValidator(NAME))
        name.widget.attrs.update(maxlength=str(NAME), autocomplete="off")

    def clean(self) -> dict[str, Any]:
        if len(passkeys.passkeys_of(self.user)) >= passkeys.MOST:
            raise forms.ValidationError(
                _("You have %(count)s passkeys: remove one first.") % {"count": passkeys.MOST}
            )
        self.cleaned_data["passwordless"] = True
        try:
            return super().clean() or {}
        except (forms.ValidationError, *UNREADABLE) as problem:
            raise forms.ValidationError(UNKNOWN) from problem


class _Answer(theirs.AuthenticateWebAuthnForm):
    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()
        except forms.ValidationError as problem:
            if problem.code != "incorrect_code":  # too many
                raise
            raise forms.ValidationError(UNKNOWN) from problem
        except UNREADABLE as problem:
            raise forms.ValidationError(UNKNOWN) from problem


class SecondStepByPasskeyForm(_Answer):
    """After the password."""


class SignInByPasskeyForm(_Answer, theirs.LoginWebAuthnForm):
    """Instead of a name and a password."""


class ReauthenticateByPasskeyForm(_Answer, theirs.ReauthenticateWebAuthnForm):
    """Before something that matters."""


SecondStepByCodeForm = plain(codes.AuthenticateForm, code=_("Recovery code"))
ReauthenticateByCodeForm = plain(codes.ReauthenticateForm, code=_("Recovery code"))


class NewRecoveryCodesForm(recovery.GenerateRecoveryCodesForm):
    """Those before are worth nothing any more."""
