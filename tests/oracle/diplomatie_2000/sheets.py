"""Sheets for a phase of the world, drawn by a seed: lines in French and English, lawful ones and others."""

from __future__ import annotations

from random import Random

from tests.oracle.diplomatie_2000.annexes import CENTRES, EVERYWHERE, PLAIN, SEATS, SECTORS, STATES, places
from tests.oracle.diplomatie_2000.debates import USUAL, types_open
from tests.oracle.diplomatie_2000.standing import Line, Standing
from tests.oracle.diplomatie_2000.votes import proposed

NONE, ABSTAIN = ("Aucune", "None", "aucune"), ("Abstention", "Abstain")
TITLES = {"1": ("1)", "1 :", "Politique :"), "2": ("2)", "2 :", "Missions:"), "3": ("3)", "Économique :")}


class Writer:
    """Writes the sheets of one phase."""

    def __init__(self, dice: Random, standing: Standing) -> None:
        self.dice, self.standing = dice, standing
        self.busy = dice.choice((0.15, 0.3, 0.45))
        self.states = list(STATES)

    def sheets(self) -> dict[str, list[Line]]:
        """A sheet for each seat."""
        draw = {"P": self._debate, "M": self._season, "R": self._retreats, "A": self._winter}
        return {seat: draw[self.standing.kind](seat) for seat in SEATS}

    def _often(self, chance: float) -> bool:
        return self.dice.random() < chance

    def _state(self) -> str:
        return self.dice.choice(self.states)

    # proposals

    def _debate(self, seat: str) -> list[Line]:
        lines: list[Line] = []
        opened = types_open(self.standing)
        for kind in "123":
            wanted = self._often(self.busy) and (kind in opened or self._often(0.1))
            lines += [self._proposal(seat, kind) for _ in range(wanted + self._often(0.04))]
        lines = [line for line in lines if line.said and line.said[-1] != ()]
        self.dice.shuffle(lines)
        if seat == "ONU":
            lines += [self._subversion("pInt :") for _ in range(self.dice.choice((0, 1, 1, 2)))]
            lines += [self._amount() for _ in range(self.dice.choice((0, 2, 6)))]
        return lines

    def _proposal(self, seat: str, kind: str) -> Line:
        if kind == "2":
            return self._programme()
        what = kind + self.dice.choice("AABBCD" if kind == "1" else "AB")
        state = self._state()
        if what == "3A" and self._often(0.2):
            return Line(self.dice.choice(("3A : Aucun", "3A: None")), "propose", (what, "NONE", None))
        mark = self.dice.choice((" : ", ": ", " :"))
        if seat == "ONU" and what in USUAL and self._often(0.7):
            amount = self.dice.choice((1, 2, 3, 5, 6, 10, 40, 41))
            unit = self.dice.choice(("tours pour", "turns for") if what == "1D" else ("pV pour", "VP for"))
            return Line(f"{what}{mark}{amount} {unit} {state}", "propose", (what, state, amount))
        return Line(f"{what}{mark}{state}", "propose", (what, state, None))

    def _amount(self) -> Line:
        """An amount for a proposal that its proposer may have made."""
        seat, what, state = self._state(), self.dice.choice(("1A", "1B", "1C", "1D")), self._state()
        amount = self.dice.choice((1, 3, 5, 7, 30, 41))
        return Line(f"{seat} {what} : {amount} pV pour {state}", "set", (seat, what, state, amount))

    def amounts(self, sheets: dict[str, list[Line]]) -> None:
        """Amounts for proposals that somebody makes, some of them twice."""
        made = [
            (seat, *line.said)
            for seat, lines in sheets.items()
            for line in lines
            if line.what == "propose" and line.said[0] in (*USUAL, "1C")
        ]
        for seat, what, state, _ in self.dice.choices(made, k=len(made) // 2) if made else ():
            amount = self.dice.choice((0, 1, 2, 5, 6, 13, 40, 41))
            unit = "tours" if what == "1D" else "pV"
            text = f"{seat} {what} : {amount} {unit} pour {state}"
            sheets["ONU"].append(Line(text, "set", (seat, what, state, amount)))

    def _programme(self) -> Line:
        """Orders for some of the M, and now and then for what is none."""
        mandates = [unit.code for unit in self.standing.units if unit.kind == "M"]
        parts = [(code, self._mission(code)) for code in mandates if self._often(0.7)]
        parts += [(code, f"M {code} H") for code in self.dice.sample(mandates, min(1, len(mandates)))]
        self.dice.shuffle(parts)
        said = tuple((code, order) for code, order in parts)
        text = " / ".join(_loosely(self.dice, order) for _, order in parts)
        if said and self._often(0.1):
            text += " / M ZZZ - MOR"
        return Line(f"2 : {text}", "propose", ("2", said))

    def _mission(self, code: str) -> str:
        near = sorted(EVERYWHERE[code])
        plain = [
            unit
            for unit in self.standing.units
            if unit.code in near and unit.kind != "F" and len(SECTORS[unit.code].get("coasts", ())) == 0
        ]
        if plain and self._often(0.3):
            unit = self.dice.choice(plain)
            return f"M {code} S {unit.kind} {unit.code}"
        return f"M {code} - {self.dice.choice(near)}" if self._often(0.7) else f"M {code} H"

    def _subversion(self, word: str) -> Line:
        stood = [unit.code for unit in self.standing.units]
        code = self.dice.choice(stood) if self._often(0.6) and stood else self.dice.choice(sorted(SECTORS))
        return Line(f"{word} {code}", "subvert", (code,))

    # orders, ballots, aid

    def _season(self, seat: str) -> list[Line]:
        lines = [self._order(unit.kind, unit.place) for unit in self.standing.units if unit.power == seat]
        lines = [line for line in lines if line.text and (line.text[0] != "M")]
        if self._often(0.85):
            lines += [self._ballots() for _ in range(1 + self._often(0.1))]
        if self._often(0.4):
            lines += [self._aid(seat) for _ in range(1 + self._often(0.2))]
        may = seat != "ONU" and self.standing.may_subvert(seat)
        if self._often(0.6 if may else 0.04):
            words = self.dice.choices(("AS :", "SA:"), k=1 + self._often(0.1))
            lines += [self._subversion(word) for word in words]
        if seat == "ONU":
            lines = [line for line in lines if line.what == "unit"] + self._rankings()
        lines += self._leaving(seat)
        self.dice.shuffle(lines)
        return lines

    def _order(self, kind: str, place: str) -> Line:
        """Moves and supports, most of them to where something goes on."""
        near = sorted(EVERYWHERE[place[:3]])
        goal = self.dice.choice(near)
        held = [unit for unit in self.standing.units if unit.code in near]
        if held and self._often(0.3):
            unit = self.dice.choice(held)
            return Line(f"{kind} {place} S {unit}", "unit")
        if held and self._often(0.2):
            unit = self.dice.choice(held)
            return Line(f"{kind} {place} S {unit} - {self.dice.choice(near)}", "unit")
        if kind == "F":
            goal = self.dice.choice(places(goal) or [goal])
        return Line(f"{kind} {place} - {goal}" if self._often(0.8) else f"{kind} {place} H", "unit")

    def _ballots(self) -> Line:
        parts: list[tuple[str, tuple[str, ...]]] = []
        texts: list[str] = []
        for kind in "123":
            made = sorted(proposed(self.standing, kind))
            if not (made or self._often(0.1)) or self._often(0.1):
                continue
            liked = made[: self.dice.choice((1, 2, 3, 4))]
            count = self.dice.choice((1, 1, 2, 2, 3, 4)) if kind == "1" else 1 + self._often(0.05)
            pool = [
                *liked * 3,
                *made,
                "NONE",
                "NONE",
                "ABSTAIN",
                *([self._state()] if self._often(0.3) else []),
            ]
            names = tuple(self.dice.choice(pool) for _ in range(count))
            parts.append((kind, names))
            texts.append(f"{self.dice.choice(TITLES[kind])} {', '.join(map(self._named, names))}")
        if not parts:
            return Line("1) Abstention", "ballots", ((("1", ("ABSTAIN",)),),))
        return Line(" / ".join(texts), "ballots", (tuple(parts),))

    def _named(self, name: str) -> str:
        return self.dice.choice({"NONE": NONE, "ABSTAIN": ABSTAIN}.get(name, (name,)))

    def _rankings(self) -> list[Line]:
        """A whole order of a type's proposers, or none; now and then another one after it."""
        lines: list[Line] = []
        for kind in "123":
            made = sorted(proposed(self.standing, kind))
            for _ in range(self.dice.choice((0, 1, 1, 2)) if made else 0):
                self.dice.shuffle(made)
                word = self.dice.choice(("Classement", "Ranking"))
                lines.append(Line(f"{word} {kind} : {', '.join(made)}", "rank", (kind, tuple(made))))
        return lines

    def _aid(self, seat: str) -> Line:
        poor = [state for state in self.states if not self.standing.centres(state)]
        pool = [*self.states, seat, "NONE", "NONE", *poor * 8]
        numbers = sorted(self.dice.sample((1, 2, 3), self.dice.choice((1, 2, 3))))
        parts = tuple((number, self.dice.choice(pool)) for number in numbers)
        words = [
            f"{number} : {self.dice.choice(('Aucun', 'Nobody')) if state == 'NONE' else state}"
            for number, state in parts
        ]
        said = tuple((number, None if state == "NONE" else state) for number, state in parts)
        return Line(f"{self.dice.choice(('Aide', 'Aid'))} : {' / '.join(words)}", "aid", (said,))

    def _leaving(self, seat: str) -> list[Line]:
        own = [unit.code for unit in self.standing.units if unit.kind == "M" and unit.power == seat]
        some = [code for code in own if self._often(0.12)]
        if self._often(0.03):
            some.append(self.dice.choice(sorted(SECTORS)))
        return [Line(f"{self.dice.choice(('- M', 'M', '– M'))} {code}", "leave", (code,)) for code in some]

    # retreats and winters

    def _retreats(self, seat: str) -> list[Line]:  # noqa: ARG002 (they are drawn of the answer)
        return []

    def _winter(self, seat: str) -> list[Line]:
        lines = [self._removal(seat) for _ in range(self.dice.choice((0, 0, 0, 1, 4)))]
        lines += [self._build(seat) for _ in range(self.dice.choice((0, 1, 2, 3, 6)))]
        lines += [self._mandate(seat) for _ in range(self.dice.choice((0, 0, 1, 2, 3)))]
        lines += [self._host(seat) for _ in range(self.dice.choice((0, 1, 2)))]
        lines += [Line("Waive", "waive")] * (seat != "ONU" and self._often(0.1))
        self.dice.shuffle(lines)
        return lines

    def _removal(self, seat: str) -> Line:
        own = [unit for unit in self.standing.units if unit.power == seat and unit.kind != "M"]
        unit = self.dice.choice(own if own and self._often(0.95) else self.standing.units)
        if unit.kind == "M":
            return Line(f"- M {unit.code}", "mandate", ("-", unit.code))
        return Line(f"- {unit}", "remove", (unit.kind, unit.code))

    def _build(self, seat: str) -> Line:
        own = sorted(self.standing.centres(seat)) if seat != "ONU" else []
        near = [*own, *(STATES[seat].arsenals if seat != "ONU" else ())]
        code = self.dice.choice(near or sorted(CENTRES))
        kind = self.dice.choice("AAFV")
        place = self.dice.choice(places(code) or [code]) if kind == "F" else code
        word = self.dice.choice(("Build", "Construit", "+"))
        return Line(f"{word} {kind} {place}", "build", (kind, place))

    def _mandate(self, seat: str) -> Line:
        """An M of one's own, on a centre of one's own, abroad, or the UN's anywhere."""
        own = [unit.code for unit in self.standing.units if unit.power == seat and unit.kind == "M"]
        inviting = sorted(CENTRES - set(self.standing.at))
        pools = [own, sorted(self.standing.centres(seat)), inviting[:8], inviting, sorted(SECTORS)]
        weights = (3, 2, 4, 2, 6 if seat == "ONU" else 0.2)
        pool = self.dice.choices([pool or inviting for pool in pools], weights)[0]
        code = self.dice.choice(pool)
        sign = self.dice.choice(("", "", "+", "-")) if code in own else self.dice.choice(("", "", "", "+"))
        return Line(f"{sign} M {code}".strip(), "mandate", (sign, code))

    def _host(self, seat: str) -> Line:
        count = self.dice.choice((1, 1, 2))
        said: list[tuple[str, str | None]] = []
        for _ in range(count):
            guest = self.dice.choice(("ALL", "ONU", self._state(), self._state()))
            mine = [code for code in (*CENTRES, *PLAIN) if self.standing.controller(code) == seat]
            mine.sort()
            where = self.dice.choice(mine) if mine and guest != "ALL" and self._often(0.5) else None
            said.append((guest, where))
        texts = [self._welcome(guest, where) for guest, where in said]
        return Line(", ".join(texts), "host", tuple(said))

    def _welcome(self, guest: str, where: str | None) -> str:
        who = {"ALL": ("tous", "all"), "ONU": ("ONU", "UN")}.get(guest, (guest,))
        return f"M ({self.dice.choice(who)}) {where or ''}".strip()


def _loosely(dice: Random, order: str) -> str:
    """An order as somebody may write it."""
    order = f"{order[:-2]} ×××" if order.endswith(" H") and dice.random() < 0.5 else order
    return order.replace(" - ", dice.choice((" - ", " – ", "-")))
