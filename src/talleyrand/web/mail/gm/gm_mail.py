"""A game master runs his game from his mail program: commands come in, what was done goes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.command_results import RESULTS_KEY, CommandRefused, CommandResults, ResultFacts
from talleyrand.web.mail.game_status_text import game_page_url
from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply, ProcessingResult
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.mailboxes import known_writer
from talleyrand.web.mail.mailed_orders import late_orders, order_parsing
from talleyrand.web.mail.mailed_orders.unknown_senders import with_unknown_sender
from talleyrand.web.mail.models import InboundDelivery
from talleyrand.web.mail.outbound.email_queue import reader_locale
from talleyrand.web.mail.parsing.parsed_email import ParsedEmail
from talleyrand.web.mail.player_contacts import player_contacts
from talleyrand.web.mail.subscriptions import report_texts
from talleyrand.web.press import message_visibility

from . import gm_actions, gm_commands, gm_texts
from .gm_commands import MOST_COMMANDS, MOST_NUMBERS, GmAction, GmCommand, UnknownLine
from .gm_context import GmContext
from .gm_questions import ASKED, are_unclear

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
        return MailOutcome.PARTLY_DONE if refused or self.asks else MailOutcome.DONE

    def asks_too_much(self, command: GmCommand) -> bool:
        """Whether so many are done that this one is left for another mail."""
        letters = sum(len(one.numbers) for one, _told in self.done) + len(command.numbers)
        return len(self.done) == MOST_COMMANDS or letters > MOST_NUMBERS

    @property
    def asks(self) -> bool:
        """Whether something waits for a yes."""
        return any(told.get("said") == ASKED for _command, several in self.done for told in several)

    @property
    def wants_status(self) -> bool:
        return any(command.action == GmAction.STATUS for command, _told in self.done)

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
            answer = MailReply(*render_mail("not_game_master", game=game.name))
            return ProcessingResult(MailOutcome.NOT_YOURS, answer=answer)
        master = _master(game, person, arrival, mail)
        account = _carried_out(
            master, gm_commands.parse_commands(order_parsing.printable_text(mail.text), _names(game))
        )
        facts = {RESULTS_KEY: master.results.all()}
        result = ProcessingResult(account.outcome, facts, _answer(master, account))
        desk_page = game_page_url(game, "mail:post")
        return with_unknown_sender(result, arrival, mail, desk_page=desk_page)


def _master(game: Game, person: Person, arrival: InboundDelivery, mail: ParsedEmail) -> GmContext:
    phase = order_parsing.tagged_phase(mail.subject, variants.load(game.variant))
    writer = known_writer(person, GameViewer(game, person), mail)
    return GmContext(
        game,
        person,
        arrival.email.received_at,
        CommandResults.for_delivery(arrival),
        writer,
        phase,
        mail.in_reply_to,
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
    answers = [one for one in lines if isinstance(one, GmCommand) and one.action == GmAction.ANSWER]
    unclear = answers if are_unclear(answers) else []
    for number, line in enumerate(lines):
        if isinstance(line, UnknownLine):
            account.not_understood.append(line)
        elif account.asks_too_much(line):
            account.done.append((line, [CommandRefused("too_many").result_facts]))
            break
        elif line in unclear:
            account.done.append((line, [CommandRefused("unclear").result_facts]))
        else:
            account.done.append((line, gm_actions.run_command(master, str(number), line)))
    return account


# the answer


def _answer(master: GmContext, account: CommandLog) -> MailReply:
    game = master.fresh
    variant = variants.load(game.variant)
    example = "FRANCE" if "FRANCE" in variant.board.powers else variant.board.powers[0]
    samples = gm_texts.command_samples(display_names.power_name(variant, example))
    unknown = account.not_understood
    late = dict.fromkeys(arrival.mailbox.power for arrival in late_orders.late_orders_to_accept(game))
    late_powers = [display_names.power_name(variant, one) for one in late]
    subject, text = render_mail(
        "gm_reply",
        tag=order_parsing.subject_tag(game),
        outcome=account.outcome,
        asks=account.asks,
        done=[
            (command.line[:LONGEST], [gm_texts.result_in_words(told, variant) for told in several])
            for command, several in account.done
        ],
        not_understood=[
            (one.line[:LONGEST], samples.get(one.similar_action, "")) for one in unknown[:MOST_LINES]
        ],
        n=max(0, len(unknown) - MOST_LINES),
        samples=samples if account.wants_help else {},
        contacts=_contacts(master) if account.wants_status else (),
        desk=report_texts.desk_report(game, message_visibility.held_messages(master.sight).count()),
        late_powers=late_powers,
        late_command=gm_texts.command_samples(late_powers[0])[GmAction.GRANT] if late_powers else "",
    )
    return MailReply(subject, text, f"game:{game.key}")


def _contacts(master: GmContext) -> list[tuple[str, str]]:
    """Each power with what is known of its player, in sentences."""
    game = master.fresh
    variant, players = variants.load(game.variant), power_assignments.players_by_power(game)
    told = {
        power: " ".join(known.sentences(is_played=players[power] is not None))
        for power, known in player_contacts(game).items()
    }
    return [(display_names.power_name(variant, power), words) for power, words in told.items() if words]
