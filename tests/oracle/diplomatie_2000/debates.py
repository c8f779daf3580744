"""The phase of proposals by its definitions: which stand, with what amounts, and where the UN intervenes."""

from __future__ import annotations

from tests.oracle.diplomatie_2000.annexes import SEAS, STATES
from tests.oracle.diplomatie_2000.standing import Fates, Json, Line, Sheets, Standing

LIMITS = {"1A": (1, 40), "1B": (1, 40), "1D": (1, 5)}
USUAL = {"1A": 20, "1B": 20, "1D": 2}


def types_open(standing: Standing) -> str:
    """Missions always; politics from autumn 2001 on; economy in autumn."""
    politics = "" if standing.phase.startswith("S2001") else "1"
    return politics + "2" + ("3" if standing.autumn else "")


def ballots_each(standing: Standing, kind: str, made: int) -> int:
    """How many ballots each elector has on so many proposals of a type."""
    if kind != "1" or made <= 4:
        return 1
    nine = int(standing.option("nine_proposals"))
    return 2 if made <= 8 else nine if made == 9 else 3


class Debate:
    """One phase of proposals."""

    def __init__(self, standing: Standing, sheets: Sheets) -> None:
        self.standing = standing
        self.fates: Fates = {}
        self.made: dict[str, dict[str, str]] = {}
        self.target: str | None = None
        sets: list[tuple[int, Line]] = []
        for seat, lines in sheets.items():
            for number, line in enumerate(lines):
                if line.what == "set":
                    sets.append((number, line))
                else:
                    self.fates[seat, number] = (self._heard(seat, line),)
        self._amounts(sets)

    def affairs(self) -> dict[str, Json]:
        """What the phase changes, as its answer tells it."""
        made = [kind for texts in self.made.values() for kind in texts]
        counts = {kind: made.count(kind) for kind in "123" if kind in made}
        return {
            "proposals": {seat: sorted(texts.values()) for seat, texts in self.made.items()},
            "open": {kind: ballots_each(self.standing, kind, count) for kind, count in counts.items()},
            "target": self.target,
        }

    def _heard(self, seat: str, line: Line) -> str:
        if seat in self.standing.gone:
            return "illegal"
        if line.what == "subvert":
            return self._intervenes(seat, line.said[0])
        kind, *said = line.said
        if kind[0] not in types_open(self.standing) or not self.standing.in_grace(seat):
            return "illegal"
        if kind == "2":
            return self._takes(seat, "2", self._programme(said[0]))
        state, amount = said
        if self._barred(kind, state):
            return "illegal"
        return self._takes(seat, kind, self._text(seat, kind, state, amount))

    def _takes(self, seat: str, kind: str, text: str) -> str:
        """The first lawful proposal of a type stands, for none can be taken back."""
        if kind[0] in self.made.get(seat, {}):
            return "surplus"
        self.made.setdefault(seat, {})[kind[0]] = text
        return "proposed"

    def _barred(self, kind: str, state: str) -> bool:
        """A target that is none, out of the game, or closed to this kind by the economy's other half."""
        if state == "NONE":
            return kind != "3A"
        closed = {"3A": "embargo", "3B": "imf"}.get(kind)
        hit = closed is not None and self.standing.table(closed, None) == state
        return state not in STATES or state in self.standing.gone or hit

    def _text(self, seat: str, kind: str, state: str, amount: int | None) -> str:
        """The proposal; only the Secretary-General says how much, within the limits."""
        if kind not in USUAL:
            return f"{kind} {state}"
        least, most = LIMITS[kind]
        heeded = seat == "ONU" and amount is not None and least <= amount <= most
        return f"{kind} {state} {amount if heeded else USUAL[kind]}"

    def _programme(self, orders: tuple[tuple[str, str], ...]) -> str:
        """The orders for the M that stand there, the last for each, by sector."""
        there = {code for code, unit in self.standing.at.items() if unit.kind == "M"}
        last = {code: order for code, order in orders if code in there}
        return "2 " + " / ".join(order for _, order in sorted(last.items()))

    def _intervenes(self, seat: str, code: str) -> str:
        """Once a year, on land, and not on the sector of last time under the same controller."""
        spent = "ONU" in self.standing.table("subversion", ())
        last = (self.standing.table("intervention", {}) or {}).get("last")
        if seat != "ONU" or code in SEAS or spent or (last and self._again(code, last)):
            return "illegal"
        if self.target is not None:
            return "surplus"
        self.target = code
        return "announced"

    def _again(self, code: str, last: list[str | None]) -> bool:
        now = self.standing.controller(code)
        if now != last[1]:
            return False
        anywhere = self.standing.option("repeated_intervention") == "same_state" and now is not None
        return anywhere or code == last[0]

    def _amounts(self, sets: list[tuple[int, Line]]) -> None:
        """The amounts said for others' proposals; of two for one proposer the last counts."""
        chosen: dict[str, int] = {}
        for number, line in sets:
            proposer, kind, state, amount = line.said
            least, most = LIMITS.get(kind, (1, 0))
            stands = self.made.get(proposer, {}).get("1", "").split()[:2] == [kind, state]
            if not stands or not least <= amount <= most:
                self.fates["ONU", number] = ("illegal",)
                continue
            if proposer in chosen:
                self.fates["ONU", chosen[proposer]] = ("superseded",)
            chosen[proposer] = number
            self.made[proposer]["1"] = f"{kind} {state} {amount}"
            self.fates["ONU", number] = ("amount_set",)
