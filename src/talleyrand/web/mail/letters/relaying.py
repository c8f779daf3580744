"""How letters leave by mail: made anew for each reader, from who wrote as what, to whom, when, and the text.

An answer to such a mail goes back to its room, through an address of the reader’s own. Lines of a letter
are moved to the right: none can feign one of ours.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand import variants
from talleyrand.messages.naming import Voice
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games.models import Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.mail import addressing
from talleyrand.web.mail.layout import INDENT, WIDTH, joined, point, prose, title, whole
from talleyrand.web.mail.models import Correspondent, Door, Mailbox
from talleyrand.web.mail.orders.sheets import tag
from talleyrand.web.mail.outgoing import departing
from talleyrand.web.mail.outgoing.departing import speaking
from talleyrand.web.notices.wording import moment
from talleyrand.web.press import numbering, rules, seen, sentences, standing
from talleyrand.web.press.models import Fate, Letter
from talleyrand.web.press.naming import Naming, address_of
from talleyrand.web.press.rules import EVERYBODY, MASTER, NOBODY, Address, Kind

LETTER, HELD, RETURNED = "letter", "held", "returned"  # kinds of departures


def queue_letter(letter: Letter, correspondent: Correspondent) -> bool:
    """Have a letter leave for one who may read it; False where it has, or is not for him, or is his own."""
    relay = Relay.of(letter, correspondent)
    if relay is None or letter.state != Fate.DELIVERED or not relay.is_to_him:
        return False
    with speaking(correspondent.person):
        return relay.queue(LETTER, relay.subject(), relay.text(), relay.mailbox, relay.sender())


def queue_held(letter: Letter, correspondent: Correspondent) -> bool:
    """Have a letter that waits leave for the game master, with its number and what he may answer."""
    relay = Relay.of(letter, correspondent)
    if relay is None or letter.state != Fate.HELD or not relay.sight.is_master:
        return False
    desk = addressing.mailbox(Door.DESK, relay.game, correspondent.person, MASTER)
    with speaking(correspondent.person):
        return relay.queue(HELD, relay.held_subject(), relay.held_text(), desk, relay.game.name)


def queue_returned(letter: Letter, correspondent: Correspondent) -> bool:
    """Have a returned letter leave for whoever plays the power that wrote it, with the reason."""
    relay = Relay.of(letter, correspondent)
    if relay is None or letter.state != Fate.RETURNED or letter.writer not in relay.sight.acting:
        return False
    with speaking(correspondent.person):
        return relay.queue(
            RETURNED, relay.returned_subject(), relay.returned_text(), relay.mailbox, relay.master()
        )


def thread(person: Person, game: Game, to: Address) -> str:
    """What the mails of a room have in common for one reader, and for nobody else."""
    told = f"{person.pk}\n{game.pk}\n{to.members}"
    return salted_hmac("talleyrand.web.mail.thread", told, algorithm="sha256").hexdigest()[:32]


def seen_from(power: str, to: Address) -> str:
    """A room as the mailbox of one in it names it: "ENGLAND+ITALY", "*", "@"; for the master "FRANCE"."""
    if to.kind == Kind.ALL:
        return EVERYBODY
    if to.kind == Kind.MASTER:
        return to.powers[0] if power == MASTER else MASTER
    return "+".join(one for one in to.powers if one != power)


@dataclass(frozen=True)
class Names:
    """What powers and rooms are called in a sentence, in the language in use."""

    voice: Voice

    @classmethod
    def of(cls, game: Game) -> Names:
        return cls(Voice(variants.load(game.variant), wording.language()))

    def from_whom(self, signed: str) -> str:
        """ "de la France", "du maître de jeu", "sans signature"."""
        if signed == MASTER:
            return _("from the game master")
        if signed == NOBODY:
            return _("without signature")
        return self._from(signed)

    def _from(self, power: str) -> str:
        return (
            f"from {self.voice.power(power)}" if self.voice.language == "en" else self.voice.of_power(power)
        )

    def to_whom(self, writer: str, to: Address) -> str:
        """ "à la France et à l’Italie", "à tous", "au maître de jeu"."""
        if to.kind == Kind.ALL:
            return _("to everybody")
        if to.kind == Kind.MASTER and writer != MASTER:
            return _("to the game master")
        return self.voice.both(self._to(power) for power in to.powers if power != writer)

    def _to(self, power: str) -> str:
        name = self.voice.power(power)
        if self.voice.language == "en":
            return f"to {name}"
        for article, contracted in (("le ", "au "), ("les ", "aux ")):
            if name.startswith(article):
                return contracted + name.removeprefix(article)
        return f"à {name}"

    def signature(self, signed: str) -> str:
        """ "La France": who a mail is from, beside the name of the game."""
        if signed == MASTER:
            return pgettext("signature", "Game master")
        return _("Without signature") if signed == NOBODY else first_capital(self.voice.power(signed))


def first_capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def words(text: str) -> list[str]:
    """What somebody wrote, moved to the right, in lines that no mail program breaks again."""
    return [line for one in text.split("\n") for line in _moved(one)]


def _moved(line: str) -> Iterable[str]:
    if not line.strip():
        return [""]
    if len(line) + len(INDENT) <= WIDTH:
        return [f"{INDENT}{line.rstrip()}"]
    begin = INDENT + line[: len(line) - len(line.lstrip())][: WIDTH // 2]
    return textwrap.wrap(
        line.strip(),
        WIDTH,
        initial_indent=begin,
        subsequent_indent=begin,
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass
class Relay:
    """A letter on its way to one reader. He reads it as a `power`, as game master ("@"), or as none ("")."""

    letter: Letter
    correspondent: Correspondent
    sight: Sight
    power: str

    @classmethod
    def of(cls, letter: Letter, correspondent: Correspondent) -> Relay | None:
        """None where he may not read it, or a stand-in does meanwhile."""
        sight = Sight(Game.objects.get(pk=letter.room.game_id), correspondent.person)
        mine = correspondent.game_id == letter.room.game_id and correspondent.until is None
        if not mine or not sight.role or not seen.letters(sight).filter(pk=letter.pk).exists():
            return None
        power = _reads_as(sight, letter)
        return None if power is None else cls(letter, correspondent, sight, power)

    @property
    def game(self) -> Game:
        return self.sight.game

    @property
    def person(self) -> Person:
        return self.correspondent.person

    @cached_property
    def to(self) -> Address:
        return address_of(self.letter.room)

    @cached_property
    def names(self) -> Names:
        return Names.of(self.game)

    @property
    def is_to_him(self) -> bool:
        """Whether it is another’s, and to him: the game master may read those between powers on the site."""
        if self.power == MASTER and self.to.kind not in (Kind.ALL, Kind.MASTER):
            return False
        return not seen.letters(self.sight).filter(seen.written(self.sight), pk=self.letter.pk).exists()

    @cached_property
    def mailbox(self) -> Mailbox | None:
        """Where an answer goes: the same room, as the reader’s power writes to it.

        Nowhere for who only reads, and for a declaration that came back: an answer would sign it.
        """
        if not self.power or (self.letter.signed == NOBODY and self.letter.state == Fate.RETURNED):
            return None
        return self._box(self.to)

    def _box(self, to: Address) -> Mailbox:
        room = seen_from(self.power, to)
        return addressing.mailbox(Door.LETTER, self.game, self.person, self.power, room)

    def queue(self, kind: str, subject: str, text: str, mailbox: Mailbox | None, sender: str) -> bool:
        """Put it into the outbox."""
        return departing.queue(
            self.person,
            kind,
            f"{kind}:{self.letter.pk}",
            f"{tag(self.game)} {subject}",
            text,
            game=self.game,
            power=self.power,
            mailbox=mailbox,
            sender=sender,
            thread=thread(self.person, self.game, self.to),
        )

    # a letter

    def sender(self) -> str:
        """ "La France – La table ronde"."""
        return f"{self.names.signature(self.letter.signed)} – {self.game.name}"

    def subject(self) -> str:
        return _("Letter %(from_whom)s") % self._words()

    def text(self) -> str:
        """The letter for its reader."""
        heading = _("Letter %(from_whom)s %(to_whom)s") % self._words()
        return joined([title(heading), prose(self._when()), *self._letter(), self._footer()])

    def _letter(self) -> list[list[str]]:
        """What it says, under the proposal that it is about; in this form one may write the line oneself."""
        about = prose(Naming.of(self.sight).about(self.letter.about)) if self.letter.about else []
        return [about, words(self.letter.text)]

    def _words(self) -> dict[str, str]:
        writer = self.letter.signed if self.letter.signed in (MASTER, NOBODY) else self.letter.writer
        return {
            "from_whom": self.names.from_whom(self.letter.signed),
            "to_whom": self.names.to_whom(writer, self.to),
        }

    def _when(self) -> str:
        """The phase, and when it was delivered, as the page of the room has it, in the reader’s zone."""
        at = self.letter.delivered or self.letter.written
        phase = self.letter.phase
        told = wording.phase(self.names.voice.variant, phase) if phase else ""
        return f"{told} · {moment(at)}" if told else moment(at)

    def _footer(self) -> list[str]:
        """How to answer; "-- " before it has mail programs leave it out of an answer."""
        lines = [line for one in self._how_to_answer() for line in one]
        orders = _("Orders do not go here: they have an address of their own, that of your reports.")
        if self.power not in ("", MASTER):
            lines += prose(orders)
        return ["-- ", *lines] if lines else []

    def _how_to_answer(self) -> Iterable[list[str]]:
        if not self.power:
            return
        hindrance = self._hindrance()
        if hindrance:
            yield prose(hindrance)
            return
        told = {"to_whom": self.names.to_whom(self.power, self.to)}
        yield prose(_("Answering this mail writes %(to_whom)s.") % told)
        if self.letter.signed == NOBODY:
            yield prose(_("Your answer says which power it is from."))
        alone = self._writer_alone()
        if alone is not None:
            told = {"to_whom": self.names.to_whom(self.power, alone)}
            yield prose(_("To write %(to_whom)s alone:") % told)
            yield whole(addressing.address(self._box(alone)))

    def _hindrance(self) -> str:
        """Why the reader cannot answer now; "" where he can."""
        pen = standing.pen(self.sight)
        found = rules.verdict(standing.moment(self.game), pen, self.to, self.power)
        return "" if found.allowed else sentences.refusal(found.code)

    def _writer_alone(self) -> Address | None:
        """The room of the reader and the writer, where others read the letter too and it says whose it is."""
        if self.to.kind not in (Kind.ALL, Kind.GROUP) or self.letter.signed == NOBODY:
            return None
        powers = list(self.game.seats.values_list("power", flat=True))
        to = rules.address(self.power, [self.letter.signed], powers)
        found = rules.verdict(standing.moment(self.game), standing.pen(self.sight), to, self.power)
        return to if found.allowed else None

    # one that waits

    def held_subject(self) -> str:
        number = numbering.number(self.letter)
        return _("Letter %(number)d waits: %(from_whom)s %(to_whom)s") % {"number": number, **self._whose()}

    def held_text(self) -> str:
        """The whole letter, why it waits where letters are free, and what the game master may answer."""
        number = numbering.number(self.letter)
        doubts = [line for one in sentences.doubts(self.letter.doubts) for line in point(one)]
        answer = _("To pass it on, answer “pass %(number)d”.") % {"number": number}
        back = _(
            "To give it back to its writer, answer “return %(number)d: your reason”; he reads the reason."
        )
        return joined(
            [
                title(self.held_subject()),
                prose(self._when()),
                [*prose(_("Look at it before you pass it on:")), *doubts] if doubts else [],
                *self._letter(),
                ["-- ", *prose(answer), *prose(back % {"number": number})],
            ]
        )

    def _whose(self) -> dict[str, str]:
        """Whose it is, for the game master: a declaration too."""
        whom = self.names.from_whom(self.letter.writer)
        if self.letter.signed == NOBODY:
            whom = f"{whom} ({self.names.from_whom(NOBODY)})"
        return {
            **self._words(),
            "from_whom": whom,
            "to_whom": self.names.to_whom(self.letter.writer, self.to),
        }

    # one that comes back

    def master(self) -> str:
        return f"{self.names.signature(MASTER)} – {self.game.name}"

    def returned_subject(self) -> str:
        return _("Your letter %(to_whom)s comes back") % self._whose()

    def returned_text(self) -> str:
        """The reason, and the letter whole, to be written anew."""
        again = _("To send it otherwise, answer this mail: the answer goes %(to_whom)s.") % self._whose()
        if self.mailbox is None:
            again = _("It bore no signature: what you send by mail has one. Write it anew on the site.")
        return joined(
            [
                title(self.returned_subject()),
                [*prose(_("The game master says why:")), *words(self.letter.reason)],
                prose(_("It read:")),
                *self._letter(),
                ["-- ", *prose(again)],
            ]
        )


def _reads_as(sight: Sight, letter: Letter) -> str | None:
    """As which power somebody reads a letter; None where another plays it for him meanwhile."""
    if sight.is_master:
        return MASTER
    if letter.writer in sight.acting:
        return letter.writer
    inside = letter.room.powers if letter.room.kind != Kind.ALL else sight.acting
    mine = [power for power in sight.acting if power in inside]
    if mine:
        return mine[0]
    return "" if letter.room.kind == Kind.ALL and not sight.powers else None
