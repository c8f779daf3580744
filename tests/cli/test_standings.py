"""`talleyrand standings`: the weekend of nineteen as text and as JSON, and files that are not well made."""

import json
import re
from copy import deepcopy
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from talleyrand.tournament import model, regulations
from tests.cli.run import Run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs/fr/reference/evenement.md", ROOT / "docs/en/reference/event.md"]
TOLD = (
    model.Event, model.EventPerson, model.EventRound, model.Bye, model.EventBoard, model.PowerSeat,
    model.SeatReplacement, model.BoardResult, model.ScoreAdjustment, regulations.Regulations,
    regulations.RoundRule, regulations.SeasonSeconds, regulations.FinalRule, regulations.RoundWeights,
    regulations.FormationRule, regulations.PrizeRule,
)  # fmt: skip

WEEKEND = Path(__file__).parents[1] / "tournament" / "examples" / "weekend.json"
EVENT: dict[str, Any] = json.loads(WEEKEND.read_text("utf-8"))


def changed(*path: str, value: Any) -> str:
    """The weekend with something else in one place; None: with nothing there."""
    event = deepcopy(EVENT)
    held = event
    for key in path[:-1]:
        held = held[key]
    if value is None:
        held.pop(path[-1], None)
    else:
        held[path[-1]] = value
    return json.dumps(event)


RESULT = ("rounds", "1", "boards", "1", "result")
CENTRES = (*RESULT, "centres")

# What a file says, and words of the sentence in each language.
BAD = {
    "nothing": ("", ("JSON", "JSON")),
    "another file": ("\x89PNG", ("JSON", "JSON")),
    "half a file": (json.dumps(EVENT)[:4000], ("JSON", "JSON")),
    "not a table": (
        "[]",
        ("La racine du fichier\u00a0: [] n’est pas une table", "The top of the file: [] is not a table"),
    ),
    "a number": ("7", ("table", "table")),
    "without a name": ('{"people": {}}', ("manque name", "Missing: name")),
    "an unknown key": (changed("rondes", value={}), ("rondes", "rondes")),
    "a key twice": ('{"name": "A", "name": "B"}', ("name", "name")),
    "unknown regulations": (changed("regulations", value="jeu"), ("jeu", "jeu")),
    "a coefficient that is none": (
        changed("regulations", value={"rounds": [{"coefficient": "beaucoup"}]}),
        ("beaucoup", "beaucoup"),
    ),
    "an unknown system": (
        changed("regulations", value={"extends": "anjou_feu", "system": "loto"}),
        ("loto", "loto"),
    ),
    "a person who is not there": (changed("people", "7", value=None), ("7", "7")),
    "a round that is no number": (changed("rounds", "deux", value={}), ("deux", "deux")),
    "too many centres": (changed(*CENTRES, "AUSTRIA", value=30), ("34", "34")),
    "centres that are words": (changed(*CENTRES, "AUSTRIA", value="dix"), ("dix", "dix")),
    "centres of nobody's power": (changed(*CENTRES, "SPAIN", value=0), ("ronde 1", "round 1")),
    "a power without centres": (changed(*CENTRES, "AUSTRIA", value=None), ("ronde 1", "round 1")),
    "a ruling that is no number": (changed("adjustments", "1", "value", value="-cinq"), ("-cinq", "-cinq")),
    "a ruling on nobody": (changed("adjustments", "1", "person", value=99), ("99", "99")),
    "an unknown state": (changed("rounds", "1", "state", value="finie"), ("finie", "finie")),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_a_sentence(run: Run, name: str, language: str) -> None:
    text, words = BAD[name]
    ran = run("standings", "--lang", language, "-", stdin=text.encode())
    assert ran.status == 1
    assert words[("fr", "en").index(language)] in ran.err
    assert len(ran.err.splitlines()) == 1
    assert "Traceback" not in ran.err
    assert not ran.out


@pytest.mark.parametrize(
    "arguments",
    [(), ("no_such_file.json",), (str(WEEKEND), "--through", "5"), (str(WEEKEND), "--through", "-1"),
     (str(WEEKEND), "--through", "x"), (str(WEEKEND), str(WEEKEND))],
)  # fmt: skip
def test_bad_arguments(run: Run, arguments: tuple[str, ...]) -> None:
    ran = run("standings", *arguments)
    assert ran.status in (1, 2)
    assert ran.err
    assert not ran.out


def test_bytes_that_are_no_text(run: Run) -> None:
    ran = run("standings", "-", stdin=b'{"name": "\xff"}')
    assert ran.status == 1
    assert "UTF-8" in ran.err


def test_text(run: Run) -> None:
    ran = run("standings", "--lang", "en", str(WEEKEND))
    assert ran.status == 0
    assert not ran.err
    places = [line.split()[0] for line in ran.out.splitlines() if line[:4].strip().endswith(".")]
    assert places == [f"{place}." for place in range(1, 20)]


def test_json(run: Run) -> None:
    told = json.loads(run("standings", "--json", str(WEEKEND)).out)
    assert (told["through"], told["final"], told["provisional"], told["faults"]) == (4, True, False, [])
    assert len(told["standings"]) == 19
    for line in told["standings"]:
        assert line["name"] == EVENT["people"][str(line["person"])]["name"]
        assert line["working"][-1]["points"] == line["total"]
        assert all(set(step) == {"kind", "points", "facts", "fr", "en"} for step in line["working"])


def test_through_and_provisional(run: Run) -> None:
    first = json.loads(run("standings", "--json", "--through", "1", str(WEEKEND)).out)
    assert {entry["round"] for line in first["standings"] for entry in line["rounds"]} == {1}
    event = json.loads(changed(*RESULT, "confirmed", value=None))
    event["rounds"]["1"]["state"] = "playing"
    typed = json.dumps(event).encode()
    official = json.loads(run("standings", "--json", "--through", "1", "-", stdin=typed).out)
    assert len(official["standings"]) < len(first["standings"])
    whole = json.loads(run("standings", "--json", "--through", "1", "--provisional", "-", stdin=typed).out)
    assert [line["total"] for line in whole["standings"]] == [line["total"] for line in first["standings"]]
    assert any(entry["provisional"] for line in whole["standings"] for entry in line["rounds"])


def test_boards_that_cannot_be_scored_are_told_and_the_rest_is_ranked(run: Run) -> None:
    """A system that asks when powers fell, on boards that the judge does not know."""
    event = deepcopy(EVENT)
    event["regulations"] = {"extends": "anjou_feu", "system": "bangkok"}
    for one in event["rounds"].values():
        for board in one["boards"].values():
            board["variant"] = "ours"
    ran = run("standings", "--json", "--lang", "fr", "-", stdin=json.dumps(event).encode())
    assert ran.status == 1
    told = json.loads(ran.out)
    assert 0 < len(told["faults"]) < 10
    assert len(told["standings"]) > 7
    assert len(ran.err.splitlines()) == len(told["faults"])
    assert all("année" in line for line in ran.err.splitlines())


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_every_key_is_in_the_reference(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text))))
    for kind in TOLD:
        assert not {one.name for one in fields(kind)} - words, kind
    assert not set(regulations.preset_names()) - words
