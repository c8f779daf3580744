"""What a state, or the Secretary-General, may write beside orders to units, as forms to fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talleyrand.engine import legality
from talleyrand.engine.board import Board
from talleyrand.engine.errors import Refusal
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Build, Measure
from talleyrand.engine.position import Position, UnitName
from talleyrand.engine.protocols import Leaflet, Pick, Slot
from talleyrand.engine.rulebook import Rulebook

from .affairs import LIMITS, NOBODY, affairs_of, controller, owned_by
from .bulletin import agenda
from .exchange import types_open
from .polls import ballots_of, proposers
from .states import UN, states
from .wording import ABSTAIN, ALL, NONE, as_missions_are_read

MOST_INVITATIONS = 3


def leaflets(
    rules: Mapping[str, PhaseRules],
    board: Board,
    position: Position,
    power: str,
    book: Rulebook,
    told: Mapping[str, object],
) -> tuple[Leaflet, ...]:
    """Every form of a phase that a seat may fill in; blanks without an answer are left out."""
    if power in affairs_of(position).eliminated:
        return ()
    desk = _Desk(rules[position.phase.kind], board, position, power, book)
    kinds = {"P": desk.debate, "M": desk.season, "A": desk.winter}
    made = kinds[position.phase.kind](told) if position.phase.kind in kinds else ()
    return tuple(one for one in made if any(slot.picks for slot in one.slots))


class _Desk:
    """One seat in one phase."""

    def __init__(
        self, rules: PhaseRules, board: Board, position: Position, power: str, book: Rulebook
    ) -> None:
        self.rules, self.board, self.position, self.power, self.book = rules, board, position, power, book
        self.affairs = affairs_of(position)
        self.others = [state for state in states() if state not in self.affairs.eliminated]

    def _allowed(self, texts: Iterable[str]) -> Iterator[str]:
        """The measures that the rules of the phase take as they are."""
        for text in texts:
            order = Measure(text)
            if self.rules.check(self.board, self.position, self.power, order, self.book) == order:
                yield text

    def _single(self, code: str, texts: Sequence[tuple[str, str]]) -> Leaflet:
        """One blank whose answers are whole measures under headings."""
        lawful = set(self._allowed(text for text, _ in texts))
        picks = tuple(Pick(text, heading) for text, heading in texts if text in lawful)
        return Leaflet(code, "", (Slot("", picks),))

    def _aimed(self, code: str) -> Leaflet:
        """One blank whose answers are sectors to stop a unit in, and why the others are none."""
        picks: list[Pick] = []
        refused: dict[str, Refusal] = {}
        for sector in self.board.provinces:
            order = Measure(f"AS {sector}")
            found = self.rules.check(self.board, self.position, self.power, order, self.book)
            if found == order:
                picks.append(Pick(str(order)))
            elif isinstance(found, Refusal):
                refused[sector] = found
        return Leaflet(code, "", (Slot("", tuple(picks)),), refused=refused)

    # proposals

    def debate(self, told: Mapping[str, object]) -> Iterator[Leaflet]:
        """A proposal of each type; what the Secretary-General adds."""
        for kind in types_open(self.position.phase):
            yield self._missions() if kind == "2" else self._single(f"proposal_{kind}", self._about(kind))
        if self.power == UN:
            yield self._aimed("intervention")
            for motion in agenda(told):
                if motion.words[:2] in LIMITS:
                    yield self._amount(motion.by, motion.words)

    def _about(self, kind: str) -> list[tuple[str, str]]:
        sorts = {"1": (("1A", " 20"), ("1B", " 20"), ("1C", ""), ("1D", " 2")), "3": (("3A", ""), ("3B", ""))}
        found = [(f"{sort} {state}{end}", sort) for sort, end in sorts[kind] for state in self.others]
        return [*found, ("3A NONE", "3A")] if kind == "3" else found

    def _missions(self) -> Leaflet:
        """Orders for every M, whosever they are."""
        moving = as_missions_are_read(self.position)
        found: dict[str, list[Pick]] = {}
        for order in legality.movement_options(self.board, moving, UN, self.book):
            if order.unit is not None and order.unit.kind == "M":
                heading = type(order).__name__.lower()
                found.setdefault(str(order.unit), []).append(Pick(str(order), heading))
        if not any(self._allowed(["2 M MOR H"])):
            found = {}
        return Leaflet("proposal_2", "2", tuple(Slot(unit, tuple(picks)) for unit, picks in found.items()))

    def _amount(self, proposer: str, words: str) -> Leaflet:
        kind, state, *_ = words.split()
        least, most = LIMITS[kind]
        picks = tuple(Pick(str(amount)) for amount in range(least, most + 1))
        return Leaflet(
            "amount", f"SET {proposer} {kind} {state}", (Slot("", picks),), about=words, by=proposer
        )

    # ballots, aid, subversion

    def season(self, _told: Mapping[str, object]) -> Iterator[Leaflet]:
        """Ballots, the programme of aid, subversion; a ranking for ties."""
        if self.power == UN:
            yield from self._rankings()
            return
        for kind, each in ballots_of(self.affairs).items():
            made = proposers(self.affairs, kind)
            if any(self._allowed([f"{kind} {NONE}"])):
                picks = (*(Pick(name, about=text) for name, text in made.items()), Pick(NONE), Pick(ABSTAIN))
                slots = tuple(Slot(str(n) if each > 1 else "", picks) for n in range(1, each + 1))
                yield Leaflet(f"ballot_{kind}", kind, slots, " ")
        yield self._aid()
        yield self._aimed("subversion")

    def _aid(self) -> Leaflet:
        others = [state for state in self.others if state != self.power]
        places = self.affairs.aid.get(self.power, NOBODY)
        slots = (
            Slot(str(n), tuple(Pick(f"{n} {name}") for name in (NONE, *others)), now or "")
            for n, now in enumerate(places, 1)
        )
        return Leaflet("aid", "AID", tuple(slots))

    def _rankings(self) -> Iterator[Leaflet]:
        for kind in "123":
            made = proposers(self.affairs, kind)
            if len(made) > 1:
                picks = tuple(Pick(name, about=text) for name, text in made.items())
                slots = tuple(Slot(str(n), picks) for n in range(1, min(len(made), 5) + 1))
                yield Leaflet(f"ranking_{kind}", f"RANK {kind}", slots, " ")

    # the winter

    def winter(self, _told: Mapping[str, object]) -> Iterator[Leaflet]:
        """An M on another's centre, and invitations to others."""
        if self.power == UN:
            return
        if self.affairs.in_grace(self.power, self.position.phase):
            yield Leaflet("abroad", "", (Slot("", tuple(self._abroad())),))
        texts = [f"HOST {ALL}", *(f"HOST {seat}" for seat in (UN, *self.others) if seat != self.power)]
        texts += [f"HOST {UN} {code}" for code in self._coloured()]
        lawful = tuple(Pick(text, "HOST" if len(text.split()) == 2 else UN) for text in self._allowed(texts))
        yield Leaflet("hosting", "", tuple(Slot(str(n), lawful) for n in range(1, MOST_INVITATIONS + 1)))

    def _abroad(self) -> Iterator[Pick]:
        for host in self.others:
            if host != self.power:
                for code in owned_by(self.board, self.position, host):
                    if code not in self.position.at:
                        yield Pick(str(Build(UnitName("M", code))), host)

    def _coloured(self) -> list[str]:
        """The free sectors of the state's colour."""
        return [
            code
            for code in self.board.provinces
            if code not in self.position.at
            and not self.board.is_sea(code)
            and controller(self.board, self.position, code) == self.power
        ]
