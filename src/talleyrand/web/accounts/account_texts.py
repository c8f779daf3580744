"""What the doors of the site say: mails, messages after a form, refusals."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise
Mail = tuple[Text, Text]

REFUSALS: dict[str, Text] = {
    "account_inactive": _("This account is closed."),
    "cannot_remove_primary_email": _("This is your main address: choose another main one first."),
    "duplicate_email": _("You have this address already."),
    "email_password_mismatch": _("No account with this name or address and this password."),
    "email_taken": _("This address is taken."),
    "enter_current_password": _("This is not your present password."),
    "incorrect_code": _("This is not the code: look at the last mail."),
    "incorrect_password": _("This is not your password."),
    "invalid_login": _("No account with this name or address and this password."),
    "invalid_password_reset": _("This link has expired or was used."),
    "many_accounts": _(
        "From this connection, as many accounts have been made within an hour as may be. Try again in an "
        "hour or over another connection (that of your telephone), or ask an administrator for a link, which "
        "always works."
    ),
    "max_email_addresses": _("You cannot have more than %d addresses: remove one first."),
    "same_as_current": _("This is what you have already."),
    "select_only_one": _("Choose one."),
    "rate_limited": _("Too many attempts. Try again in a few minutes."),
    "too_many_login_attempts": _("Too many attempts. Try again in a few minutes."),
    "unverified_primary_email": _("Only an address that you have confirmed can be the main one."),
    "username_blacklisted": _("This name is kept for the site. Choose another."),
    "username_password_mismatch": _("No account with this name or address and this password."),
    "username_taken": _("This name, or one that looks like it, is taken. Choose another."),
}


GUESSED: Text = _(
    "Too many attempts. On a device on which you have signed in before you still get in. Here, wait five "
    "minutes, or ask an administrator for a link."
)
GUESSED_WITH_MAIL: Text = _(
    "Too many attempts. On a device on which you have signed in before you still get in. Here, wait five "
    "minutes, or ask for a new password below: its link signs you in."
)


def too_many_guesses() -> str:
    """Why no password is tried for now, and how its owner gets in all the same."""
    return str(GUESSED_WITH_MAIL if settings.HAS_MAIL else GUESSED)


# Of a second step, and of the keys themselves.
KEY_REFUSALS: dict[str, Text] = {
    "add_email_blocked": "",  # it is not
    "cannot_delete_authenticator": "",
    "cannot_generate_recovery_codes": _("Recovery codes stand in for a passkey: add one first."),
    "incorrect_code": _("This is none of your recovery codes, or it was used."),
    "unverified_email": "",
}

MESSAGES: dict[str, Text] = {
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
    "recovery_codes_generated": _("These are your recovery codes: keep them where you find them again."),
    "webauthn_added": _("The passkey is added: from now on it opens your account."),
    "webauthn_removed": _("The passkey is removed: it opens your account no more."),
}

CONFIRM: Mail = (
    _("Talleyrand: confirm your address"),
    _("Hello %(name)s,\n\nopen this link within three days to confirm that %(email)s is yours:\n%(link)s"),
)
CHANGED: Mail = (
    _("Talleyrand: your password was changed"),
    _("Hello %(name)s,\n\nthe password of your account was changed."),
)
MAILS: dict[str, Mail] = {
    "email_confirmation": CONFIRM,
    "email_confirmation_signup": CONFIRM,
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
    "password_changed": CHANGED,
    "password_reset": CHANGED,
    "password_set": CHANGED,
    "email_changed": (
        _("Talleyrand: your main address was changed"),
        _("Hello %(name)s,\n\nmails of the site now go to another address of your account."),
    ),
    "email_deleted": (
        _("Talleyrand: an address was removed"),
        _("Hello %(name)s,\n\nan address was removed from your account."),
    ),
    "webauthn_added": (
        _("Talleyrand: a passkey was added"),
        _("Hello %(name)s,\n\na passkey was added to your account."),
    ),
    "webauthn_removed": (
        _("Talleyrand: a passkey was removed"),
        _("Hello %(name)s,\n\na passkey was removed from your account."),
    ),
    "recovery_codes_generated": (
        _("Talleyrand: new recovery codes"),
        _(
            "Hello %(name)s,\n\nnew recovery codes were made for your account: those before are worth "
            "nothing."
        ),
    ),
}
NOT_ASKED = _("You did not ask for this? Then do nothing: without this mail nobody gets any further.")
NOT_YOU = _("Was it not you? Change your password.")
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
