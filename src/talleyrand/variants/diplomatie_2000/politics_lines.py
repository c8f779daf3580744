"""Lines of the debates as the rules write them, in French and English: proposals, ballots, aid, permissions.

A normal form is made of what was understood; what was not is left aside with a note, and a line of which
nothing was understood is left to the usual reader. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Build, Disband, PoliticalOrder
from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.engine.politics_protocol import NameLookup, UnderstoodLine
from talleyrand.engine.position import Position, UnitName

from .political_state import AMOUNT_LIMITS, UN, controller, political_state_of, with_mandates_under_un
from .political_state_json import open_vote_types

NONE, ABSTAIN, ALL = "NONE", "ABSTAIN", "ALL"
USUAL_AMOUNTS = {"1A": 20, "1B": 20, "1D": 2}
"""The amounts that stand where the Secretary-General sets none."""

GUESSED = ("read_as", "sign_misspelt", "sign_supplied")
"""Notes on an order of which a part was guessed: where nothing can be taken back, it is none."""

LETTERLESS = "letter_supplied"
"""The note on a support that leaves the letter of the unit out, as the rules themselves do."""

NOBODY_NAMED = ("AUCUN", "AUCUNE", "PERSONNE", "NONE", "NOBODY", "NO ONE")
WITHHELD = ("ABSTENTION", "ABSTAIN", "BLANC", "S ABSTIENT")
EVERYBODY = ("TOUS", "TOUT LE MONDE", "ALL", "EVERYBODY", "ANYBODY")
_BETWEEN = re.compile(r"[/;]")
_TITLES = {"1": "POLITI(?:QUES?|CAL|CS)", "2": "MISSIONS?", "3": "ECONOMI(?:QUES?|CS?|CAL)"}
_TYPE = "(?:VOTES? )?(?:" + "|".join(f"(?P<t{n}>{n}|{title})" for n, title in _TITLES.items()) + ")"
_PROPOSAL = re.compile(
    r"(?:SET )?(?:(?P<who>[^:]*?) )??(?P<kind>1 ?[ABCD]|2|3 ?[AB]) ?(?:[:)] ?| )(?P<rest>.+)"
)
_AMOUNT = re.compile(r"(?P<n>-?\d{1,6}) ?(?:PV|VP|POINTS?|TOURS?|TURNS?)? ?(?:POUR|FOR|A|TO)? (?P<state>.+)")
_TRAILING = re.compile(r"(?P<state>.+?) (?P<n>\d{1,6})")
_BALLOT = re.compile(rf"{_TYPE} ?(?:[:)]|\.(?!\d)| ) ?(?P<rest>.+)")
_NEXT_BALLOT = re.compile(rf"[/;]|[ ,]+(?=(?:{'|'.join(('[123]', *_TITLES.values()))}) ?[:)])")
_AID = re.compile(r"(?:PROGRAMME D ?AIDE|AIDE|AID) ?:? ?(?P<rest>.+)")
_PLACE = re.compile(r"(?P<n>[123]) ?[:)]? ?(?P<state>.+)")
_RANK = re.compile(rf"(?:CLASSEMENT|RANKING|RANK) ?{_TYPE} ?:? ?(?P<rest>.+)")
_SUBVERSION = re.compile(r"(?:P?AS|SA|PINT|INT) ?:? (?P<rest>.+)|(?:P?AS|SA|PINT) ?: ?(?P<tight>.+)")
_MANDATE = re.compile(r"(?P<sign>[-+])? ?M (?P<place>[^-:(/]+?)(?P<done> [DB])?")
_HOST = re.compile(r"(?:M ?\( ?(?P<who>[^)]+?) ?\)|HOST (?P<guest>\S+)) ?(?P<place>.*)")


def read_line(
    board: Board, position: Position, power: str | None, text: str, names: NameLookup
) -> UnderstoodLine | None:
    """A line in these words; None leaves it to the usual reader."""
    plain = plain_text(text, names)
    if power is None or not plain:
        return None
    return _PoliticsLineReader(board, position, power, names).read(plain)


def plain_text(text: str, names: NameLookup) -> str:
    """A line in plain capitals with one blank between its words."""
    return " ".join(names.plain(text).replace("'", " ").split())


def position_for_missions(position: Position) -> Position:
    """A position as orders to its M are read: all of one seat, in the season's movement."""
    return replace(
        position, units=with_mandates_under_un(position.units), phase=position.phase._replace(kind="M")
    )


@dataclass(frozen=True)
class _PoliticsLineReader:
    """Whose line it is, and when."""

    board: Board
    position: Position
    power: str
    names: NameLookup

    def read(self, plain: str) -> UnderstoodLine | None:
        kind = self.position.phase.kind
        readers = {
            "P": (self._subversion, self._proposal),
            "M": (self._aid, self._ranking, self._subversion, self._ballots, self._dismantled),
            "A": (self._hosting, self._mandate),
        }.get(kind, ())
        found = next((found for reader in readers if (found := reader(plain)) is not None), None)
        lasts = kind == "P" and found is not None and not str(found.order).startswith("SET")
        if found and isinstance(found.order, PoliticalOrder) and lasts:
            return found._replace(order=replace(found.order, irrevocable=True))
        return found

    # proposals

    def _subversion(self, plain: str) -> UnderstoodLine | None:
        match = _SUBVERSION.fullmatch(plain)
        code = self.names.province(match["rest"] or match["tight"]) if match else None
        return UnderstoodLine(PoliticalOrder(f"AS {code}")) if code else None

    def _proposal(self, plain: str) -> UnderstoodLine | None:
        match = _PROPOSAL.fullmatch(plain)
        if match is None:
            return None
        kind, rest = match["kind"].replace(" ", ""), match["rest"]
        if match["who"]:
            proposer = self.names.power(match["who"])
            return self._amount_set(proposer, kind, rest) if proposer and self.power == UN else None
        if kind == "2":
            return self._programme(rest)
        if kind == "3A" and rest in NOBODY_NAMED:
            return UnderstoodLine(PoliticalOrder(f"3A {NONE}"))
        return self._about(kind, rest)

    def _about(self, kind: str, rest: str) -> UnderstoodLine | None:
        """A proposal about a state; only the Secretary-General says how much."""
        amount, state = self._amount(rest)
        if state is None:
            return None
        if kind not in USUAL_AMOUNTS:
            return UnderstoodLine(
                PoliticalOrder(f"{kind} {state}"), notes=_noted("amount_ignored", amount is not None)
            )
        if self.power != UN:
            ignored = amount is not None and not rest.endswith(f" {USUAL_AMOUNTS[kind]}")
            return UnderstoodLine(
                PoliticalOrder(f"{kind} {state} {USUAL_AMOUNTS[kind]}"),
                notes=_noted("amount_ignored", ignored),
            )
        least, most = AMOUNT_LIMITS[kind]
        lawful = amount is None or least <= amount <= most
        said = USUAL_AMOUNTS[kind] if amount is None or not lawful else amount
        return UnderstoodLine(
            PoliticalOrder(f"{kind} {state} {said}"), notes=_noted("amount_out_of_range", not lawful)
        )

    def _amount(self, rest: str) -> tuple[int | None, str | None]:
        match = _AMOUNT.fullmatch(rest) or _TRAILING.fullmatch(rest)
        if match is None:
            return None, self.names.power(rest)
        return int(match["n"]), self.names.power(match["state"])

    def _amount_set(self, proposer: str, kind: str, rest: str) -> UnderstoodLine | None:
        amount, state = self._amount(rest)
        if state is None:
            return None
        said = USUAL_AMOUNTS.get(kind, 0) if amount is None else amount
        measure = PoliticalOrder(f"SET {proposer} {kind} {state} {said}")
        least, most = AMOUNT_LIMITS.get(kind, (1, 0))
        if not least <= said <= most:
            return UnderstoodLine(
                measure, OrderNotAllowed("amount_not_to_set" if most == 0 else "amount_out_of_range")
            )
        return UnderstoodLine(measure)

    def _programme(self, rest: str) -> UnderstoodLine | None:
        """Orders for the M, each of the unit that stands there; the last for one counts."""
        position = position_for_missions(self.position)
        found: dict[str, tuple[str, tuple[AdjudicationNote, ...]]] = {}
        left: list[str] = []
        for part in _parts(rest):
            order, _, notes = self.names.order(part, position, UN)
            standing = position.units_by_province.get(order.unit.province) if order and order.unit else None
            guessed = any(note.kind in GUESSED for note in notes)
            if order is None or order.unit is None or standing is None or standing.kind != "M" or guessed:
                left.append(part)
                continue
            found[order.unit.province] = str(order), notes
        if not found:
            return None
        words = " / ".join(order for _, (order, _) in sorted(found.items()))
        told = dict.fromkeys(note for _, notes in found.values() for note in notes)
        notes = tuple(note for note in told if note.kind != LETTERLESS)
        return UnderstoodLine(PoliticalOrder(f"2 {words}"), notes=(*notes, *_left_aside(left)))

    # ballots and aid

    def _ballots(self, plain: str) -> UnderstoodLine | None:
        """Ballots of each type; names after a stroke without a type are ballots of the type before."""
        found: dict[str, list[str]] = {}
        left: list[str] = []
        misspelt, kind = False, ""
        for part in _parts(plain, _NEXT_BALLOT):
            match = _BALLOT.fullmatch(part)
            further = match is None and kind in found and not part[0].isdigit()
            kind = _type(match) if match else kind if further else ""
            named = [(name, self._choice(name)) for name in split_names(match["rest"] if match else part)]
            cast = [choice for _, choice in named if choice and kind]
            left += [name for name, choice in named if choice is None] if kind else [part]
            misspelt |= kind != "" and len(cast) < len(named)
            if cast:
                found[kind] = [*(found[kind] if further else ()), *cast]
        if not found:
            return None
        closed = set(found) - set(open_vote_types(self.position.phase))
        kept = {kind: cast for kind, cast in found.items() if kind not in closed} or found
        left += [f"{kind}) {', '.join(cast)}" for kind, cast in found.items() if kind not in kept]
        words = " / ".join(" ".join((kind, *cast)) for kind, cast in sorted(kept.items()))
        strange = (note for kind in kept if kind not in closed for note in self._strangers(kind, kept[kind]))
        return UnderstoodLine(
            PoliticalOrder(words, partial=misspelt),
            OrderNotAllowed("type_closed") if kept.keys() <= closed else None,
            (*_left_aside(left), *strange),
        )

    def _strangers(self, kind: str, cast: Sequence[str]) -> tuple[AdjudicationNote, ...]:
        """Whom a ballot names who proposed nothing in the vote, with those who did."""
        proposals = political_state_of(self.position).proposals
        made = [seat for seat, texts in sorted(proposals.items()) if any(text[0] == kind for text in texts)]
        if not made:
            return (AdjudicationNote("nothing_proposed", (("kind", kind),)),)
        strangers = [name for name in dict.fromkeys(cast) if name not in (*made, NONE, ABSTAIN)]
        facts = (("kind", kind), ("choices", ", ".join(made)))
        return tuple(AdjudicationNote("proposed_nothing", (("name", name), *facts)) for name in strangers)

    def _choice(self, name: str) -> str | None:
        """What a ballot names: a proposer, nobody, or that it is withheld."""
        if name in NOBODY_NAMED:
            return NONE
        return ABSTAIN if name in WITHHELD else self.names.power(name)

    def _aid(self, plain: str) -> UnderstoodLine | None:
        match = _AID.fullmatch(plain)
        places: dict[str, str] = {}
        refusal: OrderRefusal | None = None
        left: list[str] = []
        for part in _parts(match["rest"]) if match else ():
            place = _PLACE.fullmatch(part)
            named = place and (NONE if place["state"] in NOBODY_NAMED else self.names.power(place["state"]))
            refused = self._no_aid(named) if named else None
            refusal = refused or refusal
            if place and named and refused is None:
                places[place["n"]] = named
            else:
                left.append(part)
        if not places:
            return UnderstoodLine(None, refusal) if refusal else None
        words = " / ".join(f"{place} {state}" for place, state in sorted(places.items()))
        return UnderstoodLine(PoliticalOrder(f"AID {words}"), notes=_left_aside(left))

    def _no_aid(self, state: str) -> OrderRefusal | None:
        """Why a state cannot stand in a programme of aid."""
        if state == self.power:
            return OrderNotAllowed("aid_to_oneself")
        if state in political_state_of(self.position).eliminated:
            return OrderNotAllowed("state_is_out", candidates=(state,))
        return OrderNotAllowed("not_a_state", candidates=(state,)) if state == UN else None

    def _ranking(self, plain: str) -> UnderstoodLine | None:
        match = _RANK.fullmatch(plain)
        if match is None:
            return None
        named = {name: self.names.power(name) for name in split_names(match["rest"])}
        known = list(dict.fromkeys(name for name in named.values() if name))
        if not known:
            return None
        words = " ".join(("RANK", _type(match), *known))
        left = [name for name, state in named.items() if state is None]
        return UnderstoodLine(
            PoliticalOrder(words), notes=(*_left_aside(left), *self._strangers(_type(match), known))
        )

    # units under mandate

    def _dismantled(self, plain: str) -> UnderstoodLine | None:
        match = _MANDATE.fullmatch(plain)
        leaves = match is not None and match["sign"] != "+" and match["done"] != " B"
        code = self.names.province(match["place"]) if match and leaves else None
        return UnderstoodLine(Disband(UnitName("M", code))) if code else None

    def _mandate(self, plain: str) -> UnderstoodLine | None:
        """Alone, an M of one's own leaves, any other is built; a sign says which."""
        match = _MANDATE.fullmatch(plain)
        code = self.names.province(match["place"]) if match else None
        if match is None or code is None:
            return None
        standing = self.position.units_by_province.get(code)
        own = standing is not None and standing.kind == "M" and standing.power == self.power
        sign = match["sign"] or {" D": "-", " B": "+"}.get(match["done"] or "")
        leaves = sign == "-" or (sign is None and own)
        name = UnitName("M", code)
        return UnderstoodLine(Disband(name) if leaves else Build(name))

    def _hosting(self, plain: str) -> UnderstoodLine | None:
        parts = [part.strip() for part in re.split(r"[/;,]", plain)]
        found = {part: self._host(part) for part in parts if part}
        hosts = list(filter(None, found.values()))
        if not hosts:
            return None
        places = [host.split()[2] for host in hosts if host.count(" ") == 2]
        closed = [code for code in places if controller(self.board, self.position, code) != self.power]
        strange = tuple(
            AdjudicationNote("not_yours_to_open", (("place", code),)) for code in closed if self.power != UN
        )
        left = [part for part, host in found.items() if host is None]
        return UnderstoodLine(PoliticalOrder(" / ".join(hosts)), notes=(*_left_aside(left), *strange))

    def _host(self, part: str) -> str | None:
        match = _HOST.fullmatch(part)
        if match is None:
            return None
        said = match["who"] or match["guest"]
        guest = ALL if said in EVERYBODY else self.names.power(said)
        place = self.names.province(match["place"]) if match["place"] else ""
        if guest is None or place is None or (guest == ALL and place):
            return None
        return f"HOST {guest} {place}".strip()


def _parts(text: str, between: re.Pattern[str] = _BETWEEN) -> Sequence[str]:
    return [part.strip() for part in between.split(text) if part.strip(" .")]


def split_by_commas(text: str) -> list[str]:
    """Names parted by commas, which may have blanks of their own."""
    return [name.strip(" .") for name in text.split(",") if name.strip(" .")]


def split_names(text: str) -> list[str]:
    """Names parted by commas, or by blanks as in the normal form."""
    if "," in text:
        return split_by_commas(text)
    words = text.strip(" .").split()
    codes = len(words) > 1 and all(len(word) in (3, 4) or word in (NONE, ABSTAIN) for word in words)
    return words if codes else [text.strip(" .")]


def _type(match: re.Match[str]) -> str:
    return next(number for number in _TITLES if match[f"t{number}"])


def _left_aside(parts: Iterable[str]) -> tuple[AdjudicationNote, ...]:
    """That parts of a line are not done, and which."""
    written = ", ".join(dict.fromkeys(parts))
    return (AdjudicationNote("part_ignored", (("written", written),)),) if written else ()


def _noted(kind: str, when: bool) -> tuple[AdjudicationNote, ...]:
    return (AdjudicationNote(kind),) if when else ()


def order_parts(measure: PoliticalOrder) -> Iterable[list[str]]:
    """The parts of a normal form, word by word, the title of the line set aside."""
    words = measure.text.removeprefix("AID ")
    return [part.split() for part in words.split(" / ")]
