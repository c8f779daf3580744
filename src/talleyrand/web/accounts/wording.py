"""What the doors of the site say: mails, messages after a form, refusals."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

REFUSALS: dict[str, str | Promise] = {
    "account_inactive": gettext_lazy("This account is closed."),
    "cannot_remove_primary_email": gettext_lazy(
        "This is your main address: make another one the main first."
    ),
    "duplicate_email": gettext_lazy("You have this address already."),
    "email_password_mismatch": gettext_lazy("No account with this name or address and this password."),
    "email_taken": gettext_lazy("This address is taken."),
    "enter_current_password": gettext_lazy("This is not your present password."),
    "incorrect_code": gettext_lazy("This is not the code: look at the last mail."),
    "incorrect_password": gettext_lazy("This is not your password."),
    "invalid_login": gettext_lazy("No account with this name or address and this password."),
    "invalid_password_reset": gettext_lazy("This link has expired or was used."),
    "max_email_addresses": gettext_lazy("You cannot have more than %d addresses: remove one first."),
    "same_as_current": gettext_lazy("This is what you have already."),
    "select_only_one": gettext_lazy("Choose one."),
    "rate_limited": gettext_lazy("Too many attempts. Try again in a few minutes."),
    "too_many_login_attempts": gettext_lazy("Too many attempts. Try again in a few minutes."),
    "unverified_primary_email": gettext_lazy("Only an address that you have confirmed can be the main one."),
    "username_blacklisted": gettext_lazy("This name is kept for the site. Choose another."),
    "username_password_mismatch": gettext_lazy("No account with this name or address and this password."),
    "username_taken": gettext_lazy("This name, or one that looks like it, is taken. Choose another."),
}


def message(template: str, facts: dict[str, Any]) -> str:
    """The sentence after a form; "" where the page says enough."""
    email = facts.get("email", "")
    said = {
        "cannot_delete_primary_email": _("%(email)s is your main address: choose another main one first."),
        "email_confirmation_failed": _("%(email)s could not be confirmed: ask for another mail."),
        "email_confirmation_sent": _("A mail is on its way to %(email)s: open its link to confirm it."),
        "email_confirmed": _("%(email)s is confirmed."),
        "email_deleted": _("%(email)s is removed."),
        "login_code_sent": _("A mail is on its way to %(email)s."),
        "password_changed": _("Your password is changed. Other devices are signed out."),
        "password_set": _("Your password is set."),
        "primary_email_set": _("Your main address is changed."),
        "unverified_primary_email": _("Only an address that you have confirmed can be the main one."),
    }
    sentence = said.get(_stem(template, ".txt"), "")
    return sentence % {"email": email} if sentence else ""


def mail(template: str, facts: dict[str, Any]) -> tuple[str, str]:
    """The subject and the text of a mail."""
    subject, text = _mails()[_stem(template, "")]
    blanks = {name: facts.get(name, "") for name in ("site", "name", "link", "code", "email")}
    closing = _("You did not ask for this? Then do nothing: without this mail nobody gets any further.")
    ending = (
        closing if "%(link)s" in text or "%(code)s" in text else _("Was it not you? Change your password.")
    )
    return subject % blanks, f"{text % blanks}\n\n{ending}\n\n{blanks['site']}\n"


def _mails() -> dict[str, tuple[str, str]]:
    confirm = (
        _("Talleyrand: confirm your address"),
        _(
            "Hello %(name)s,\n\nopen this link within three days to confirm that %(email)s is yours:\n"
            "%(link)s"
        ),
    )
    return {
        "email_confirmation": confirm,
        "email_confirmation_signup": confirm,
        "login_code": (
            _("Talleyrand: your code is %(code)s"),
            _("Hello,\n\nyour code to sign in is %(code)s. It works for a quarter of an hour, once."),
        ),
        "password_reset_key": (
            _("Talleyrand: choose a new password"),
            _("Hello %(name)s,\n\nopen this link to choose a new password (it works once):\n%(link)s"),
        ),
        "unknown_account": (
            _("Talleyrand: no account with this address"),
            _(
                "Hello,\n\nsomebody, perhaps you, wanted to sign in with %(email)s. No account has confirmed "
                "this address: it may have another one, or only a name and a password."
            ),
        ),
        **_news(),
    }


def _news() -> dict[str, tuple[str, str]]:
    """What somebody is told because it may not have been he who did it."""
    return {
        "password_changed": (
            _("Talleyrand: your password was changed"),
            _("Hello %(name)s,\n\nthe password of your account was changed."),
        ),
        "password_reset": (
            _("Talleyrand: your password was changed"),
            _("Hello %(name)s,\n\nthe password of your account was changed."),
        ),
        "password_set": (
            _("Talleyrand: your password was changed"),
            _("Hello %(name)s,\n\nthe password of your account was changed."),
        ),
        "email_changed": (
            _("Talleyrand: your main address was changed"),
            _("Hello %(name)s,\n\nmails of the site now go to another address of your account."),
        ),
        "email_deleted": (
            _("Talleyrand: an address was removed"),
            _("Hello %(name)s,\n\nan address was removed from your account."),
        ),
    }


def _stem(template: str, ending: str) -> str:
    return template.removesuffix(ending).rsplit("/", 1)[-1]
