"""Tags for whole pages of published phases: made of all that the page shows, so that none can be forgotten.

Left out is what is new in each page though it shows the same: the nonce of its style, the mask of the form
token, the date of the words by which it hears of changes. The token of the form that copies a phase stands in
the tag itself: whoever asks again gets the same page as long as that copy has not been made.
"""

from __future__ import annotations

import hashlib
import re
import time
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

from talleyrand.web.common.security_headers import KEEPS_POLICY
from talleyrand.web.notifications.signed_topics import LASTS
from talleyrand.web.practice.models import PracticeGame, random_token

# Each begins with plain letters: an expression that begins with a choice is tried at each of 300,000 bytes.
FORM_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[A-Za-z0-9]+"')
SIGNED_TOPICS = re.compile(rb'data-topics="([^":]*):[^"]*"')
TAG = re.compile(r'"[0-9a-f]{32}\.([A-Za-z0-9_-]{22})"')
HEARS = LASTS // 4  # seconds after which a page is sent anew, long before its words are too old


def copy_token(request: HttpRequest) -> str:
    """The token for the form that copies a phase: of the page that the browser has, while it is unused."""
    known = TAG.search(request.headers.get("If-None-Match", ""))
    if known is None or PracticeGame.objects.filter(submission_id=known[1]).exists():
        return random_token()
    return known[1]


def conditional_page(request: HttpRequest, response: HttpResponse, token: str) -> HttpResponse:
    """A page for this reader alone to keep and to ask about again, or that it has not changed.

    `token` is the one of `copy_token` that stands in it.
    """
    etag = f'"{_digest(request, response, token)}.{token}"'
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    found = get_conditional_response(request, etag=etag, response=response)
    assert isinstance(found, HttpResponse)
    if found.status_code == HTTPStatus.NOT_MODIFIED:
        setattr(found, KEEPS_POLICY, True)
    return found


def _digest(request: HttpRequest, response: HttpResponse, token: str) -> str:
    shown = FORM_TOKEN.sub(b"", response.content).replace(token.encode(), b"")
    shown = SIGNED_TOPICS.sub(
        rb"\1", shown
    )  # the topics with their numbers, without the date and the signature
    shown = shown.replace(b'nonce="%b"' % getattr(request, "style_nonce", "").encode(), b"")
    # a form of the page is good for this secret, its words for this session and not for ever
    about = (
        request.META.get("CSRF_COOKIE") or "",
        request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""),
        str(int(time.time()) // HEARS),
    )
    return hashlib.sha256("\0".join(about).encode("utf-8", "surrogatepass") + shown).hexdigest()[:32]
