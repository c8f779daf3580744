"""What a game master who has written works with: the game, the hand, the ledger, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import page_context
from talleyrand.web.games.deadlines import deadline_errors, typed_dates, typed_durations
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import anonymity_filter, mailboxes
from talleyrand.web.mail.anonymity_filter import KnownWriter
from talleyrand.web.mail.command_results import CommandRefused, CommandResults, ResultFacts
from talleyrand.web.mail.invitations.email_invitations import NotInvited
from talleyrand.web.press import message_actions, message_text

from .gm_commands import GmCommand


@dataclass(frozen=True)
class GmContext:
    """A game master who has written, and when; `phase`: the one that the mail speaks of, if any.

    `answers_to`: what names the mails of ours that theirs answers.
    """

    game: Game
    person: Person
    received_at: datetime
    results: CommandResults
    writer: KnownWriter
    phase: str = ""
    answers_to: str = ""

    @property
    def hand(self) -> GameMasterActor:
        return GameMasterActor(self.person, GameRole.GAME_MASTER)

    @property
    def sight(self) -> GameViewer:
        return GameViewer(self.fresh, self.person)

    @property
    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)


@contextmanager
def refusing() -> Iterator[None]:
    """What other parts of the site refuse, refused here."""
    try:
        yield
    except GameMasterRefusal as refused:
        raise CommandRefused(refused.code) from None
    except QuestionRefusal as refused:
        raise CommandRefused("in_words", sentence=refused.sentence) from None
    except message_actions.MessageNotHeld as settled:
        raise CommandRefused("settled", state=settled.state) from None
    except message_text.InvalidText as unfit:
        raise CommandRefused("reason", why=unfit.code) from None
    except deadline_errors.InvalidDeadlineSettings as unfit:
        raise CommandRefused("date", why=unfit.code) from None
    except NotInvited as refused:
        raise CommandRefused("in_words", sentence=" ".join(refused.sentences)) from None
    except LobbyRefusal as refused:
        raise CommandRefused("in_words", sentence=refused.sentence) from None


def run_once(master: GmContext, key: str, deed: Callable[[], ResultFacts]) -> ResultFacts:
    """Do a deed unless it is done, in one transaction with what is written of it."""

    def refused_here() -> ResultFacts:
        with refusing():
            return deed()

    return master.results.run_once(key, refused_here)


def told_to_others(master: GmContext, words: str) -> str:
    """Words as others read them: without our addresses, and telephone numbers under them."""
    game_words = anonymity_filter.game_words(variants.load(master.game.variant))
    return anonymity_filter.examine(words, master.writer, game_words, mailboxes.our_address_pattern()).text


def check_phase(master: GmContext, game: Game) -> None:
    """The phase that was open when the mail was written is meant, or one that it has opened itself. Raises
    CommandRefused.
    """
    if any(told.get("said") == "published" for told in master.results.all().values()):
        return
    other = master.phase and master.phase != game.phase
    if game.state in RUNNING_STATES and (
        other or (game.phase_opened_at is not None and game.phase_opened_at > master.received_at)
    ):
        raise CommandRefused("other_phase", phase=game.phase)


def written_moment(command: GmCommand, begins: datetime, now: datetime) -> datetime:
    """A date that was written, or so long after `begins`; raises CommandRefused and
    InvalidDeadlineSettings.
    """
    if not command.text:
        raise CommandRefused("undated")
    try:
        exact = datetime.fromisoformat(command.text)  # as a question keeps it
    except ValueError:
        exact = None
    if exact is not None and exact.tzinfo is not None:
        return exact
    if not command.until:
        try:
            return begins + min(typed_durations.parse_duration(command.text), 2 * deadline_actions.FURTHEST)
        except deadline_errors.InvalidDeadlineSettings:
            pass
    return typed_dates.parse_moment(command.text, now, page_context.reader_time_zone())
