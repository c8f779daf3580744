"""A game master runs his game from his mail program: commands come in, what was done goes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.mail.correspondence import reports
from talleyrand.web.mail.layout import aside, heading, joined, marked, prose
from talleyrand.web.mail.models import Arrival
from talleyrand.web.mail.orders import granting, sheets
from talleyrand.web.mail.outcomes import Answer, Outcome, Result
from talleyrand.web.mail.outgoing.departing import speaking
from talleyrand.web.mail.reading.mail import Mail
from talleyrand.web.mail.writers import writer_of
from talleyrand.web.press import seen

from . import commands, conducting, directing_words
from .commands import MOST_COMMANDS, MOST_NUMBERS, Act, Command, Prose
from .conducting import Master
from .ledger import DEEDS, Ledger, Refused, Told

MOST_LINES, LONGEST = 12, 200  # of what was not understood, as it is told


@dataclass
class Account:
    """What became of the lines of a mail."""

    deeds: list[tuple[Command, list[Told]]] = field(default_factory=list)
    prose: list[Prose] = field(default_factory=list)

    @property
    def outcome(self) -> Outcome:
        if not self.deeds:
            return Outcome.NOT_UNDERSTOOD
        refused = any("refused" in told for _command, several in self.deeds for told in several)
        return Outcome.PARTLY_DONE if refused else Outcome.DONE

    def asks_too_much(self, command: Command) -> bool:
        """Whether so many are done that this one is left for another mail."""
        letters = sum(len(one.numbers) for one, _told in self.deeds) + len(command.numbers)
        return len(self.deeds) == MOST_COMMANDS or letters > MOST_NUMBERS

    @property
    def wants_help(self) -> bool:
        return not self.deeds or any(command.act == Act.HELP for command, _told in self.deeds)


def take(arrival: Arrival, mail: Mail) -> Result:
    """Do what a game master’s mail asks for, line by line; the same mail again does nothing again."""
    game, person = arrival.mailbox.game, arrival.mailbox.person
    assert game is not None
    assert person is not None
    with speaking(person):
        if not Sight(game, person).is_master:
            return Result(Outcome.NOT_YOURS, answer=_not_master(game))
        master = _master(game, person, arrival, mail)
        account = _carried_out(master, commands.read(sheets.plain(mail.text), _names(game)))
        facts = {DEEDS: master.ledger.deeds()}
        return Result(account.outcome, facts, _answer(master, account))


def _not_master(game: Game) -> Answer:
    told = _("You do not lead the game “%(game)s” any more: nothing was done.") % {"game": game.name}
    return Answer(_("%(game)s: nothing was done") % {"game": game.name}, joined([prose(told)]))


def _master(game: Game, person: Person, arrival: Arrival, mail: Mail) -> Master:
    phase = sheets.tagged_phase(mail.subject, variants.load(game.variant))
    writer = writer_of(person, Sight(game, person), mail)
    return Master(game, person, arrival.message.received, Ledger.of(arrival), writer, phase)


def _names(game: Game) -> dict[str, str]:
    """The powers by all the names that they go by, in plain letters."""
    variant = variants.load(game.variant)
    found = {commands.plain(code): code for code in variant.board.powers}
    for language in variant.title:
        found |= {commands.plain(one.name): code for code, one in variant.names(language).powers.items()}
    return found


def _carried_out(master: Master, lines: Sequence[commands.Line]) -> Account:
    """Each command in its order, under the number of its line."""
    account = Account()
    for number, line in enumerate(lines):
        if isinstance(line, Prose):
            account.prose.append(line)
        elif account.asks_too_much(line):
            account.deeds.append((line, [Refused("too_many").told]))
            break
        else:
            account.deeds.append((line, conducting.done(master, str(number), line)))
    return account


# the answer


def _answer(master: Master, account: Account) -> Answer:
    game = master.fresh
    variant = variants.load(game.variant)
    subject = f"{sheets.tag(game)} {_headline(account.outcome)}"
    parts = [*_deeds(account, variant), _left(account, variant)]
    if account.wants_help:
        parts.append(directing_words.guide(variant))
    return Answer(subject, joined([*parts, *_standing(master, game, variant)]), f"game:{game.key}")


def _standing(master: Master, game: Game, variant: Variant) -> Iterator[list[str]]:
    yield reports.desk(game, seen.held(master.sight).count())
    late = dict.fromkeys(arrival.mailbox.power for arrival in granting.late(game))
    if late:
        yield prose(directing_words.late(list(late), variant))


def _headline(outcome: Outcome) -> str:
    return {
        Outcome.DONE: _("done"),
        Outcome.PARTLY_DONE: _("not all was done"),
        Outcome.NOT_UNDERSTOOD: _("nothing was done"),
    }[outcome]


def _deeds(account: Account, variant: Variant) -> Iterator[list[str]]:
    if not account.deeds:
        yield prose(_("No line of your mail is a command: nothing was done."))
    for command, several in account.deeds:
        said = (directing_words.sentence(told, variant) for told in several)
        yield [*marked(command.line[:LONGEST]), *(line for one in said for line in aside(one))]


def _left(account: Account, variant: Variant) -> list[str]:
    """The lines that asked for nothing."""
    if not account.prose:
        return []
    told = heading(_("Lines that are no commands"))
    for line in account.prose[:MOST_LINES]:
        told += [*marked(line.line[:LONGEST]), *aside(directing_words.near(line.near, variant))]
    if len(account.prose) > MOST_LINES:
        told += prose(_("And %(n)d more.") % {"n": len(account.prose) - MOST_LINES})
    return told
