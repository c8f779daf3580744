"""Orders that came too late by mail: what waits for the game master, and how he lets it in."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.games import audience, inbox, log
from talleyrand.web.games.models import RUNNING, Game, Membership, Role, Sheet
from talleyrand.web.games.playing import telling
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.models import Arrival, Door
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.mail.outgoing import departing

from . import sheet_words
from .sheet_words import Letter

WAITING = (Outcome.LATE, Outcome.OTHER_PHASE)
GRANTED = "granted"


class NotGranted(Exception):
    """Orders that cannot be let in; nothing has changed.

    `not_late` (this mail brought no late orders), `published` (their phase is not open), `not_yours`
    (somebody else plays the power now), `later` (a later sheet of the power stands).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    @property
    def sentence(self) -> str:
        """Why, and what to do, in the language in use."""
        return {
            "not_late": _("Nothing has been changed: this mail brought no late orders."),
            "published": _(
                "Nothing has been changed: the phase of these orders is not open. If it has been published, "
                "take it back first."
            ),
            "not_yours": _("Nothing has been changed: somebody else plays this power now."),
            "later": _("Nothing has been changed: a later sheet of this power stands."),
        }[self.code]


def key(arrival: Arrival) -> str:
    """What makes the sheet of a mail one sheet, however often the mail is read."""
    return f"mail:{arrival.same}"


def late(game: Game) -> list[Arrival]:
    """The mails whose orders for the open phase came too late and may be let in, in order of receipt.

    For the game master alone. Their `facts` hold `power` and `lines`.
    """
    if game.state not in RUNNING:
        return []
    found = Arrival.objects.filter(mailbox__game=game, mailbox__door=Door.ORDERS, outcome__in=WAITING)
    rows = found.select_related("message", "mailbox__person").order_by("message__received", "pk")
    return [row for row in rows if _problem(row, game) == ""]


def announce(arrival: Arrival, number: int) -> None:
    """The game masters learn that late orders for phase `number` wait, in the transaction that keeps them."""
    game, power = _game(arrival), arrival.mailbox.power
    masters = Membership.objects.filter(game=game, role=Role.MASTER, left=None)
    people = list(masters.values_list("person", flat=True))
    audience.tell(game, people, "late_orders", f"late_orders:{number}:{power}", power=power)


def grant(arrival: Arrival, by: Person) -> Sheet:
    """Let late orders in: they are the sheet that counts, as received then; its player has a receipt.

    Asked twice, it is done once. Raises NotGranted, and NotTaken where the game has moved on meanwhile.
    """
    row = Arrival.objects.select_related("message", "mailbox__game", "mailbox__person").get(pk=arrival.pk)
    known = _known(row)
    if known is not None:
        return known
    return _grant(row, by, _read(row))


def _read(row: Arrival) -> Preparation | None:
    """The orders as they are understood, outside of the transaction in which they are told."""
    facts = row.facts
    if row.outcome not in WAITING or "lines" not in facts or row.mailbox.person is None:
        return None
    with departing.speaking(row.mailbox.person):
        prepared = sheet_words.read(_game(row), facts["number"], row.mailbox.power, facts["lines"])
        if prepared is not None:
            telling.missing(prepared)
    return prepared


def _game(row: Arrival) -> Game:
    game = row.mailbox.game
    assert game is not None
    return game


def _known(row: Arrival) -> Sheet | None:
    if row.outcome != Outcome.GRANTED:
        return None
    return inbox.handed(_game(row), row.mailbox.power, key(row))


def _problem(row: Arrival, game: Game) -> str:
    """Why a mail cannot be let in: one of the codes of NotGranted; "" where it can."""
    facts, power = row.facts, row.mailbox.power
    if row.outcome not in WAITING or "lines" not in facts:
        return "not_late"
    if game.state not in RUNNING or (facts["number"], facts["phase"]) != (game.number, game.phase):
        return "published"
    if audience.holder(game, power) != [row.mailbox.person_id]:
        return "not_yours"
    return "later" if is_overtaken(row, inbox.counting(game, game.number).get(power)) else ""


def is_overtaken(row: Arrival, standing: Sheet | None) -> bool:
    """Whether the sheet that counts was handed in after a mail; a draft taken at the deadline was not."""
    return standing is not None and standing.origin != "draft" and standing.at > row.message.received


@writing
def _grant(row: Arrival, by: Person, prepared: Preparation | None) -> Sheet:
    game = Game.objects.select_for_update().get(pk=_game(row).pk)
    row.refresh_from_db(fields=["outcome", "facts"])
    known = _known(row)
    if known is not None:
        return known
    problem = _problem(row, game)
    if problem:
        raise NotGranted(problem)
    sheet = _handed(row, game)
    facts = {**row.facts, "receipt": sheet.receipt}
    Arrival.objects.filter(pk=row.pk).update(outcome=Outcome.GRANTED, facts=facts)
    log.note(game, GRANTED, role=Role.MASTER, by=by, power=sheet.power, phase=game.phase)
    _tell(row, sheet, prepared)
    return sheet


def _handed(row: Arrival, game: Game) -> Sheet:
    facts: dict[str, Any] = row.facts
    return inbox.hand_in(
        game,
        row.mailbox.power,
        facts["lines"],
        number=game.number,
        key=key(row),
        origin=GRANTED,
        at=row.message.received,
        by=row.mailbox.person,
        final=bool(facts.get("final")),
    )


def _tell(row: Arrival, sheet: Sheet, prepared: Preparation | None) -> None:
    """The receipt, to the address on file of whoever wrote it."""
    person = row.mailbox.person
    assert person is not None
    with departing.speaking(person):
        answer = Letter(sheet.game, sheet.power, prepared=prepared).granted(sheet)
    departing.queue(
        person,
        GRANTED,
        f"{GRANTED}:{row.same}:{row.mailbox_id}",
        answer.subject,
        answer.text,
        game=sheet.game,
        power=sheet.power,
        mailbox=row.mailbox if row.mailbox.revoked is None else None,
        sender=sheet.game.name,
        thread=answer.thread,
        due=timezone.now(),
    )
