"""Reads the mail that is kept, each once: hands it to whoever answers for its address, and says what came
of it.

The mails of one address are read in the order in which they were received, one after another. Whoever dies
in the middle leaves a claim that soon ends; what was done until then is done once.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, TextField, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.crashing import point
from talleyrand.web.games import audience, unread
from talleyrand.web.games.models import secret
from talleyrand.web.games.writing import writing
from talleyrand.web.mail import addressing, reading
from talleyrand.web.mail.desk import directing
from talleyrand.web.mail.guests import joining
from talleyrand.web.mail.layout import prose
from talleyrand.web.mail.letters import lettering
from talleyrand.web.mail.models import Arrival, Departure, Door, Mailbox, Offer
from talleyrand.web.mail.orders import granting, ordering
from talleyrand.web.mail.outcomes import Answer, Outcome, Result
from talleyrand.web.mail.outgoing import departing
from talleyrand.web.mail.reading import Mail, Nature

from . import arriving, outcome_words, returning

Take = Callable[[Arrival, Mail], Result]

CLAIM = timedelta(seconds=30)  # after which a worker is taken for dead
SLOW = timedelta(seconds=1)
PAUSES = tuple(timedelta(seconds=length) for length in (2, 10, 30, 60))  # before what failed is tried again
ATTEMPTS = len(PAUSES) + 1
MANY, WHILE = 20, timedelta(minutes=10)  # answers to one person
DAY = timedelta(days=1)  # for as many answers that nothing was done: two machines do not talk for ever
RECITED = 10  # letters of the same words to the same in a day
FRUITLESS = frozenset(
    {
        Outcome.NO_ORDERS,
        Outcome.EMPTY,
        Outcome.NOT_UNDERSTOOD,
        Outcome.UNFIT,
        Outcome.REFUSED,
        Outcome.NOT_BEGUN,
        Outcome.OVER,
        Outcome.NOT_YOURS,
        Outcome.REVOKED,
        Outcome.ENCRYPTED,
        Outcome.UNREADABLE,
        Outcome.SPAM,
    }
)
ANSWER, FAULT = "answer", "fault"  # kinds of departures
PUT_OFF, WORDS = "put off", "words"

TAKERS: dict[str, Take] = {
    Door.ORDERS: ordering.take,
    Door.LETTER: lettering.take,
    Door.DESK: directing.take,
    Door.JOIN: joining.take,
    Door.RETURN: returning.take,
}
ENDS = {
    Nature.BOUNCE: Outcome.BOUNCE,
    Nature.AUTOMATIC: Outcome.AUTOMATIC,
    Nature.LOOP: Outcome.LOOP,
    Nature.ENCRYPTED: Outcome.ENCRYPTED,
    Nature.UNREADABLE: Outcome.UNREADABLE,
}

logger = logging.getLogger(__name__)


def sort_due(now: datetime) -> int:
    """Read what waits to be read; how many mails were sorted."""
    worker, started = f"{os.getpid()}-{secret()[:12]}", monotonic()
    done, tried = 0, set[int]()
    while fresh := [one for one in _due(now) if one.pk not in tried]:
        for arrival in fresh:
            tried.add(arrival.pk)
            at = now + timedelta(seconds=monotonic() - started)  # a claim runs from when it is made
            if _claim(arrival, worker, at):
                done += _one(arrival, now)
            if now + timedelta(seconds=monotonic() - started) > at + SLOW:
                break  # the orders that have come meanwhile go before the rest
    return done


def _due(now: datetime) -> list[Arrival]:
    """The first mail of each address that waits and that nobody is at work on; orders first, for which
    clocks wait.
    """
    before = Arrival.objects.filter(mailbox=OuterRef("mailbox"), outcome="").filter(
        Q(message__received__lt=OuterRef("message__received"))
        | Q(message__received=OuterRef("message__received"), pk__lt=OuterRef("pk"))
    )
    free = Q(worker_until=None) | Q(worker_until__lt=now)
    found = Arrival.objects.filter(free, ~Exists(before), outcome="")
    orders_first = Case(When(mailbox__door=Door.ORDERS, then=0), default=1)
    rows = found.select_related("message", "mailbox__game", "mailbox__person").defer("message__data")
    return list(rows.order_by(orders_first, "pk"))


def _claim(arrival: Arrival, worker: str, now: datetime) -> bool:
    """Theirs is whoever changed the row that both have read."""
    seen = Arrival.objects.filter(pk=arrival.pk, outcome="", attempts=arrival.attempts, worker=arrival.worker)
    arrival.attempts, arrival.worker, arrival.worker_until = arrival.attempts + 1, worker, now + CLAIM
    claimed = {"attempts": arrival.attempts, "worker": worker, "worker_until": arrival.worker_until}
    return bool(seen.update(**claimed))


def _one(arrival: Arrival, now: datetime) -> bool:
    """Read a mail and say what came of it; one that fails is tried again later, and stops no other."""
    point("sorting: claimed")
    try:
        with _speaking(arrival.mailbox):
            result = _come_to(arrival)
            done = finish(arrival, result, now)
            point("sorting: committed")
            return done
    except Exception:
        logger.exception("mail %s at %s %s failed", arrival.pk, arrival.mailbox.door, arrival.mailbox_id)
    _release(arrival)
    return False


def _release(arrival: Arrival) -> None:
    """Leave a mail for later: its claim ends by itself where that cannot be written."""
    assert arrival.worker_until is not None
    pause = PAUSES[min(arrival.attempts, len(PAUSES)) - 1]
    mine = Arrival.objects.filter(pk=arrival.pk, worker=arrival.worker, outcome="")
    try:
        mine.update(worker="", worker_until=arrival.worker_until - CLAIM + pause)
    except Exception:
        logger.exception("mail %s could not be put back", arrival.pk)


# what a mail comes to


def _come_to(arrival: Arrival) -> Result:
    if arrival.attempts > ATTEMPTS:
        logger.error("mail %s has failed %s times: it is kept, and left alone", arrival.pk, ATTEMPTS)
        return Result(Outcome.FAULT, answer=outcome_words.answer(Outcome.FAULT))
    if _is_repeated(arrival):
        return Result(Outcome.REPEATED)
    if _is_revoked(arrival.mailbox):
        return Result(Outcome.REVOKED, answer=outcome_words.answer(Outcome.REVOKED))
    mail = reading.read(bytes(arrival.message.data))
    point("sorting: read")
    outcome = _set_aside(arrival, mail)
    if outcome is not None:
        return Result(outcome, answer=outcome_words.answer(outcome))
    result = TAKERS[arrival.mailbox.door](arrival, mail)
    point("sorting: done as asked")
    if arrival.mailbox.door != Door.LETTER:
        return result
    return replace(result, facts={**result.facts, WORDS: _words(mail)})


def _set_aside(arrival: Arrival, mail: Mail) -> Outcome | None:
    """Why a mail is not handed to whoever answers for its address."""
    if mail.nature == Nature.PERSONAL:
        recited = Outcome.AUTOMATIC if _is_recited(arrival, mail) else None
        return Outcome.SPAM if mail.is_spam else recited
    is_awaited = mail.nature == Nature.BOUNCE and arrival.mailbox.door == Door.RETURN
    return None if is_awaited else ENDS[mail.nature]


def _is_revoked(box: Mailbox) -> bool:
    """Whether an address lost its right while the mail waited; who was invited hears why."""
    if box.person is not None and not box.person.is_active:
        return True
    return box.revoked is not None and box.door != Door.JOIN


def _is_recited(arrival: Arrival, mail: Mail) -> bool:
    """Whether the same words have been written to the same over and over: so does a machine that answers
    letters and does not say that it is one.
    """
    if arrival.mailbox.door != Door.LETTER:
        return False
    told = Arrival.objects.filter(mailbox=arrival.mailbox, sorted__range=_lately(DAY))
    told = told.annotate(words=Cast(KT(f"facts__{WORDS}"), TextField()))
    return told.filter(words=_words(mail)).count() >= RECITED


def _words(mail: Mail) -> str:
    return hashlib.sha256(" ".join(mail.text.split()).encode("utf-8", "replace")).hexdigest()[:16]


def _is_repeated(arrival: Arrival) -> bool:
    before = Arrival.objects.filter(mailbox=arrival.mailbox_id, same=arrival.same).exclude(pk=arrival.pk)
    return before.exclude(outcome__in=("", Outcome.REPEATED, Outcome.FAULT)).exists()


# what is written of it


@writing
def finish(arrival: Arrival, result: Result, now: datetime) -> bool:
    """Write what a mail came to, and its answer; False where another worker has done so."""
    mine = Arrival.objects.filter(pk=arrival.pk, worker=arrival.worker, outcome="")
    done = {"outcome": result.outcome, "facts": {**arrival.facts, **result.facts}, "sorted": now}
    if not mine.update(**done, worker="", worker_until=None):
        return False
    point("sorting: outcome written")
    unread.settle(arriving.key(arrival), now)
    point("sorting: clock told")
    if result.answer is not None:
        _reply(arrival, result.outcome, result.answer)
    if result.outcome == Outcome.FAULT:
        _warn_masters(arrival)
    if result.outcome == Outcome.LATE:
        granting.announce(arrival, result.facts["number"])
    return True


def _reply(arrival: Arrival, outcome: Outcome, answer: Answer) -> None:
    """To the address on file, and to nobody that the mail names."""
    box = arrival.mailbox
    if box.person is None:
        _reply_to_guest(arrival, outcome, answer)
        return
    before = max(_answers(box.person, box), _fruitless(box) - 1 if outcome in FRUITLESS else 0)
    if before < MANY:
        last = before == MANY - 1
        text = outcome_words.last_answer(answer.text) if last else answer.text
        _queue(arrival, outcome, replace(answer, text=text), _once(arrival, outcome))
        if outcome not in FRUITLESS:
            _waiting(box).delete()
    elif box.door == Door.ORDERS and outcome not in FRUITLESS:
        _put_off(arrival, outcome, answer)


def _put_off(arrival: Arrival, outcome: Outcome, answer: Answer) -> None:
    """Whoever has had many answers learns a while later what became of his last orders."""
    subject = departing.on_one_line(answer.subject)[: departing.LONGEST_SUBJECT]
    if not _waiting(arrival.mailbox).update(subject=subject, text=answer.text):
        once, due = f"{PUT_OFF}:{_once(arrival, outcome)}", timezone.now() + WHILE
        _queue(arrival, outcome, answer, once, due)


def _waiting(box: Mailbox) -> QuerySet[Departure]:
    """The answer that was put off, until somebody takes it away."""
    found = Departure.objects.filter(person=box.person, mailbox=box, once__startswith=f"{PUT_OFF}:")
    return found.filter(sent=None, dropped="", worker="")


def _queue(
    arrival: Arrival, outcome: Outcome, answer: Answer, once: str, due: datetime | None = None
) -> None:
    box = arrival.mailbox
    assert box.person is not None
    departing.queue(
        box.person,
        ANSWER,
        once,
        answer.subject,
        answer.text,
        due=due,
        game=box.game,
        power="" if outcome in (Outcome.NOT_YOURS, Outcome.JOINED, Outcome.NOT_JOINED) else box.power,
        mailbox=_answered_at(box, answer),
        sender=_signature(box),
        thread=answer.thread,
    )


def _answered_at(box: Mailbox, answer: Answer) -> Mailbox | None:
    """Where answering the answer goes: a letter to several came to the addresses of each of them."""
    if box.revoked is not None:
        return None
    if not answer.to or box.person is None:
        return box
    return addressing.mailbox(Door(box.door), box.game, box.person, box.power, answer.to)


def _reply_to_guest(arrival: Arrival, outcome: Outcome, answer: Answer) -> None:
    """Somebody without an account, who was invited by the address that the mailbox names."""
    box = arrival.mailbox
    recent = Departure.objects.filter(address=box.to, kind=ANSWER, made__range=_lately(DAY))
    if box.to and box.revoked is None and recent.count() < MANY:  # who declined is not written to again
        Departure.objects.get_or_create(
            person=None,
            address=box.to,
            once=_once(arrival, outcome),
            defaults={
                "game": box.game,
                "kind": ANSWER,
                "mailbox": box,
                "sender": _signature(box),
                "subject": departing.on_one_line(answer.subject)[: departing.LONGEST_SUBJECT],
                "text": answer.text,
                "thread": answer.thread,
            },
        )


def _once(arrival: Arrival, outcome: Outcome) -> str:
    """One mail has one answer; one that failed may come again, and has another then."""
    kind = FAULT if outcome == Outcome.FAULT else ANSWER
    return f"{kind}:{arrival.same}:{arrival.mailbox_id}"


def _answers(person: Person, box: Mailbox) -> int:
    """How many he has had lately: however many letters he writes, his orders have their receipts."""
    to_orders = Q(mailbox__door=Door.ORDERS)
    found = Departure.objects.filter(person=person, kind=ANSWER, made__range=_lately(WHILE))
    return found.filter(to_orders if box.door == Door.ORDERS else ~to_orders).count()


def _fruitless(box: Mailbox) -> int:
    """How many mails came to an address lately of which nothing came."""
    return Arrival.objects.filter(mailbox=box, outcome__in=FRUITLESS, sorted__range=_lately(DAY)).count()


def _lately(length: timedelta) -> tuple[datetime, datetime]:
    """What a clock that was put back has written since is none of it."""
    now = timezone.now()
    return now - length, now


def _signature(box: Mailbox) -> str:
    return box.game.name if box.game is not None else ""


def _warn_masters(arrival: Arrival) -> None:
    """Those who run the game learn that a mail to it waits; not whose, nor what it says."""
    game = arrival.mailbox.game
    if game is None:
        return
    for person in Person.objects.filter(pk__in=audience.masters(game)):
        with departing.speaking(person):
            words = {"game": game.name, "number": arrival.pk}
            text = _(
                "A mail to the game “%(game)s” could not be processed, by a fault of this site. It is kept "
                "under the number %(number)d. Please tell whoever runs the site; the log has the reason."
            )
            departing.queue(
                person,
                FAULT,
                f"{FAULT}:{arrival.pk}:{person.pk}",
                _("%(game)s: a mail could not be processed") % words,
                "\n".join(prose(text % words)) + "\n",
                game=game,
                power="@",
                sender=game.name,
            )


@contextmanager
def _speaking(box: Mailbox) -> Iterator[None]:
    """The language of whoever reads the answer."""
    if box.person is not None:
        with departing.speaking(box.person):
            yield
        return
    offer = Offer.objects.filter(mailbox=box).first()
    with translation.override(offer.language if offer else settings.LANGUAGE_CODE):
        yield
