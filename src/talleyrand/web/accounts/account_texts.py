"""What the doors of the site say: mails, messages after a form, refusals."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise
Mail = tuple[Text, Text]

MAKERS_ONLY = _("On this site only people approved by an administrator can create games. Ask one.")
REFUSALS: dict[str, Text] = {
    "account_inactive": _("This account is closed."),
    "cannot_remove_primary_email": _("This is your main address: choose another one first."),
    "duplicate_email": _("You already have this address."),
    "email_password_mismatch": _("Incorrect name, address or password."),
    "email_taken": _("This address is taken."),
    "enter_current_password": _("Wrong current password."),
    "incorrect_code": _("Wrong code: check the latest email."),
    "incorrect_password": _("Wrong password."),
    "invalid_login": _("Incorrect name, address or password."),
    "invalid_password_reset": _("This link has expired or has been used."),
    "many_accounts": _(
        "Too many accounts have been created from this connection in the last hour. Try "
        "again in an hour or over another connection (your phone’s), or ask an administrator "
        "for a link, which always works."
    ),
    "max_email_addresses": _("You cannot have more than %d addresses: remove one first."),
    "same_as_current": _("That is what you already have."),
    "select_only_one": _("Choose one."),
    "rate_limited": _("Too many attempts. Try again in a few minutes."),
    "too_many_login_attempts": _("Too many attempts. Try again in a few minutes."),
    "unverified_primary_email": _("Only a confirmed address can be the main one."),
    "username_blacklisted": _("This name is reserved. Choose another."),
    "username_password_mismatch": _("Incorrect name, address or password."),
    "username_taken": _("This name, or a similar one, is taken. Choose another."),
}


GUESSED: Text = _(
    "Too many attempts. You can still sign in on a device you have signed in on before. "
    "Here, wait five minutes or ask an administrator for a link."
)
GUESSED_WITH_MAIL: Text = _(
    "Too many attempts. You can still sign in on a device you have signed in on before. "
    "Here, wait five minutes or request a new password below: its link signs you in."
)


def too_many_guesses() -> str:
    """Why no password is tried for now, and how its owner gets in all the same."""
    return str(GUESSED_WITH_MAIL if settings.HAS_MAIL else GUESSED)


# Of a second step, and of the keys themselves.
KEY_REFUSALS: dict[str, Text] = {
    "add_email_blocked": "",  # it is not
    "cannot_delete_authenticator": "",
    "cannot_generate_recovery_codes": _("Recovery codes replace a passkey: add one first."),
    "incorrect_code": _("This is not one of your recovery codes, or it has been used."),
    "unverified_email": "",
}

MESSAGES: dict[str, Text] = {
    "cannot_delete_primary_email": _("%(email)s is your main address: choose another one first."),
    "email_confirmation_failed": _("%(email)s could not be confirmed: request another email."),
    "email_confirmation_sent": _("We’ve sent an email to %(email)s: open its link to confirm the address."),
    "email_confirmed": _("%(email)s is confirmed."),
    "email_deleted": _("%(email)s has been removed."),
    "login_code_sent": _("We’ve sent an email to %(email)s."),
    "password_changed": _("Password changed. Other devices are signed out."),
    "password_set": _("Password set."),
    "primary_email_set": _("Main address changed."),
    "unverified_primary_email": _("Only a confirmed address can be the main one."),
    "recovery_codes_generated": _("Here are your recovery codes: keep them somewhere safe."),
    "webauthn_added": _("Passkey added: you can now sign in with it."),
    "webauthn_removed": _("Passkey removed: it no longer opens your account."),
}

CONFIRM: Mail = (
    _("Confirm your address – Talleyrand"),
    _("Hello %(name)s,\n\nOpen this link within three days to confirm that %(email)s is yours:\n%(link)s"),
)
CHANGED: Mail = (
    _("Password changed – Talleyrand"),
    _("Hello %(name)s,\n\nYour account’s password was changed."),
)
MAILS: dict[str, Mail] = {
    "email_confirmation": CONFIRM,
    "email_confirmation_signup": CONFIRM,
    "login_code": (
        _("Your code is %(code)s – Talleyrand"),
        _("Hello,\n\nYour sign-in code is %(code)s. It works once, for a quarter of an hour."),
    ),
    "password_reset_key": (
        _("Choose a new password – Talleyrand"),
        _("Hello %(name)s,\n\nOpen this link to choose a new password (it works once):\n%(link)s"),
    ),
    "unknown_account": (
        _("No account with this address – Talleyrand"),
        _(
            "Hello,\n\nSomeone, perhaps you, tried to sign in with %(email)s. No account has "
            "confirmed this address: yours may have another one, or only a name and a "
            "password."
        ),
    ),
    "password_changed": CHANGED,
    "password_reset": CHANGED,
    "password_set": CHANGED,
    "email_changed": (
        _("Main address changed – Talleyrand"),
        _("Hello %(name)s,\n\nEmails from the site now go to another address of your account."),
    ),
    "email_deleted": (
        _("Address removed – Talleyrand"),
        _("Hello %(name)s,\n\nAn address was removed from your account."),
    ),
    "webauthn_added": (
        _("Passkey added – Talleyrand"),
        _("Hello %(name)s,\n\nA passkey was added to your account."),
    ),
    "webauthn_removed": (
        _("Passkey removed – Talleyrand"),
        _("Hello %(name)s,\n\nA passkey was removed from your account."),
    ),
    "recovery_codes_generated": (
        _("New recovery codes – Talleyrand"),
        _(
            "Hello %(name)s,\n\nNew recovery codes were generated for your account: the old "
            "ones no longer work."
        ),
    ),
}
NOT_ASKED = _("Didn’t ask for this? Do nothing: without this email no one gets any further.")
NOT_YOU = _("Wasn’t this you? Change your password.")
NEWS = (
    "password_changed",
    "password_reset",
    "password_set",
    "email_changed",
    "email_deleted",
    "webauthn_added",
    "webauthn_removed",
    "recovery_codes_generated",
)


def form_message(template: str, facts: dict[str, Any]) -> str:
    """The sentence after a form; "" where the page says enough."""
    sentence = str(MESSAGES.get(_stem(template.removesuffix(".txt")), ""))
    return sentence % {"email": facts.get("email", "")}


def mail_text(template: str, facts: dict[str, Any]) -> tuple[str, str]:
    """The subject and the text of a mail; facts: site, name, link, code, email."""
    kind = _stem(template)
    subject, text = (str(part) % facts for part in MAILS[kind])
    ending = NOT_YOU if kind in NEWS else NOT_ASKED
    return subject, f"{text}\n\n{ending}\n\n{facts['site']}\n"


def _stem(template: str) -> str:
    return template.rsplit("/", 1)[-1]
