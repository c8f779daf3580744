"""A game master runs his game from his mail program: commands come in, what was done goes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply, ProcessingResult
from talleyrand.web.mail.mailboxes import known_writer
from talleyrand.web.mail.mailed_orders import late_orders, order_parsing
from talleyrand.web.mail.models import InboundDelivery
from talleyrand.web.mail.outbound.email_queue import reader_locale
from talleyrand.web.mail.parsing.parsed_email import ParsedEmail
from talleyrand.web.mail.subscriptions import report_texts
from talleyrand.web.mail.text_layout import heading, indented, join_parts, prose, protected
from talleyrand.web.press import message_visibility

from . import gm_actions, gm_commands, gm_texts
from .command_results import RESULTS_KEY, CommandRefused, CommandResults, ResultFacts
from .gm_actions import GmContext
from .gm_commands import MOST_COMMANDS, MOST_NUMBERS, GmAction, GmCommand, UnknownLine

MOST_LINES, LONGEST = 12, 200  # of what was not understood, as it is told


@dataclass
class CommandLog:
    """What became of the lines of a mail."""

    done: list[tuple[GmCommand, list[ResultFacts]]] = field(default_factory=list)
    not_understood: list[UnknownLine] = field(default_factory=list)

    @property
    def outcome(self) -> MailOutcome:
        if not self.done:
            return MailOutcome.NOT_UNDERSTOOD
        refused = any("refused" in told for _command, several in self.done for told in several)
        return MailOutcome.PARTLY_DONE if refused else MailOutcome.DONE

    def asks_too_much(self, command: GmCommand) -> bool:
        """Whether so many are done that this one is left for another mail."""
        letters = sum(len(one.numbers) for one, _told in self.done) + len(command.numbers)
        return len(self.done) == MOST_COMMANDS or letters > MOST_NUMBERS

    @property
    def wants_help(self) -> bool:
        return not self.done or any(command.action == GmAction.HELP for command, _told in self.done)


def process_gm_mail(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Do what a game master’s mail asks for, line by line; the same mail again does nothing again."""
    game, person = arrival.mailbox.game, arrival.mailbox.person
    assert game is not None
    assert person is not None
    with reader_locale(person):
        if not GameViewer(game, person).is_game_master:
            return ProcessingResult(MailOutcome.NOT_YOURS, answer=_not_master(game))
        master = _master(game, person, arrival, mail)
        account = _carried_out(
            master, gm_commands.parse_commands(order_parsing.printable_text(mail.text), _names(game))
        )
        facts = {RESULTS_KEY: master.results.all()}
        return ProcessingResult(account.outcome, facts, _answer(master, account))


def _not_master(game: Game) -> MailReply:
    told = _("You no longer run the game “%(game)s”: nothing was done.") % {"game": game.name}
    return MailReply(_("%(game)s: nothing was done") % {"game": game.name}, join_parts([prose(told)]))


def _master(game: Game, person: Person, arrival: InboundDelivery, mail: ParsedEmail) -> GmContext:
    phase = order_parsing.tagged_phase(mail.subject, variants.load(game.variant))
    writer = known_writer(person, GameViewer(game, person), mail)
    return GmContext(
        game, person, arrival.email.received_at, CommandResults.for_delivery(arrival), writer, phase
    )


def _names(game: Game) -> dict[str, str]:
    """The powers by all the names that they go by, in plain letters."""
    variant = variants.load(game.variant)
    found = {gm_commands.plain_line(code): code for code in variant.board.powers}
    for language in variant.title:
        found |= {
            gm_commands.plain_line(one.name): code for code, one in variant.names(language).powers.items()
        }
    return found


def _carried_out(master: GmContext, lines: Sequence[gm_commands.CommandLine]) -> CommandLog:
    """Each command in its order, under the number of its line."""
    account = CommandLog()
    for number, line in enumerate(lines):
        if isinstance(line, UnknownLine):
            account.not_understood.append(line)
        elif account.asks_too_much(line):
            account.done.append((line, [CommandRefused("too_many").told]))
            break
        else:
            account.done.append((line, gm_actions.run_command(master, str(number), line)))
    return account


# the answer


def _answer(master: GmContext, account: CommandLog) -> MailReply:
    game = master.fresh
    variant = variants.load(game.variant)
    subject = f"{order_parsing.subject_tag(game)} {_headline(account.outcome)}"
    parts = [*_deeds(account, variant), _left(account, variant)]
    if account.wants_help:
        parts.append(gm_texts.command_help(variant))
    return MailReply(subject, join_parts([*parts, *_standing(master, game, variant)]), f"game:{game.key}")


def _standing(master: GmContext, game: Game, variant: Variant) -> Iterator[list[str]]:
    yield report_texts.desk_report(game, message_visibility.held_messages(master.sight).count())
    late = dict.fromkeys(arrival.mailbox.power for arrival in late_orders.waiting_late_orders(game))
    if late:
        yield prose(gm_texts.late_orders_text(list(late), variant))


def _headline(outcome: MailOutcome) -> str:
    return {
        MailOutcome.DONE: _("done"),
        MailOutcome.PARTLY_DONE: _("not everything was done"),
        MailOutcome.NOT_UNDERSTOOD: _("nothing was done"),
    }[outcome]


def _deeds(account: CommandLog, variant: Variant) -> Iterator[list[str]]:
    if not account.done:
        yield prose(_("No commands found in your email: nothing was done."))
    for command, several in account.done:
        said = (gm_texts.command_result_text(told, variant) for told in several)
        yield [*protected(command.line[:LONGEST]), *(line for one in said for line in indented(one))]


def _left(account: CommandLog, variant: Variant) -> list[str]:
    """The lines that asked for nothing."""
    if not account.not_understood:
        return []
    told = heading(_("Lines that are not commands"))
    for line in account.not_understood[:MOST_LINES]:
        told += [
            *protected(line.line[:LONGEST]),
            *indented(gm_texts.did_you_mean_text(line.similar_action, variant)),
        ]
    if len(account.not_understood) > MOST_LINES:
        told += prose(_("And %(n)d more.") % {"n": len(account.not_understood) - MOST_LINES})
    return told
