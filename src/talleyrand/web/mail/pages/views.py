"""The pages of play by mail: a game’s page “by mail” and what its buttons do, all of it one’s own; those of
the game master for late orders and invitations; how the mail of the site fares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand import variants
from talleyrand.web.accounts.administration_views import administrators_only
from talleyrand.web.accounts.email_addresses import confirmed_email
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import order_submission, page_context
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone
from talleyrand.web.games.deadlines.zone_names import zone_text
from talleyrand.web.games.game_master import desk_context, game_master_access, phase_views
from talleyrand.web.games.game_master.action_base import GameMasterRefusal
from talleyrand.web.games.models import RUNNING_STATES, Game, GameState, random_token
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.coded_sentences import coded_sentence
from talleyrand.web.mail.invitations import email_invitations
from talleyrand.web.mail.invitations.email_invitations import NotInvited
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.models import EmailInvitation, InboundDelivery, MailSubscription, OutboundEmail
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.subscriptions import subscribing

from . import mail_health, mail_page_context

AGAIN = timedelta(minutes=10)  # between two mails to begin with that are asked for

View = Callable[..., HttpResponse]


# Who may come to the pages of play by post.


def only_with_game_mail(view: View) -> View:
    """A page that is there only where mail to the games arrives."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.HAS_PLAY_BY_MAIL:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def open_game_by_role(request: HttpRequest, key: str) -> tuple[GameViewer, Person]:
    """The game and whoever has a role in it; for others there is no such page."""
    sight = page_context.game_viewer_of_page(request, key)
    if sight.person is None or not sight.role:
        raise Http404
    return sight, sight.person


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
    email_queue.resume_sending(person)
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
        mail_page_context.vcard_file(mail_page_context.address_cards(sight)),
        content_type="text/vcard; charset=utf-8",
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


# How the post fares: the page of whoever runs the site.


@never_cache
@administrators_only
@require_safe
def mail_status_page(request: HttpRequest) -> HttpResponse:
    """What waits, what failed, and whether anybody is at work."""
    zone = zone_text(page_context.reader_time_zone(), display_names.reader_language())
    return render(
        request, "mail/office.html", {**mail_health.mail_health_context(timezone.now()), "zone": zone}
    )


@administrators_only
@require_POST
def process_again(request: HttpRequest) -> HttpResponse:
    """Read the mails once more that could not be processed."""
    count = mail_health.retry_failed()
    if count:
        told = ngettext(
            "%(count)s email will be processed again.", "%(count)s emails will be processed again.", count
        )
        messages.success(request, told % {"count": count})
    else:
        messages.success(request, _("No emails to process again."))
    return redirect("mail:office")


# The game master’s page of orders that came too late by mail, each to be let in while its phase is open.


def _master(request: HttpRequest, key: str) -> tuple[GameViewer, Person]:
    """The game as its game master sees it: secret sheets are nobody else’s, so that there is no such page."""
    sight, person = open_game_by_role(request, key)
    if not sight.is_game_master:
        raise Http404
    return sight, person


@never_cache
@only_with_game_mail
@require_safe
def late_orders_page(request: HttpRequest, key: str) -> HttpResponse:
    """What came too late for the open phase and for the one before, in the order in which it was received."""
    sight, _person = _master(request, key)
    game = sight.game
    last, resolved = late_orders.resolved_late_orders(game)
    context = {
        **page_context.game_page_context(sight, "desk"),
        "rows": [_row(game, arrival) for arrival in late_orders.waiting_late_orders(game)],
        "resolved": [_row(game, arrival) for arrival in resolved],
    }
    if last is not None and resolved:
        sent = sorted(order_submission.counting_order_sets(game, last.phase_number + 1))
        context |= {
            "last": last,
            "last_title": display_names.phase_name(variants.load(game.variant), last.phase),
            "sent_since": desk_context.power_names(game, sent),
            "was_over": game.state not in RUNNING_STATES,
        }
    return render(request, "mail/late.html", context)


def _row(game: Game, arrival: InboundDelivery) -> dict[str, Any]:
    variant, power = variants.load(game.variant), arrival.mailbox.power
    return {
        "pk": arrival.pk,
        "power": display_names.power_name(variant, power),
        "colour": display_names.power_colour(variant, power),
        "at": date_text_with_zone(
            arrival.email.received_at, str(timezone.get_current_timezone()), display_names.reader_language()
        ),
        "lines": arrival.facts.get("lines", []),
    }


@only_with_game_mail
@require_POST
def grant_view(request: HttpRequest, key: str) -> HttpResponse:
    """One of them counts from now on, as received then; twice is once. Where its phase has been resolved,
    that is rolled back with it (`on` and `revision`: what the page was made on).
    """
    sight, person = _master(request, key)
    arrival = _arrival(sight.game, request.POST.get("mail", ""))
    try:
        if "on" in request.POST:
            ground, hand = phase_views.expected_revision(request), game_master_access.actor_of(sight)
            sheet = late_orders.roll_back_and_grant(arrival, ground, hand, timezone.now())
        else:
            sheet = late_orders.grant_late_orders(arrival, person)
    except (GameMasterRefusal, QuestionRefusal) as refused:
        messages.warning(request, game_master_access.action_refusal_text(refused))
    except late_orders.LateOrdersRefused as refused:
        messages.warning(request, refused.sentence)
    except OrdersRefusal:
        messages.warning(request, _("Nothing was changed: the game has moved on in the meantime."))
    else:
        power = display_names.power_name(variants.load(sight.game.variant), sheet.power)
        messages.success(request, _("Late orders accepted: %(power)s.") % {"power": power})
    return redirect("mail:late", key)


def _arrival(game: Game, sent: str) -> InboundDelivery:
    """A mail with orders to this game; any other does not exist."""
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 12 else 0
    found = InboundDelivery.objects.filter(pk=number, mailbox__game=game, mailbox__purpose="orders").first()
    if found is None:
        raise Http404
    return found


# The page from which whoever gathers the players invites by mail, and sees what came of it.


@never_cache
@only_with_game_mail
@require_http_methods(["GET", "HEAD", "POST"])
def invitations_page(request: HttpRequest, key: str) -> HttpResponse:
    """The addresses that one has typed, and the form for others."""
    sight, _person = open_game_by_role(request, key)
    if not sight.may_invite:
        raise Http404
    if request.method != "POST":
        return _show(request, sight)
    typed, language = request.POST.get("addresses", ""), request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        language = display_names.reader_language()
    submission = order_requests.submission_id_of(request) or random_token()
    try:
        count = email_invitations.send_invitations(sight, typed, language, submission, timezone.now())
    except NotInvited as refused:
        return _show(request, sight, refused, typed, language)
    told = ngettext("Sending %(count)s invitation.", "Sending %(count)s invitations.", count)
    messages.success(request, told % {"count": count})
    return redirect("mail:invite", key)


def _show(
    request: HttpRequest,
    sight: GameViewer,
    refused: NotInvited | None = None,
    typed: str = "",
    language: str = "",
) -> HttpResponse:
    assert sight.person is not None
    offers = list(email_invitations.invitations_by(sight.game, sight.person))
    context = {
        **page_context.game_page_context(sight, "post"),
        "offers": _offer_rows(sight, offers),
        "left": max(0, email_invitations.MOST_IN_A_GAME - email_invitations.invitation_count(sight.game)),
        "a_day": email_invitations.MOST_A_DAY,
        "closed": ""
        if email_invitations.may_create_accounts(sight.person)
        else coded_sentence("not_invited", "links"),
        "wrong": refused.sentences if refused else [],
        "typed": typed.replace("\x00", "")[: email_invitations.LONGEST_TYPED],
        "language": language or display_names.reader_language(),
        "site_speaks": settings.LANGUAGES,
        "submission": random_token(),
    }
    return render(request, "mail/invitations.html", context, status=409 if refused else 200)


def _offer_rows(sight: GameViewer, offers: Iterable[EmailInvitation]) -> list[dict[str, Any]]:
    """Each address with what came of it; who came by name only where one may know the players."""
    boxes = [offer.mailbox_id for offer in offers]
    letters = OutboundEmail.objects.filter(reply_mailbox__in=boxes, kind=email_invitations.KIND)
    mails = {letter.reply_mailbox_id: letter for letter in letters}
    return [
        {
            "pk": offer.pk,
            "address": offer.mailbox.target,
            "made": offer.created_at,
            "state": _state(sight, offer, mails.get(offer.mailbox_id)),
            "open": not offer.answer,
        }
        for offer in offers
    ]


def _state(sight: GameViewer, offer: EmailInvitation, mail: OutboundEmail | None) -> str:
    if offer.answer == email_invitations.JOINED:
        named = offer.person is not None and sight.may_see_players
        return (
            _("joined: %(name)s") % {"name": offer.person.shown_name}
            if named and offer.person
            else _("joined")
        )
    if offer.answer == email_invitations.DECLINED:
        return _("declined")
    if offer.answer == email_invitations.WITHDRAWN:
        return _("withdrawn")
    if mail is not None and mail.drop_reason:
        return _("the email could not be delivered")
    return _("no answer yet") if mail is not None and mail.sent_at else _("the email is waiting to be sent")


@only_with_game_mail
@require_POST
def withdraw_view(request: HttpRequest, key: str) -> HttpResponse:
    """The invitation opens nothing any more; twice is no fault."""
    sight, person = open_game_by_role(request, key)
    if not sight.may_invite:
        raise Http404
    number = order_requests.whole_number_of(request.POST.get("offer", ""))
    if email_invitations.withdraw_invitation(sight.game, person, number, timezone.now()):
        messages.success(request, _("Invitation withdrawn: it can no longer be accepted."))
    else:
        messages.success(request, _("This invitation is already closed. Nothing was changed."))
    return redirect("mail:invite", key)
