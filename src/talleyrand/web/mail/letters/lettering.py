"""Letters by mail: to whom a mail goes by the addresses it was sent to, and what of it is passed on.

Text and nothing else. What would tell who wrote it is cut off where it is a signature; elsewhere the letter
waits for the game master, or comes back where there is none. Every letter is answered with a line or two:
by mail its writer has no other proof that it left, nor of the room it went to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import drafts
from talleyrand.web.games.models import RUNNING, Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.mail import addressing, identity
from talleyrand.web.mail.addressing import NoMailbox
from talleyrand.web.mail.identity import Examined, Writer
from talleyrand.web.mail.layout import joined, point, prose, whole
from talleyrand.web.mail.models import Arrival, Door, Mailbox
from talleyrand.web.mail.orders import sheets
from talleyrand.web.mail.orders.sheets import tag
from talleyrand.web.mail.outcomes import Answer, Outcome, Result
from talleyrand.web.mail.reading import LeftOut, Mail
from talleyrand.web.mail.reading.mail import Piece
from talleyrand.web.mail.writers import writer_of
from talleyrand.web.press import rules, sentences, writing
from talleyrand.web.press.models import Fate, Letter
from talleyrand.web.press.rules import MASTER, Address, Kind, NoAddress
from talleyrand.web.press.text import Unfit, cleaned, first_line
from talleyrand.web.press.writing import Doubt, Refused, Written

from . import arguing, relaying

NOT_HIS = ("not_yours", "seatless", "watching", "lent")  # somebody else plays the power, or nobody
LONGEST_TITLE, LONGEST_NAME, LONGEST_BEGINNING = 120, 60, 60
ANSWERING = re.compile(
    r"\s*(?:re|réf?|rép|ref|rep|aw|antw|sv|tr|fwd?|rif|wg)\s*(?:\[\d+\])?\s*:", re.IGNORECASE
)
NO_TITLE = ("", "no subject", "sans objet", "aucun objet", "pas d'objet", "sans titre", "none")


def take(arrival: Arrival, mail: Mail) -> Result:
    """Write the letter that a mail is, once, and say what became of it."""
    box = arrival.mailbox
    if box.game is None or box.person is None:
        return Result(Outcome.NOT_YOURS)
    return Draft(arrival, mail, box, box.game, box.person).result()


@dataclass
class Draft:
    """A mail on its way to be a letter."""

    arrival: Arrival
    mail: Mail
    box: Mailbox
    game: Game
    person: Person

    def result(self) -> Result:
        """Send it, and say what became of it."""
        try:
            return self._strayed() if self._is_sheet() else self._sent(self._send())
        except NoAddress as problem:
            return self._refused(problem.code)
        except Unfit as unfit:
            return self._empty() if unfit.code == "empty" else self._refused(unfit.code, Outcome.UNFIT)
        except Refused as refused:
            outcome = {"names_writer": Outcome.NAMES_WRITER, **dict.fromkeys(NOT_HIS, Outcome.NOT_YOURS)}
            return self._refused(refused.code, outcome.get(refused.code, Outcome.REFUSED))

    def _send(self) -> Letter:
        return writing.send(self.game, self.person, self.to, self._written, timezone.now())

    @cached_property
    def _written(self) -> Written:
        """Raises Unfit."""
        about, said = "", self.body.text
        if self.to.kind == Kind.ALL:
            about, said = arguing.cut(self.game, said)
        text = f"{self.title}\n\n{said}" if self.title and said.strip() else said
        submission = f"mail:{self.arrival.same}"
        return Written(cleaned(text), self.box.power, submission, doubts=tuple(self.doubts), about=about)

    def _is_sheet(self) -> bool:
        """Whether it is nothing but orders for its writer’s own units, and no letter yet. Raises Unfit."""
        question = Story(self.game).question(self.game.number) if self.game.state in RUNNING else None
        key = self._written.key(self.person)
        if (
            not question
            or self.box.power not in self.sight.acting
            or Letter.objects.filter(room__game=self.game, key=key).exists()
        ):
            return False
        try:
            found = sheets.read(self.body.text, question, self.box.power)
        except drafts.Unfit:
            return False
        return bool(found.orders) and not found.aside and "?" not in self.body.text

    @cached_property
    def sight(self) -> Sight:
        return Sight.of(self.game, self.person)

    # to whom

    @cached_property
    def to(self) -> Address:
        """The room of all the addresses that this writer has put into the mail. Raises NoAddress."""
        named = dict.fromkeys(one for box in self.boxes for one in box.to.split("+"))
        powers = list(self.game.seats.values_list("power", flat=True))
        return rules.address(self.box.power, list(named), powers)

    @cached_property
    def boxes(self) -> list[Mailbox]:
        """The mailboxes of one letter. One that To and Cc do not name had a copy unknown to the others."""
        mine = [found for found in self._named if found is not None and self._is_beside(found)]
        return mine if self.box in mine else [self.box]

    @property
    def ignored(self) -> int:
        """How many of our addresses in the mail serve another purpose, or another person, or nothing now."""
        return sum(found is None or not self._is_beside(found) for found in self._named)

    @cached_property
    def _named(self) -> list[Mailbox | None]:
        """The mailboxes of our addresses in To and Cc, each once; None for one that is revoked."""
        written = dict.fromkeys(map(addressing.plain, self.mail.to))
        return list(dict.fromkeys(_mailbox(one) for one in written if addressing.is_ours(one)))

    def _is_beside(self, other: Mailbox) -> bool:
        def right(box: Mailbox) -> tuple[object, ...]:
            return box.door, box.game_id, box.person_id, box.power

        return right(other) == right(self.box)

    # what

    @cached_property
    def writer(self) -> Writer:
        return writer_of(self.person, self.sight, self.mail)

    @cached_property
    def body(self) -> Examined:
        """The text as it may go on. Raises Unfit."""
        return self._examined(cleaned(self.mail.text))

    def _examined(self, text: str) -> Examined:
        return identity.examine(
            text, self.writer, identity.game_words(variants.load(self.game.variant)), addressing.ours()
        )

    @property
    def title(self) -> str:
        """The first line of the letter: the subject, where it tells nothing of its writer."""
        return self.subject.text if self.subject is not None and self.subject.is_clean else ""

    @cached_property
    def subject(self) -> Examined | None:
        """What its writer has given for a subject; None where it is empty, or his program’s, or ours."""
        subject = " ".join(self.mail.subject.split())
        folded, game = identity.plain(subject).strip("()<>. "), identity.plain(self.game.name)
        idle = folded in (*NO_TITLE, game) or f"[{game}" in folded or ANSWERING.match(subject)
        if idle or len(subject) > LONGEST_TITLE or identity.plain(self.body.text).startswith(folded):
            return None
        try:
            return self._examined(cleaned(subject))
        except Unfit:
            return None

    @property
    def doubts(self) -> Iterator[Doubt]:
        """What the game master has to look at before others read it; he may say of himself what he likes."""
        if self.box.power != MASTER:
            yield from (Doubt(one.trace, one.found) for one in self.body.findings)

    # what became of it

    def _sent(self, letter: Letter) -> Result:
        if letter.state == Fate.DELIVERED:
            return self._result(Outcome.SENT, _("Your letter %(to_whom)s has left"), self._beginning())
        said = _("He passes it on, or it comes back to you with his reason.")
        if letter.doubts:
            said = _("Something in it may tell who you are: he decides whether it goes on.")
        heading = _("Your letter %(to_whom)s waits for the game master")
        return self._result(
            Outcome.HELD, heading, self._beginning(), prose(said), _points(sentences.doubts(letter.doubts))
        )

    def _refused(self, code: str, outcome: Outcome = Outcome.REFUSED) -> Result:
        found = [(one.code, one.found) for one in self.doubts] if outcome == Outcome.NAMES_WRITER else []
        parts = (prose(sentences.refusal(code)), _points(sentences.doubts(found)))
        return self._result(outcome, _("Your letter %(to_whom)s has not left"), *parts, code=code)

    def _strayed(self) -> Result:
        """Orders are a secret, and whoever sends them here believes that they are handed in."""
        said = _("It holds nothing but orders. They were shown to nobody, and were not handed in.")
        where = addressing.mailbox(Door.ORDERS, self.game, self.person, self.box.power)
        parts = (
            prose(said),
            [*prose(_("Send them to the address of your orders:")), *whole(addressing.address(where))],
            prose(_("If they were meant as a letter, add a sentence in words, and send it again.")),
        )
        return self._result(Outcome.REFUSED, _("Your letter %(to_whom)s has not left"), *parts, code="orders")

    def _empty(self) -> Result:
        said = _("There was nothing in it to pass on: write your letter above what your program quotes.")
        return self._result(Outcome.EMPTY, _("Your letter %(to_whom)s has not left"), prose(said))

    def _beginning(self) -> list[str]:
        line = first_line(self.body.text, LONGEST_BEGINNING)
        return prose(_("It begins: “%(line)s”") % {"line": line})

    def _result(self, outcome: Outcome, heading: str, *parts: list[str], code: str = "") -> Result:
        facts = {
            "code": code,
            "left": [one.piece for one in self.mail.left],
            "traces": [one.code for one in self._safe_doubts()],
            "ignored": self.ignored,
        }
        facts = {name: value for name, value in facts.items() if value}
        return Result(outcome, facts, self._answer(heading, parts) if self._is_first else None)

    def _safe_doubts(self) -> list[Doubt]:
        try:
            return list(self.doubts)
        except Unfit:
            return []

    @property
    def _is_first(self) -> bool:
        """Whether no other address of the same letter has had this mail before: then that one answers."""
        before = Arrival.objects.filter(same=self.arrival.same, pk__lt=self.arrival.pk)
        return not before.filter(mailbox__in=[box.pk for box in self.boxes]).exists()

    # the answer

    def _answer(self, heading: str, parts: Iterable[list[str]]) -> Answer:
        """The mail to its writer; answering it writes to the same room."""
        to_whom, thread, room = "", "", ""
        try:
            to_whom = relaying.Names.of(self.game).to_whom(self.box.power, self.to)
            thread = relaying.thread(self.person, self.game, self.to)
            room = relaying.seen_from(self.box.power, self.to)
        except NoAddress:
            pass
        said = " ".join((heading % {"to_whom": to_whom}).split())
        left = _points(self._left_out())
        if left:
            left = [*prose(_("Letters are text and nothing else. This was not passed on:")), *left]
        text = joined([prose(f"{said}."), *parts, left, self._aside()])
        return Answer(f"{self._tag()} {said}", text, thread, room)

    def _tag(self) -> str:
        """The game and its phase; its name alone for who has no part in it any more."""
        return tag(self.game) if self.sight.role else f"[{self.game.name}]"

    def _left_out(self) -> Iterator[str]:
        """What was not passed on, each thing once."""
        yield from dict.fromkeys(_named(one) for one in self.mail.left)
        try:
            body = self.body
        except Unfit:
            return
        if body.cut:
            yield _("the signature “%(text)s”") % {"text": first_line(body.cut)}
        if self.subject is not None and not self.subject.is_clean:
            yield _("the subject, which would tell who you are")
        if body.blotted:
            yield _("an address of this site, which whoever has it may use in your name: […] stands instead")

    def _aside(self) -> list[str]:
        if not self.ignored:
            return []
        return prose(
            _(
                "Another address of this site in your mail did not count: it is for something else, or "
                "somebody else’s, or no longer in use."
            )
        )


def _mailbox(written: str) -> Mailbox | None:
    try:
        return addressing.known(written)
    except NoMailbox:
        return None


def _points(sentences: Iterable[str]) -> list[str]:
    return [line for one in sentences for line in point(one)]


def _named(left: LeftOut) -> str:
    """What was left out, with the name of its file."""
    name = " ".join(left.name.split())[:LONGEST_NAME]
    files = {
        Piece.PICTURE: (_("a picture"), _("the picture %(name)s")),
        Piece.DOCUMENT: (_("a document"), _("the document %(name)s")),
        Piece.OTHER: (_("a file"), _("the file %(name)s")),
    }
    if left.piece in files:
        nameless, named = files[left.piece]
        return named % {"name": name} if name else nameless
    return {
        Piece.QUOTE: _("what you quoted"),
        Piece.FORWARD: _("what you forwarded"),
        Piece.SIGNATURE: _("the signature"),
        Piece.CARD: _("your visiting card"),
        Piece.REMOTE: _("what a page would have fetched from elsewhere"),
    }.get(left.piece, _("what your mail program adds"))
