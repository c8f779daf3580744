"""Proposing the end of a game, vetoing it, voting on it: each in one short transaction, the game locked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import F

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.games import audience, log, seats
from talleyrand.web.games.models import RUNNING, Ballot, Game, Proposal, Seat
from talleyrand.web.games.story import Story
from talleyrand.web.games.terms import Draw
from talleyrand.web.games.writing import writing
from talleyrand.web.notices import counters

from . import rules
from .rules import Asked, Moment, Outcome
from .standing import Standing

LONGEST_VETO = timedelta(hours=24)
OPEN = (Outcome.VETOES, Outcome.VOTING)


class NotNow(Exception):
    """A proposal or an answer that is not taken; `code` says why.

    Those of `rules.refusal`, `open` (another is open), `moved` (another phase, or the proposal is closed),
    `not_asked` (this power has no say), `counts` (say which position counts).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Talks:
    """A game as its proposals see it."""

    game: Game

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @property
    def scheme(self) -> Draw:
        return self.game.terms.draw

    @cached_property
    def standing(self) -> Standing:
        situation = Story(self.game).situation(self.game.number) or {}
        return Standing.of(situation, self.variant.board)

    @cached_property
    def moment(self) -> Moment:
        return self.moment_of(self.game.phase, self.game.number - 1)

    def moment_of(self, phase: str, played: int) -> Moment:
        return rules.moment(phase, self.variant.setting.calendar, played)

    @cached_property
    def seated(self) -> list[str]:
        """The powers that somebody plays; one in civil disorder has no say, nor a seat without land."""
        lost = set(Seat.objects.filter(game=self.game, disorder=True).values_list("power", flat=True))
        landless = self.variant.board.landless
        held = seats.holders(self.game).items()
        return [power for power, who in held if who and power not in lost and power not in landless]

    @cached_property
    def proposal(self) -> Proposal | None:
        """The one that is open."""
        return Proposal.objects.filter(game=self.game, closed=None).first()

    def before(self) -> list[Asked]:
        # what was asked in a phase that was taken back since is as if it had not been
        undone = {"number__gte": self.game.number, "closed__lt": self.game.opened}
        found = Proposal.objects.filter(game=self.game).exclude(**undone)
        return [
            Asked(one.power, one.phase, self.moment_of(one.phase, one.number - 1), Outcome(one.state))
            for one in found
        ]

    def refusal(self, power: str) -> str:
        """Why a power may not propose the end now; "" where it may."""
        if self.game.state not in RUNNING or not self.game.phase:
            return "moved"
        if power in self.variant.board.landless:
            return "not_asked"
        if self.proposal is not None:
            return "open"
        return rules.refusal(self.scheme, self.standing, power, self.game.phase, self.moment, self.before())

    def voters(self, proposal: Proposal) -> tuple[str, ...]:
        return rules.voters(self.scheme, self.standing, self.seated, proposal.power)


@writing
def propose(game: Game, power: str, number: int, counts: str, now: datetime) -> Proposal:
    """Propose the end while phase `number` is open; raises NotNow."""
    talks = Talks(Game.objects.select_for_update().get(pk=game.pk))
    _check(talks, power, number, counts)
    proposal = _made(talks, power, counts, now)
    log.note(talks.game, "proposal", role="player", power=power, counts=counts)
    told = audience.everybody(talks.game)
    audience.tell(talks.game, told, "proposal", f"proposal:{proposal.pk}", power=power)
    counters.bump(counters.game_topic(game.key))
    _settle(talks, proposal, now)
    return proposal


def _made(talks: Talks, power: str, counts: str, now: datetime) -> Proposal:
    first = Outcome.VETOES if talks.scheme is Draw.VETO_THEN_VOTE else Outcome.VOTING
    return Proposal.objects.create(
        game=talks.game,
        number=talks.game.number,
        phase=talks.game.phase,
        power=power,
        counts=counts,
        state=first,
        closes=closing(first, talks.game, now),
    )


def _check(talks: Talks, power: str, number: int, counts: str) -> None:
    code = "moved" if number != talks.game.number else talks.refusal(power)
    if not code and counts not in rules.choices(talks.scheme, talks.moment):
        code = "counts"
    if code:
        raise NotNow(code)


def closing(state: Outcome, game: Game, now: datetime) -> datetime | None:
    """When silence is taken for an answer: the time of vetoes is half of what is left, a day at most."""
    if game.due is None or game.due <= now:
        return None  # the game waits for somebody, or for its clock: there is time
    if state is Outcome.VOTING:
        return game.due
    return now + min((game.due - now) / 2, LONGEST_VETO)


@writing
def answer(game: Game, pk: int, power: str, choice: str, now: datetime) -> Proposal:
    """A power’s answer to a proposal: veto or pass, then yes or no; it may be changed until all are in.

    Raises NotNow.
    """
    talks, proposal = _opened(game, pk)
    wanted = ("veto", "pass") if proposal.state == Outcome.VETOES else ("yes", "no")
    if choice not in wanted:
        raise NotNow("moved")
    if power not in talks.voters(proposal):
        raise NotNow("not_asked")
    Ballot.objects.update_or_create(proposal=proposal, power=power, defaults={"choice": choice})
    _settle(talks, proposal, now)
    return proposal


@writing
def withdraw(game: Game, pk: int, power: str, now: datetime) -> None:
    """The proposer takes his proposal back; raises NotNow."""
    talks, proposal = _opened(game, pk)
    if proposal.power != power:
        raise NotNow("moved")
    _close(talks.game, proposal, Outcome.LAPSED, now)


def _opened(game: Game, pk: int) -> tuple[Talks, Proposal]:
    talks = Talks(Game.objects.select_for_update().get(pk=game.pk))
    if talks.proposal is None or talks.proposal.pk != pk or talks.game.state not in RUNNING:
        raise NotNow("moved")
    return talks, talks.proposal


def due(now: datetime) -> list[Proposal]:
    """The proposals whose time of silence has come."""
    return list(Proposal.objects.filter(closed=None, closes__lte=now).select_related("game").order_by("pk"))


@writing
def settle(game: Game, pk: int, now: datetime) -> Game:
    talks = Talks(Game.objects.select_for_update().get(pk=game.pk))
    if talks.proposal is not None and talks.proposal.pk == pk:
        _settle(talks, talks.proposal, now)
    return talks.game


def _settle(talks: Talks, proposal: Proposal, now: datetime) -> None:
    """Move a proposal on as far as its answers allow."""
    state = Outcome(proposal.state)
    up = proposal.closes is not None and now >= proposal.closes
    found = rules.settled(state, talks.voters(proposal), answers(proposal), time_is_up=up)
    if found is state:
        return
    if found is Outcome.VOTING:
        _to_vote(talks, proposal, now)
    else:
        _close(talks.game, proposal, found, now)


def answers(proposal: Proposal) -> dict[str, str]:
    return dict(proposal.ballots.values_list("power", "choice"))


def _to_vote(talks: Talks, proposal: Proposal, now: datetime) -> None:
    proposal.state, proposal.closes = Outcome.VOTING, closing(Outcome.VOTING, talks.game, now)
    proposal.save()
    told = [one for power in talks.voters(proposal) for one in audience.holder(talks.game, power)]
    audience.tell(talks.game, told, "proposal_voting", f"voting:{proposal.pk}", power=proposal.power)
    counters.bump(counters.game_topic(talks.game.key))
    _settle(talks, proposal, now)


def _close(game: Game, proposal: Proposal, outcome: Outcome, now: datetime) -> None:
    """End a proposal; an accepted one is carried out by whoever comes by next (`carrying`)."""
    proposal.state, proposal.closed = outcome, now
    proposal.save()
    vetoes = [power for power, choice in answers(proposal).items() if choice == "veto"]
    log.note(game, "proposal_closed", power=proposal.power, outcome=str(outcome), vetoes=vetoes)
    once = f"proposal_closed:{proposal.pk}"
    audience.tell(game, audience.everybody(game), "proposal_closed", once, outcome=str(outcome))
    counters.bump(counters.game_topic(game.key))
    if outcome is Outcome.ACCEPTED:
        Game.objects.filter(pk=game.pk).update(sweep=now, version=F("version") + 1)


def accepted(game: Game) -> Proposal | None:
    """The proposal that ends the game now: one of before a phase was taken back ends nothing any more."""
    found = Proposal.objects.filter(game=game, number=game.number, state=Outcome.ACCEPTED)
    return found.filter(closed__gte=game.opened).first() if game.opened else None


def lapse(game: Game, now: datetime) -> None:
    """A phase is published: what was proposed before it has no object any more. Inside that transaction."""
    for proposal in Proposal.objects.filter(game=game, closed=None):
        _close(game, proposal, Outcome.LAPSED, now)


def shown(proposal: Proposal) -> Mapping[str, str]:
    """What everybody may know of the answers: the vetoes."""
    return {power: choice for power, choice in answers(proposal).items() if choice == "veto"}
