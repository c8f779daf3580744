"""Proposing the end of a game, vetoing it, voting on it: each in one short transaction, the game locked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Exists, F, OuterRef

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.common.prepared_queries import Given, PreparedQuery
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log, power_assignments, recipients
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_settings import DrawRule
from talleyrand.web.games.models import (
    RUNNING_STATES,
    EndProposal,
    EndProposalBallot,
    Game,
    GameSeat,
    UnreadEmailOrders,
)
from talleyrand.web.notifications import topic_versions

from . import end_proposal_rules
from .end_proposal_rules import EarlierProposal, ProposalMoment, ProposalOutcome
from .power_standings import PowerStandings

LONGEST_VETO = timedelta(hours=24)
OPEN_OUTCOMES = (ProposalOutcome.VETOES, ProposalOutcome.VOTING)
PROPOSALS = PreparedQuery(lambda: EndProposal.objects.filter(game=Given(EndProposal, "game")))
DUE = PreparedQuery(
    lambda: EndProposal.objects.filter(
        closed_at=None, answers_due_at__lte=Given(EndProposal, "answers_due_at")
    ).values_list("pk")
)


class EndProposalRefusal(Exception):
    """A proposal or an answer that is not taken; `code` says why.

    Those of `rules.refusal`, `open` (another is open), `moved` (another phase, or the proposal is closed),
    `not_asked` (this power has no say), `counts` (say which position counts), `answered` (later than that),
    `too_late` (the time for answers is up, whether it has been settled or not).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class EndProposalState:
    """A game as its proposals see it."""

    game: Game

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @property
    def draw_rule(self) -> DrawRule:
        return self.game.settings.draw

    @cached_property
    def power_standings(self) -> PowerStandings:
        situation = GameHistory(self.game).situation(self.game.phase_number) or {}
        return PowerStandings.from_situation(situation, self.variant.definition)

    @cached_property
    def moment(self) -> ProposalMoment:
        return self.moment_of(self.game.phase, self.game.phase_number - 1)

    def moment_of(self, phase: str, played: int) -> ProposalMoment:
        return end_proposal_rules.proposal_moment(phase, self.variant.definition.calendar, played)

    @cached_property
    def played_powers(self) -> list[str]:
        """The powers that somebody plays; one in civil disorder has no say, nor a seat without land."""
        lost = set(
            GameSeat.objects.filter(game=self.game, in_civil_disorder=True).values_list("power", flat=True)
        )
        landless = self.variant.board.landless
        held = power_assignments.players_by_power(self.game).items()
        return [power for power, who in held if who and power not in lost and power not in landless]

    @cached_property
    def proposal(self) -> EndProposal | None:
        """The one that is open."""
        return next((one for one in self.proposals if one.closed_at is None), None)

    @cached_property
    def proposals(self) -> list[EndProposal]:
        """All there were, the first one first."""
        found: list[EndProposal] = PROPOSALS.rows(game=self.game.pk)
        for one in found:
            one.game = self.game
        return found

    def earlier_proposals(self) -> list[EarlierProposal]:
        # what was asked in a phase that was taken back since is as if it had not been
        opened = self.game.phase_opened_at
        found = (
            one
            for one in self.proposals
            if one.phase_number < self.game.phase_number
            or not (one.closed_at and opened and one.closed_at < opened)
        )
        return [
            EarlierProposal(
                one.proposer,
                one.phase,
                self.moment_of(one.phase, one.phase_number - 1),
                ProposalOutcome(one.state),
            )
            for one in found
        ]

    def why_no_proposal(self, power: str) -> str:
        """Why a power may not propose the end now; "" where it may."""
        if self.game.state not in RUNNING_STATES or not self.game.phase:
            return "moved"
        if power in self.variant.board.landless:
            return "not_asked"
        if self.proposal is not None:
            return "open"
        return end_proposal_rules.why_no_proposal(
            self.draw_rule,
            self.power_standings,
            power,
            self.game.phase,
            self.moment,
            self.earlier_proposals(),
        )

    def voters(self, proposal: EndProposal) -> tuple[str, ...]:
        return end_proposal_rules.proposal_voters(
            self.draw_rule, self.power_standings, self.played_powers, proposal.proposer
        )


@write_transaction
def propose_end(game: Game, power: str, number: int, counts: str, now: datetime) -> EndProposal:
    """Propose the end while phase `number` is open; raises EndProposalRefusal."""
    talks = EndProposalState(Game.objects.select_for_update().get(pk=game.pk))
    _check(talks, power, number, counts)
    proposal = _create_proposal(talks, power, counts, now)
    game_log.add_log_entry(talks.game, "proposal", role="player", power=power, counts=counts)
    told = recipients.member_ids(talks.game)
    recipients.notify_about_game(talks.game, told, "proposal", f"proposal:{proposal.pk}", power=power)
    topic_versions.bump(topic_versions.game_topic(game.key))
    _settle(talks, proposal, now)
    return proposal


def _create_proposal(talks: EndProposalState, power: str, counts: str, now: datetime) -> EndProposal:
    first = ProposalOutcome.VETOES if talks.draw_rule is DrawRule.VETO_THEN_VOTE else ProposalOutcome.VOTING
    return EndProposal.objects.create(
        game=talks.game,
        phase_number=talks.game.phase_number,
        phase=talks.game.phase,
        proposer=power,
        counted_position=counts,
        state=first,
        created_at=now,
        answers_due_at=answers_due_at(first, talks.game, now),
    )


def _check(talks: EndProposalState, power: str, number: int, counts: str) -> None:
    code = "moved" if number != talks.game.phase_number else talks.why_no_proposal(power)
    if not code and counts not in end_proposal_rules.countable_positions(talks.draw_rule, talks.moment):
        code = "counts"
    if code:
        raise EndProposalRefusal(code)


def answers_due_at(state: ProposalOutcome, game: Game, now: datetime) -> datetime | None:
    """When silence is taken for an answer: the time of vetoes is half of what is left, a day at most."""
    if game.deadline is None or game.deadline <= now:
        return None  # the game waits for somebody, or for its clock: there is time
    if state is ProposalOutcome.VOTING:
        return game.deadline
    return now + min((game.deadline - now) / 2, LONGEST_VETO)


@write_transaction
def answer_end_proposal(game: Game, pk: int, power: str, choice: str, now: datetime) -> EndProposal:
    """A power’s answer to a proposal: veto or pass, then yes or no; it may be changed until all are in.

    Raises EndProposalRefusal.
    """
    talks, proposal = _opened(game, pk)
    wanted = ("veto", "pass") if proposal.state == ProposalOutcome.VETOES else ("yes", "no")
    if choice not in wanted:
        raise EndProposalRefusal("moved")
    if power not in talks.voters(proposal):
        raise EndProposalRefusal("not_asked")
    if proposal.answers_due_at is not None and now > proposal.answers_due_at:
        raise EndProposalRefusal("too_late")  # silence has answered, though a mail from before may be unread
    if proposal.ballots.filter(power=power, answered_at__gt=now).exists():
        raise EndProposalRefusal("answered")  # by a mail that was longer on its way
    EndProposalBallot.objects.update_or_create(
        proposal=proposal, power=power, defaults={"choice": choice, "answered_at": now}
    )
    _settle(talks, proposal, now)
    return proposal


@write_transaction
def withdraw_end_proposal(game: Game, pk: int, power: str, now: datetime) -> None:
    """The proposer takes his proposal back; raises EndProposalRefusal."""
    talks, proposal = _opened(game, pk)
    if proposal.proposer != power:
        raise EndProposalRefusal("moved")
    _close(talks.game, proposal, ProposalOutcome.LAPSED, now)


def _opened(game: Game, pk: int) -> tuple[EndProposalState, EndProposal]:
    talks = EndProposalState(Game.objects.select_for_update().get(pk=game.pk))
    if talks.proposal is None or talks.proposal.pk != pk or talks.game.state not in RUNNING_STATES:
        raise EndProposalRefusal("moved")
    return talks, talks.proposal


def has_open_proposal(game: Game) -> bool:
    return bool(OPEN_PROPOSALS.rows(game=game.pk))


def due_end_proposals(now: datetime) -> list[EndProposal]:
    """The proposals whose time of silence has come, unless a mail that may answer one is not read yet."""
    due = [pk for (pk,) in DUE.rows(answers_due_at=now)]
    if not due:
        return []
    unread = UnreadEmailOrders.objects.filter(
        game=OuterRef("game"), received_at__lte=OuterRef("answers_due_at"), wait_until__gt=now
    )
    found = EndProposal.objects.filter(~Exists(unread), pk__in=due)
    return list(found.select_related("game").order_by("pk"))


@write_transaction
def settle_end_proposal(game: Game, pk: int, now: datetime) -> Game:
    talks = EndProposalState(Game.objects.select_for_update().get(pk=game.pk))
    if talks.proposal is not None and talks.proposal.pk == pk:
        _settle(talks, talks.proposal, now)
    return talks.game


def _settle(talks: EndProposalState, proposal: EndProposal, now: datetime) -> None:
    """Move a proposal on as far as its answers allow."""
    state = ProposalOutcome(proposal.state)
    up = proposal.answers_due_at is not None and now >= proposal.answers_due_at
    found = end_proposal_rules.proposal_outcome(
        state, talks.voters(proposal), answers_by_power(proposal), time_is_up=up
    )
    if found is state:
        return
    if found is ProposalOutcome.VOTING:
        _to_vote(talks, proposal, now)
    else:
        _close(talks.game, proposal, found, now)


def answers_by_power(proposal: EndProposal) -> dict[str, str]:
    return dict(proposal.ballots.values_list("power", "choice"))


def _to_vote(talks: EndProposalState, proposal: EndProposal, now: datetime) -> None:
    proposal.state, proposal.answers_due_at = (
        ProposalOutcome.VOTING,
        answers_due_at(ProposalOutcome.VOTING, talks.game, now),
    )
    proposal.save()
    told = [one for power in talks.voters(proposal) for one in recipients.player_ids_of(talks.game, power)]
    recipients.notify_about_game(
        talks.game, told, "proposal_voting", f"voting:{proposal.pk}", power=proposal.proposer
    )
    topic_versions.bump(topic_versions.game_topic(talks.game.key))
    _settle(talks, proposal, now)


def _close(game: Game, proposal: EndProposal, outcome: ProposalOutcome, now: datetime) -> None:
    """End a proposal; an accepted one is carried out by whoever comes by next (`agreed_end`)."""
    proposal.state, proposal.closed_at = outcome, now
    proposal.save()
    vetoes = [power for power, choice in answers_by_power(proposal).items() if choice == "veto"]
    game_log.add_log_entry(
        game, "proposal_closed", power=proposal.proposer, outcome=str(outcome), vetoes=vetoes
    )
    once = f"proposal_closed:{proposal.pk}"
    recipients.notify_about_game(
        game, recipients.member_ids(game), "proposal_closed", once, outcome=str(outcome), powers=vetoes
    )
    topic_versions.bump(topic_versions.game_topic(game.key))
    if outcome is ProposalOutcome.ACCEPTED:
        Game.objects.filter(pk=game.pk).update(next_check_at=now, version=F("version") + 1)


def accepted_end_proposal(game: Game) -> EndProposal | None:
    """The proposal that ends the game now: one of before a phase was taken back ends nothing any more."""
    found = EndProposal.objects.filter(
        game=game, phase_number=game.phase_number, state=ProposalOutcome.ACCEPTED
    )
    return found.filter(closed_at__gte=game.phase_opened_at).first() if game.phase_opened_at else None


def lapse_end_proposals(game: Game, now: datetime) -> None:
    """A phase is published: what was proposed before it has no object any more. Inside that transaction."""
    for proposal in OPEN_PROPOSALS.rows(game=game.pk):
        _close(game, proposal, ProposalOutcome.LAPSED, now)


OPEN_PROPOSALS = PreparedQuery(
    lambda: EndProposal.objects.filter(game=Given(EndProposal, "game"), closed_at=None)
)


def public_answers(proposal: EndProposal) -> Mapping[str, str]:
    """What everybody may know of the answers: the vetoes."""
    return {power: choice for power, choice in answers_by_power(proposal).items() if choice == "veto"}
