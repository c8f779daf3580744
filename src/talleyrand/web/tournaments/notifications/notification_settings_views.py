"""The director's page of what is told to whom, and of the chat; and the draw as text to take along."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from talleyrand.web.boards import display_names
from talleyrand.web.tournaments import tournament_mail
from talleyrand.web.tournaments.desk.desk_texts import short_time
from talleyrand.web.tournaments.desk.desk_views import DeskRequest, for_desk, render_desk_page
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import (
    chat_settings,
    event_texts,
    notification_choices,
    notification_sending,
    notification_settings_texts,
)
from .chat_settings import ChatRefusal, ChatRequest

LANGUAGES = (("fr", "français"), ("en", "English"))


@for_desk
def notification_settings_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Who is told what, and the chat: for the director alone."""
    if not sight.is_director:
        raise Http404
    if request.method != "POST":
        return _page(request, sight, None)
    asked = _wanted(request)
    try:
        said = _do_request(request, sight, asked)
    except ChatRefusal as problem:
        return _page(
            request, sight, asked, notification_settings_texts.chat_refusal_text(problem), problem.code
        )
    messages.success(request, said)
    return redirect(request.path)


def _do_request(request: HttpRequest, sight: TournamentViewer, asked: ChatRequest) -> str:
    """Do what a button asks, and say so; raises ChatRefusal."""
    press, tournament = request.POST.get("press", ""), sight.tournament
    if press == "chat":
        chat_settings.save_chat(tournament, asked)
        return _("Channel saved. Send a test to check it.")
    if press == "trial":
        assert sight.account is not None
        chat_settings.send_test_post(tournament, sight.account.pk)
        return _("Test sent. Reload this page to see the result.")
    if press == "remove":
        chat_settings.remove_chat(tournament)
        return _("Channel removed; its address has been deleted.")
    if press == "again":
        chat_settings.resume_chat(tournament)
        return _("Posting resumes with what happens from now on.")
    notification_choices.save_audiences(
        tournament, {topic: request.POST.get(topic, "") for topic in notification_settings_texts.TOPIC_TEXTS}
    )
    notification_sending.notify_soon()
    return _("Notification settings saved.")


def _wanted(request: HttpRequest) -> ChatRequest:
    """The chat as it was typed, without the one sign that PostgreSQL cannot keep."""
    url, form, language = (
        request.POST.get(name, "").replace("\0", "") for name in ("address", "form", "language")
    )
    return ChatRequest(url, form, language, tuple(request.POST.getlist("kind")))


def _page(
    request: HttpRequest,
    sight: TournamentViewer,
    asked: ChatRequest | None,
    refused: str = "",
    code: str = "",
) -> HttpResponse:
    chat = chat_settings.chat_of(sight.tournament)
    usual = ChatRequest(language=display_names.reader_language())
    kept = ChatRequest(chat.url, chat.format, chat.language, chat.kinds) if chat else usual
    chosen = notification_choices.chosen_audiences(sight.tournament)

    def shown(_visit: DeskRequest) -> dict[str, Any]:
        return {
            "section": "settings",
            "audiences": _audiences(chosen),
            "mails": tournament_mail.can_send_mail(),
            "sent": {
                kind: tournament_mail.mails_used_today(sight.tournament, kind)
                for kind in (tournament_mail.NOTIFICATION_MAIL, tournament_mail.LINK_MAIL)
            },
            "chat": chat,
            "typed": asked or kept,
            "forms": list(notification_settings_texts.CHAT_FORMAT_TEXTS.items()),
            "languages": LANGUAGES,
            "kinds": [
                (name, text, name in (asked or kept).kinds)
                for name, text in notification_settings_texts.CHAT_KIND_TEXTS.items()
            ],
            "wrong": code,
            "trouble": notification_settings_texts.chat_error_text(chat) if chat else "",
            "reached": short_time(sight.event, chat.delivered_at.isoformat())
            if chat and chat.delivered_at
            else "",
        }

    return render_desk_page(
        DeskRequest(request, sight, refusal_text=refused, refusal_code=code),
        "news.html",
        shown,
        409 if code else 200,
    )


def _audiences(chosen: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": title,
            "about": about,
            "options": [
                (value, text, value == chosen[name])
                for value, text in notification_settings_texts.AUDIENCE_TEXTS.items()
            ],
        }
        for name, (title, about) in notification_settings_texts.TOPIC_TEXTS.items()
    ]


@for_desk
def draw_text_page(request: HttpRequest, sight: TournamentViewer, number: int) -> HttpResponse:
    """The draw of a round as text, once it is shown: by board and by name, to paste where one likes."""
    if number not in sight.event.rounds:
        raise Http404
    language = request.GET.get("language", display_names.reader_language())
    style = request.GET.get("style", "text")
    language = language if language in dict(LANGUAGES) else display_names.reader_language()
    style = style if style in event_texts.TEXT_STYLES else "text"

    def shown(visit: DeskRequest) -> dict[str, Any]:
        written = ""
        if event_texts.is_draw_public(visit.event, number):
            writer = event_texts.EventTextWriter(sight.tournament, language, event_texts.TEXT_STYLES[style])
            written = event_texts.join_text_parts(writer.draw(number, by_name=True))
        return {
            "section": "round",
            "number": number,
            "written": written,
            "rows": written.count("\n") + 2,
            "language": language,
            "style": style,
            "languages": LANGUAGES,
            "styles": list(notification_settings_texts.TEXT_STYLE_NAMES.items()),
        }

    return render_desk_page(DeskRequest(request, sight), "text.html", shown)
