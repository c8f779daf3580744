"""In which language a page opens: chosen here, of the account, of the page whose link one followed, of the
browser, of the address, of the domain.

Each page has an address in each language, and what stands there is in that language for everybody: a cache
between us and the reader, and a bookmark, are never wrong. Whoever reads another language is led to the other
address of the page, by a redirect that nothing keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import translate_url
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_path
from django.utils.translation.trans_real import parse_accept_lang_header

View = TypeVar("View", bound=Callable[..., HttpResponse])
CHOICE = "lang"  # in an address: a reader chooses
VARIES = ("Accept-Language", "Cookie", "Sec-Fetch-Site")


def keeps_language(view: View) -> View:
    """Marks a view whose page stays in the language of its address, as one that a whole room looks at."""
    view.keeps_language = True  # type: ignore[attr-defined]
    return view


def language_for_reader(request: HttpRequest) -> str:
    """The language in which a page opens for whoever asks for it."""
    return (
        _known(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
        or _account_language(request)
        or _language_of_link(request)
        or _browser_language(request)
        or get_language_from_path(request.path_info)
        or _domain_language(request)
    )


def remember_language(response: HttpResponse, language: str) -> None:
    """Keep in this browser what its reader chose."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def choice_url(path: str, language: str) -> str:
    """The address by which a reader chooses a language, and comes to this page in it."""
    there = translate_url(path, language)
    return f"{there}{'&' if urlsplit(there).query else '?'}{CHOICE}={language}"


class LanguageChoiceMiddleware:
    """Leads readers to the page in their language; programs, scripts and forms get what they ask for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if _is_opened(request) and response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, VARIES)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], _args: Any, _named: Any
    ) -> HttpResponse | None:
        if request.method not in ("GET", "HEAD"):
            return None
        chosen, here = _known(request.GET.get(CHOICE, "")), request.get_full_path()
        if chosen:
            there = translate_url(_without_choice(request), chosen)
        elif _is_opened(request) and not getattr(view, "keeps_language", False):
            there = translate_url(here, language_for_reader(request))
        else:
            return None
        if unquote(there) == unquote(here):  # an address may be written in several ways
            return None
        moved = HttpResponseRedirect(there, headers={"Cache-Control": "private, no-store"})
        patch_vary_headers(moved, VARIES)
        if chosen:
            remember_language(moved, chosen)
        return moved


def _is_opened(request: HttpRequest) -> bool:
    """Whether somebody opens a page: a browser says so by what it takes, or by where it will stand."""
    return "text/html" in request.headers.get("Accept", "") and request.headers.get(
        "Sec-Fetch-Dest", "document"
    ) in ("document", "iframe")


def _without_choice(request: HttpRequest) -> str:
    rest = request.GET.copy()
    del rest[CHOICE]
    asked = request.get_full_path().partition("?")[0]
    return f"{asked}?{rest.urlencode()}" if rest else asked


def _known(code: str) -> str:
    return code if code in dict(settings.LANGUAGES) else ""


def _account_language(request: HttpRequest) -> str:
    """Of whoever is signed in; nobody is looked for where no cookie says so."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return ""
    return _known(request.user.language) if request.user.is_authenticated else ""


def _language_of_link(request: HttpRequest) -> str:
    """Of the address, where a page of this site led to it: a browser that keeps no cookie has no other memory
    of what its reader chose.
    """
    if request.headers.get("Sec-Fetch-Site") != "same-origin":
        return ""
    return get_language_from_path(request.path_info) or settings.LANGUAGE_CODE


def _browser_language(request: HttpRequest) -> str:
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    spoken = (_known(code.partition("-")[0]) for code, weight in asked if weight)
    return next(filter(None, spoken), "")


def _domain_language(request: HttpRequest) -> str:
    host = request.headers.get("Host", "").rpartition("@")[2].partition(":")[0].lower()
    return settings.DOMAIN_LANGUAGES.get(host) or settings.DOMAIN_LANGUAGES[""]
