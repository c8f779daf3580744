"""Addresses of former versions: each leads to the one that took its place, with what follows it.

A form sent from a page that was open before an update arrives too: 308 keeps the method and what was sent.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.urls import URLPattern, re_path
from django.utils.encoding import escape_uri_path

GAME = r"parties/[^/]+/"
ENGLISH_GAME = r"en/games/[^/]+/"
# What stays as it is, the former words, the words of today; the first that fits counts.
CHANGES = (
    ("", "livres", "reglements"),
    ("en/", "books", "rulebooks"),
    (GAME, "table/wishes", "infos/preferences"),
    (GAME, "table/give-up", "infos/resign"),
    (GAME, "table/begin", "infos/start"),
    (GAME, "table/go-on", "infos/resume"),
    (GAME, "table", "infos"),
    (ENGLISH_GAME, "table/wishes", "info/preferences"),
    (ENGLISH_GAME, "table/give-up", "info/resign"),
    (ENGLISH_GAME, "table/begin", "info/start"),
    (ENGLISH_GAME, "table/go-on", "info/resume"),
    (ENGLISH_GAME, "table", "info"),
    (GAME, "courrier/tardifs/admettre", "courriel/en-retard/accepter"),
    (GAME, "courrier/tardifs", "courriel/en-retard"),
    (GAME, "courrier", "courriel"),
    (ENGLISH_GAME, "post/late/let-in", "email/late/accept"),
    (ENGLISH_GAME, "post", "email"),
    (GAME, "lettres/en-attente/toutes", "messages/en-attente/tous"),
    (GAME, "lettres", "messages"),
    (rf"{ENGLISH_GAME}letters/held/[^/]+/", "pass", "forward"),
    (ENGLISH_GAME, "letters", "messages"),
    ("administration/", "courrier", "courriel"),
    ("en/administration/", "post", "email"),
    ("administration/", "veille", "etat"),
    ("en/administration/", "watch", "status"),
    ("", "nouvelles/choix", "notifications/reglages"),
    ("", "nouvelles/appareils/essai", "notifications/appareils/test"),
    ("", "nouvelles", "notifications"),
    ("en/", "news/choices", "notifications/settings"),
    ("en/", "news/devices/trial", "notifications/devices/test"),
    ("en/", "news", "notifications"),
    (r"compte/webhooks/[^/]+/", "essai", "test"),
    (r"en/account/webhooks/[^/]+/", "trial", "test"),
    (r"tournois/[^/]+/bureau/", "nouvelles", "notifications"),
    (r"en/tournaments/[^/]+/desk/", "news", "notifications"),
    (r"en/tournaments/[^/]+/desk/", "notebook", "rulings"),
    (r"en/tournaments/[^/]+/desk/round/[0-9]+/", "numbers", "headcount"),
    (r"tournois/[^/]+/moi/", "voeux", "preferences"),
    (r"en/tournaments/[^/]+/me/", "wishes", "preferences"),
    (r"en/tournaments/[^/]+/me/", "mails", "emails"),
    (r"en/tournaments/[^/]+/", "no-mail", "no-email"),
    (r"en/tournaments/[^/]+/papers/", "photographs", "photos"),
    (r"en/tournaments/seasons/[^/]+/", "keep", "settings"),
    ("en/tournaments/", "seasons", "circuits"),
)


def moved(request: HttpRequest, place: str, rest: str, words: str) -> HttpResponsePermanentRedirect:
    """The way to a page whose address has other words now; `words` are the new ones."""
    address = escape_uri_path(f"/{place}{words}/{rest}")
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    return HttpResponsePermanentRedirect(address + query, preserve_request=True)


urlpatterns: list[URLPattern] = [
    re_path(rf"^(?P<place>{place}){former}/(?P<rest>.*)$", moved, {"words": words})
    for place, former, words in CHANGES
]
