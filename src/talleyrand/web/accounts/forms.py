"""The forms at the doors of the site: django-allauth's, in our words and with our limits."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from allauth.account import forms as theirs
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import password_validators_help_texts
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from talleyrand.web.common import rate_limits

from . import account_texts, one_time_links, time_zones
from .email_addresses import confirmed_email
from .models import Approval, OneTimeLink, Person
from .person_names import folded_name

LONGEST = 254
LABELS: dict[str, str | Promise] = {
    "login": _("Name or email address"),
    "username": _("Name"),
    "email": _("Email address"),
    "password": _("Password"),
    "oldpassword": _("Current password"),
    "password1": _("Password"),
    "password2": _("Repeat password"),
    "remember": _("Stay signed in on this device"),
    "code": _("Code"),
    "zone": _("Time zone"),
}
NEW = _("New password")


class NameTaken(Exception):
    """Somebody else took the name in the same moment."""


class PlainForm(forms.Form):
    """Fields with our labels and hints, and no placeholder, which vanishes while one types."""

    labels: ClassVar[dict[str, str | Promise]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = cast(str, self.labels.get(name) or LABELS.get(name, field.label))
            field.help_text = password_hint() if name == "password1" else ""
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, forms.CharField) and field.max_length is None:
                field.widget.attrs.setdefault("maxlength", "500")

    def add_error(self, field: str | None, error: Any) -> None:
        """Two passwords that differ are told in our words, beside the second."""
        if field == "password2" and not isinstance(error, forms.ValidationError):
            error = _("The two passwords don’t match.")
        super().add_error(field, error)


def plain(form: type[forms.Form], **labels: str | Promise) -> Any:
    """A form of django-allauth with our labels, and these of its own."""
    return type(form.__name__, (PlainForm, form), {"labels": labels})


def password_hint() -> str:
    return " ".join(password_validators_help_texts())


class TimeZoneField(forms.CharField):
    """A choice among the zones; also one of a browser that calls its zone by another known name."""

    widget = forms.Select

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=64, **kwargs)

    def offer(self, chosen: str) -> None:
        """List the zones, and `chosen` among them."""
        self.widget.choices = time_zones.zone_choices(chosen)

    def clean(self, value: Any) -> str:
        name = str(super().clean(value))
        if name not in time_zones.zone_names():
            raise forms.ValidationError(_("Unknown time zone. Choose one from the list."))
        return name


def _offer(form: forms.Form) -> None:
    """List the zones, the one that the form holds among them."""
    zone = form.fields["zone"]
    assert isinstance(zone, TimeZoneField)
    zone.offer(str(form["zone"].value() or ""))


class SignInForm(PlainForm, theirs.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.widget.attrs.update(autocomplete="username", autocapitalize="none", maxlength=LONGEST)
        self.fields["remember"].initial = True

    def clean_login(self) -> str:
        """However a name is written, attempts on it count as attempts on one account."""
        typed = str(super().clean_login())[:LONGEST]
        return typed if "@" in typed else folded_name(typed)

    def user_credentials(self) -> dict[str, str]:
        """An address or a name, never one for both: a password would be tried once more for an address
        that has an account, which takes longer. No name holds an “@”.
        """
        found: dict[str, str] = super().user_credentials()
        if "email" in found:
            found.pop("username", None)
        return found


class SignUpForm(PlainForm, theirs.SignupForm):
    zone = TimeZoneField()
    field_order = ("username", "email", "password1", "password2", "zone")

    def __init__(self, *args: Any, link: OneTimeLink | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.link = link
        self.fields["username"].help_text = _("How other players will know you: a nickname is fine.")
        self.fields["username"].validators = []  # `names` says what a name may be, in one sentence
        if "email" in self.fields:
            self.fields["email"].label = _("Email address (optional)")
            self.fields["email"].help_text = _(
                "For resetting a lost password, and for the notifications you ask for. No "
                "other player sees it."
            )
        self.fields["zone"].help_text = _("Deadlines are shown in this time zone.")
        self.fields["zone"].initial = time_zones.USUAL[0]
        _offer(self)

    def save(self, request: HttpRequest) -> Any:
        """Make the account and use up the link, both or neither. Raises NameTaken, links.Gone."""
        try:
            with transaction.atomic():
                return super().save(request)
        except IntegrityError as problem:
            raise NameTaken from problem

    def signup(self, request: HttpRequest, user: Person) -> None:  # noqa: ARG002
        user.time_zone = self.cleaned_data["zone"]
        user.language = str(get_language() or user.language)[:2]
        if self.link is not None:
            one_time_links.use_link(self.link)
            user.is_administrator = self.link.kind == one_time_links.Kind.ADMINISTRATOR
            user.approval = Approval.APPROVED
        user.save()


AddEmailForm = plain(theirs.AddEmailForm, email=_("Another address"))
ChangePasswordForm = plain(theirs.ChangePasswordForm, password1=NEW)
SetPasswordForm = plain(theirs.SetPasswordForm, password1=NEW)
NewPasswordForm = plain(theirs.ResetPasswordKeyForm, password1=NEW)
ReauthenticateForm = plain(theirs.ReauthenticateForm)
ConfirmCodeForm = plain(theirs.ConfirmLoginCodeForm)


class ResetPasswordForm(PlainForm, theirs.ResetPasswordForm):
    """Any address is taken: the mail says whether it has an account."""

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Have a mail leave, unless as many have lately: the links of those work, whoever asked."""
        address = str(self.cleaned_data["email"])
        if rate_limits.hit(
            "link_by_mail", rate_limits.hashed_key(address.lower()), settings.LINKS_BY_MAIL
        ).wait:
            return address
        return str(super().save(request, **kwargs))


class RequestCodeForm(PlainForm, theirs.RequestLoginCodeForm):
    _user: Person | None

    def clean_email(self) -> str:
        """Only a confirmed address opens an account: whoever typed another's has opened nothing."""
        email = str(super().clean_email())
        if self._user and not confirmed_email(self._user, email):
            self._user = None
        return email


class LanguageSelect(forms.Select):
    """Languages, each named in itself, and read aloud in itself."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        return {**option, "attrs": {**option["attrs"], "lang": option["value"]}}


class PreferencesForm(PlainForm):
    language = forms.ChoiceField(widget=LanguageSelect)
    zone = TimeZoneField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        language.label, language.choices = _("Language"), settings.LANGUAGES
        _offer(self)


class ConfirmIdentityForm(PlainForm):
    """Asks for the password of whoever is signed in, or for his name if he has none."""

    password = forms.CharField(
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        required=False,
    )
    name = forms.CharField(required=False)

    def __init__(self, person: Person, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        left = "name" if person.has_usable_password() else "password"
        del self.fields[left]
        if "name" in self.fields:
            self.fields["name"].label = _("Your name")

    def clean_password(self) -> str:
        from allauth.account.adapter import get_adapter

        password = str(self.cleaned_data["password"])
        if not password or not get_adapter().reauthenticate(self.person, password):
            raise forms.ValidationError(str(account_texts.REFUSALS["incorrect_password"]))
        return password

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if folded_name(name) != self.person.folded_name:
            raise forms.ValidationError(_("This is not your name."))
        return name


class DeleteAccountForm(ConfirmIdentityForm):
    """What somebody types to delete his account."""


class CloseAccountForm(ConfirmIdentityForm):
    """What an administrator types to close another's account: whose, and his own password."""

    whose = forms.CharField(max_length=80)
    field_order = ("whose", "password", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["whose"].label = _("Account name")
        if "password" in self.fields:
            self.fields["password"].label = _("Your own password")

    def clean_whose(self) -> Person:
        found = Person.objects.filter(
            folded_name=folded_name(str(self.cleaned_data["whose"])), is_guest=False
        ).first()
        if found is None:
            raise forms.ValidationError(_("No one here has this name."))
        if found == self.person:
            raise forms.ValidationError(_("This is your own account: delete it from its own page."))
        return found
