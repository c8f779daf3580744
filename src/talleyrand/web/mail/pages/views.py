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

from talleyrand.web.accounts.addresses import confirmed
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing
from talleyrand.web.mail import addressing
from talleyrand.web.mail.correspondence import corresponding
from talleyrand.web.mail.models import Correspondent, Departure
from talleyrand.web.mail.outgoing import pausing

from . import cards as vcards
from . import contents
from .doors import entered, with_post

AGAIN = timedelta(minutes=10)  # between two mails to begin with that are asked for


@never_cache
@with_post
@require_safe
def post(request: HttpRequest, key: str) -> HttpResponse:
    """My addresses, my mails, and whether I play by mail."""
    sight, _person = entered(request, key)
    return render(request, "mail/post.html", contents.context(sight))


@with_post
@require_POST
def begin(request: HttpRequest, key: str) -> HttpResponse:
    """Everything of this game is sent from now on; twice is no fault."""
    sight, person = entered(request, key)
    if sight.is_over:
        messages.error(request, _("The game is over: nothing of it is sent any more."))
    elif not confirmed(person):
        messages.error(request, _("Confirm an address first: mail goes nowhere else."))
    else:
        corresponding.begin(sight.game, person)
        messages.success(request, _begun(sight))
    return redirect("mail:post", key)


def _begun(sight: Sight) -> str:
    if sight.game.state == State.GATHERING:
        return _("You play by mail. When the game begins, a mail brings you all you need.")
    return _("You play by mail now. A mail with all you need is on its way.")


@with_post
@require_POST
def end(request: HttpRequest, key: str) -> HttpResponse:
    """Nothing of this game is sent any more; twice is no fault."""
    sight, person = entered(request, key)
    corresponding.end(sight.game, person)
    messages.success(
        request, _("You do not play by mail any more. Your addresses still take what you write.")
    )
    return redirect("mail:post", key)


@with_post
@require_POST
def welcome(request: HttpRequest, key: str) -> HttpResponse:
    """The mail to begin with, once more."""
    sight, person = entered(request, key)
    found = Correspondent.objects.filter(game=sight.game, person=person, until=None).first()
    if found is None:
        messages.error(request, _("You do not play this game by mail."))
    elif not confirmed(person):
        messages.error(request, _("Confirm an address first: mail goes nowhere else."))
    elif sight.game.state == State.GATHERING:
        messages.success(request, _begun(sight))
    elif _sent_lately(sight, person):
        messages.success(request, _("This mail has left a short while ago: look for it once more."))
    else:
        _send_again(found, sight)
        messages.success(request, _("The mail with your addresses leaves once more."))
    return redirect("mail:post", key)


@with_post
@require_POST
def resume(request: HttpRequest, key: str) -> HttpResponse:
    """Mails to me came back for a while: my address works again; twice is no fault."""
    _sight, person = entered(request, key)
    pausing.lift(person)
    messages.success(request, _("Mails are sent to you again, with those of the last seven days."))
    return redirect("mail:post", key)


@writing
def _send_again(found: Correspondent, sight: Sight) -> None:
    """Another mail to begin with for each power, whatever was sent before."""
    for power in corresponding.powers(sight):
        post = corresponding.welcome(found, power)
        replace(post, once=f"{post.once}:{timezone.now().isoformat()}").queue(found)


def _sent_lately(sight: Sight, person: Person) -> bool:
    before = Departure.objects.filter(game=sight.game, person=person, kind="welcome")
    return before.filter(made__gt=timezone.now() - AGAIN).exists()


@never_cache
@with_post
@require_safe
def cards(request: HttpRequest, key: str) -> HttpResponse:
    """My addresses as a file for my mail program."""
    sight, _person = entered(request, key)
    answer = HttpResponse(vcards.file(contents.cards(sight)), content_type="text/vcard; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="talleyrand.vcf"'
    return answer


@never_cache
@with_post
@require_http_methods(["GET", "HEAD", "POST"])
def renew(request: HttpRequest, key: str, mailbox: str) -> HttpResponse:
    """A new address for one that got about; first it is said what that does."""
    sight, _person = entered(request, key)
    found = contents.line(sight, mailbox)
    if found is None:
        raise Http404
    box, name = found
    if box.revoked is not None:
        messages.success(request, _("This address was replaced before: the new one is below."))
        return redirect("mail:post", key)
    if request.method != "POST":
        return render(request, "mail/renew.html", {**contents.renewal(sight), "alias": mailbox, "name": name})
    addressing.renew(box)
    messages.success(
        request, _("There is a new address: “%(name)s”. The old one opens nothing any more.") % {"name": name}
    )
    return redirect("mail:post", key)
