"""What a password has to be, in sentences of ours."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.dispatch import Signal
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LEAST, MOST = 10, 500
TOO_ALIKE = 0.7
# Sent with the `person` who has a new password.
password_changed = Signal()


class PasswordLengthValidator:
    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002
        if len(password) < LEAST:
            told = ngettext(
                "Too short: %(given)s character, at least %(count)s needed.",
                "Too short: %(given)s characters, at least %(count)s needed.",
                len(password),
            )
            raise ValidationError(told % {"given": len(password), "count": LEAST})
        if len(password) > MOST:
            raise ValidationError(_("At most %(count)s characters.") % {"count": MOST})

    def get_help_text(self) -> str:
        return _("At least %(count)s characters: a phrase of a few words works well.") % {"count": LEAST}


class PasswordNotNameValidator:
    """Not the name or the address of its owner, nor nearly."""

    def validate(self, password: str, user: Any = None) -> None:
        address = getattr(user, "email", "") or ""
        for known in (getattr(user, "name", ""), address, address.split("@")[0]):
            if known and _alike(password[:MOST].casefold(), known.casefold()):
                raise ValidationError(_("Too similar to your name or your address."))

    def get_help_text(self) -> str:
        return _("Don’t use your name or your address.")


class PasswordNotCommonValidator(CommonPasswordValidator):
    def validate(self, password: str, user: Any = None) -> None:
        try:
            super().validate(password, user)
        except ValidationError as problem:
            raise ValidationError(
                _("This password is too common: it is among the first to be tried.")
            ) from problem

    def get_help_text(self) -> str:
        return _("Avoid common passwords.")


def _alike(password: str, known: str) -> bool:
    """Nearly the same, or hardly anything beside it."""
    if len(password.replace(known, "")) < LEAST // 2:
        return True
    return len(password) < 3 * len(known) and SequenceMatcher(None, password, known).ratio() >= TOO_ALIKE
