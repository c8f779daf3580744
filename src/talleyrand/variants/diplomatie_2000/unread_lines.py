"""Lines that begin as these rules write them and go no further: what is wrong, and what comes nearest.

Nothing here is followed: what a line may have been is told, never done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderNotUnderstood, OrderRefusal
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.politics_protocol import NameLookup, UnderstoodLine
from talleyrand.engine.position import Position

from .political_state import UN, may_subvert, political_state_of, state_rows
from .political_state_json import open_vote_types
from .politics_lines import (
    ABSTAIN,
    ALL,
    EVERYBODY,
    NOBODY_NAMED,
    USUAL_AMOUNTS,
    WITHHELD,
    plain_text,
    position_for_missions,
    split_by_commas,
    split_names,
)
from .vote_counting import proposals_by_seat

_KINDS = ("1A", "1B", "1C", "1D", "2", "3A", "3B")
_PROPOSAL = re.compile(r"(?P<kind>\d ?[A-Z]?)(?: ?[:)] ?(?P<rest>.*)| (?P<state>\S+(?: \d+)?)|)")
_HEADED = re.compile(r"\d ?[A-Z]? ?[:)].*")
_SECOND = re.compile(r"[/;,] ?\d ?[A-Z] ?[:)]")
_AMOUNT = re.compile(r"^-?\d+ ?(?:PV|VP|POINTS?|TOURS?|TURNS?) ?(?:POUR|FOR|A|TO)? | -?\d+$")
_BALLOT = re.compile(r"(?P<kind>\d)(?: ?[:)] ?(?P<rest>.*))")
_AID = re.compile(r"(?:PROGRAMME D ?AIDE|AIDE|AID)(?: ?:)? ?(?P<rest>.*)")
_PLACE = re.compile(r"(?P<n>\d+)(?: ?[:)] ?| )?(?P<state>.*)")
_AIMED_LOOSELY = re.compile(r"(?P<word>P?AS|SA|PINT)(?: ?: ?| (?!-)|$)(?P<rest>.*)")
_VOTE = re.compile(r"(?:JE )?VOTES?(?: ?: ?| (?:POUR |FOR )?|$)(?P<rest>.*)")
_AIMED = re.compile(r"(?P<word>P?AS|SA|PINT) ?: ?(?P<rest>.*)")
_RANK = re.compile(r"(?:CLASSEMENT|RANKING|RANK)\b ?(?P<kind>[123])? ?:? ?(?P<rest>.*)")
_SET = re.compile(r"(?:SET )?(?P<by>[^:]+?) (?P<kind>1 ?[ABD]) ?(?:[:)] ?| )(?P<rest>.+)")
_MISSION = re.compile(r"M (?P<place>\S+) ?(?P<rest>.*)")
_UNIT = re.compile(r"[MAFV] ")
_HOST = re.compile(r"M ?\((?P<who>[^)]*)\)? ?(?P<place>.*)")

MOST_SHOWN = 8
ONESELF = ("MOI", "MOI MEME", "MOI-MEME", "ME", "MYSELF", "NOUS", "US")
NO_NAME = (*NOBODY_NAMED, *WITHHELD, *EVERYBODY)
"""Words for nobody in particular: they are like no name, whatever letters they share with one."""


def is_political_line(kind: str, plain: str) -> bool:
    """Whether a line can be nothing else than one of these rules' own, in a phase of this kind."""
    heads = {"P": (_AIMED, _HEADED), "M": (_AID, _AIMED, _RANK), "A": (_HOST,)}.get(kind, ())
    return any(head.fullmatch(plain) for head in heads)


def explain_unread_line(
    board: Board, position: Position, power: str | None, text: str, names: NameLookup
) -> UnderstoodLine | None:
    """Why a line that says nothing lawful does not, with the line that it comes nearest to; None for a line
    that does not begin in these rules' words."""
    plain = plain_text(text, names)
    if power is None or not plain:
        return None
    return _LineExplainer(board, position, power, names).explanation(plain)


@dataclass(frozen=True)
class _LineExplainer:
    """Whose line it is, and when."""

    board: Board
    position: Position
    power: str
    names: NameLookup

    def explanation(self, plain: str) -> UnderstoodLine | None:
        readers = {
            "P": (self._aimed, self._proposal, self._amount),
            "M": (self._aid, self._aimed, self._rank, self._late, self._vote, self._ballot),
            "A": (self._host,),
        }.get(self.position.phase.kind, ())
        return next((found for reader in readers if (found := reader(plain)) is not None), None)

    def _living(self) -> list[str]:
        gone = political_state_of(self.position).eliminated
        return [state for state in state_rows() if state not in gone]

    def _state(self, text: str, among: Iterable[str] | None = None) -> str | None:
        """The state that a word is nearest to."""
        if text in ONESELF and self.power != UN:
            return self.power
        return self.names.power(text) or self._nearest(text, among or self._living())

    def _nearest(self, text: str, among: Iterable[str]) -> str | None:
        """The state or the place whose name a text is almost; none for a word that is no name."""
        return None if text in (*NO_NAME, *ONESELF) else self.names.nearest(text, among)

    # proposals

    def _proposal(self, plain: str) -> UnderstoodLine | None:
        match = _PROPOSAL.fullmatch(plain)
        if match is None:
            return None
        kind, rest = match["kind"].replace(" ", ""), (match["rest"] or match["state"] or "").strip()
        bare = len(kind) == 1
        like = _UNIT.match(rest) if kind == "2" else self._state(rest)
        if bare and not like and rest not in NO_NAME:
            return None
        if kind not in _KINDS:
            return _none(OrderNotUnderstood("no_such_proposal_kind", kind, candidates=_KINDS))
        if not rest:
            return _none(OrderNotUnderstood("proposal_unfinished", kind))
        if _SECOND.search(rest):
            return _none(OrderNotUnderstood("one_proposal_a_line", rest))
        return self._programme(rest) if kind == "2" else self._target(kind, rest)

    def _target(self, kind: str, rest: str) -> UnderstoodLine:
        named = _AMOUNT.sub("", rest).strip()
        if named in NOBODY_NAMED:
            return _none(OrderNotUnderstood("nobody_proposed", kind))
        state = self._state(named)
        usual = f" {USUAL_AMOUNTS[kind]}" if kind in USUAL_AMOUNTS else ""
        return _near(OrderNotUnderstood("unknown_state", named), state and f"{kind} {state}{usual}")

    def _amount(self, plain: str) -> UnderstoodLine | None:
        """An amount of the Secretary-General's, of which a name is not understood."""
        match = _SET.fullmatch(plain) if self.power == UN else None
        by = self._state(match["by"]) if match else None
        if match is None or by is None:
            return None
        kind, named = match["kind"].replace(" ", ""), _AMOUNT.sub("", match["rest"]).strip()
        if named in NOBODY_NAMED:
            return _none(OrderNotUnderstood("nobody_proposed", kind))
        number, state = re.search(r"\d+", match["rest"]), self._state(named)
        words = f"SET {by} {kind} {state} {number[0] if number else USUAL_AMOUNTS[kind]}"
        strange = named if self.names.power(match["by"]) else match["by"]
        return _near(OrderNotUnderstood("unknown_state", strange), state and words)

    def _programme(self, rest: str) -> UnderstoodLine:
        """Orders to others than the M, or to none that stands there."""
        standing = sorted(str(unit) for unit in self.position.units if unit.kind == "M")
        part = next((part.strip() for part in re.split(r"[/;]", rest) if part.strip()), rest)
        refusal = OrderNotUnderstood("no_mission", part, candidates=tuple(standing[:MOST_SHOWN]))
        match = _MISSION.fullmatch(part)
        code = self.names.nearest(match["place"], (unit[2:] for unit in standing)) if match else None
        if match is None or code is None:
            return _none(refusal)
        position = position_for_missions(self.position)
        found = self.names.order(f"M {code} {match['rest']}", position, UN)
        return _near(refusal, found.refusal is None and found.order is not None and f"2 {found.order}")

    def _aimed(self, plain: str) -> UnderstoodLine | None:
        """A subversion or an intervention at no sector."""
        match = _AIMED_LOOSELY.fullmatch(plain)
        if match is None:
            return None
        if not match["rest"] or match["rest"] in NO_NAME:
            return _none(OrderNotUnderstood("sector_missing", match["word"]))
        if barred := self._no_aim():
            return _none(barred) if _AIMED.fullmatch(plain) else None
        first, *others = re.split(r" ?[/;,] ?", match["rest"])
        if others:
            code = self.names.province(first)
            return _near(OrderNotUnderstood("one_sector", match["rest"]), code and f"AS {code}")
        lands = [code for code in self.board.provinces if not self.board.is_sea(code)]
        code = self._nearest(match["rest"], lands)
        if code is None and not _AIMED.fullmatch(plain):
            return None
        return _near(OrderNotUnderstood("unknown_place", match["rest"]), code and f"AS {code}")

    def _no_aim(self) -> OrderRefusal | None:
        """Why nothing can be aimed at, whatever the sector."""
        debating = self.position.phase.kind == "P"
        if debating != (self.power == UN):
            return OrderNotAllowed("subversion_with_orders" if debating else "intervention_in_debate")
        if self.power in political_state_of(self.position).subversion:
            return OrderNotAllowed("subversion_spent")
        allowed = debating or may_subvert(self.board, self.position, self.power)
        return None if allowed else OrderNotAllowed("no_subversion")

    # ballots, aid, rankings

    def _late(self, plain: str) -> UnderstoodLine | None:
        """A proposal among the orders."""
        match = _PROPOSAL.fullmatch(plain)
        late = match is not None and match["kind"].replace(" ", "") in _KINDS and len(match["kind"]) > 1
        return _none(OrderNotAllowed("proposals_are_over")) if late else None

    def _ballot(self, plain: str) -> UnderstoodLine | None:
        """A ballot for nobody; a line of which nothing is like a name of a state is another's."""
        first, *others = (part.strip(" .") for part in plain.split("/"))
        match = _BALLOT.fullmatch(first)
        if match is None:
            return None
        kind, names = match["kind"], split_by_commas(match["rest"])
        open_ = open_vote_types(self.position.phase)
        made = [seat for one in open_ for seat in proposals_by_seat(political_state_of(self.position), one)]
        known = [self._elector(name, kind, made) for name in names]
        if not names:
            return _none(OrderNotUnderstood("ballot_unfinished", kind))
        if names[0] in EVERYBODY:
            return _none(OrderNotUnderstood("unknown_state", names[0]))
        if not any(known):
            return None
        if kind not in open_:
            return _none(OrderNotUnderstood("no_such_vote", kind, candidates=open_))
        further = takewhile(lambda part: not part[:1].isdigit(), others)
        known += [self._elector(name, kind, made) for part in further for name in split_by_commas(part)]
        words = " ".join((kind, *filter(None, known)))
        return _near(OrderNotUnderstood("unknown_state", names[0]), words)

    def _vote(self, plain: str) -> UnderstoodLine | None:
        """A ballot that does not say in which vote."""
        match = _VOTE.fullmatch(plain)
        if match is None or match["rest"][:1].isdigit():
            return None
        name, known = match["rest"].strip(" ."), political_state_of(self.position)
        state = self.power if name in ONESELF else self.names.power(name)
        kinds = [
            kind for kind in open_vote_types(self.position.phase) if state in proposals_by_seat(known, kind)
        ]
        words = f"{kinds[0]} {state}" if len(kinds) == 1 else ""
        return _near(
            OrderNotUnderstood("vote_unnamed", candidates=open_vote_types(self.position.phase)), words
        )

    def _elector(self, name: str, kind: str, made: Iterable[str]) -> str | None:
        if name in NOBODY_NAMED:
            return "NONE"
        if name in WITHHELD:
            return ABSTAIN
        if name in ONESELF:
            return self.power
        asked = proposals_by_seat(political_state_of(self.position), kind) or made
        return self.names.power(name) or self._nearest(name, asked)

    def _aid(self, plain: str) -> UnderstoodLine | None:
        match = _AID.fullmatch(plain)
        if match is None:
            return None
        others = [state for state in self._living() if state != self.power]
        found: list[str] = []
        wrong = ""
        for part in filter(None, (part.strip() for part in re.split(r"[/;]", match["rest"]))):
            place = _PLACE.fullmatch(part)
            if place is None or place["n"] not in "123" or not place["state"]:
                return _none(OrderNotUnderstood("aid_place", part))
            if place["state"] in ONESELF:
                return _none(OrderNotAllowed("aid_to_oneself"))
            state = "NONE" if place["state"] in NOBODY_NAMED else self._state(place["state"], others)
            wrong = wrong or place["state"]
            found += [f"{place['n']} {state}"] if state else []
        if not wrong:
            return _none(OrderNotUnderstood("aid_unfinished"))
        return _near(OrderNotUnderstood("unknown_state", wrong), found and f"AID {' / '.join(found)}")

    def _rank(self, plain: str) -> UnderstoodLine | None:
        match = _RANK.fullmatch(plain)
        if match is None:
            return None
        affairs, kind = political_state_of(self.position), match["kind"]
        rest = re.sub(r"^\d+ ?[:)]? ?", "", match["rest"])
        written = [name for name in split_names(rest) if name not in NO_NAME]
        likely: list[str] = []
        for vote in kind or "123":
            made = list(proposals_by_seat(affairs, vote))
            known = [name for name in (self._state(one, made) for one in written) if name]
            if known and (kind or set(known) <= set(made)):
                likely.append(f"RANK {vote} {' '.join(known)}")
        made = list(proposals_by_seat(affairs, kind)) if kind else []
        words = likely[0] if len(likely) == 1 else ""
        return _near(OrderNotUnderstood("ranking_unfinished", candidates=tuple(made)), words)

    # permissions

    def _host(self, plain: str) -> UnderstoodLine | None:
        match = _HOST.fullmatch(plain)
        if match is None:
            return None
        who, place = match["who"].strip(), match["place"].strip()
        if who in (*NOBODY_NAMED, *WITHHELD):
            who = ""
        if who in EVERYBODY:
            return _none(OrderNotAllowed("everybody_everywhere", nearest_order=f"HOST {ALL}"))
        guest = self.names.power(who) or self._nearest(who, (*self._living(), UN))
        if not guest:
            return _none(OrderNotUnderstood("unknown_state" if who else "guest_missing", who))
        code = self.names.province(place) or self._nearest(place, self.board.provinces) if place else ""
        where = f" {code}" if code else ""
        refusal = OrderNotUnderstood("unknown_state", who)
        if self.names.power(who):
            refusal = OrderNotUnderstood("unknown_place", place)
        return _near(refusal, code is not None and f"HOST {guest}{where}")


def _none(refusal: OrderRefusal) -> UnderstoodLine:
    return UnderstoodLine(None, refusal)


def _near(refusal: OrderRefusal, words: object) -> UnderstoodLine:
    """A refusal with what the line comes nearest to, if there is such a thing."""
    order: Order | None = PoliticalOrder(words) if isinstance(words, str) and words else None
    return UnderstoodLine(order, refusal)
