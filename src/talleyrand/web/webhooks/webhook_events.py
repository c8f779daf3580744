"""From news to calls, in the transaction that makes the news.

What leaves is codes, dates and numbers of a short list, and an address of the site behind its doors: never
words that somebody wrote, nor a name. Whoever is called asks the site for the rest, as himself.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from talleyrand.web import background
from talleyrand.web.games.models import random_token
from talleyrand.web.notifications import outbox, topic_versions
from talleyrand.web.notifications.outbox import NotificationEvent

from .models import Webhook, WebhookCall

Json = dict[str, Any]
JOB = "webhooks"
ABOUT = ("game", "tournament")
TEST = "trial"
WEBHOOK_PAUSED = "webhook_paused"

CODE, POWER, PHASE = (
    re.compile(form) for form in (r"[a-z_]{1,32}", r"@|[A-Z][A-Z0-9_]{0,31}", r"[A-Z0-9-]{1,16}")
)
MOST_POWERS, MOST_COUNT = 64, 10**9

PREFIX = "whsec_"


def on_notifications(told: Sequence[NotificationEvent]) -> None:
    """Write down a call for each hook that hears these; called by the outbox."""
    people = {person.pk for one in told for person in one.people}
    hooks = list(Webhook.objects.filter(person__in=people, paused_at=None).select_related("game"))
    if not hooks:
        return
    now, rows = timezone.now(), []
    for one in told:
        hearing = [hook for hook in hooks if _hears(hook, one)]
        if hearing:
            body = event_body(one.kind, event_data(one), now)
            rows += [new_call(hook, one.kind, one.idempotency_key, one.topic, body, now) for hook in hearing]
    if rows:
        WebhookCall.objects.bulk_create(rows, ignore_conflicts=True)
        background.run_soon(JOB)


def _hears(hook: Webhook, told: NotificationEvent) -> bool:
    """Whether somebody told has it, for all games or for this one, and for what has happened."""
    if told.kind == WEBHOOK_PAUSED or (hook.kinds and told.kind not in hook.kinds):
        return False
    about = hook.game is None or topic_versions.game_topic(hook.game.key) == told.topic
    return about and any(person.pk == hook.person_id for person in told.people)


def new_call(hook: Webhook, kind: str, once: str, about: str, body: str, now: datetime) -> WebhookCall:
    """A call that waits, not saved yet."""
    number = f"msg_{random_token()}"
    return WebhookCall(
        webhook=hook,
        message_id=number,
        idempotency_key=once,
        kind=kind,
        topic=about,
        body=body,
        created_at=now,
        due_at=now,
    )


def event_body(kind: str, told: Json, now: datetime) -> str:
    """The body of a call: the same bytes at each try."""
    return json.dumps({"type": kind, "timestamp": _utc(now), "data": told}, separators=(",", ":"))


def event_data(told: NotificationEvent) -> Json:
    """What may leave of a notice."""
    named, _colon, key = told.topic.partition(":")
    about = {named: key} if named in ABOUT else {}
    page = {"page": f"{settings.SITE_URL}{outbox.path_without_language(told.path)}"} if told.path else {}
    return {**about, **public_facts(told.facts), **page}


def public_facts(facts: Mapping[str, Any]) -> Json:
    """The codes, dates and numbers among the facts of a notice; no words."""
    found = {name: _fact(read, facts[name]) for name, read in FACTS.items() if name in facts}
    return {name: value for name, value in found.items() if value is not None}


def _fact(read: Callable[[Any], Any], value: Any) -> Any:
    """None for what is not of the form that it should have."""
    try:
        return read(value)
    except (ValueError, TypeError):
        return None


def _like(form: re.Pattern[str]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not form.fullmatch(value):
            raise ValueError(form.pattern)
        return str(value)

    return read


def _powers(value: Any) -> list[str]:
    if not isinstance(value, list) or len(value) > MOST_POWERS:
        raise TypeError(type(value))
    return [_like(POWER)(one) for one in value]


def _count(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= MOST_COUNT:
        raise ValueError("count")
    return value


def _moment(value: Any) -> str:
    when = datetime.fromisoformat(value)
    return _utc(when if timezone.is_aware(when) else timezone.make_aware(when))


def _utc(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


FACTS: Mapping[str, Callable[[Any], Any]] = {
    "variant": _like(re.compile(r"[a-z0-9_]{1,64}")),
    "phase": _like(PHASE),
    "number": _count,
    "power": _like(POWER),
    "powers": _powers,
    "due": _moment,
    "result": _like(CODE),
    "outcome": _like(CODE),
    "count": _count,
    "round": _count,
    "board": _count,
}


# Secrets of hooks and the signature of what they are sent, by the rules of standardwebhooks.com.
#
# No secret is kept: each comes from the key of the site and the seal of its hook, so that a copy of the
# database gives none away.


def signing_secret(hook: Webhook) -> str:
    """What the owner’s program checks signatures with: "whsec_" and base 64."""
    return f"{PREFIX}{base64.b64encode(_key(hook)).decode()}"


def signature_headers(hook: Webhook, number: str, seconds: int, body: bytes) -> dict[str, str]:
    """The heads that name a call, say when it was tried, and sign both with the body."""
    signed = f"{number}.{seconds}.".encode() + body
    signature = base64.b64encode(hmac.new(_key(hook), signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": number,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{signature}",
    }


def _key(hook: Webhook) -> bytes:
    return salted_hmac(
        "talleyrand.web.webhooks", f"{hook.key}:{hook.secret_seed}", algorithm="sha256"
    ).digest()
