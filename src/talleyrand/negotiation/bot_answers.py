"""What a bot answers to a proposal: by the position, its character and who kept their word before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from talleyrand.engine.board import province_of
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Move, Order
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook

from .bot_characters import BotCharacter
from .kept_word import RUNNING, AgreementAccount, centres_of, closed_provinces, trust_in
from .proposals import ALLIANCE, DEMILITARISED, DRAW, LASTING, PEACE, SUPPORT, Agreement, HelpedUnit, Proposal

ACCEPTED = "accepted"
CLOSE_PART = 6  # of the centres that win: with so few missing somebody is too strong to be helped
TAKES_WITHIN, FIGHTS_WITHIN = 2, 3  # moves to a free centre that the bot wants, to a power it may fight
DRAW_AFTER = 3  # years of play before which a bot plays on
FORGIVEN = "forgiven"  # what a bot accepts of somebody who lately broke their word to it is about that


@dataclass(frozen=True)
class BotAnswer:
    """`code` is ACCEPTED or why not, `about` what the reason names; `until` the last year that it lasts."""

    code: str
    about: str = ""
    until: int = 0


@dataclass(frozen=True)
class Negotiation:
    """A bot, who speaks to it, where they stand, and what became of the bot's agreements so far."""

    definition: GameDefinition
    book: Rulebook
    position: Position
    bot: str
    speaker: str
    character: BotCharacter
    accounts: Sequence[AgreementAccount]

    def answer(self, proposal: Proposal) -> BotAnswer:
        """What the bot answers; the same in the same place."""
        refused = next(self._objections(proposal), None)
        if refused is not None:
            return refused
        return BotAnswer(ACCEPTED, FORGIVEN if self.is_betrayed else "", self._until(proposal))

    @cached_property
    def is_betrayed(self) -> bool:
        """Whether the speaker broke their word to the bot this year or last."""
        last_year = self.position.phase.year - 1
        broken = (breach for account in self.accounts for breach in account.breaches)
        return any(one.power == self.speaker and one.phase.year >= last_year for one in broken)

    def _until(self, proposal: Proposal) -> int:
        """The last year of it; what lasts comes to moves at least once."""
        year = self.position.phase.year
        if proposal.kind not in LASTING:
            return year
        first = self.definition.calendar.year_of_moves(self.position.phase)
        return max(first, min(year + proposal.years, first + self.character.most_years) - 1)

    def agreement(self, proposal: Proposal, until: int) -> Agreement:
        """The agreement that comes of a proposal accepted now."""
        return Agreement(proposal, self.speaker, self.bot, self.position.phase, until)

    def _objections(self, proposal: Proposal) -> Iterator[BotAnswer]:
        """Why the bot declines, what weighs most first; nothing where it accepts."""
        for power, code in ((self.bot, "out"), (self.speaker, "you_are_out")):
            if not self.centres(power) and not self._units(power):
                yield BotAnswer(code)
        if any(self._is_repeated(one, proposal) for one in self._running):
            yield BotAnswer("already")
        if proposal.kind == DRAW:
            yield from self._against_a_draw()
            return
        unforgiven = self.is_betrayed and not self.character.forgives
        distrusts = unforgiven or trust_in(self.speaker, self.accounts) < self.character.trusts_from
        if distrusts and not _is_free_help(proposal):
            yield BotAnswer("distrust")
        if self._is_close(len(self.centres(self.speaker))):
            yield BotAnswer("too_strong")
        if proposal.kind == DEMILITARISED:
            yield from self._against_leaving_empty(proposal.province)
            return
        yield from self._against_helping_an_enemy()
        yield from self._against_supporting(proposal) if proposal.kind == SUPPORT else self._against_peace()
        if proposal.kind == ALLIANCE:
            yield from self._against_fighting(proposal.third)

    @cached_property
    def _running(self) -> list[Agreement]:
        return [one.agreement for one in self.accounts if one.state == RUNNING]

    def _is_repeated(self, one: Agreement, proposal: Proposal) -> bool:
        """Whether an agreement says the same, for as long as the bot would promise it."""
        is_same = one.proposer == self.speaker and replace(one.proposal, years=proposal.years) == proposal
        return is_same and one.until >= self._until(proposal)

    def _is_close(self, centres: int) -> bool:
        """Whether so many centres are nearly enough to win."""
        needed = self.position.centres_to_win or self.definition.victory.centres_needed(self.definition.board)
        return needed - centres <= max(1, needed // CLOSE_PART)

    def centres(self, power: str) -> tuple[str, ...]:
        """Those of a power."""
        return centres_of(self.position, power, self.definition.board)

    def _units(self, power: str) -> list[Unit]:
        return [unit for unit in self.position.units if unit.power == power]

    def _against_helping_an_enemy(self) -> Iterator[BotAnswer]:
        """Who is to get no help by an alliance gets neither peace nor support."""
        for one in self._running:
            if one.proposal.kind == ALLIANCE and one.proposal.third == self.speaker:
                yield BotAnswer("given_word", one.partner_of(self.bot))

    def _against_peace(self) -> Iterator[BotAnswer]:
        own = {*self.centres(self.bot), *self.definition.board.homes.get(self.bot, ())}
        for unit in self._units(self.speaker):
            if unit.province in own:
                yield BotAnswer("leave_first", unit.province)
        others = (one for one in self.definition.board.powers if one not in (self.bot, self.speaker))
        if not any(self.is_near(one) for one in others):
            yield BotAnswer("nobody_else")

    def is_near(self, power: str, to: str = "") -> bool:
        """Whether a power is one that the bot, or the power `to`, can fight."""
        places = {*self.centres(power), *(unit.province for unit in self._units(power))}
        return self._is_within(FIGHTS_WITHIN, places, to)

    def _is_within(self, moves: int, provinces: Iterable[str], power: str = "") -> bool:
        """Whether a unit of the bot, or of another power, comes to one of the provinces in so many moves; one
        to be built may."""
        goals, board = set(provinces), self.definition.board
        units = self._units(power or self.bot)
        near = (board.moves_to_nearest(unit.kind, unit.location, goals) for unit in units)
        return not units or any(0 <= count <= moves for count in near)

    def _against_leaving_empty(self, province: str) -> Iterator[BotAnswer]:
        for power, code in ((self.bot, "my_place"), (self.speaker, "your_place")):
            if province in self.centres(power):
                yield BotAnswer(code, province)
        unit = self.position.units_by_province.get(province)
        if unit is not None:
            yield BotAnswer("not_empty", province)
        owned = {one for power in self.definition.board.powers for one in self.centres(power)}
        free = province in self.definition.board.centres and province not in owned
        if free and self._is_within(TAKES_WITHIN, [province]):
            yield BotAnswer("wants_it", province)

    def _against_fighting(self, third: str) -> Iterator[BotAnswer]:
        if third in (self.bot, self.speaker):
            yield BotAnswer("which_third")
        if not self.centres(third) and not self._units(third):
            yield BotAnswer("gone", third)
        if any(third in one.powers and one.proposal.kind != DRAW for one in self._running):
            yield BotAnswer("given_word", third)
        if not self.is_near(third):
            yield BotAnswer("too_far", third)

    def _against_supporting(self, proposal: Proposal) -> Iterator[BotAnswer]:
        if self.position.phase.kind != "M":
            yield BotAnswer("no_moves")
            return
        asked, offered = proposal.asked, proposal.offered
        for helped, mover, giver, other in (
            (asked, self.speaker, self.bot, offered),
            (offered, self.bot, self.speaker, asked),
        ):
            if helped is None:
                continue
            busy = other.unit if other and other.to else None  # it goes, and can help nobody
            unit = self.position.units_by_province.get(helped.unit.province)
            if unit is None or unit.power != mover:
                yield BotAnswer("not_there", str(helped.unit))
            goal = self.position.units_by_province.get(province_of(helped.to or ""))
            if goal is not None and goal.power == mover == self.bot:
                yield BotAnswer("own_unit", goal.province)
            if unit is not None and all(one.unit == busy for one in possible_supports(self, giver, helped)):
                yield BotAnswer("cannot_support" if giver == self.bot else "you_cannot_support", str(helped))
        if proposal.asked:
            yield from self._against_this_move(proposal.asked)
        if proposal.asked and not proposal.offered and not self._is_a_favour():
            yield BotAnswer("nothing_offered")

    def _against_this_move(self, asked: HelpedUnit) -> Iterator[BotAnswer]:
        board, to = self.definition.board, province_of(asked.to or asked.unit.location)
        if to in self.centres(self.bot):
            yield BotAnswer("against_me", to)
        for one in self._running:
            other = one.partner_of(self.bot)
            if other != self.speaker and to in closed_provinces(one, self.bot, self.position, board):
                yield BotAnswer("given_word", other)

    def _is_a_favour(self) -> bool:
        """Whether the bot helps for nothing: a friend, with whom it is at peace."""
        friendly = any(one.proposer == self.speaker and one.proposal.kind in LASTING for one in self._running)
        return friendly and self.character.for_nothing

    @property
    def are_friends(self) -> bool:
        """Whether the bot and the speaker are at peace."""
        mine = {self.bot, self.speaker}
        return any(
            set(one.powers) == mine and one.proposal.kind in (PEACE, ALLIANCE) for one in self._running
        )

    def _against_a_draw(self) -> Iterator[BotAnswer]:
        sizes = {power: len(self.centres(power)) for power in self.definition.board.powers}
        first = self.position.first_year or self.definition.calendar.first.year
        threat = self._is_close(max(size for power, size in sizes.items() if power != self.bot))
        if self.position.phase.year < first + DRAW_AFTER and not threat:
            yield BotAnswer("too_early")
        if sizes[self.bot] == max(sizes.values()):
            yield BotAnswer("winning")


def _is_free_help(proposal: Proposal) -> bool:
    """Whether all that is proposed is to hold a unit of the bot's where it stands: it promises nothing."""
    offered = proposal.offered
    return offered is not None and offered.to is None and proposal.asked is None


def possible_supports(table: Negotiation, giver: str, helped: HelpedUnit) -> list[Order]:
    """The orders by which a power may support a unit."""
    return [one for one in legal_orders(table, giver) if helped.is_helped_by(one)]


def legal_orders(table: Negotiation, power: str) -> tuple[Order, ...]:
    """Every legal order of a power in the open phase."""
    rules = table.definition.rules_for(table.position.phase)
    return rules.legal_orders(table.definition.board, table.position, power, table.book)


def promised_move(table: Negotiation, helped: HelpedUnit) -> Move | None:
    """The move of the bot's own unit that it is promised support for."""
    meant = (helped.unit.province, province_of(helped.to or ""))
    for one in legal_orders(table, table.bot):
        if isinstance(one, Move) and not one.via and (one.unit.province, province_of(one.to)) == meant:
            return one
    return None
