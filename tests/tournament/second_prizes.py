"""The prizes of the Anjou Feu read a second time, beside `second_reading`: VII, "Autres prix individuels"."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from talleyrand import variants
from tests.tournament.second_reading import NOTHING, Place, Reading, players


def best_of_power(reading: Reading, power: str) -> tuple[set[int], Fraction] | None:
    """« Avant application des coefficients … le joueur ayant le meilleur score avec un pays sur tout le
    tournoi »; games of six or seven; none « si une Turquie d'une partie “Survivor Turkey” a marqué plus
    de points que n'importe quel joueur turc »; none where nobody has a point."""
    mine: list[tuple[Fraction, int]] = []
    scripted = [NOTHING]
    for place, board in reading.games.items():
        if players(board) < 6:
            continue
        raw, seat, chair = reading.scores[place][power], board["seats"][power], (*place, power)
        if not seat.get("person"):
            scripted.append(raw)
        else:
            taken = reading.takers.get(chair, False)
            mine.append((raw, seat["reliefs"][0]["person"] if taken else seat["person"]))
    best = max((raw for raw, _ in mine), default=NOTHING)
    if not best or max(scripted) > best:
        return None
    return {who for raw, who in mine if raw == best}, best


def travelled(reading: Reading) -> dict[int, Fraction]:
    """« 1 pt par territoire séparant les centres nationaux de l'unité la plus éloignée … des
    coefficients sur les mêmes critères que pour le classement général (excepté le bonus de 10% pour la
    table finale) »."""

    def measure(place: Place, power: str, _: int) -> Fraction:
        reached = reading.games[place]["result"].get("reached", {}).get(power)
        return Fraction(distance(reading.games[place]["variant"], power, reached)) if reached else NOTHING

    held = reading.of_rounds(measure, reading.claims(reading.takers))
    return {who: reading.total(who, each, reading.takers, Fraction(1)) for who, each in held.items()}


@cache
def distance(variant: str, power: str, reached: str) -> int:
    """Territories between the homes of a power and a province: steps less one, by land and sea alike."""
    if variant not in variants.names():
        return int(reached)  # counted at the table
    board = variants.load(variant).board
    steps = dict.fromkeys(board.homes[power], 0)
    queue = deque(steps)
    while queue:
        here = queue.popleft()
        for there in board.neighbours[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return max(0, steps.get(reached, 0) - 1)


def voted(reading: Reading, key: str) -> dict[int, Fraction]:
    """« Un vote donne un point au joueur désigné, les points sur chaque partie se voit appliquer les
    coefficients selon les critères déjà cités »: of who sat at the same board, for somebody else of it."""
    votes: Counter[tuple[Place, int]] = Counter()
    for ballot in reading.event.get("ballots", {}).values():
        if key in ballot["names"]:
            votes[(ballot["round"], ballot["board"]), ballot["names"][key]] += 1

    held = reading.of_rounds(lambda place, _, who: Fraction(votes[place, who]), reading.sat())
    return {
        who: reading.total(who, each, None, reading.tenth(who, reading.takers)) for who, each in held.items()
    }


def teams(reading: Reading) -> list[set[int]]:
    """Teams in their order, those who share a place together: « la simple addition des scores »; then «
    l'équipe comptant le moins de membres »; then the lowest score, and so on."""
    tables = reading.rounds[2]["boards"].values() if 2 in reading.rounds else ()
    if sum(board.get("counts", True) for board in tables) < 2 or 2 in reading.void:
        return []
    scores = reading.of_round(2)
    keys: dict[int, list[Fraction]] = {}
    for number, team in reading.event.get("teams", {}).items():
        mine = sorted(scores[who] for who in team["members"] if who in scores)
        if mine:
            keys[int(number)] = [sum(mine, NOTHING), Fraction(-len(mine)), *mine]
    best_first = sorted({tuple(key) for key in keys.values()}, reverse=True)
    return [{number for number, own in keys.items() if tuple(own) == key} for key in best_first]


def best_young(reading: Reading) -> set[int]:
    """« Meilleur jeune au classement général (né en 2000 ou après et/ou joueur débutant en tournoi) »."""
    people = reading.event["people"]
    young = {who for who in reading.totals if people[str(who)]["beginner"] or _born(reading, who) >= "2000"}
    best = max((reading.totals[who] for who in young), default=NOTHING)
    return {who for who in young if reading.totals[who] == best and best > 0}


def youngest(reading: Reading, sharing: Iterable[int]) -> set[int]:
    """« Les joueurs sont réputés se partager le diplôme mais seul le plus jeune part avec »."""
    last = max(_born(reading, who) for who in sharing)
    return {who for who in sharing if _born(reading, who) == last}


def _born(reading: Reading, who: int) -> str:
    return str(reading.event["people"][str(who)]["private"]["born"])
