"""A letter while it is written: who may sign it, what was typed, and what was said of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from talleyrand.web.boards import incoming
from talleyrand.web.games import seats as seating
from talleyrand.web.games.models import secret
from talleyrand.web.games.sight import Sight

from . import rules, seen, sentences, standing, writing
from .models import Fate, Letter
from .naming import Naming
from .rules import Address, Moment, Pen
from .text import LONGEST, Unfit


@dataclass
class Desk:
    """Where a visitor writes: the rules as they stand for him."""

    sight: Sight
    moment: Moment
    pen: Pen

    @classmethod
    def of(cls, sight: Sight) -> Desk:
        return cls(sight, standing.moment(sight.game), standing.pen(sight))

    def signatures(self, to: Address) -> list[str]:
        """What the visitor may sign a letter to this address with."""
        return [
            writer
            for writer in self.pen.signatures
            if rules.verdict(self.moment, self.pen, to, writer).allowed
        ]

    def why_not(self, to: Address) -> str:
        """Why there is nothing to write with; "" where there is."""
        if self.signatures(to):
            return ""
        inside = [one for one in self.pen.signatures if one in to.powers] or list(self.pen.signatures)
        if not inside:
            return sentences.refusal(rules.hindrance(self.pen))
        return sentences.refusal(rules.verdict(self.moment, self.pen, to, inside[0]).code)

    def may_be_unsigned(self, to: Address) -> bool:
        return any(
            rules.verdict(self.moment, self.pen, to, writer, unsigned=True).allowed
            for writer in self.pen.signatures
        )

    def said(self) -> list[str]:
        """The rules in sentences, with what keeps this visitor from writing."""
        hindrance = rules.hindrance(self.pen)
        return [*sentences.moods(self.moment), *([sentences.refusal(hindrance)] if hindrance else [])]


@dataclass
class Form:
    """What the page’s form holds; a refused one comes back as it was, with the sentence."""

    text: str = ""
    writer: str = ""
    unsigned: bool = False
    about: str = ""
    submission: str = field(default_factory=secret)
    wrong: str = ""

    @classmethod
    def sent(cls, request: HttpRequest, signatures: list[str]) -> Form:
        post = request.POST
        only = signatures[0] if len(signatures) == 1 else ""
        return cls(
            text=post.get("text", ""),
            writer=post.get("writer", "") or only,
            unsigned=bool(post.get("unsigned")),
            about=post.get("about", "")[:80],
            submission=incoming.submission(request),
        )

    def refused(self, sentence: str) -> Form:
        """The same with the sentence, ready to be sent again."""
        text, submission = self.text.replace("\x00", ""), self.submission or secret()
        return replace(self, text=text, submission=submission, wrong=sentence)


def take(desk: Desk, to: Address, form: Form) -> Letter | None:
    """Send what was written; None where it is refused: then the form says why."""
    person = desk.sight.person
    if person is None:
        form.wrong = sentences.refusal("watching")
        return None
    writer = form.writer or _only(desk)
    written = writing.Written(form.text, writer, form.submission, form.unsigned, about=form.about)
    try:
        return writing.send(desk.sight.game, person, to, written, timezone.now())
    except (writing.Refused, Unfit) as refused:
        form.wrong = sentences.refusal(refused.code)
        return None


def _only(desk: Desk) -> str:
    """The signature of somebody who has one alone, though he may not use it now: the refusal says why."""
    return desk.pen.signatures[0] if len(desk.pen.signatures) == 1 else ""


def written_again(sight: Sight, key: str) -> str:
    """The text of one of one’s own returned letters, to be written anew."""
    found = seen.letters(sight).filter(seen.written(sight), key=key, state=Fate.RETURNED).first()
    return found.text if found else ""


def orders(sight: Sight, to: Address) -> str:
    """The orders in preparation of the powers that one plays in a room, to be copied into a letter."""
    seats = sight.game.seats.filter(power__in=sight.acting, draft_number=sight.game.number)
    mine = seats if to.kind == rules.Kind.ALL else seats.filter(power__in=to.powers)
    return "\n".join(line for seat in mine for line in seat.draft)


def context(desk: Desk, to: Address, form: Form) -> dict[str, Any]:
    """What the form of a page shows."""
    naming = Naming.of(desk.sight)
    signatures = desk.signatures(to)
    return {
        "form": form,
        "about": naming.about(form.about),
        "signatures": naming.choices(signatures),
        "declares": desk.may_be_unsigned(to),
        "why_not": desk.why_not(to),
        "longest": LONGEST,
        "orders": orders(desk.sight, to),
        "waits": any(rules.verdict(desk.moment, desk.pen, to, one).held for one in signatures),
        "nobody_there": _nobody_there(desk, to, naming),
        "computers": _computers(desk, to, naming),
    }


def _nobody_there(desk: Desk, to: Address, naming: Naming) -> str:
    """The powers of a room whom nobody plays now: who plays them next finds the letters."""
    if to.kind not in (rules.Kind.PAIR, rules.Kind.GROUP):
        return ""
    free = seating.vacant(desk.sight.game)
    return ", ".join(naming.power(power)["name"] for power in to.powers if power in free)


def _computers(desk: Desk, to: Address, naming: Naming) -> str:
    """The powers of a room that the computer plays: it reads no letters."""
    if to.kind not in (rules.Kind.PAIR, rules.Kind.GROUP):
        return ""
    bots = seating.of_computer(desk.sight.game)
    return ", ".join(naming.power(power)["name"] for power in to.powers if power in bots)
