"""What can be set in the browser: what variables say is shown, and stays."""

from __future__ import annotations

import re
from typing import Any, ClassVar, cast

from django import forms
from django.conf import settings
from django.utils.ipv6 import is_valid_ipv6_address
from django.utils.translation import gettext_lazy as _

from talleyrand.web.accounts.forms import PlainForm
from talleyrand.web.games import house_rules
from talleyrand.web.settings import kept_settings, mail_server

HOST = re.compile(r"[A-Za-z0-9._-]{1,253}")
MAIL_FIELDS = ("host", "port", "encryption", "user", "password")
VARIABLES = {
    "name": kept_settings.NAME,
    "language": kept_settings.LANGUAGE,
    "signup": kept_settings.SIGNUP,
    "makers": kept_settings.GAMES,
    **dict.fromkeys(MAIL_FIELDS, kept_settings.SMTP),
    "sender": kept_settings.SENDER,
    **{f"rules_{language}": name for language, name in kept_settings.RULES.items()},
}


class SiteSettingsForm(PlainForm):
    """The site's settings; `smtp_settings` are Django's, of the mail server that was typed."""

    labels: ClassVar = {
        "name": _("Name of the site"),
        "language": _("Default language"),
        "signup": _("Who can sign up"),
        "makers": _("Who can create games and tournaments"),
        "host": _("Outgoing mail server"),
        "port": _("Port"),
        "encryption": _("Encryption"),
        "user": _("User name"),
        "password": _("Password"),
        "sender": _("Sender"),
        "test_address": _("Send a test message to"),
        "rules_fr": _("In French"),
        "rules_en": _("In English"),
    }
    name = forms.CharField(max_length=kept_settings.LONGEST_NAME)
    language = forms.ChoiceField(choices=[("fr", _("French")), ("en", _("English"))])
    signup = forms.ChoiceField(
        choices=[("open", _("Everyone")), ("invitation", _("People with a link from an administrator"))]
    )
    makers = forms.ChoiceField(
        choices=[
            ("everyone", _("Everyone with an account")),
            ("approved", _("Approved accounts, organisers and administrators")),
            ("organisers", _("Organisers and administrators")),
        ]
    )
    host = forms.CharField(max_length=253, required=False)
    port = forms.IntegerField(min_value=1, max_value=65535, required=False)
    encryption = forms.ChoiceField(
        choices=[
            ("starttls", _("STARTTLS (usually port 587)")),
            ("implicit", _("TLS from the start (usually port 465)")),
            ("none", _("None (a server on this machine)")),
        ],
        required=False,
    )
    user = forms.CharField(max_length=200, required=False)
    password = forms.CharField(
        max_length=200,
        required=False,
        strip=False,
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "off"}),
    )
    sender = forms.CharField(max_length=200, required=False)
    test_address = forms.EmailField(required=False)
    rules_fr = forms.CharField(
        max_length=kept_settings.LONGEST_RULES, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )
    rules_en = forms.CharField(
        max_length=kept_settings.LONGEST_RULES, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, initial=_current(), **kwargs)
        hints = {
            "name": _("At the top of each page and in its title."),
            "rules_fr": _("One rule per line. Readers of a language without rules read the other’s."),
            "host": _("As your provider names it, smtp.example.org. Empty: a site without email."),
            "sender": _("What recipients see: Diplomacy Club <games@example.org>."),
            "password": _("Leave it empty to keep the one that is saved. Backups of the site contain it.")
            if _saved_password()
            else _("It is saved in the data folder, for its owner alone. Backups of the site contain it."),
        }
        for name, field in self.fields.items():
            field.help_text = cast(str, hints.get(name, ""))
            variable = VARIABLES.get(name)
            if variable and kept_settings.set_by_variable(variable):
                field.disabled, field.required = True, False
                field.help_text = _("Set by the variable %(name)s: change it there.") % {"name": variable}

    def clean_name(self) -> str:
        name = " ".join(str(self.cleaned_data["name"]).split())
        if not name.isprintable():
            raise forms.ValidationError(_("This name contains characters that cannot be shown."))
        return name

    def clean_host(self) -> str:
        host = str(self.cleaned_data["host"]).strip("[]")
        if host and not (is_valid_ipv6_address(host) or HOST.fullmatch(host)):
            raise forms.ValidationError(_("A name like smtp.example.org, without a protocol or a port."))
        return host

    def clean_sender(self) -> str:
        sender = str(self.cleaned_data["sender"])
        if sender and not mail_server.is_sender(sender):
            raise forms.ValidationError(_("An address like games@example.org, or Club <games@example.org>."))
        return sender

    def clean_rules_fr(self) -> str:
        return house_rules.clean_rules(self.cleaned_data["rules_fr"])

    def clean_rules_en(self) -> str:
        return house_rules.clean_rules(self.cleaned_data["rules_en"])

    def clean(self) -> dict[str, Any]:
        found = self.cleaned_data
        if found.get("host") and not found.get("sender") and "sender" not in self.errors:
            self.add_error("sender", _("Email needs a sender."))
        if found.get("password") and not found.get("user") and not self.fields["user"].disabled:
            self.add_error("user", _("A password needs a user name."))
        if self._would_expose_password():
            told = _(
                "Type the password again: until now it was sent encrypted, from now on it could be read."
            )
            self.add_error("password", told)
        return found

    def _would_expose_password(self) -> bool:
        """Whether the saved one would leave unencrypted from now on, without having been typed for that."""
        found, encrypted = self.cleaned_data, settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
        kept = bool(_saved_password()) and not found.get("password") and not self.fields["host"].disabled
        return kept and encrypted and found.get("encryption") == "none" and self._is_same_account()

    def values(self) -> dict[str, str]:
        """What is to be kept, by variable; nothing of what variables say."""
        found = {
            kept_settings.NAME: self.cleaned_data["name"],
            kept_settings.LANGUAGE: self.cleaned_data["language"],
            kept_settings.SIGNUP: self.cleaned_data["signup"],
            kept_settings.GAMES: self.cleaned_data["makers"],
            kept_settings.SMTP: self._smtp_address(),
            kept_settings.SENDER: self.cleaned_data["sender"],
            **{name: self.cleaned_data[f"rules_{code}"] for code, name in kept_settings.RULES.items()},
        }
        return {name: text for name, text in found.items() if not kept_settings.set_by_variable(name)}

    def smtp_settings(self) -> dict[str, Any]:
        """How a message leaves by the server that was typed, for a connection of Django's."""
        if self.fields["host"].disabled:
            found = {name: getattr(settings, name) for name in mail_server.CONNECTION}
        else:
            found = mail_server.server_settings(kept_settings.SMTP, self._smtp_address())
        return {argument: found[name] for name, argument in mail_server.CONNECTION.items()}

    def _smtp_address(self) -> str:
        found = self.cleaned_data
        if not found["host"]:
            return ""
        encryption = found["encryption"] or "starttls"
        port = found["port"] or {"implicit": 465, "none": 25}.get(encryption, 587)
        password = found["password"] or (_saved_password() if self._is_same_account() else "")
        return mail_server.smtp_address(found["host"], port, encryption, found["user"], password)

    def _is_same_account(self) -> bool:
        """A saved password goes to the server and user it was saved for, to no other."""
        found = self.cleaned_data
        return (found.get("host"), found.get("user")) == (settings.EMAIL_HOST, settings.EMAIL_HOST_USER)


def _saved_password() -> str:
    return settings.EMAIL_HOST_PASSWORD if settings.HAS_MAIL else ""


def _current() -> dict[str, Any]:
    """What is in force."""
    encryption = "starttls" if settings.EMAIL_USE_TLS else "implicit" if settings.EMAIL_USE_SSL else "none"
    mail = {
        "host": settings.EMAIL_HOST,
        "port": settings.EMAIL_PORT,
        "encryption": encryption,
        "user": settings.EMAIL_HOST_USER,
        "sender": settings.DEFAULT_FROM_EMAIL,
    }
    return {
        "name": settings.SITE_NAME,
        "language": settings.DOMAIN_LANGUAGES[""],
        "signup": settings.SIGNUP,
        "makers": settings.GAME_MAKERS,
        **{f"rules_{language}": text for language, text in settings.HOUSE_RULES.items()},
        **(mail if settings.HAS_MAIL else {}),
    }
