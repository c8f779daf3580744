"""What a site holds, and the laws that hold whatever ends in the middle of what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .forks import Say
from .sink import PUSH, Item


def told(say: Say) -> None:
    """All that deeds lead to, but for the hours, and for what a mail that was brought twice left twice."""
    from talleyrand.web.games.models import (
        Game,
        GameLogEntry,
        GameSeat,
        OrderSet,
        PhaseRevision,
        UnreadEmailOrders,
    )
    from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
    from talleyrand.web.notifications.models import Notification, NotificationDelivery
    from talleyrand.web.press.models import Message
    from talleyrand.web.push.models import PushMessage
    from talleyrand.web.webhooks.models import WebhookCall

    game = Game.objects.get()
    part = (
        "phase_number",
        "revision",
        "kind",
        "phase",
        "digest",
        "order_lines",
        "powers_without_orders",
        "next_situation",
        "is_current",
    )
    sheet = ("phase_number", "power", "receipt_number", "digest", "origin", "lines", "is_ready")
    sent = ("kind", "person__name", "subject", "power", "drop_reason")
    say(
        {
            "game": [
                game.phase_number,
                game.phase,
                game.state,
                game.adjudication_error,
                game.receipt_count,
                str(game.deadline),
            ],
            "claims": [game.claimed_by, UnreadEmailOrders.objects.count()],
            "revisions": list(PhaseRevision.objects.order_by("phase_number", "revision").values_list(*part)),
            "sheets": list(OrderSet.objects.order_by("power", "receipt_number").values_list(*sheet)),
            "seats": list(
                GameSeat.objects.order_by("power").values_list(
                    "power", "draft_orders", "is_ready", "missed_phases", "in_civil_disorder"
                )
            ),
            "log": list(GameLogEntry.objects.order_by("pk").values_list("phase_number", "kind")),
            "news": sorted(
                map(_news, Notification.objects.values_list("person__name", "kind", "idempotency_key"))
            ),
            "letters": list(
                Message.objects.order_by("pk").values_list("author_power", "phase_number", "state", "text")
            ),
            "outcomes": [
                one
                for one in InboundDelivery.objects.order_by("pk").values_list("outcome", flat=True)
                if one != "repeated"
            ],
            "mails": sorted(map(list, OutboundEmail.objects.values_list(*sent))),
            "waiting": [
                OutboundEmail.objects.filter(sent_at=None, drop_reason="").count(),
                NotificationDelivery.objects.filter(sent_at=None).exclude(channel="post").count(),
            ],
            "calls": sorted(
                map(list, WebhookCall.objects.values_list("kind", "webhook__person__name", "outcome"))
            ),
            "pushes": sorted(
                map(
                    list, PushMessage.objects.values_list("notification__kind", "device__name", "drop_reason")
                )
            ),
            "sent": {
                "mail": OutboundEmail.objects.exclude(sent_at=None).exclude(attempted_at=None).count(),
                "push": PushMessage.objects.exclude(sent_at=None).count(),
                "hook": WebhookCall.objects.filter(outcome="delivered").count(),
            },
        }
    )


def _news(row: tuple[str, str, str]) -> list[str]:
    """Without what is another in each life: a room’s key, and how often a mail was counted."""
    name, kind, once = row
    _key, _colon, rest = once.partition(":")
    return [name, kind, {"letter": "", "disorder": f"{rest[:11]}{rest.rpartition(':')[2]}"}.get(kind, rest)]


def broken(
    found: Mapping[str, Any],
    should: Mapping[str, Any],
    facts: Iterable[Any],
    items: Sequence[Item],
    doubts: Mapping[str, int],
) -> list[str]:
    """Which laws a site has broken: beside one that nobody ended, by what was acknowledged, and by what has
    arrived by each channel, of which as many as `doubts` says may have arrived twice.
    """
    return [
        *(_difference(name, found[name], should[name]) for name in should if found[name] != should[name]),
        *_lost(found["sheets"], facts),
        *_twice_judged(found["revisions"]),
        *_holes(found["sheets"]),
        *(law for channel, sent in found["sent"].items() for law in _arrived(channel, sent, items, doubts)),
    ]


def _difference(name: str, found: Any, should: Any) -> str:
    if not isinstance(found, list):
        return f"{name}: {found} for {should}"
    more, less = (
        [one for one in some if one not in other] for some, other in ((found, should), (should, found))
    )
    return f"{name}: {more} for {less}, {len(found)} for {len(should)}"


def _lost(sheets: list[Any], facts: Iterable[Any]) -> list[str]:
    """Acknowledged sheets that are not there, as they were acknowledged."""
    kept = [
        [number, power, receipt, digest[:8], lines] for number, power, receipt, digest, _, lines, _ in sheets
    ]
    acknowledged = [fact["sheet"] for fact in facts if "sheet" in fact]
    return [f"lost: {one}" for one in acknowledged if one not in kept]


def _twice_judged(revisions: list[Any]) -> list[str]:
    counted = Counter(one[0] for one in revisions)
    return [f"judged {times} times: phase {number}" for number, times in counted.items() if times > 1]


def _holes(sheets: list[Any]) -> list[str]:
    by_power: dict[str, list[int]] = {}
    for _number, power, receipt, *_ in sheets:
        by_power.setdefault(power, []).append(receipt)
    return [
        f"receipts of {power}: {receipts}"
        for power, receipts in by_power.items()
        if receipts != list(range(1, len(receipts) + 1))
    ]


def _arrived(channel: str, sent: int, items: Sequence[Item], doubts: Mapping[str, int]) -> list[str]:
    """Everything has arrived, nothing as two different things, and nothing twice without a doubt."""
    copies: dict[str, set[str]] = {}
    mine = [item for item in items if item.channel == channel]
    for item in mine:
        # what is pushed is encrypted anew each time
        copies.setdefault(item.number, set()).add(item.to + (item.data if channel != PUSH else ""))
    again, doubt = len(mine) - len(copies), doubts.get(channel, 0)
    return [
        *(f"{channel}: two under {number}" for number, some in copies.items() if len(some) > 1),
        *([f"{channel}: {len(copies)} arrived of {sent}"] if len(copies) != sent else []),
        *([f"{channel}: {again} arrived twice, {doubt} in doubt"] if again > doubt else []),
    ]
