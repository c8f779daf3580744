"""What the commands of a player's mail do: end the game by agreement, a link that signs them in, another
address for orders.

Each is done once, however often its mail is read. What is kept with the mail never tells how somebody voted.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand import notation, variants
from talleyrand.variants import Variant
from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import order_submission
from talleyrand.web.games.endings import agreed_end, end_proposals, end_texts
from talleyrand.web.games.endings.end_panel import end_panel_context
from talleyrand.web.games.endings.end_proposal_rules import ProposalOutcome, countable_positions
from talleyrand.web.games.endings.end_proposals import EndProposalRefusal, EndProposalState
from talleyrand.web.games.models import RUNNING_STATES, EndProposal, Game
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.command_results import RESULTS_KEY, CommandRefused, CommandResults, ResultFacts
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.models import Mailbox, MailboxPurpose
from talleyrand.web.mail.parsing.parsed_email import ORDER_MARK
from talleyrand.web.notifications import outbox

from . import order_parsing
from .player_commands import ANSWERS, OPPOSITES, PlayerAction, PlayerCommand

Done = list[tuple[PlayerCommand, ResultFacts]]


def power_names(variant: Variant) -> dict[str, str]:
    """The powers by all their names, as `player_commands` wants them."""
    known = (variant.names(language).powers.items() for language in variant.title)
    return {
        " ".join(notation.folded_words(name)): code
        for named in known
        for code, one in named
        for name in (code, one.name)
    }


def open_talks(game: Game, person: Person, power: str = "") -> dict[str, Any]:
    """The open proposal to end the game, as `_end_talks.txt` tells it to a player; nothing without one.

    `power`: whose address the answer comes to, of several that somebody may play; "" for all of them.
    """
    sight = GameViewer(game, person)
    is_open = game.state in RUNNING_STATES and end_proposals.has_open_proposal(game)
    talks = end_panel_context(sight) if is_open and sight.orderable_powers else {}
    if talks and power:
        one = talks["proposal"]
        one["asked"] = [own for own in one["asked"] if own["code"] == power]
        one["mine"] = one["proposer"] == power
    elif talks:
        talks["is_for_several"] = len(sight.orderable_powers) > 1
    return talks


def tells_of_proposal(text: str) -> bool:
    """Whether a mail of ours says in which lines one answers a proposal."""
    lines = (line.lstrip(f"{ORDER_MARK} ") for line in text.splitlines() if line.startswith(ORDER_MARK))
    return any(re.match(r"(?:vote|no veto|pas de veto)\b", line) for line in lines)


@dataclass(frozen=True)
class PlayerActions:
    """Who plays `power` and has written, and when; `phase`: the one that the mail speaks of, if any."""

    game: Game
    person: Person
    power: str
    received_at: datetime
    results: CommandResults
    phase: str = ""

    @property
    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)

    @property
    def facts(self) -> dict[str, Any]:
        """What is kept with the mail: what was done, never how somebody voted."""
        return {RESULTS_KEY: self.results.all()}

    def carried_out(self, commands: Sequence[PlayerCommand]) -> Done:
        """Each command in its order, and what became of it."""
        torn = {one for pair in OPPOSITES if pair <= {each.action for each in commands} for one in pair}
        done = [
            (one, self.results.run_once(str(number), lambda one=one: self._deed(one, torn)))  # type: ignore[misc]
            for number, one in enumerate(commands)
        ]
        agreed_end.end_game_if_just_agreed(self.fresh)
        return done

    def results_mail(self, done: Done) -> tuple[str, str]:
        """Subject and text of what became of them, in the language in use."""
        game, variant = self.fresh, variants.load(self.game.variant)
        counting = order_submission.counting_order_sets(game, game.phase_number).get(self.power)
        return render_mail(
            "commands_answered",
            tag=order_parsing.subject_tag(game),
            power=display_names.power_name(variant, self.power),
            done=[self._in_words(command, facts) for command, facts in done],
            talks=open_talks(game, self.person, self.power),
            has_moved=any(facts.get("refused") == "moved" for _command, facts in done),
            is_running=game.state in RUNNING_STATES,
            phase=display_names.phase_name(variant, game.phase),
            counting=order_texts.receipt_row(counting) if counting else None,
            standing=GameStatusText(game),
        )

    # what is done

    def _deed(self, command: PlayerCommand, torn: Set[PlayerAction]) -> ResultFacts:
        if command.action in torn:
            raise CommandRefused("torn")
        if command.action is PlayerAction.LINK:
            if not settings.SITE_URL:
                raise CommandRefused("no_site")
            return {"said": "link"}
        if command.action is PlayerAction.RENEW:
            mailboxes.renew_mailbox(self._mailbox)
            return {"said": "renew"}
        try:
            self._end_talks(command)
        except EndProposalRefusal as refused:
            raise CommandRefused(refused.code) from None
        return {"said": "answer" if command.action in ANSWERS else str(command.action)}

    def _end_talks(self, command: PlayerCommand) -> None:
        """Propose, answer or withdraw, in the phase that the mail is for. Raises EndProposalRefusal, and
        CommandRefused.
        """
        game, at = self.fresh, self.received_at
        if (self.phase and self.phase != game.phase) or (game.phase_opened_at and at < game.phase_opened_at):
            raise EndProposalRefusal("moved")
        talks = EndProposalState(game)
        if command.action is PlayerAction.PROPOSE:
            positions = countable_positions(talks.draw_rule, talks.moment)
            if command.counts and command.counts not in positions:
                raise CommandRefused("only_now")
            counts = command.counts or (str(positions[0]) if len(positions) == 1 else "")
            end_proposals.propose_end(game, self.power, game.phase_number, counts, at)
            return
        proposal = talks.proposal
        if proposal is None or at < proposal.created_at:
            raise EndProposalRefusal("moved")
        if command.action is PlayerAction.WITHDRAW:
            end_proposals.withdraw_end_proposal(game, proposal.pk, self.power, at)
            return
        self._check_which(command, proposal)
        end_proposals.answer_end_proposal(game, proposal.pk, self.power, str(command.action), at)

    def _check_which(self, command: PlayerCommand, proposal: EndProposal) -> None:
        """An answer must not count for another proposal than the one it was written for."""
        if command.power and command.power != proposal.proposer:
            raise EndProposalRefusal("moved")
        others = EndProposal.objects.filter(game=proposal.game_id, phase_number=proposal.phase_number)
        if not command.power and others.exclude(pk=proposal.pk).exists():
            raise EndProposalRefusal("which")
        voting = proposal.state == ProposalOutcome.VOTING
        if voting is not (command.action in (PlayerAction.YES, PlayerAction.NO)):
            raise EndProposalRefusal("stage")

    # in words

    def _in_words(self, command: PlayerCommand, facts: ResultFacts) -> dict[str, str]:
        if "refused" in facts:
            own = ("no_site", "which", "stage", "torn", "only_now")
            code = str(facts["refused"])
            sentence = "" if code in own else end_texts.end_refusal_text(code)
            closed = self._closed(command) if code == "moved" else ""
            return {"refused": code, "sentence": closed or sentence}
        link = self._link() if facts["said"] == "link" else ""
        renewed = mailboxes.mailbox_address(self._mailbox) if facts["said"] == "renew" else ""
        return {"said": str(facts["said"]), "choice": str(command.action), "link": link or renewed}

    def _closed(self, command: PlayerCommand) -> str:
        """What became of the game, or of the proposal that a command was for; "" where none is known."""
        panel = end_panel_context(GameViewer(self.fresh, self.person))
        if "result" in panel:
            return _("The game is over. %(result)s") % panel
        meant = () if command.action is PlayerAction.PROPOSE else panel["past"]
        closed = next((one for one in meant if command.power in ("", one["proposer"])), None)
        told = _("The proposal is closed (%(power)s; %(phase)s). %(outcome)s")
        return told % closed if closed else ""

    @property
    def _mailbox(self) -> Mailbox:
        """The address for orders that is good now."""
        return mailboxes.get_mailbox(MailboxPurpose.ORDERS, self.game, self.person, self.power)

    def _link(self) -> str:
        """A link that signs its reader in; the one before it no longer works."""
        kind = one_time_links.Kind.SIGN_IN
        token = one_time_links.make_link(kind, secrets.token_urlsafe(16), person=self.person)
        path = outbox.path_in_language(
            reverse("accounts:link", args=[token]), display_names.reader_language()
        )
        return f"{settings.SITE_URL}{path}"
