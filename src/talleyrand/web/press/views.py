"""The pages of letters: rooms, one room, whom to write to, on paper and as text."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from talleyrand.web.games import frame
from talleyrand.web.games.models import secret
from talleyrand.web.games.sight import Sight

from . import composing, marks, motions, pages, posting, rules, seen, sentences
from .composing import Desk, Form
from .models import Fate, Letter, Room
from .naming import address_of
from .rules import Address, NoAddress

LONGEST_SEARCH = 200


@never_cache
@require_safe
def rooms(request: HttpRequest, key: str) -> HttpResponse:
    """One’s rooms, or the letters that hold what is searched."""
    sight = frame.entered(request, key)
    asked = request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH]
    found = pages.found(sight, asked) if asked else None
    return render(request, "press/rooms.html", {**pages.room_list(sight), "asked": asked, "found": found})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def room(request: HttpRequest, key: str, room: str) -> HttpResponse:
    """A room: its letters, and the form of the next one."""
    sight = frame.entered(request, key)
    kept = get_object_or_404(seen.rooms(sight), key=room)
    to = address_of(kept)
    if request.method == "POST":
        return _sent(request, sight, to, kept)
    shown = _room(request, sight, to, kept, _begun(request, sight, to))
    if not _fetched_beforehand(request):
        posting.seen_by(sight, kept, shown["last"])
    return render(request, "press/room.html", shown)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, key: str) -> HttpResponse:
    """Whom to write to; once that is chosen, the room, empty as long as nothing was written in it."""
    sight = frame.entered(request, key)
    writer, chosen = _writer(request, sight), request.GET.getlist("to")
    if not chosen and "as" not in request.GET and request.method != "POST":
        return _choose(request, sight, (), writer)
    try:
        to = _address(sight, writer, chosen)
    except NoAddress as problem:
        return _choose(request, sight, chosen, writer, problem.code)
    kept = seen.rooms(sight).filter(members=to.members).first()
    if request.method == "POST":
        return _sent(request, sight, to, kept)
    if kept is not None:
        place = reverse("press:room", args=[key, kept.key])
        about = request.GET.get("about")
        return redirect(f"{place}?{urlencode({'about': about})}" if about else place)
    return render(request, "press/room.html", _room(request, sight, to, None, _begun(request, sight, to)))


def _choose(request: HttpRequest, sight: Sight, chosen: Any, writer: str, code: str = "") -> HttpResponse:
    wrong = sentences.refusal(code) if code else ""
    shown = pages.chooser(sight, chosen, writer, wrong)
    return render(request, "press/new.html", shown, status=400 if code else 200)


def _writer(request: HttpRequest, sight: Sight) -> str:
    """The signature that was chosen, or the only one."""
    signatures = Desk.of(sight).pen.signatures
    asked = request.GET.get("as", "")
    return asked if asked in signatures else (signatures[0] if len(signatures) == 1 else asked[:40])


def _address(sight: Sight, writer: str, chosen: list[str]) -> Address:
    """The room that was chosen; raises NoAddress, also for a signature that is not one’s own."""
    powers = list(sight.game.seats.values_list("power", flat=True))
    if chosen == [rules.EVERYBODY]:
        return rules.address(writer, chosen, powers)
    if writer not in Desk.of(sight).pen.signatures:
        raise NoAddress("not_yours" if writer else "unsigned_choice")
    return rules.address(writer, chosen, powers)


def _begun(request: HttpRequest, sight: Sight, to: Address) -> Form:
    """The form of a letter not yet written: empty, or with a returned one, one’s orders, or a proposal."""
    again = request.GET.get("again", "").replace("\x00", "")[:64]
    text = composing.written_again(sight, again) if again else ""
    if "orders" in request.GET:
        text = composing.orders(sight, to)
    about = request.GET.get("about", "")[:80] if to.kind == rules.Kind.ALL else ""
    gone = about and about not in {motion.key for motion in motions.on_table(sight.game)}
    wrong = sentences.refusal("no_motion") if gone else ""
    return Form(text=text, writer=request.GET.get("as", "")[:40], about="" if gone else about, wrong=wrong)


def _room(request: HttpRequest, sight: Sight, to: Address, kept: Room | None, form: Form) -> dict[str, Any]:
    shown = pages.room_page(sight, to, kept, whole="all" in request.GET)
    asked = request.GET.copy()
    asked["orders"] = "1"
    link = f"?{asked.urlencode()}#write"
    return {**shown, **composing.context(shown["press"], to, form), "orders_link": link}


def _sent(request: HttpRequest, sight: Sight, to: Address, kept: Room | None) -> HttpResponse:
    """What is answered to a letter: its room, or the form as it was with the reason."""
    desk = Desk.of(sight)
    form = Form.sent(request, desk.signatures(to))
    letter = composing.take(desk, to, form)
    if letter is not None:
        return _acknowledged(request, letter)
    if _by_script(request):
        return JsonResponse({"message": form.wrong}, status=409)
    shown = _room(request, sight, to, kept, form.refused(form.wrong))
    return render(request, "press/room.html", shown, status=409)


def _acknowledged(request: HttpRequest, letter: Letter) -> HttpResponse:
    place = reverse("press:room", args=[letter.room.game.key, letter.room.key])
    said = _waits() if letter.state == Fate.HELD else _("The letter has been sent.")
    if _by_script(request):
        return JsonResponse({"said": said, "room": place, "submission": secret()})
    messages.success(request, said)
    return redirect(f"{place}#write")


def _waits() -> str:
    return _("The letter waits for the game master, who passes it on or returns it.")


def _by_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _fetched_beforehand(request: HttpRequest) -> bool:
    """Whether a browser looks before its reader does."""
    return "prefetch" in request.headers.get("Sec-Purpose", "") or request.method == "HEAD"


@never_cache
@require_safe
def printed(request: HttpRequest, key: str, room: str) -> HttpResponse:
    """A whole room, to be put on paper."""
    sight = frame.entered(request, key)
    kept = get_object_or_404(seen.rooms(sight), key=room)
    shown = pages.room_page(sight, address_of(kept), kept, whole=True)
    return render(request, "press/print.html", shown)


@never_cache
@require_safe
def unread(request: HttpRequest, key: str) -> HttpResponse:
    """How many letters wait for the visitor, for scripts."""
    return JsonResponse({"unread": marks.unread(frame.entered(request, key))})
