"""Finds what a correspondent has not been sent of his games, and puts it into the outbox.

Only those are looked after for whom a counter has moved, and each once an hour, for what a crash may have
kept from counting. What is read takes no lock; what is queued, and that it was, is one short transaction.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import DatabaseError, IntegrityError
from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat

from talleyrand.web.common.model_fields import json_text
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.models import ENDED_STATES, Game, GameMembership, GameRole, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.conversations import message_relay
from talleyrand.web.mail.models import MailSubscription, OutboundEmail
from talleyrand.web.mail.outbound.email_queue import reader_locale
from talleyrand.web.notifications.models import Notification, NotificationDelivery, TopicVersion
from talleyrand.web.press import message_visibility as letters_seen
from talleyrand.web.press.models import Message, MessageState
from talleyrand.web.press.press_rules import ConversationKind

from . import game_update_mail, subscribing
from .game_update_mail import GameUpdateMail
from .subscribing import MailDraft

HOUR = timedelta(hours=1)
SPREAD = timedelta(minutes=1)
REST = timedelta(minutes=5)  # after something went wrong for somebody
OVERLAP = timedelta(days=1)  # letters are looked for a little further back than the last look
AFTERWARDS = timedelta(days=30)  # a game is looked after for so long when it is over
CHANNEL = "post"  # the deliveries that say which news a correspondent has had
BROKEN = 3  # correspondents in a row that the database fails
TRUE = ("true", "1")  # as each database writes it

logger = logging.getLogger(__name__)


def queue_due_mail(now: datetime) -> int:
    """Queue what those who correspond have not been sent; for how many there was anything to look at.

    Raises DatabaseError where the database fails for several in a row.
    """
    subscribe_by_terms()
    looked = broken = 0
    papers: game_update_mail.ReportCache = {}
    for one in due_subscriptions(now):
        try:
            queue_mail_for(one, now, papers)
            broken = 0
        except DatabaseError:
            broken += 1
            logger.exception("correspondent %s: the database broke off", one.pk)
            if broken == BROKEN:
                raise
        except Exception:
            logger.exception("correspondent %s: nothing could be queued", one.pk)
            _rest(one, now)
        looked += 1
    return looked


# who is due


def due_subscriptions(now: datetime) -> list[MailSubscription]:
    """Whose counters have moved since he was looked after, or whose hour has come; one query."""
    heard = MailSubscription.objects.filter(ended_at=None).annotate(
        game_now=_number(Concat(Value("game:"), OuterRef("game__key"))),
        person_now=_number(Concat(Value("person:"), Cast(OuterRef("person"), CharField()))),
    )
    moved = ~Q(game_now=F("game_version")) | ~Q(person_now=F("person_version"))
    over = Q(game__state__in=ENDED_STATES, game__ended_at__lt=now - AFTERWARDS)
    return list(
        heard.filter(moved | Q(next_check_at__lte=now)).exclude(over).select_related("game", "person")
    )


def _number(topic: Concat) -> Coalesce:
    found = TopicVersion.objects.filter(topic=topic).values("version")
    return Coalesce(Subquery(found[:1]), Value(0))


def subscribe_by_terms() -> None:
    """In games by post whoever has an address plays so by himself; once he has stopped, he has stopped."""
    for one in _uninvited():
        newest = (
            one.game.revisions.filter(is_current=True)
            .order_by("-phase_number")
            .values_list("published_at", flat=True)
        )
        since = max(filter(None, (one.joined_at, newest.first())))
        begun = subscribing.subscribe(one.game, one.person)
        MailSubscription.objects.filter(pk=begun.pk, check_count=0).update(started_at=since)


def _uninvited() -> QuerySet[GameMembership]:
    by_post = Game.objects.exclude(state__in=ENDED_STATES).annotate(
        by_post=json_text("settings_json__by_post")
    )
    address = EmailAddress.objects.filter(user=OuterRef("person"), verified=True)
    known = MailSubscription.objects.filter(game=OuterRef("game"), person=OuterRef("person"))
    seat = PowerAssignment.objects.filter(
        seat__game=OuterRef("game"), person=OuterRef("person"), ended_at=None
    )
    plays = Q(role=GameRole.PLAYER) & Exists(seat)
    games = by_post.filter(by_post__in=TRUE).values("pk")
    found = GameMembership.objects.filter(Exists(address), ~Exists(known), game__in=games, left_at=None)
    found = found.filter(plays | Q(role__in=(GameRole.GAME_MASTER, GameRole.ASSISTANT)))
    return found.select_related("game", "person")


# one correspondent


@dataclass
class SubscriptionMail:
    """What is to be queued for one correspondent."""

    subscription: MailSubscription
    sight: GameViewer
    news: GameUpdateMail
    drafts: list[MailDraft] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    held: list[Message] = field(default_factory=list)
    returned: list[Message] = field(default_factory=list)


def queue_mail_for(
    correspondent: MailSubscription, now: datetime, papers: game_update_mail.ReportCache | None = None
) -> None:
    """Queue what one correspondent has not been sent; whoever looks at the same moment does nothing."""
    found = _due_mail(correspondent, now, papers if papers is not None else {})
    try:
        _keep(found, now)
    except IntegrityError:
        logger.info("correspondent %s: another sweep was quicker", correspondent.pk)


def _due_mail(
    correspondent: MailSubscription, now: datetime, papers: game_update_mail.ReportCache
) -> SubscriptionMail:
    sight = GameViewer(Game.objects.get(pk=correspondent.game_id), correspondent.person)
    told = GameUpdateMail(correspondent, sight, _unsent(correspondent), papers)
    with reader_locale(correspondent.person):
        posts = [
            told.mail(),
            _unsent_desk(told, now),
            None if correspondent.welcome_keys else told.catch_up_mail(),
        ]
    welcomes = [subscribing.welcome_mail(correspondent, one) for one in _welcomes(correspondent, sight)]
    found = SubscriptionMail(correspondent, sight, told, [*welcomes, *filter(None, posts)])
    if sight.role:
        found.messages = _letters(correspondent, sight)
        found.held = _unqueued(correspondent, "held", list(letters_seen.held_messages(sight)))
        found.returned = _returned(told)
    return found


def _unsent_desk(told: GameUpdateMail, now: datetime) -> MailDraft | None:
    post = told.desk_mail(now)
    known = OutboundEmail.objects.filter(person=told.subscription.person)
    return None if post is None or known.filter(idempotency_key=post.idempotency_key).exists() else post


def _unsent(correspondent: MailSubscription) -> list[Notification]:
    sent = NotificationDelivery.objects.filter(notification=OuterRef("pk"), channel=CHANNEL)
    about = f"game:{correspondent.game.key}"
    found = Notification.objects.filter(
        person=correspondent.person, topic=about, created_at__gte=correspondent.started_at
    )
    return list(
        found.filter(~Exists(sent))
        .exclude(kind__in=game_update_mail.MESSAGE_KINDS)
        .order_by("created_at", "id")
    )


def _welcomes(correspondent: MailSubscription, sight: GameViewer) -> list[str]:
    """For what he has not had the mail to begin with, now that there is something to play."""
    if not sight.role or sight.game.state in ENDED_STATES or not sight.game.phase_number:
        return []
    known = correspondent.welcome_keys
    wanted = subscribing.subscribed_powers(sight)
    return [one for one in wanted if known.get(one) != subscribing.welcome_key(correspondent, one)]


# letters


def _letters(correspondent: MailSubscription, sight: GameViewer) -> list[Message]:
    """Those to him, delivered since he corresponds or plays; an assistant has none by mail."""
    if sight.role == GameRole.ASSISTANT:
        return []
    since = max(correspondent.started_at, (correspondent.checked_at or correspondent.started_at) - OVERLAP)
    found = letters_seen.visible_messages(sight).filter(state=MessageState.DELIVERED, delivered_at__gte=since)
    found = found.exclude(letters_seen.own_messages(sight))
    if sight.is_game_master:  # what he passes on he has read
        found = found.filter(conversation__kind__in=(ConversationKind.ALL, ConversationKind.MASTER))
    entered = _entered(sight)
    mine = [
        one
        for one in found
        if one.conversation.kind == ConversationKind.ALL or sight.is_game_master or _is_his(one, entered)
    ]
    return _unqueued(correspondent, "letter", mine)


def _entered(sight: GameViewer) -> dict[str, datetime]:
    """Since when he plays each of his powers."""
    held = PowerAssignment.objects.filter(seat__game=sight.game, person=sight.person, ended_at=None)
    return dict(held.values_list("seat__power", "started_at"))


def _is_his(letter: Message, entered: dict[str, datetime]) -> bool:
    """Whether he played one of its powers when it came: what was written before is read on the site."""
    begun = [entered[power] for power in letter.conversation.powers if power in entered]
    return bool(begun) and letter.delivered_at is not None and letter.delivered_at >= min(begun)


def _unqueued(correspondent: MailSubscription, kind: str, found: list[Message]) -> list[Message]:
    keys = {f"{kind}:{one.pk}": one for one in found}
    known = OutboundEmail.objects.filter(person=correspondent.person, idempotency_key__in=list(keys))
    gone = set(known.values_list("idempotency_key", flat=True)) if keys else set()
    return [one for key, one in keys.items() if key not in gone]


def _returned(told: GameUpdateMail) -> list[Message]:
    """The letters of his that came back: each has news of its own."""
    keys = [
        one.idempotency_key.rpartition(":")[2]
        for one in told.notifications
        if one.kind == game_update_mail.BY_LETTER
    ]
    found = letters_seen.visible_messages(told.sight).filter(state=MessageState.RETURNED) if keys else []
    return [one for one in found if any(one.key.startswith(key) for key in keys)]


# keeping


@write_transaction
def _keep(found: SubscriptionMail, now: datetime) -> None:
    """Queue everything and remember it, unless somebody else did meanwhile."""
    one = found.subscription
    mine = MailSubscription.objects.filter(pk=one.pk, check_count=one.check_count, ended_at=None)
    heard = _heard(one)
    welcomed = one.welcome_keys | {
        post.power: post.idempotency_key for post in found.drafts if post.kind == "welcome"
    }
    if not mine.update(
        check_count=F("check_count") + 1,
        checked_at=now,
        next_check_at=_again(one, now),
        welcome_keys=welcomed,
        **heard,
    ):
        return
    for post in found.drafts:
        post.queue(one)
    _relay(found)
    sent = [
        NotificationDelivery(notification=notice, channel=CHANNEL, due_at=now, sent_at=now)
        for notice in found.news.notifications
    ]
    NotificationDelivery.objects.bulk_create(sent)


def _relay(found: SubscriptionMail) -> None:
    for letter in found.messages:
        message_relay.queue_message(letter, found.subscription)
    for letter in found.held:
        message_relay.queue_held(letter, found.subscription)
    for letter in found.returned:
        message_relay.queue_returned(letter, found.subscription)


def _again(correspondent: MailSubscription, now: datetime) -> datetime:
    """Within the hour, not for everybody at once."""
    return now + HOUR - SPREAD * (correspondent.pk % 30)


def _rest(correspondent: MailSubscription, now: datetime) -> None:
    """Try again a little later, or when something new happens."""
    MailSubscription.objects.filter(pk=correspondent.pk).update(
        next_check_at=now + REST, **_heard(correspondent)
    )


def _heard(correspondent: MailSubscription) -> dict[str, int]:
    """The numbers of the counters as they were before anything was read."""
    return {
        "game_version": getattr(correspondent, "game_now", correspondent.game_version),
        "person_version": getattr(correspondent, "person_now", correspondent.person_version),
    }
