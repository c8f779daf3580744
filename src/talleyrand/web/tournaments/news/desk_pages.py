"""The director's page of what is told to whom, and of the chat; and the draw as text to take along."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from talleyrand.web.boards import wording
from talleyrand.web.tournaments import mails
from talleyrand.web.tournaments.desk.doors import Visit, at_desk, page
from talleyrand.web.tournaments.desk.words import hour
from talleyrand.web.tournaments.sight import Sight

from . import choosing, keeping, telling, texts, words
from .keeping import NotPossible, Wanted

LANGUAGES = (("fr", "français"), ("en", "English"))


@at_desk
def news(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Who is told what, and the chat: for the director alone."""
    if not sight.directs:
        raise Http404
    if request.method != "POST":
        return _page(request, sight, None)
    asked = _wanted(request)
    try:
        said = _done(request, sight, asked)
    except NotPossible as problem:
        return _page(request, sight, asked, words.refusal(problem), problem.code)
    messages.success(request, said)
    return redirect(request.path)


def _done(request: HttpRequest, sight: Sight, asked: Wanted) -> str:
    """Do what a button asks, and say so; raises NotPossible."""
    press, tournament = request.POST.get("press", ""), sight.tournament
    if press == "chat":
        keeping.keep(tournament, asked)
        return _("The chat is kept. Send a trial to see whether it is reached.")
    if press == "trial":
        assert sight.account is not None
        keeping.trial(tournament, sight.account.pk)
        return _("A trial is on its way: open this page again to see what became of it.")
    if press == "remove":
        keeping.remove(tournament)
        return _("The tournament has no chat any more; its address is forgotten.")
    if press == "again":
        keeping.resume(tournament)
        return _("What happens from now on is posted.")
    choosing.choose(tournament, {topic: request.POST.get(topic, "") for topic in words.TOPICS})
    telling.soon()
    return _("It is noted who is told what.")


def _wanted(request: HttpRequest) -> Wanted:
    """The chat as it was typed, without the one sign that PostgreSQL cannot keep."""
    told = {name: request.POST.get(name, "").replace("\0", "") for name in ("address", "form", "language")}
    return Wanted(**told, kinds=tuple(request.POST.getlist("kind")))


def _page(
    request: HttpRequest, sight: Sight, asked: Wanted | None, refused: str = "", code: str = ""
) -> HttpResponse:
    chat = keeping.of(sight.tournament)
    usual = Wanted(language=wording.language())
    kept = Wanted(chat.address, chat.form, chat.language, chat.kinds) if chat else usual
    chosen = choosing.chosen(sight.tournament)

    def shown(_visit: Visit) -> dict[str, Any]:
        return {
            "section": "settings",
            "topics": _topics(chosen),
            "mails": mails.leaves(),
            "sent": {kind: mails.used(sight.tournament, kind) for kind in (mails.NEWS, mails.LINK)},
            "chat": chat,
            "typed": asked or kept,
            "forms": list(words.FORMS.items()),
            "languages": LANGUAGES,
            "kinds": [(name, text, name in (asked or kept).kinds) for name, text in words.POSTED.items()],
            "wrong": code,
            "trouble": words.trouble(chat) if chat else "",
            "reached": hour(sight.event, chat.reached.isoformat()) if chat and chat.reached else "",
        }

    return page(
        Visit(request, sight, refused=refused, refused_code=code), "news.html", shown, 409 if code else 200
    )


def _topics(chosen: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": title,
            "about": about,
            "options": [(value, text, value == chosen[name]) for value, text in words.WISHES.items()],
        }
        for name, (title, about) in words.TOPICS.items()
    ]


@at_desk
def text(request: HttpRequest, sight: Sight, number: int) -> HttpResponse:
    """The draw of a round as text, once it is shown: by board and by name, to paste where one likes."""
    if number not in sight.event.rounds:
        raise Http404
    language = request.GET.get("language", wording.language())
    style = request.GET.get("style", "text")
    language = language if language in dict(LANGUAGES) else wording.language()
    style = style if style in texts.STYLES else "text"

    def shown(visit: Visit) -> dict[str, Any]:
        written = ""
        if texts.shown(visit.event, number):
            writer = texts.Writer(sight.tournament, language, texts.STYLES[style])
            written = texts.joined(writer.draw(number, by_name=True))
        return {
            "section": "round",
            "number": number,
            "written": written,
            "rows": written.count("\n") + 2,
            "language": language,
            "style": style,
            "languages": LANGUAGES,
            "styles": list(words.STYLES.items()),
        }

    return page(Visit(request, sight), "text.html", shown)
