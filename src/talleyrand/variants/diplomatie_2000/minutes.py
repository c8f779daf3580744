"""What a phase did in politics, as tables to read: proposals, votes, aid, subversion, scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talleyrand.engine.protocols import Minutes, Phrase

from .states import UN
from .wording import NONE

Told = Mapping[str, Any]
Row = tuple[Phrase | str | int, ...]


def minutes(asked: Told, told: Told) -> tuple[Minutes, ...]:
    """The tables of a phase; those that would be empty are left out."""
    found = (
        Minutes("proposed", ("by", "proposal"), tuple(_proposed(told))),
        *(
            Minutes(f"voted_{kind}", ("by", "votes", "outcome", "proposal"), tuple(_voted(asked, kind, poll)))
            for kind, poll in told.get("ballots", {}).items()
        ),
        Minutes("cast", ("state", "political", "missions", "economic"), tuple(_cast(told)), folded=True),
        Minutes("subverted", ("by", "sector", "unit"), tuple(_subverted(told))),
        Minutes("aid", ("state", "first", "second", "third"), tuple(_aid(asked, told))),
        Minutes(
            "scores",
            ("state", "total", "centres", "raw", "adjustment", "contribution"),
            tuple(_scores(told)),
        ),
        Minutes("given", ("by", "to"), tuple((one["by"], one["to"]) for one in told.get("given", ()))),
        Minutes("allowance", ("state", "allowed", "units"), tuple(_allowance(told))),
    )
    return tuple(one for one in found if one.rows)


def proposal(words: str) -> Phrase:
    """A proposal in normal form: what it asks for."""
    kind, _, rest = words.partition(" ")
    if kind == "2":
        return Phrase("missions_of", {"orders": rest.split(" / ")})
    state, _, amount = rest.partition(" ")
    return Phrase("3A_none") if state == NONE else Phrase(kind, {"state": state, "n": int(amount or 0)})


def _proposed(told: Told) -> Iterator[Row]:
    made = told.get("proposals", {})
    for kind in "123":
        for seat, texts in made.items():
            yield from ((seat, proposal(text)) for text in texts if text[0] == kind)
    target = (told.get("intervention") or {}).get("target")
    if target:
        yield UN, Phrase("intervention", {"place": target})


def _voted(asked: Told, kind: str, poll: Told) -> Iterator[Row]:
    """The proposals of a type, most votes first, "none" among them."""
    made = asked.get("proposals", {})
    of_type = {seat: text for seat, texts in made.items() for text in texts if text[0] == kind}
    votes = {name: poll["tally"].get(name, 0) for name in (*of_type, NONE)}
    for name in sorted(votes, key=lambda name: (-votes[name], name == NONE, name)):
        if name == NONE:
            yield Phrase("none"), votes[name], "", ""
        else:
            yield name, votes[name], _outcome(name, poll), proposal(of_type[name])


def _outcome(name: str, poll: Told) -> Phrase | str:
    if name in poll["adopted"]:
        return Phrase("adopted_by_ranking" if name in poll["tied"] else "adopted")
    return Phrase("level") if name in poll["tied"] else ""


def _cast(told: Told) -> Iterator[Row]:
    polls = told.get("ballots", {})
    for seat in sorted({seat for poll in polls.values() for seat in poll["cast"]}):
        ballots = (polls.get(kind, {}).get("cast", {}).get(seat, ()) for kind in "123")
        yield seat, *(Phrase("ballots", {"names": list(names)}) if names else "" for names in ballots)


def _subverted(told: Told) -> Iterator[Row]:
    for one in told.get("subverted", ()):
        unit = Phrase("unit_of", {"unit": one["unit"], "state": one["power"]})
        yield one["by"], Phrase("place", {"place": one["sector"]}), unit if one["unit"] else Phrase("nobody")


def _aid(asked: Told, told: Told) -> Iterator[Row]:
    """The programmes that were changed."""
    before = asked.get("aid", {})
    for state, places in told.get("aid", {}).items():
        if list(places) != list(before.get(state, ())):
            yield state, *(place or "" for place in places)


def _scores(told: Told) -> Iterator[Row]:
    """Highest first, with the working of each; those that stand as they began are left out."""
    scores = told.get("scores", {})
    for state in sorted(scores, key=lambda state: (-scores[state]["total"], state)):
        one = scores[state]
        if one["total"] == 0 and one["centres"] == one["base"]:
            continue
        raw = Phrase("raw_of", {name: one[name] for name in ("raw", "centres", "base", "rate")})
        given = Phrase(
            "contribution_of", {name: one[name] for name in ("contribution", "mandates", "per_mandate")}
        )
        yield (
            state,
            one["total"],
            one["centres"],
            raw if one["raw"] else 0,
            one["adjustment"],
            given if one["contribution"] else 0,
        )


def _allowance(told: Told) -> Iterator[Row]:
    for state, one in told.get("allowance", {}).items():
        if one["allowed"] != one["units"] or one["allowed"] != one["centres"]:
            working = {name: one[name] for name in ("allowed", "centres", "aid", "imf", "embargo")}
            yield state, Phrase("allowed_of", working), one["units"]
