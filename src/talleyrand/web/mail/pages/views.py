"""The page “by mail” of a game, and what its buttons do: all of it one’s own."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.accounts.email_addresses import confirmed_email
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.models import GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import MailSubscription, OutboundEmail
from talleyrand.web.mail.outbound import bounced_addresses
from talleyrand.web.mail.subscriptions import subscribing

from . import mail_page_context, vcards
from .page_access import only_with_game_mail, open_game_by_role

AGAIN = timedelta(minutes=10)  # between two mails to begin with that are asked for


@never_cache
@only_with_game_mail
@require_safe
def mail_page(request: HttpRequest, key: str) -> HttpResponse:
    """My addresses, my mails, and whether I play by mail."""
    sight, _person = open_game_by_role(request, key)
    return render(request, "mail/post.html", mail_page_context.mail_page_context(sight))


@only_with_game_mail
@require_POST
def start_mail(request: HttpRequest, key: str) -> HttpResponse:
    """Everything of this game is sent from now on; twice is no fault."""
    sight, person = open_game_by_role(request, key)
    if sight.is_game_over:
        messages.error(request, _("The game is over: no more emails are sent."))
    elif not confirmed_email(person):
        messages.error(request, _("Confirm your email address first: we only write to confirmed addresses."))
    else:
        subscribing.subscribe(sight.game, person)
        messages.success(request, _begun(sight))
    return redirect("mail:post", key)


def _begun(sight: GameViewer) -> str:
    if sight.game.state == GameState.GATHERING:
        return _("Emails for this game are on. When it starts, one will bring you all you need.")
    return _("Emails for this game are on. One with all you need is on its way.")


@only_with_game_mail
@require_POST
def stop_mail(request: HttpRequest, key: str) -> HttpResponse:
    """Nothing of this game is sent any more; twice is no fault."""
    sight, person = open_game_by_role(request, key)
    subscribing.unsubscribe(sight.game, person)
    messages.success(request, _("Emails for this game are off. Your addresses still work."))
    return redirect("mail:post", key)


@only_with_game_mail
@require_POST
def resend_welcome(request: HttpRequest, key: str) -> HttpResponse:
    """The mail to begin with, once more."""
    sight, person = open_game_by_role(request, key)
    found = MailSubscription.objects.filter(game=sight.game, person=person, ended_at=None).first()
    if found is None:
        messages.error(request, _("You don’t play this game by email."))
    elif not confirmed_email(person):
        messages.error(request, _("Confirm your email address first: we only write to confirmed addresses."))
    elif sight.game.state == GameState.GATHERING:
        messages.success(request, _begun(sight))
    elif _sent_lately(sight, person):
        messages.success(request, _("This email was sent a few minutes ago: check your inbox again."))
    else:
        _send_again(found, sight)
        messages.success(request, _("The email with your addresses is on its way again."))
    return redirect("mail:post", key)


@only_with_game_mail
@require_POST
def resume_mail(request: HttpRequest, key: str) -> HttpResponse:
    """Mails to me came back for a while: my address works again; twice is no fault."""
    _sight, person = open_game_by_role(request, key)
    bounced_addresses.resume_sending(person)
    messages.success(request, _("Emails resumed, including those held back over the last seven days."))
    return redirect("mail:post", key)


@write_transaction
def _send_again(found: MailSubscription, sight: GameViewer) -> None:
    """Another mail to begin with for each power, whatever was sent before."""
    for power in subscribing.subscribed_powers(sight):
        post = subscribing.welcome_mail(found, power)
        replace(post, idempotency_key=f"{post.idempotency_key}:{timezone.now().isoformat()}").queue(found)


def _sent_lately(sight: GameViewer, person: Person) -> bool:
    before = OutboundEmail.objects.filter(game=sight.game, person=person, kind="welcome")
    return before.filter(created_at__gt=timezone.now() - AGAIN).exists()


@never_cache
@only_with_game_mail
@require_safe
def download_cards(request: HttpRequest, key: str) -> HttpResponse:
    """My addresses as a file for my mail program."""
    sight, _person = open_game_by_role(request, key)
    answer = HttpResponse(
        vcards.vcard_file(mail_page_context.address_cards(sight)), content_type="text/vcard; charset=utf-8"
    )
    answer["Content-Disposition"] = 'attachment; filename="talleyrand.vcf"'
    return answer


@never_cache
@only_with_game_mail
@require_http_methods(["GET", "HEAD", "POST"])
def renew_address(request: HttpRequest, key: str, mailbox: str) -> HttpResponse:
    """A new address for one that got about; first it is said what that does."""
    sight, _person = open_game_by_role(request, key)
    found = mail_page_context.mailbox_by_alias(sight, mailbox)
    if found is None:
        raise Http404
    box, name = found
    if box.revoked_at is not None:
        messages.success(request, _("This address has already been replaced: the new one is below."))
        return redirect("mail:post", key)
    if request.method != "POST":
        return render(
            request,
            "mail/renew.html",
            {**mail_page_context.renewal_context(sight), "alias": mailbox, "name": name},
        )
    mailboxes.renew_mailbox(box)
    messages.success(request, _("New address for “%(name)s”. The old one no longer works.") % {"name": name})
    return redirect("mail:post", key)
