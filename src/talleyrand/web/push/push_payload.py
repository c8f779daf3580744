"""What a device shows. A locked screen is read by whoever passes: only what anybody may know is said."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from talleyrand.web.notifications import notification_sentences, outbox
from talleyrand.web.notifications.models import Notification

from .devices import DeviceRefused
from .models import PushDevice, PushMessage

# Facts that may be said: no power of a game on line, no name, no word that anybody wrote. Who plays what at a
# tournament hangs on the wall.
PUBLIC_FACTS = ("variant", "phase", "due", "count", "round", "board", "seats")
LONGEST_TITLE = 100


def push_payload(push: PushMessage) -> bytes:
    """What the device gets, in the language in use: title, text, where it leads, and by what it is known."""
    notice = push.notification
    told = _trial() if notice is None else _news(notice)
    return json.dumps({**told, "tag": f"talleyrand-{push.pk}"}, ensure_ascii=False).encode()


def _news(notice: Notification) -> dict[str, str]:
    facts = {name: value for name, value in notice.facts.items() if name in PUBLIC_FACTS}
    return {
        "title": notification_sentences.game_name(notice)[:LONGEST_TITLE],
        "body": notification_sentences.notification_sentence(notice.kind, facts),
        "path": _spoken(notice.path or reverse("notices:all")),
    }


def _trial() -> dict[str, str]:
    body = _("It works: notifications from your games will look like this.")
    return {"title": "Talleyrand", "body": body, "path": reverse("push:devices")}


def _spoken(path: str) -> str:
    return outbox.path_in_language(path, get_language() or settings.LANGUAGE_CODE)


def device_row(device: PushDevice, here: str) -> dict[str, Any]:
    """A device in the list; `here`: the session of whoever reads it."""
    return {
        "device": device,
        "name": device.name.replace("?", _("a browser")),
        "here": device.session_key == here,
    }


def device_refusal(problem: DeviceRefused) -> str:
    """Why a device was not registered, and what to do."""
    return {
        "many": _("You have too many devices: remove one you no longer use."),
        "service": _(
            "The site does not know this browser’s push service. The site administrator can add it."
        ),
    }.get(problem.code, _("The browser did not send what is needed. Reopen this page and try again."))
