"""Proposals and ballots: what each is worth to a seat, and what it therefore proposes and votes."""

from __future__ import annotations

from collections.abc import Iterator

from talleyrand.engine.orders import Measure
from talleyrand.engine.protocols import BotView
from talleyrand.variants.diplomatie_2000.exchange import types_open
from talleyrand.variants.diplomatie_2000.polls import ballots_each, proposers
from talleyrand.variants.diplomatie_2000.proposals import Debate
from talleyrand.variants.diplomatie_2000.states import UN
from talleyrand.variants.diplomatie_2000.wording import NONE, USUAL

from . import missions
from .outlook import SHORT, Outlook, is_short

LEAST = 0.3
"""The gain from which a seat proposes or votes, and the harm from which it votes for none."""


def gain(view: Outlook, proposal: str) -> float:
    """What a seat gains if a proposal in normal form is adopted."""
    if proposal.startswith("2 "):
        return missions.worth(view, proposal)
    kind, state, *rest = proposal.split()
    if kind in ("1A", "1B"):
        return (1 if kind == "1A" else -1) * int(rest[0]) / 20 * view.goodwill(state)
    if kind == "1C":
        return 0.0 if view.affairs.in_grace(state, view.position.phase) else view.goodwill(state)
    if kind == "1D":
        return -(0.5 + 0.25 * int(rest[0])) * view.goodwill(state)
    return _economic(view, kind, state)


def _economic(view: Outlook, kind: str, state: str) -> float:
    if kind == "3B":
        return -1.2 * view.goodwill(state)
    holder = view.affairs.imf
    lost = view.goodwill(holder) if holder is not None and holder != state else 0.0
    if state == NONE:
        return -lost
    need = SHORT if state == view.seat and is_short(view.position, state) else 0.0
    return (0.0 if holder == state else view.goodwill(state)) - lost + need


def proposals(view: Outlook, dice: BotView) -> Iterator[Measure]:
    """The proposals of a seat: for each type the one that it gains most by, if that is much."""
    found: dict[str, tuple[float, Measure]] = {}
    for measure in _candidates(view):
        kind = measure.words[0]
        value = gain(view, measure.words) * (0.8 + dice.below(401) / 1000)
        if value > LEAST and value > found.get(kind, (0.0, None))[0]:
            found[kind] = value, measure
    for _, measure in found.values():
        yield measure


def _candidates(view: Outlook) -> Iterator[Measure]:
    """Every lawful proposal about a state, and the best programme."""
    listed = [f"{kind} {state} {USUAL[kind]}" for kind in USUAL for state in view.regard]
    listed += [f"{kind} {state}" for kind in ("1C", "3A", "3B") for state in view.regard]
    programme = missions.programme(view)
    listed += [] if programme is None else [programme]
    for text in listed:
        measure = Measure(text, lasting=True)
        if Debate().check(view.board, view.position, view.seat, measure, view.book) == measure:
            yield measure


def ballots(view: Outlook) -> Measure | None:
    """The ballots of a seat; None where it does not care, or has none."""
    affairs = view.affairs
    if not affairs.in_grace(view.seat, view.position.phase):
        return None
    parts = []
    for kind in types_open(view.position.phase):
        made = proposers(affairs, kind)
        values = sorted(((-gain(view, text), seat) for seat, text in made.items()))
        many = ballots_each(affairs, kind)
        liked = [seat for value, seat in values if value < -LEAST][:many]
        if liked:
            parts.append(f"{kind} {' '.join(liked)}")
        elif values and values[-1][0] > LEAST:
            parts.append(f"{kind} {' '.join([NONE] * many)}")
    return Measure(" / ".join(parts)) if parts else None


def rankings(view: Outlook) -> Iterator[Measure]:
    """How the Secretary-General would settle ties: by what the weak gain."""
    for kind in types_open(view.position.phase):
        made = proposers(view.affairs, kind)
        ranked = sorted(made, key=lambda seat: (-gain(view, made[seat]), seat == UN, seat))
        if ranked:
            yield Measure(f"RANK {kind} {' '.join(ranked)}")


def amounts(view: Outlook, dice: BotView) -> Iterator[Measure]:
    """What the Secretary-General makes of others' proposals: more of what is good, less of what is not."""
    for seat, said in sorted(dice.heard.items()):
        for order in said:
            kind, *rest = str(order).split()
            if kind in USUAL and rest[0] in view.regard and seat != view.seat:
                good = gain(view, str(order)) > 0
                amount = (3 if good else 1) if kind == "1D" else (30 if good else 10)
                yield Measure(f"SET {seat} {kind} {rest[0]} {amount}")
