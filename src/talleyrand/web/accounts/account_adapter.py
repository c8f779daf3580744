"""How this site differs from what django-allauth does by itself."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse, translate_url
from django.utils.translation import gettext as _

from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.common.language_choice import remember_language

from . import account_texts, attempt_limits, expired_rows, known_devices, password_rules
from .models import Person
from .person_names import check_name, folded_name

log = logging.getLogger(__name__)
LONGEST_ADDRESS = 254


class AccountAdapter(DefaultAccountAdapter):
    """Names as in `person_names`, sentences as in `account_texts`, languages as people prefer."""

    error_messages = account_texts.REFUSALS

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return bool(settings.SIGNUP == "open")

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = check_name(username)
        if not shallow and Person.objects.filter(folded_name=folded_name(name)).exists():
            raise self.validation_error("username_taken")
        return name

    def clean_email(self, email: str) -> str:
        if len(email) > LONGEST_ADDRESS:
            raise ValidationError(_("This address is too long."))
        return str(super().clean_email(email))

    def clean_password(self, password: str, user: Any = None) -> str:
        """One sentence at a time: the rules are told beside the field before."""
        try:
            return str(super().clean_password(password, user))
        except ValidationError as problem:
            raise ValidationError(problem.messages[0]) from problem

    def set_password(self, user: Any, password: str) -> None:
        """The one way to a new password, typed or by a link; those who keep rights of a person hear of it."""
        super().set_password(user, password)
        password_rules.password_changed.send(Person, person=user)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a password about to be tried; django-allauth gives it back where it was the right one."""
        name, address = str(credentials.get("username", "")), str(credentials.get("email", ""))
        try:
            self._login_failed_rl_usage = attempt_limits.count_password_attempt(request, name, address)
        except attempt_limits.TooManyGuesses as refused:
            raise ValidationError(account_texts.too_many_guesses()) from refused

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Go on in the language that the person prefers, on a device that is known from now on."""
        expired_rows.delete_expired_rows()
        response: HttpResponse = super().post_login(request, user, **more)
        assert isinstance(user, Person)
        if isinstance(response, HttpResponseRedirect):
            response["Location"] = translate_url(response["Location"], user.language)
            remember_language(response, user.language)
        known_devices.remember_device(request, response, user)
        return response

    def is_ajax(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Pages are for readers alone: there is no second form of them."""
        return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:  # noqa: ARG002
        return reverse("accounts:preferences")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:  # noqa: ARG002
        signed_in = self.request.user.is_authenticated
        return reverse("account_email" if signed_in else settings.LOGIN_URL)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Say one sentence; not that a mail has left where it has not."""
        said = str(message or account_texts.form_message(message_template or "", message_context or {}))
        unsent = getattr(request, "mail_failed", False) and str(message_template).endswith("_sent.txt")
        if said and not unsent:
            messages.add_message(request, level, said, extra_tags=extra_tags)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail; a server that does not answer is told to the reader, and to the log."""
        subject, text = account_texts.mail_text(template_prefix, {"email": email, **self._facts(context)})
        try:
            EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [email]).send()
        except (SMTPException, OSError) as problem:
            log.error("Mail is not sent: %s", type(problem).__name__)  # noqa: TRY400 no address in the log
            self.request.mail_failed = True
            sentence = _("The email could not be sent. Try again in a few minutes.")
            messages.error(self.request, sentence)

    def _facts(self, context: dict[str, Any]) -> dict[str, Any]:
        person = context.get("user")
        link = context.get("activate_url") or context.get("password_reset_url") or ""
        named = person.name if isinstance(person, Person) else ""
        return {
            "site": absolute_url(self.request, "/"),
            "name": named,
            "link": link,
            "code": context.get("code", ""),
        }

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell an address that was confirmed: another may be somebody else's."""
        from .email_addresses import confirmed_email

        to = confirmed_email(user, email)
        if settings.HAS_MAIL and to:
            self.send_mail(template_prefix, to, {"user": user, **(context or {})})

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _dash, token = key.partition("-")
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
        return absolute_url(self.request, path)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return absolute_url(request, reverse("account_confirm_email", args=[emailconfirmation.key]))
