"""What somebody does with his hooks; pages and the API call it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.web import background
from talleyrand.web.accounts.models import Person
from talleyrand.web.common import outbound_urls, rate_limits
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.models import Game, GameMembership, random_token
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.notification_kinds import KINDS

from . import webhook_events
from .models import LONGEST_NOTE, Webhook, WebhookCall

MOST = 10  # hooks of one person
MOST_TRIALS, TRIAL_TIME = 10, timedelta(minutes=10)
TRIALS_OF_ONE = (30, 600)  # of all hooks of a person, those deleted since too
LISTED = 30  # calls that are shown


class WebhookRefused(Exception):
    """Why not: `many`, `address`, `webhook_kinds`, `game`, `waiting` or `often`; `detail` says more of an
    address.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


@dataclass(frozen=True)
class WebhookRequest:
    """A hook as somebody asks for it: no kinds are all of them, no game is all of his."""

    address: str
    kinds: Sequence[str] = ()
    game: str = ""
    label: str = ""


def webhook_kinds() -> list[str]:
    """What a hook may hear, by name."""
    return [kind for kind in KINDS if kind != webhook_events.WEBHOOK_PAUSED]


def webhooks_of(person: Person) -> QuerySet[Webhook]:
    """Somebody’s hooks, in the order in which they were added."""
    return Webhook.objects.filter(person=person).select_related("game")


def games_of(person: Person) -> list[Game]:
    """The games whose news somebody hears, the newest first."""
    mine = GameMembership.objects.filter(person=person, left_at=None).values("game")
    return list(Game.objects.filter(pk__in=mine).order_by("-pk"))


def calls_of(hook: Webhook) -> QuerySet[WebhookCall]:
    """All that are kept, the newest first."""
    return WebhookCall.objects.filter(webhook=hook)


def recent_calls(hook: Webhook) -> list[WebhookCall]:
    """The last ones, the newest first."""
    return list(calls_of(hook)[:LISTED])


@write_transaction
def add_webhook(
    person: Person, wanted: WebhookRequest, submission: str, now: datetime
) -> tuple[Webhook, bool]:
    """Add a hook; the same `submission` again gives the same, and False. Raises WebhookRefused."""
    Person.objects.select_for_update().get(pk=person.pk)
    known = Webhook.objects.filter(person=person, submission_id=submission).first()
    if known is not None:
        return known, False
    if webhooks_of(person).count() >= MOST:
        raise WebhookRefused("many")
    hook = Webhook(person=person, submission_id=submission, created_at=now, **_checked_fields(person, wanted))
    hook.save()
    return hook, True


def _checked_fields(person: Person, wanted: WebhookRequest) -> dict[str, object]:
    try:
        outbound_urls.parse_public_url(wanted.address)
    except outbound_urls.UrlNotAllowed as refused:
        raise WebhookRefused("address", refused.code) from refused
    return {
        "address": wanted.address.strip(),
        "kinds": _kinds(wanted.kinds),
        "game": _game(person, wanted.game) if wanted.game else None,
        "label": " ".join(wanted.label.replace("\0", "").split())[:LONGEST_NOTE],
    }


def _kinds(named: Iterable[str]) -> list[str]:
    asked = set(named)
    if not asked <= set(webhook_kinds()):
        raise WebhookRefused("kinds")
    return [kind for kind in webhook_kinds() if kind in asked]


def _game(person: Person, key: str) -> Game:
    """A game that he hears of: he has a role in it."""
    game = Game.objects.filter(key=key).first() if "\0" not in key else None
    if game is None or not GameViewer(game, person).role:
        raise WebhookRefused("game")
    return game


@write_transaction
def pause_webhook(hook: Webhook, now: datetime) -> None:
    """What happens from now on is not told, and what waits is not sent; twice does no harm."""
    if Webhook.objects.filter(pk=hook.pk, paused_at=None).update(paused_at=now, pause_reason="owner"):
        WebhookCall.objects.filter(webhook=hook, outcome="").exclude(kind=webhook_events.TEST).update(
            outcome="paused"
        )


@write_transaction
def pause_after_new_password(person: Person, **_more: Any) -> None:
    """Pause the hooks of somebody with a new password: whoever knew the old one may have added some."""
    now = timezone.now()
    awake = list(Webhook.objects.filter(person=person, paused_at=None).values_list("pk", flat=True))
    Webhook.objects.filter(pk__in=awake, paused_at=None).update(paused_at=now, pause_reason="password")
    WebhookCall.objects.filter(webhook__in=awake, outcome="").exclude(kind=webhook_events.TEST).update(
        outcome="paused"
    )


@write_transaction
def resume_webhook(hook: Webhook) -> None:
    """Tell what happens from now on."""
    fresh = {
        "paused_at": None,
        "pause_reason": "",
        "failure_count": 0,
        "failing_since": None,
        "retry_at": None,
    }
    if Webhook.objects.filter(pk=hook.pk).exclude(paused_at=None).update(**fresh):
        WebhookCall.objects.filter(webhook=hook, outcome="").exclude(kind=webhook_events.TEST).update(
            outcome="paused"
        )


def delete_webhook(hook: Webhook) -> None:
    """With all that was called."""
    Webhook.objects.filter(pk=hook.pk).delete()


@write_transaction
def renew_secret(hook: Webhook, seal: str) -> bool:
    """Give a hook another secret, unless another form has: the former one is worth nothing any more."""
    changed = bool(Webhook.objects.filter(pk=hook.pk, secret_seed=seal).update(secret_seed=random_token()))
    hook.refresh_from_db(fields=["secret_seed"])
    return changed


@write_transaction
def send_test_call(hook: Webhook, now: datetime) -> WebhookCall:
    """Call a hook once to see whether it hears, paused or not. Raises WebhookRefused."""
    Webhook.objects.select_for_update().get(pk=hook.pk)
    tried = WebhookCall.objects.filter(webhook=hook, kind=webhook_events.TEST)
    if tried.filter(outcome="").exists():
        raise WebhookRefused("waiting")
    if tried.filter(created_at__gt=now - TRIAL_TIME).count() >= MOST_TRIALS:
        raise WebhookRefused("often")
    # Of a person too, who could add and delete hooks to have us knock at any door without end.
    if rate_limits.hit("webhook_trial", hook.person_id, TRIALS_OF_ONE).wait:
        raise WebhookRefused("often")
    body = webhook_events.event_body(webhook_events.TEST, {}, now)
    made = webhook_events.new_call(
        hook, webhook_events.TEST, f"{webhook_events.TEST}:{random_token()}", "", body, now
    )
    made.save()
    background.run_soon(webhook_events.JOB)
    return made
