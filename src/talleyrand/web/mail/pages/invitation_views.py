"""The page from which whoever gathers the players invites by mail, and sees what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.games import page_context
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import random_token
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.invitations import email_invitations
from talleyrand.web.mail.invitations.email_invitations import NotInvited
from talleyrand.web.mail.models import EmailInvitation, OutboundEmail

from .page_access import only_with_game_mail, open_game_by_role


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
        "offers": _told(sight, offers),
        "left": max(0, email_invitations.MOST_IN_A_GAME - email_invitations.invitation_count(sight.game)),
        "a_day": email_invitations.MOST_A_DAY,
        "closed": ""
        if email_invitations.may_create_accounts(sight.person)
        else _sentence(NotInvited("links")),
        "wrong": _sentences(refused) if refused else [],
        "typed": typed.replace("\x00", "")[: email_invitations.LONGEST_TYPED],
        "language": language or display_names.reader_language(),
        "site_speaks": settings.LANGUAGES,
        "submission": random_token(),
    }
    return render(request, "mail/invitations.html", context, status=409 if refused else 200)


def _told(sight: GameViewer, offers: Iterable[EmailInvitation]) -> list[dict[str, Any]]:
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
        return _("joined: %(name)s") % {"name": offer.person.name} if named and offer.person else _("joined")
    if offer.answer == email_invitations.DECLINED:
        return _("declined")
    if offer.answer == email_invitations.WITHDRAWN:
        return _("withdrawn")
    if mail is not None and mail.drop_reason:
        return _("the email could not be delivered")
    return _("no answer yet") if mail is not None and mail.sent_at else _("the email is waiting to be sent")


def _sentences(refused: NotInvited) -> list[str]:
    """Why nobody was invited, a sentence for each line that is wrong."""
    if not refused.wrong:
        return [_sentence(refused)]
    words = _lines()
    return [_("%(line)s: %(why)s") % {"line": one.line, "why": words[one.code]} for one in refused.wrong]


def _sentence(refused: NotInvited) -> str:
    own = {
        "links": _(
            "On this site only administrators create accounts, so only they can invite by "
            "email. Send an invitation link (under “Game info”) to people who already have "
            "an account."
        ),
        "nobody": _("Enter at least one address, one per line."),
        "too_long": _("Too much text. Enter one address per line and nothing else."),
        "game": _("A game can send at most %(number)s invitations.") % {"number": refused.number},
        "day": _("You can send at most %(number)s invitations a day. Continue tomorrow.")
        % {"number": refused.number},
    }
    return own.get(refused.code) or LobbyRefusal(refused.code).sentence


def _lines() -> dict[str, str]:
    return {
        "malformed": _("this is not an email address."),
        "long": _("too long for an email address."),
        "twice": _("this address is in the list twice."),
        "oneself": _("this is your own address."),
        "ours": _("this is an address of this site."),
        "invited": _("this address has already been invited."),
        "unwilling": _("this person doesn’t want invitations from this site."),
    }


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
