"""Events of the Anjou Feu drawn at random, as plain JSON: whatever its regulations have a sentence for.

Latecomers, replacements, an organiser on two boards, boards of six and of few, finals, intimate games,
cancelled rounds, sanctions, withdrawals, boards that are not over. Not a likely weekend: as many odd things
as fit.
"""

from __future__ import annotations

from random import Random
from typing import Any

from talleyrand import variants
from talleyrand.tournament import board_rules

Json = dict[str, Any]
POWERS = board_rules.variant_powers("classic")
PROVINCES = ("PIC", "BUL", "MOS", "LON", "NAF", "AEG", "NWY", "MUN")
PAIRS = {"FRANCE": "AUSTRIA", "GERMANY": "TURKEY", "RUSSIA": "ITALY"}
SOME = 0.3
VOTED = ("angers", "cholet")
HERE = "2026-07-11T17:30Z"
EFFECTS = (("add", "-2"), ("add", "3/7"), ("times", "9/10"), ("times", "0"), ("set", "12.5"))


def event(seed: str) -> Json:
    """An event of one to four rounds."""
    return _Drawing(seed).event()


class _Drawing:
    """The drawing of one event."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)
        self.people = list(range(1, self.chance.choice((9, 12, 15, 22, 29)) + 1))

    def event(self) -> Json:
        last = self.chance.choice((1, 2, 3, 4, 4, 4, 4, 4))
        rounds = {str(number): self._round(number) for number in range(1, last + 1)}
        return {
            "name": "Anjou",
            "people": {str(who): self._person(who) for who in self.people},
            "teams": self._teams(),
            "rounds": rounds,
            "adjustments": self._adjustments(rounds),
            "ballots": self._ballots(rounds),
        }

    def _rarely(self, chance: float = SOME) -> bool:
        return self.chance.random() < chance

    def _person(self, who: int) -> Json:
        office = "organiser" if who == 1 else self.chance.choice(("none", "none", "volunteer", "assistant"))
        return {
            "name": f"Person {who}",
            "office": office,
            "beginner": self._rarely(0.1),
            "private": {"born": f"{self.chance.randint(1960, 2005)}-0{self.chance.randint(1, 9)}-11"},
        }

    # Rounds: who plays what, who is left over, who of these comes late, takes over, or stands down.

    def _round(self, number: int) -> Json:
        free = [who for who in self.people if not self._rarely(0.15)]
        self.chance.shuffle(free)
        tables = self._tables(free, number)
        for table in tables:
            self._disturb(table, free)
        going_on = tables and self._rarely(0.15)
        if going_on:
            self._unfinish(self.chance.choice(tables))
        here = {who for table in tables for who in _people_of(table)} | set(free)
        resting = {str(who): self._rest() for who in free if self._rarely(0.7)}
        return {
            "state": "playing" if going_on or not tables else "closed",
            "present": {str(who): HERE for who in sorted(here)},
            "resting": resting,
            "boards": {str(at): table for at, table in enumerate(tables, 1)},
            "final": bool(tables and tables[0].get("final")),
            "cancelled": self._rarely(0.08),
        }

    def _rest(self) -> Json:
        why = self.chance.choice(("organisation", "lot", "director", "own"))
        return {"why": why, "asked": why != "own" and not self._rarely(0.1)}

    def _tables(self, free: list[int], number: int) -> list[Json]:
        if number == 4 and len(free) > 8 and self._rarely(0.6):
            final = self._board("classic", free, POWERS)
            return [{**final, "final": True}, *self._ordinary(free, self.chance.choice((6, 7)))]
        kind = self.chance.choice(("seven", "seven", "six", "six", "twice", "twice", "few", "intimate"))
        if kind == "twice" and len(free) > 13:
            return self._doubled(free, self.chance.choice((6, 7)))
        if kind == "few" and len(free) > 5:
            return [self._small(free), *self._ordinary(free, 6)]
        if kind == "intimate" and len(free) > 4 and self._rarely(0.6):
            return [self._intimate(free) for _ in range(self.chance.choice((1, 2)))]
        return self._ordinary(free, 6 if kind == "six" else 7)

    def _ordinary(self, free: list[int], size: int) -> list[Json]:
        count = max(0, len(free) - self.chance.choice((0, 1, 2))) // size
        return [self._full(free, size) for _ in range(count)]

    def _full(self, free: list[int], size: int) -> Json:
        return self._board("classic" if size == 7 else "survivor_turkey", free, POWERS[:size])

    def _doubled(self, free: list[int], size: int) -> list[Json]:
        """The organiser, or somebody else, on two boards; a latecomer may have taken one of his seats."""
        tables = [self._full(free, size), self._full(free, size)]
        host = tables[0]["seats"][self.chance.choice(POWERS[:size])]
        guest = tables[1]["seats"][self.chance.choice(POWERS[:size])]
        free.append(guest["person"])
        guest["person"] = host["person"]
        if self._rarely():
            guest |= {"person": free.pop(), "missed": self.chance.randint(0, 15)}
        return tables

    def _small(self, free: list[int]) -> Json:
        kind = self.chance.choice(("classic", "sandad", "pairs", "escalation"))
        if kind == "classic":
            return self._board(kind, free, [one for one in POWERS if one not in board_rules.DISORDER_POWERS])
        if kind == "sandad":
            return self._board(kind, free, board_rules.variant_powers(kind))
        if kind == "escalation":
            return self._board(kind, free, POWERS[: self.chance.choice((3, 4, 5))])
        table = self._board(kind, free, ("ENGLAND", *PAIRS))
        for first, second in PAIRS.items():
            table["seats"][second] = dict(table["seats"][first])
        return table

    def _intimate(self, free: list[int]) -> Json:
        table = self._board("intimate", free, ("ENGLAND", "FRANCE"))
        table["result"]["winner"] = self.chance.choice(("ENGLAND", "FRANCE", ""))
        return table

    def _board(self, variant: str, free: list[int], powers: Any) -> Json:
        named = powers if variant in ("intimate", "escalation") else board_rules.variant_powers(variant)
        seats: Json = {power: {"person": free.pop()} if power in powers else {} for power in named}
        return {"variant": variant, "seats": seats, "result": self._result(variant, list(named))}

    # What becomes of a board.

    def _disturb(self, table: Json, free: list[int]) -> None:
        """Someone comes late, someone takes over, or the board does not count."""
        turkey = table["seats"].get("TURKEY", {})
        if table["variant"] == "survivor_turkey" and free and self._rarely():
            turkey |= {"person": free.pop(), "missed": self.chance.randint(0, 15)}
        table["counts"] = not self._rarely(0.03)
        sat = [power for power, seat in table["seats"].items() if seat.get("person")]
        if table["variant"] not in ("pairs", "intimate") and free and self._rarely():
            seat = table["seats"][self.chance.choice(sat)]
            relief = {"person": free.pop(), "seasons": self.chance.randint(0, 15), "rested": self._rarely()}
            seat["reliefs"] = [relief]

    def _unfinish(self, table: Json) -> None:
        """A board without a result, or with one that nobody has confirmed."""
        if self._rarely(0.5):
            del table["result"]
        else:
            table["result"] |= {"confirmed": ""}

    def _result(self, variant: str, powers: list[str]) -> Json:
        there = board_rules.centre_count(variant) or 34
        held, neutral = self._counts(there, powers, board_rules.solo_centres(variant) or 18)
        result: Json = {"centres": held, "neutral": neutral, "confirmed": "desk"}
        far = PROVINCES if variant in variants.playable_names() else ("0", "3", "12")
        result["reached"] = {power: self.chance.choice(far) for power in powers if self._rarely(0.8)}
        few = [power for power, count in held.items() if 0 < count < 4]
        if few and self._rarely(0.2):
            result["out"] = [self.chance.choice(few)]
        if self._rarely(0.05):
            result |= {"ended": "conceded", "winner": max(held, key=lambda one: held[one])}
        return result

    def _counts(self, there: int, powers: list[str], solo: int) -> tuple[dict[str, int], int]:
        """Centres as they fall, often level; now and then a solo, and centres that nobody has taken."""
        neutral = self.chance.choice((0, 0, 0, 1, 3, 12, 20))
        strength = [self.chance.choice((0, 1, 1, 1, 2, 5, 15)) for _ in powers]
        most = solo + 2 if self._rarely(0.2) else solo - 1
        held = dict.fromkeys(powers, 0)
        for _ in range(there - neutral):
            growing = [at for at, power in enumerate(powers) if held[power] < most]
            shares = [strength[at] or 0.01 for at in growing]
            held[powers[self.chance.choices(growing, shares)[0] if growing else 0]] += 1
        strong = [power for power in powers if held[power] >= solo]
        for power in strong[1:]:
            neutral += held[power] - solo + 1
            held[power] = solo - 1
        return held, neutral

    # What is beside the boards.

    def _adjustments(self, rounds: Json) -> Json:
        """On the total, or on a round of which somebody has a score."""
        found: list[Json] = []
        for _ in range(self.chance.choice((0, 0, 1, 3))):
            number = self.chance.choice([0, *map(int, rounds)])
            effect, value = self.chance.choice(EFFECTS)
            who = self.chance.choice(_scored(rounds[str(number)]) if number else self.people)
            if who:
                one = {"person": who, "round": number, "effect": effect, "value": value, "why": "ruled"}
                found.append(one)
        return {str(at): one for at, one in enumerate(found, 1)}

    def _ballots(self, rounds: Json) -> Json:
        found: list[Json] = []
        for number, one in rounds.items():
            for at, table in one["boards"].items():
                sat = sorted(set(_people_of(table)))
                voters = [who for who in sat if self._rarely(0.6)]
                found += [self._ballot(int(number), int(at), who, sat) for who in voters]
        return {str(at): one for at, one in enumerate(found, 1)}

    def _ballot(self, number: int, at: int, voter: int, sat: list[int]) -> Json:
        others = [who for who in sat if who != voter]
        names = {key: self.chance.choice(others) for key in VOTED if self._rarely(0.8)}
        return {"round": number, "board": at, "voter": voter, "names": names}

    def _teams(self) -> Json:
        people = self.chance.sample(self.people, len(self.people))
        size = self.chance.choice((2, 3, 4))
        return {
            str(at): {"name": f"Team {at}", "members": sorted(people[first : first + size])}
            for at, first in enumerate(range(0, len(people) - 1, size), 1)
        }


def _people_of(table: Json) -> list[int]:
    seats = table["seats"].values()
    reliefs = [relief["person"] for seat in seats for relief in seat.get("reliefs", ())]
    return [seat["person"] for seat in seats if seat.get("person")] + reliefs


def _scored(one: Json) -> list[int]:
    """Who sits at a board of a round from the beginning, all of whose boards are over and count."""
    tables = [] if one["cancelled"] else one["boards"].values()
    if any(table["variant"] == "intimate" or not table["counts"] for table in tables):
        return [0]
    if any(not table.get("result", {}).get("confirmed") for table in tables):
        return [0]
    return [seat.get("person", 0) for table in tables for seat in table["seats"].values()] or [0]
