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

from talleyrand.web.boards import incoming, wording
from talleyrand.web.games import frame
from talleyrand.web.games.models import secret
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table.refusals import Refused
from talleyrand.web.mail.guests import inviting
from talleyrand.web.mail.guests.inviting import NotInvited
from talleyrand.web.mail.models import Departure, Offer

from .doors import entered, with_post


@never_cache
@with_post
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The addresses that one has typed, and the form for others."""
    sight, _person = entered(request, key)
    if not sight.may_invite:
        raise Http404
    if request.method != "POST":
        return _show(request, sight)
    typed, language = request.POST.get("addresses", ""), request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        language = wording.language()
    submission = incoming.submission(request) or secret()
    try:
        count = inviting.invite(sight, typed, language, submission, timezone.now())
    except NotInvited as refused:
        return _show(request, sight, refused, typed, language)
    told = ngettext("%(count)s invitation leaves.", "%(count)s invitations leave.", count)
    messages.success(request, told % {"count": count})
    return redirect("mail:invite", key)


def _show(
    request: HttpRequest, sight: Sight, refused: NotInvited | None = None, typed: str = "", language: str = ""
) -> HttpResponse:
    assert sight.person is not None
    offers = list(inviting.own(sight.game, sight.person))
    context = {
        **frame.page(sight, "post"),
        "offers": _told(sight, offers),
        "left": max(0, inviting.MOST_IN_A_GAME - inviting.count(sight.game)),
        "a_day": inviting.MOST_A_DAY,
        "closed": "" if inviting.may_vouch(sight.person) else _sentence(NotInvited("links")),
        "wrong": _sentences(refused) if refused else [],
        "typed": typed.replace("\x00", "")[: inviting.LONGEST_TYPED],
        "language": language or wording.language(),
        "site_speaks": settings.LANGUAGES,
        "submission": secret(),
    }
    return render(request, "mail/invitations.html", context, status=409 if refused else 200)


def _told(sight: Sight, offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """Each address with what came of it; who came by name only where one may know the players."""
    boxes = [offer.mailbox_id for offer in offers]
    letters = Departure.objects.filter(mailbox__in=boxes, kind=inviting.KIND)
    mails = {letter.mailbox_id: letter for letter in letters}
    return [
        {
            "pk": offer.pk,
            "address": offer.mailbox.to,
            "made": offer.made,
            "state": _state(sight, offer, mails.get(offer.mailbox_id)),
            "open": not offer.answer,
        }
        for offer in offers
    ]


def _state(sight: Sight, offer: Offer, mail: Departure | None) -> str:
    if offer.answer == inviting.JOINED:
        named = offer.person is not None and sight.knows_people
        return (
            _("has come: %(name)s") % {"name": offer.person.name} if named and offer.person else _("has come")
        )
    if offer.answer == inviting.DECLINED:
        return _("declined")
    if offer.answer == inviting.WITHDRAWN:
        return _("withdrawn")
    if mail is not None and mail.dropped:
        return _("the mail could not be delivered")
    return _("no answer yet") if mail is not None and mail.sent else _("the mail waits to leave")


def _sentences(refused: NotInvited) -> list[str]:
    """Why nobody was invited, a sentence for each line that is wrong."""
    if not refused.wrong:
        return [_sentence(refused)]
    words = _lines()
    return [_("%(line)s: %(why)s") % {"line": one.line, "why": words[one.code]} for one in refused.wrong]


def _sentence(refused: NotInvited) -> str:
    own = {
        "links": _(
            "On this site only its administrator makes accounts, so only he invites by mail. Send a link "
            "from the page of the table to those who have an account."
        ),
        "nobody": _("Type at least one address, one a line."),
        "too_long": _("This is too much text. Type one address a line, and nothing else."),
        "game": _("A game sends %(number)s invitations at most.") % {"number": refused.number},
        "day": _("One person sends %(number)s invitations a day at most. Go on tomorrow.")
        % {"number": refused.number},
    }
    return own.get(refused.code) or Refused(refused.code).sentence


def _lines() -> dict[str, str]:
    return {
        "malformed": _("this is no mail address."),
        "long": _("this is longer than any mail address."),
        "twice": _("this address stands twice in the list."),
        "oneself": _("this is your own address."),
        "ours": _("this is an address of this site."),
        "invited": _("this address is invited already."),
        "unwilling": _("its owner does not wish to be invited from this site."),
    }


@with_post
@require_POST
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """The invitation opens nothing any more; twice is no fault."""
    sight, person = entered(request, key)
    if not sight.may_invite:
        raise Http404
    number = incoming.whole_number(request.POST.get("offer", ""))
    if inviting.withdraw(sight.game, person, number, timezone.now()):
        messages.success(request, _("The invitation is withdrawn: an answer to it does nothing."))
    else:
        messages.success(
            request, _("This invitation waits for no answer any more. Nothing has been changed.")
        )
    return redirect("mail:invite", key)
