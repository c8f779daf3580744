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
from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Concat

from talleyrand.web.games.models import OVER, Game, Membership, Role, Tenure
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.letters import relaying
from talleyrand.web.mail.models import Correspondent, Departure
from talleyrand.web.mail.outgoing.departing import speaking
from talleyrand.web.notices.models import Counter, Delivery, Notice
from talleyrand.web.press import seen as letters_seen
from talleyrand.web.press.models import Fate, Letter
from talleyrand.web.press.rules import Kind

from . import corresponding, news
from .corresponding import Post
from .news import News

HOUR = timedelta(hours=1)
SPREAD = timedelta(minutes=1)
REST = timedelta(minutes=5)  # after something went wrong for somebody
OVERLAP = timedelta(days=1)  # letters are looked for a little further back than the last look
AFTERWARDS = timedelta(days=30)  # a game is looked after for so long when it is over
CHANNEL = "post"  # the deliveries that say which news a correspondent has had
BROKEN = 3  # correspondents in a row that the database fails
TRUE = ("true", "1")  # as each database writes it

logger = logging.getLogger(__name__)


def sweep(now: datetime) -> int:
    """Queue what those who correspond have not been sent; for how many there was anything to look at.

    Raises DatabaseError where the database fails for several in a row.
    """
    begin_by_terms()
    looked = broken = 0
    papers: news.Papers = {}
    for one in due(now):
        try:
            look(one, now, papers)
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


def due(now: datetime) -> list[Correspondent]:
    """Whose counters have moved since he was looked after, or whose hour has come; one query."""
    heard = Correspondent.objects.filter(until=None).annotate(
        game_now=_number(Concat(Value("game:"), OuterRef("game__key"))),
        person_now=_number(Concat(Value("person:"), Cast(OuterRef("person"), CharField()))),
    )
    moved = ~Q(game_now=F("heard_game")) | ~Q(person_now=F("heard_person"))
    over = Q(game__state__in=OVER, game__ended__lt=now - AFTERWARDS)
    return list(heard.filter(moved | Q(again__lte=now)).exclude(over).select_related("game", "person"))


def _number(topic: Concat) -> Coalesce:
    found = Counter.objects.filter(topic=topic).values("version")
    return Coalesce(Subquery(found[:1]), Value(0))


def begin_by_terms() -> None:
    """In games by post whoever has an address plays so by himself; once he has stopped, he has stopped."""
    for one in _uninvited():
        newest = one.game.revisions.filter(current=True).order_by("-number").values_list("made", flat=True)
        since = max(filter(None, (one.joined, newest.first())))
        begun = corresponding.begin(one.game, one.person)
        Correspondent.objects.filter(pk=begun.pk, looks=0).update(since=since)


def _uninvited() -> QuerySet[Membership]:
    by_post = Game.objects.exclude(state__in=OVER).annotate(
        by_post=Cast(KT("kept_terms__by_post"), TextField())
    )
    address = EmailAddress.objects.filter(user=OuterRef("person"), verified=True)
    known = Correspondent.objects.filter(game=OuterRef("game"), person=OuterRef("person"))
    seat = Tenure.objects.filter(seat__game=OuterRef("game"), person=OuterRef("person"), until=None)
    plays = Q(role=Role.PLAYER) & Exists(seat)
    games = by_post.filter(by_post__in=TRUE).values("pk")
    found = Membership.objects.filter(Exists(address), ~Exists(known), game__in=games, left=None)
    found = found.filter(plays | Q(role__in=(Role.MASTER, Role.ASSISTANT)))
    return found.select_related("game", "person")


# one correspondent


@dataclass
class Found:
    """What is to be queued for one correspondent."""

    correspondent: Correspondent
    sight: Sight
    news: News
    posts: list[Post] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    held: list[Letter] = field(default_factory=list)
    returned: list[Letter] = field(default_factory=list)


def look(correspondent: Correspondent, now: datetime, papers: news.Papers | None = None) -> None:
    """Queue what one correspondent has not been sent; whoever looks at the same moment does nothing."""
    found = _found(correspondent, now, papers if papers is not None else {})
    try:
        _keep(found, now)
    except IntegrityError:
        logger.info("correspondent %s: another sweep was quicker", correspondent.pk)


def _found(correspondent: Correspondent, now: datetime, papers: news.Papers) -> Found:
    sight = Sight(Game.objects.get(pk=correspondent.game_id), correspondent.person)
    told = News(correspondent, sight, _unsent(correspondent), papers)
    with speaking(correspondent.person):
        posts = [told.post(), _unsent_desk(told, now), None if correspondent.welcomed else told.before()]
    welcomes = [corresponding.welcome(correspondent, one) for one in _welcomes(correspondent, sight)]
    found = Found(correspondent, sight, told, [*welcomes, *filter(None, posts)])
    if sight.role:
        found.letters = _letters(correspondent, sight)
        found.held = _unqueued(correspondent, "held", list(letters_seen.held(sight)))
        found.returned = _returned(told)
    return found


def _unsent_desk(told: News, now: datetime) -> Post | None:
    post = told.desk(now)
    known = Departure.objects.filter(person=told.correspondent.person)
    return None if post is None or known.filter(once=post.once).exists() else post


def _unsent(correspondent: Correspondent) -> list[Notice]:
    sent = Delivery.objects.filter(notice=OuterRef("pk"), channel=CHANNEL)
    about = f"game:{correspondent.game.key}"
    found = Notice.objects.filter(person=correspondent.person, about=about, made__gte=correspondent.since)
    return list(found.filter(~Exists(sent)).exclude(kind__in=news.LETTERS).order_by("made", "id"))


def _welcomes(correspondent: Correspondent, sight: Sight) -> list[str]:
    """For what he has not had the mail to begin with, now that there is something to play."""
    if not sight.role or sight.game.state in OVER or not sight.game.number:
        return []
    known = correspondent.welcomed
    wanted = corresponding.powers(sight)
    return [one for one in wanted if known.get(one) != corresponding.once(correspondent, one)]


# letters


def _letters(correspondent: Correspondent, sight: Sight) -> list[Letter]:
    """Those to him, delivered since he corresponds or plays; an assistant has none by mail."""
    if sight.role == Role.ASSISTANT:
        return []
    since = max(correspondent.since, (correspondent.looked or correspondent.since) - OVERLAP)
    found = letters_seen.letters(sight).filter(state=Fate.DELIVERED, delivered__gte=since)
    found = found.exclude(letters_seen.written(sight))
    if sight.is_master:  # what he passes on he has read
        found = found.filter(room__kind__in=(Kind.ALL, Kind.MASTER))
    entered = _entered(sight)
    mine = [one for one in found if one.room.kind == Kind.ALL or sight.is_master or _is_his(one, entered)]
    return _unqueued(correspondent, "letter", mine)


def _entered(sight: Sight) -> dict[str, datetime]:
    """Since when he plays each of his powers."""
    held = Tenure.objects.filter(seat__game=sight.game, person=sight.person, until=None)
    return dict(held.values_list("seat__power", "since"))


def _is_his(letter: Letter, entered: dict[str, datetime]) -> bool:
    """Whether he played one of its powers when it came: what was written before is read on the site."""
    begun = [entered[power] for power in letter.room.powers if power in entered]
    return bool(begun) and letter.delivered is not None and letter.delivered >= min(begun)


def _unqueued(correspondent: Correspondent, kind: str, found: list[Letter]) -> list[Letter]:
    keys = {f"{kind}:{one.pk}": one for one in found}
    known = Departure.objects.filter(person=correspondent.person, once__in=list(keys))
    gone = set(known.values_list("once", flat=True)) if keys else set()
    return [one for key, one in keys.items() if key not in gone]


def _returned(told: News) -> list[Letter]:
    """The letters of his that came back: each has news of its own."""
    keys = [one.once.rpartition(":")[2] for one in told.notices if one.kind == news.BY_LETTER]
    found = letters_seen.letters(told.sight).filter(state=Fate.RETURNED) if keys else []
    return [one for one in found if any(one.key.startswith(key) for key in keys)]


# keeping


@writing
def _keep(found: Found, now: datetime) -> None:
    """Queue everything and remember it, unless somebody else did meanwhile."""
    one = found.correspondent
    mine = Correspondent.objects.filter(pk=one.pk, looks=one.looks, until=None)
    heard = _heard(one)
    welcomed = one.welcomed | {post.power: post.once for post in found.posts if post.kind == "welcome"}
    if not mine.update(looks=F("looks") + 1, looked=now, again=_again(one, now), welcomed=welcomed, **heard):
        return
    for post in found.posts:
        post.queue(one)
    _relay(found)
    sent = [Delivery(notice=notice, channel=CHANNEL, due=now, sent=now) for notice in found.news.notices]
    Delivery.objects.bulk_create(sent)


def _relay(found: Found) -> None:
    for letter in found.letters:
        relaying.queue_letter(letter, found.correspondent)
    for letter in found.held:
        relaying.queue_held(letter, found.correspondent)
    for letter in found.returned:
        relaying.queue_returned(letter, found.correspondent)


def _again(correspondent: Correspondent, now: datetime) -> datetime:
    """Within the hour, not for everybody at once."""
    return now + HOUR - SPREAD * (correspondent.pk % 30)


def _rest(correspondent: Correspondent, now: datetime) -> None:
    """Try again a little later, or when something new happens."""
    Correspondent.objects.filter(pk=correspondent.pk).update(again=now + REST, **_heard(correspondent))


def _heard(correspondent: Correspondent) -> dict[str, int]:
    """The numbers of the counters as they were before anything was read."""
    return {
        "heard_game": getattr(correspondent, "game_now", correspondent.heard_game),
        "heard_person": getattr(correspondent, "person_now", correspondent.heard_person),
    }
