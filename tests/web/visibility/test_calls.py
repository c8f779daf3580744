"""The visibility matrix over the API: who is answered, with which token, and what is told."""

from __future__ import annotations

import random
from typing import Any

import pytest

from talleyrand.web.api.scopes import Scope
from tests.web.api.asking import Program, program
from tests.web.security.writes import written
from tests.web.visibility import calls, expected
from tests.web.visibility.calls import Line
from tests.web.visibility.scene import AT, MARKS, MOMENTS, WHO, Scene
from tests.web.visibility.test_matrix import _strangers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
SAMPLED = 4  # one cell in so many


@pytest.fixture(autouse=True)
def _unhurried(settings: Any) -> None:
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**9, 60))


def programs() -> dict[str, Program]:
    """A program of each reader, with every scope; the visitor’s has no token."""
    return {who: program(name) if name else Program() for who, name in WHO.items()}


def sampled(lines: list[Line], full: bool, draw: str) -> set[tuple[str, str]]:
    """The cells to ask: all, or one in SAMPLED."""
    cells = [(line.name, who) for line in lines for who in WHO]
    return set(cells if full else random.Random(draw).sample(cells, len(cells) // SAMPLED))


def test_every_address_has_its_line() -> None:
    assert {(line.scope, line.method, line.path) for line in calls.lines()} == calls.declared()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("moment", MOMENTS)
def test_who_is_answered(moment: str, full: bool, draw: str, record_property: Any) -> None:
    """Each reader is told what the pages tell him, and no more; what is not for him is not there."""
    scene = AT[moment]()
    asking, cells = programs(), sampled(calls.lines(), full, draw)
    texts: dict[str, dict[str, str]] = {who: {} for who in WHO}
    wrong, asked = [], 0
    for line in calls.lines():
        for who in (who for who in WHO if (line.name, who) in cells):
            if line.method != "GET" and who in line.answers(moment):
                continue  # a change that is done would change what the others see
            statuses = _asked(scene, line, asking[who], texts[who])
            asked += len(statuses)
            if complaint := _amiss(line, who, moment, statuses):
                wrong.append(complaint)
    assert wrong == []
    assert _leaks(texts, moment) == {}
    record_property("asked", f"visibility of the API, {moment}: {asked} calls, draw {draw}")


def _asked(scene: Scene, line: Line, asking: Program, texts: dict[str, str]) -> set[int]:
    """What a line answers one reader, under all its addresses."""
    found = set()
    for path in calls.addresses(line, scene.fresh()):
        response = asking.ask(line.method, path, line.body)
        found.add(response.status_code)
        if response.status_code == 200:
            texts[f"{line.method} {path}"] = response.content.decode()
    return found


def _amiss(line: Line, who: str, moment: str, statuses: set[int]) -> str:
    told = f"{line.name} as {who}: {sorted(statuses)}"
    if who == "visitor" and who not in line.answers(moment):
        return "" if statuses == {401} else told
    if who not in line.answers(moment):
        return "" if statuses == {404} else told
    # what cannot be done now is refused to whom it is there
    return "" if statuses & {200, 409} and statuses <= {200, 404, 409} else told


def _leaks(texts: dict[str, dict[str, str]], moment: str) -> dict[str, Any]:
    found = {}
    for who, told in texts.items():
        marks = {name for name, mark in MARKS.items() if any(mark in text for text in told.values())}
        leaked = marks - expected.told_to_programs(moment, who)
        if leaked or _strangers(told, who, moment):
            found[who] = (leaked, _strangers(told, who, moment))
    return found


@pytest.mark.long
def test_a_token_gives_its_scopes_alone(full: bool, draw: str) -> None:
    """The game master may do most: with another scope he may not, and nothing is changed."""
    scene = AT["open"]()
    lacking = {scope: program(WHO["master"], [other for other in Scope if other != scope]) for scope in Scope}
    lines = calls.lines()
    wrong = []
    for line in lines if full else random.Random(draw).sample(lines, len(lines) // 2):
        path = next(calls.addresses(line, scene.fresh()))
        with written() as tables:
            response = lacking[Scope(line.scope)].ask(line.method, path, line.body)
        if response.status_code != 403 or tables - {"api_apitoken"}:
            wrong.append((line.name, response.status_code, tables))
    assert wrong == []


@pytest.mark.long
def test_a_hidden_game_is_not_there() -> None:
    """A game that is not listed answers those without a role as one that does not exist."""
    scene = AT["open"]()
    scene.game.is_listed = False
    scene.game.save(update_fields=["is_listed"])
    asking = {who: program(WHO[who]) for who in ("stranger", "replaced")}
    wrong = []
    for line in (line for line in calls.lines() if "{key}" in line.path):
        path = next(calls.addresses(line, scene.fresh()))
        for who, one in asking.items():
            there = one.ask(line.method, path, line.body)
            nowhere = one.ask(line.method, path.replace(scene.game.key, "nowherenowhe"), line.body)
            if (there.status_code, there.content) != (404, nowhere.content):
                wrong.append((line.name, who, there.status_code, nowhere.status_code))
    assert wrong == []


def test_the_names_are_told_in_the_end() -> None:
    text = program(WHO["stranger"]).get(f"/games/{AT['revealed']().game.key}").content.decode()
    assert [name for name in ("Agathe", "Flora", "Renaud") if name not in text] == []
