"""A game by post, and what its sweeps put into the outbox."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.models import Game, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.models import MailSubscription, OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import ORDER_MARK
from talleyrand.web.mail.subscriptions import subscribing, subscription_sweep
from tests.web.built_once import built_once
from tests.web.cast import PLAYERS, person, table
from tests.web.mail.correspondents import correspond, everybody

DUE = timedelta(days=5)
# A spring in which Austria is driven from Serbia in autumn, and three powers grow.
SPRING = {
    "AUSTRIA": ["A Bud - Ser", "A Vie - Bud", "F Tri - Alb"],
    "ENGLAND": ["F Lon - mer du Nord", "F Edi - mer de Norvège", "A Liv - Edi"],
    "FRANCE": ["A Par - Bou", "A Mar S A Par - Bou", "F Bre - AtM"],
    "GERMANY": ["A Mun - Bou", "F Kie - Dan", "A Ber - Kie"],
    "ITALY": ["A Ven - Tyr", "F Nap - mer Ionienne", "A Rom - Ven"],
    "RUSSIA": ["F Seb - mer Noire", "A Mos - Ukr", "A Var - Gal", "F Stp - golfe de Botnie"],
    "TURKEY": ["A Con - Bul", "A Smy - Con", "F Ank - mer Noire"],
}
AUTUMN = {
    "AUSTRIA": ["A Ser H", "A Bud H", "F Alb H"],
    "ENGLAND": ["F mer du Nord - Bel", "F mer de Norvège - Nor", "A Edi H"],
    "FRANCE": ["A Bou - Bel", "A Mar - Esp", "F AtM - Por"],
    "GERMANY": ["A Kie - Hol", "F Dan H", "A Mun - Bou"],
    "ITALY": ["A Tyr - Vie", "F mer Ionienne - Tun", "A Ven - Tri"],
    "RUSSIA": ["A Gal - Bud", "A Ukr - Rou", "F golfe de Botnie - Sue", "F Seb S A Ukr - Rou"],
    "TURKEY": ["A Bul - Ser", "A Con - Bul", "F Ank - mer Noire"],
}


@built_once
def by_post(**terms: Any) -> Game:
    """A begun game by post of seven players and a game master, each with an address."""
    everybody()
    game = table(**{"by_post": True, "rhythm": {"hours": 120}, **terms})
    due = timezone.now() + DUE
    Game.objects.filter(pk=game.pk).update(deadline=due, phase_opened_at=timezone.now(), next_check_at=due)
    return fresh(game)


@built_once
def settled(**terms: Any) -> Game:
    """The same some time later: everybody has had his first mail."""
    game = by_post(**terms)
    subscription_sweep.subscribe_by_terms()
    for one in MailSubscription.objects.filter(game=game):
        had = {
            power: subscribing.welcome_key(one, power)
            for power in subscribing.subscribed_powers(GameViewer(game, one.person))
        }
        MailSubscription.objects.filter(pk=one.pk).update(welcome_keys=had)
    return game


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def play(game: Game, sheets: dict[str, list[str]], but: tuple[str, ...] = ()) -> PhaseRevision:
    """Publish the open phase with these sheets; the next one is due in some days."""
    now = timezone.now()
    number = fresh(game).phase_number
    for power in PLAYERS:
        if power not in but:
            lines, key = sheets.get(power, []), f"{power}-{number}"
            order_submission.submit_orders(
                fresh(game), power, lines, number=number, key=key, origin="text", at=now
            )
    made = phase_adjudication.adjudicate_phase(fresh(game), number, now)
    Game.objects.filter(pk=game.pk, state="playing").update(deadline=now + DUE)
    return made


def committed() -> None:
    """Do what a commit would have done, which a test never comes to."""
    while connection.run_on_commit:
        connection.run_on_commit.pop(0)[1]()


def sweep(now: datetime | None = None) -> list[OutboundEmail]:
    """A sweep, after all that a commit would have done; the mails that it queued."""
    committed()
    known = set(OutboundEmail.objects.values_list("pk", flat=True))
    subscription_sweep.queue_due_mail(now or timezone.now())
    return list(OutboundEmail.objects.exclude(pk__in=known).order_by("pk"))


def mails(name: str, kind: str = "") -> list[OutboundEmail]:
    """What somebody has been sent, the last one last."""
    found = OutboundEmail.objects.filter(person=person(name)).order_by("pk")
    return list(found.filter(kind=kind) if kind else found)


def last(name: str, kind: str = "") -> OutboundEmail:
    return mails(name, kind)[-1]


def english(name: str) -> None:
    found = correspond(name)
    found.language, found.time_zone = "en", "Europe/London"
    found.save()


def correspondent(game: Game, name: str) -> MailSubscription:
    return MailSubscription.objects.get(game=game, person=person(name), ended_at=None)


def flowing(text: str) -> str:
    """The words of a mail as one line, with plain spaces."""
    return " ".join(word for line in text.splitlines() for word in line.removeprefix(ORDER_MARK).split())


def unmarked(text: str) -> list[str]:
    """The lines that nothing keeps from being read as orders."""
    return [line for line in text.splitlines() if not line.startswith(ORDER_MARK)]
