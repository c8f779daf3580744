"""The pages of letters: rooms, one room, whom to write to, on paper and as text; those that are held.

Each stands in the frame of its game, or is fetched alone by a page with a map, to stand beside it.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from talleyrand.web.games import page_context
from talleyrand.web.games.models import random_token
from talleyrand.web.games.viewer_permissions import GameViewer

from . import (
    conversation_pages,
    message_actions,
    message_form,
    message_notifications,
    message_visibility,
    opened_letters,
    press_rules,
    press_texts,
    proposal_refs,
)
from .conversation_names import recipients_of
from .message_form import MessageComposer, MessageForm
from .message_text import InvalidText
from .models import Conversation, Message, MessageState
from .press_rules import InvalidRecipients, Recipients

LONGEST_SEARCH = 200
ALONE = "X-Alone"  # the header by which a script asks for a page without its frame


@never_cache
@require_safe
def conversation_list(request: HttpRequest, key: str) -> HttpResponse:
    """One’s rooms, or the letters that hold what is searched."""
    sight = page_context.game_viewer_of_page(request, key)
    asked = request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH]
    found = conversation_pages.search_messages(sight, asked) if asked else None
    shown = conversation_pages.conversation_list(sight, request.GET.get("as", ""))
    return _page(request, sight, "press/rooms.html", {**shown, "asked": asked, "found": found})


@require_POST
def open_letters_view(request: HttpRequest, key: str) -> HttpResponse:
    """Let everybody read one’s letters of a game that is over, or no longer."""
    sight = page_context.game_viewer_of_page(request, key)
    if sight.person is None or not opened_letters.may_open_letters(sight):
        raise Http404
    if request.POST.get("do") == "close":
        opened_letters.close_letters(sight.game, sight.person)
        messages.success(request, _("Your messages are closed again."))
    else:
        opened_letters.open_letters(sight.game, sight.person)
        messages.success(request, _("Your messages are open."))
    return redirect("games:end", key)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conversation(request: HttpRequest, key: str, room: str) -> HttpResponse:
    """A room: its letters, and the form of the next one."""
    sight = page_context.game_viewer_of_page(request, key)
    kept = get_object_or_404(message_visibility.visible_conversations(sight), key=room)
    to = recipients_of(kept)
    if request.method == "POST":
        return _send_response(request, sight, to, kept)
    shown = _room(request, sight, to, kept, _begun(request, sight, to))
    if not _fetched_beforehand(request):
        message_notifications.mark_seen(sight, kept, shown["last"])
    return _page(request, sight, "press/room.html", shown)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_conversation(request: HttpRequest, key: str) -> HttpResponse:
    """Whom to write to; once that is chosen, the room, empty as long as nothing was written in it."""
    sight = page_context.game_viewer_of_page(request, key)
    writer, chosen = _writer(request, sight), request.GET.getlist("to")
    if not chosen and "as" not in request.GET and request.method != "POST":
        return _choose(request, sight, (), writer)
    try:
        to = _address(sight, writer, chosen)
    except InvalidRecipients as problem:
        return _choose(request, sight, chosen, writer, problem.code)
    kept = (
        message_visibility.visible_conversations(sight).filter(participants_key=to.participants_key).first()
    )
    if request.method == "POST":
        return _send_response(request, sight, to, kept)
    if kept is not None:
        place = reverse("press:room", args=[key, kept.key])
        about = request.GET.get("about")
        return redirect(f"{place}?{urlencode({'about': about})}" if about else place)
    shown = _room(request, sight, to, None, _begun(request, sight, to))
    return _page(request, sight, "press/room.html", shown)


def _choose(
    request: HttpRequest, sight: GameViewer, chosen: Any, writer: str, code: str = ""
) -> HttpResponse:
    wrong = press_texts.refusal_text(code) if code else ""
    shown = conversation_pages.recipient_chooser(sight, chosen, writer, wrong)
    return _page(request, sight, "press/new.html", shown, status=400 if code else 200)


def _page(
    request: HttpRequest, sight: GameViewer, template: str, shown: dict[str, Any], status: int = 200
) -> HttpResponse:
    """A page of letters in the frame of its game, or without it for a page that has one."""
    if ALONE in request.headers:
        around: dict[str, Any] = {"frame": "press/alone.html", "sight": sight, "game": sight.game}
    else:
        around = {"frame": "games/frame.html", **page_context.game_page_context(sight, "letters")}
    response = render(request, template, {**around, **shown}, status=status)
    patch_vary_headers(response, [ALONE])
    return response


def _writer(request: HttpRequest, sight: GameViewer) -> str:
    """The signature that was chosen, or the only one."""
    signatures = MessageComposer.for_viewer(sight).author.signatures
    asked = request.GET.get("as", "")
    return asked if asked in signatures else (signatures[0] if len(signatures) == 1 else asked[:40])


def _address(sight: GameViewer, writer: str, chosen: list[str]) -> Recipients:
    """The room that was chosen; raises InvalidRecipients, also for a signature that is not one’s own."""
    powers = list(sight.game.seats.values_list("power", flat=True))
    if chosen == [press_rules.EVERYBODY]:
        return press_rules.recipients_for(writer, chosen, powers)
    if writer not in MessageComposer.for_viewer(sight).author.signatures:
        raise InvalidRecipients("not_yours" if writer else "unsigned_choice")
    return press_rules.recipients_for(writer, chosen, powers)


def _begun(request: HttpRequest, sight: GameViewer, to: Recipients) -> MessageForm:
    """The form of a letter not yet written: empty, or with a returned one, one’s orders, or a proposal."""
    again = request.GET.get("again", "").replace("\x00", "")[:64]
    text = message_form.returned_text(sight, again) if again else ""
    if "orders" in request.GET:
        text = message_form.draft_orders(sight, to)
    about = request.GET.get("about", "")[:80] if to.kind == press_rules.ConversationKind.ALL else ""
    gone = about and about not in {motion.key for motion in proposal_refs.open_proposals(sight.game)}
    wrong = press_texts.refusal_text("no_motion") if gone else ""
    return MessageForm(
        text=text, writer=request.GET.get("as", "")[:40], proposal_key="" if gone else about, error=wrong
    )


def _room(
    request: HttpRequest, sight: GameViewer, to: Recipients, kept: Conversation | None, form: MessageForm
) -> dict[str, Any]:
    shown = conversation_pages.conversation_page(sight, to, kept, whole="all" in request.GET)
    shown |= conversation_pages.conversation_tabs(sight, shown["press"], to, request.GET.get("as", ""))
    asked = request.GET.copy()
    asked["orders"] = "1"
    link = f"{request.path}?{asked.urlencode()}#write"
    return {**shown, **message_form.form_context(shown["press"], to, form), "orders_link": link}


def _send_response(
    request: HttpRequest, sight: GameViewer, to: Recipients, kept: Conversation | None
) -> HttpResponse:
    """What is answered to a letter: its room, or the form as it was with the reason."""
    desk = MessageComposer.for_viewer(sight)
    form = MessageForm.from_request(request, desk.signatures(to))
    letter = message_form.send_from_form(desk, to, form)
    if letter is not None:
        return _acknowledged(request, letter)
    if _by_script(request):
        return JsonResponse({"message": form.error}, status=409)
    shown = _room(request, sight, to, kept, form.with_error(form.error))
    return _page(request, sight, "press/room.html", shown, status=409)


def _acknowledged(request: HttpRequest, letter: Message) -> HttpResponse:
    place = reverse("press:room", args=[letter.conversation.game.key, letter.conversation.key])
    said = (
        _("Message sent to the game master, who will forward or return it.")
        if letter.state == MessageState.HELD
        else _("Message sent.")
    )
    if _by_script(request):
        return JsonResponse({"said": said, "room": place, "submission": random_token()})
    messages.success(request, said)
    return redirect(f"{place}#write")


def _by_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _fetched_beforehand(request: HttpRequest) -> bool:
    """Whether a browser looks before its reader does."""
    return "prefetch" in request.headers.get("Sec-Purpose", "") or request.method == "HEAD"


@never_cache
@require_safe
def print_conversation(request: HttpRequest, key: str, room: str) -> HttpResponse:
    """A whole room, to be put on paper."""
    sight = page_context.game_viewer_of_page(request, key)
    kept = get_object_or_404(message_visibility.visible_conversations(sight), key=room)
    shown = conversation_pages.conversation_page(sight, recipients_of(kept), kept, whole=True)
    return render(request, "press/print.html", {**shown, "game": sight.game})


@never_cache
@require_safe
def unread_json(request: HttpRequest, key: str) -> HttpResponse:
    """How many letters wait for the visitor, for scripts."""
    return JsonResponse(
        {"unread": message_visibility.unread_count(page_context.game_viewer_of_page(request, key))}
    )


# The game master’s page of letters that wait for him: passed on at a touch, or returned with a reason.


def _master(request: HttpRequest, key: str) -> GameViewer:
    """The game as its game master sees it; for anybody else the page does not exist."""
    sight = page_context.game_viewer_of_page(request, key)
    if not sight.is_game_master:
        raise Http404
    return sight


def _letter(sight: GameViewer, letter: str) -> Message:
    """A letter of players, whatever became of it."""
    return get_object_or_404(message_visibility.visible_messages(sight).exclude(author_power=""), key=letter)


@never_cache
@require_safe
def held_list(request: HttpRequest, key: str) -> HttpResponse:
    sight = _master(request, key)
    return _page(request, sight, "press/held.html", conversation_pages.held_page(sight))


@require_POST
def release_view(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    sight = _master(request, key)
    try:
        message_actions.release_message(_letter(sight, letter), timezone.now())
        messages.success(request, _("Message forwarded."))
    except message_actions.MessageNotHeld as settled:
        messages.warning(request, press_texts.not_held_text(settled.state))
    return redirect("press:held", key)


@require_POST
def release_all_view(request: HttpRequest, key: str) -> HttpResponse:
    """Pass on the letters that the page showed, and none that came since."""
    sight = _master(request, key)
    shown = [letter.replace("\x00", "") for letter in request.POST.getlist("letter")]
    passed = message_actions.release_messages(
        message_visibility.held_messages(sight).filter(key__in=shown), timezone.now()
    )
    said = ngettext("%(count)s message forwarded.", "%(count)s messages forwarded.", passed)
    messages.success(request, said % {"count": passed})
    return redirect("press:held", key)


@require_POST
def return_view(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    """Return a letter with a reason; without one the form comes back."""
    sight = _master(request, key)
    reason = request.POST.get("reason", "")
    try:
        message_actions.return_message(_letter(sight, letter), reason)
        messages.success(request, _("Message returned."))
    except message_actions.MessageNotHeld as settled:
        messages.warning(request, press_texts.not_held_text(settled.state))
    except InvalidText as unfit:
        wrong = press_texts.return_refusal_text(unfit.code)
        shown = conversation_pages.held_page(sight, wrong, letter, reason.replace("\x00", ""))
        return _page(request, sight, "press/held.html", shown, status=400)
    return redirect("press:held", key)
