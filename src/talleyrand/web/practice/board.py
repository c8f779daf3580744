"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from talleyrand import variants
from talleyrand.variants import Variant

from . import choices, drafts, picture, wording
from .drafts import Reading
from .games import Story
from .models import PracticeGame, PracticeTurn, address
from .referee import Question
from .scripting import script_words


@dataclass
class Desk:
    """One phase of a game as its reader sees it: `owner` may order, others only look."""

    game: PracticeGame
    number: int
    owner: bool

    @cached_property
    def story(self) -> Story:
        return Story(self.game)

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @cached_property
    def question(self) -> Question | None:
        return self.story.question(self.number)

    @cached_property
    def turn(self) -> PracticeTurn | None:
        return self.story.turn(self.number)

    @property
    def is_open(self) -> bool:
        return self.turn is None and self.question is not None

    @property
    def orders(self) -> Mapping[str, list[str]]:
        """The orders played, or those in preparation where the reader may see them."""
        if self.turn:
            return self.turn.orders
        return self.game.draft if self.owner else {}

    @cached_property
    def readings(self) -> list[Reading]:
        if not self.is_open or self.question is None:
            return []
        return drafts.readings(self.question, self.orders)

    @cached_property
    def menus(self) -> list[choices.Menu]:
        """What may be ordered, by the power that is played or by all."""
        if not (self.is_open and self.owner) or self.question is None:
            return []
        every = choices.menus(self.question, wording.language())
        return [menu for menu in every if self.game.plays in ("", menu.power)]

    @property
    def given(self) -> dict[str, str]:
        """For each province its unit's order that will be followed, the last one where there are several."""
        return {reading.province: reading.order for reading in self.readings if reading.given}

    @property
    def code(self) -> str:
        """The phase shown, or the last one played where the game is over."""
        return str(self.question["phase"]) if self.question else self.story.phases[-1]

    def address(self, number: int) -> str:
        if self.owner:
            return reverse("practice:phase", args=[self.game.key, number])
        return reverse("practice:shared_phase", args=[self.game.shared, number])


def page(desk: Desk, request: HttpRequest) -> dict[str, Any]:
    """The context of the board's template."""
    words = script_words()
    prepared = _preparation(desk) if desk.is_open else {}
    if prepared:
        words["start"] = words[prepared["start_with"]]
    return {
        "desk": desk,
        "game": desk.game,
        "owner": desk.owner,
        "number": desk.number,
        "current": desk.story.current,
        "last_played": desk.story.current - 1,
        "variant_title": desk.variant.title[wording.language()],
        "rulebook_title": dict(wording.rulebook_titles()).get(desk.game.rulebook, desk.game.rulebook),
        "title": _title(desk),
        "phases": _phases(desk),
        "drawing": picture.inline(desk, getattr(request, "style_nonce", "")),
        "links": _links(desk, request),
        "table": _table(desk),
        "strings": words,
        "copy_submission": address(),
        **prepared,
        **(_results(desk, desk.turn) if desk.turn else {}),
        "ended": _ended(desk) if desk.question is None else None,
    }


def _title(desk: Desk) -> dict[str, str]:
    text = desk.code
    kind = wording.phase_kind(text) if desk.question else ""
    return {"season": wording.season(desk.variant, text), "kind": kind, "code": text}


def _phases(desk: Desk) -> list[dict[str, Any]]:
    codes = list(desk.story.phases)
    last = desk.question if desk.number == desk.story.current else desk.story.question(desk.story.current)
    if last is not None:
        codes.append(last["phase"])
    return [
        {"number": number, "title": wording.phase(desk.variant, code), "url": desk.address(number)}
        for number, code in enumerate(codes, 1)
    ]


def _links(desk: Desk, request: HttpRequest) -> dict[str, str]:
    share = reverse("practice:shared", args=[desk.game.shared])
    key = desk.game.key if desk.owner else desk.game.shared
    prefix = "" if desk.owner else "shared_"
    picture_at = f"practice:{prefix}picture"
    return {
        "share": request.build_absolute_uri(share),
        "png": reverse(picture_at, args=[key, desk.number, "png"]),
        "svg": reverse(picture_at, args=[key, desk.number, "svg"]),
        "txt": reverse(f"practice:{prefix}record", args=[key, "txt"]),
        "json": reverse(f"practice:{prefix}record", args=[key, "json"]),
        "previous": desk.address(desk.number - 1) if desk.number > 1 else "",
        "next": desk.address(desk.number + 1) if desk.number < desk.story.current else "",
        "last": desk.address(desk.story.current),
    }


def _table(desk: Desk) -> list[dict[str, Any]]:
    """Units and centres of each power."""
    at = desk.question or _last_answer(desk)
    units, centres = at.get("units") or {}, at.get("centers") or {}
    fallen = at.get("dislodged") or {}
    names = desk.variant.names(wording.language())
    rows = [
        {
            "code": code,
            "name": wording.power(desk.variant, code),
            "colour": desk.variant.colours[code],
            "units": len(units.get(code, ())) + len(fallen.get(code, ())),
            "centres": len(centres.get(code, ())),
            "owned": [names.location(place) for place in centres.get(code, ())],
            "standing": [picture.unit_words(desk.variant, unit) for unit in units.get(code, ())],
            "fallen": [picture.unit_words(desk.variant, one["unit"]) for one in fallen.get(code, ())],
        }
        for code in desk.variant.board.powers
    ]
    return sorted(rows, key=lambda row: -row["centres"])


def _last_answer(desk: Desk) -> dict[str, Any]:
    turn = desk.game.turns.last()
    return turn.answer if turn else {}


def _ended(desk: Desk) -> dict[str, Any]:
    answer = _last_answer(desk)
    winners = [wording.power(desk.variant, code) for code in answer.get("winner") or ()]
    return {"winners": winners}


def preparation_powers(desk: Desk) -> list[str]:
    plays = desk.game.plays
    return [plays] if plays else list(desk.variant.board.powers)


def _preparation(desk: Desk) -> dict[str, Any]:
    given = desk.given
    return {
        "menus": [_menu(desk, menu, given) for menu in desk.menus],
        "powers": [(code, wording.power(desk.variant, code)) for code in desk.variant.board.powers],
        "sheet": sheet(desk),
        "readings": readings(desk),
        "progress": progress(desk),
        "submission": address(),
        "given": given,
        "kind": desk.code[-1],
        "start_with": _start_with(desk),
        "place_names": {
            code: place.name for code, place in desk.variant.names(wording.language()).provinces.items()
        },
    }


def _start_with(desk: Desk) -> str:
    """The sentence that says what to touch first."""
    kinds = {choice.kind for menu in desk.menus for subject in menu.subjects for choice in subject.choices}
    if kinds and kinds <= {"build", "disband"}:
        return "start_builds"
    return "start_retreats" if "retreat" in kinds else "start"


def sheet(desk: Desk) -> str:
    """The orders in preparation as one text."""
    powers = preparation_powers(desk)
    return drafts.as_sheet(desk.variant, desk.game.draft, powers, wording.language())


def readings(desk: Desk) -> list[dict[str, Any]]:
    """The lines that the judge will not follow, or reads otherwise than written."""
    tongue = wording.language()
    return [
        {
            "power": wording.power(desk.variant, reading.power) if reading.power else "",
            "line": reading.line,
            "order": reading.order,
            "error": reading.error[tongue] if reading.error else "",
            "notes": [note[tongue] for note in reading.notes if tongue in note],
        }
        for reading in desk.readings
        if reading.error or reading.notes
    ]


def progress(desk: Desk) -> dict[str, int]:
    """How many of the units that may be ordered are; adjustments count what is due."""
    given = desk.given
    ordered = sum(1 for menu in desk.menus for subject in menu.subjects if subject.province in given)
    return {
        "given": ordered + sum(waived(desk).values()),
        "total": sum(due(desk, menu) for menu in desk.menus),
    }


def waived(desk: Desk) -> dict[str, int]:
    """The builds given up, for each power that may build."""
    found = {menu.power: 0 for menu in desk.menus if menu.waives}
    for reading in desk.readings:
        if reading.order == "WAIVE" and reading.power in found:
            found[reading.power] += 1
    return found


def due(desk: Desk, menu: choices.Menu) -> int:
    kinds = {choice.kind for subject in menu.subjects for choice in subject.choices}
    balance = balance_of(desk, menu.power)
    if kinds == {"build"} and balance is not None:
        return min(balance, len(menu.subjects))
    if kinds == {"disband"} and balance is not None:
        return -balance
    return len(menu.subjects)


def balance_of(desk: Desk, power: str) -> int | None:
    question = desk.question
    if question is None or question["phase"][-1] != "A" or question.get("centers") is None:
        return None
    return len(question["centers"].get(power, ())) - len(question["units"].get(power, ()))


def _menu(desk: Desk, menu: choices.Menu, given: Mapping[str, str]) -> dict[str, Any]:
    balance = balance_of(desk, menu.power)
    return {
        "power": menu.power,
        "name": wording.power(desk.variant, menu.power),
        "colour": desk.variant.colours[menu.power],
        "balance": balance,
        "waives": range(due(desk, menu) + 1) if menu.waives else None,
        "waived": waived(desk).get(menu.power, 0),
        "remove": -balance if balance and balance < 0 else 0,
        "subjects": [
            {"subject": subject, "given": given.get(subject.province, "")} for subject in menu.subjects
        ],
    }


def _results(desk: Desk, turn: PracticeTurn) -> dict[str, Any]:
    tongue = wording.language()
    answer = turn.answer
    by_power: dict[str, list[dict[str, Any]]] = {}
    for entry in answer["orders"]:
        by_power.setdefault(entry["power"], []).append(_entry(desk, entry))
    lost = turn.orders.get(drafts.NOBODY, ())
    return {
        "unowned": [(line, drafts.owner_unknown()[tongue]) for line in lost],
        "results": [
            {
                "name": wording.power(desk.variant, code),
                "colour": desk.variant.colours[code],
                "entries": by_power[code],
            }
            for code in desk.variant.board.powers
            if code in by_power
        ],
        "notes": [note[tongue] for note in answer.get("notes") or () if tongue in note],
        "chance": answer.get("chance") or [],
        "eliminated": [wording.power(desk.variant, code) for code in _newly_out(desk, answer)],
        "is_last": turn.number == desk.story.current - 1,
    }


def _newly_out(desk: Desk, answer: Mapping[str, Any]) -> list[str]:
    """The powers that this phase put out of the game."""
    before = desk.question or {}
    held = [before.get(name) or {} for name in ("units", "dislodged", "centers")]
    return [code for code in answer.get("eliminated") or () if any(one.get(code) for one in held)]


def _entry(desk: Desk, entry: Mapping[str, Any]) -> dict[str, Any]:
    tongue = wording.language()
    unit = entry.get("unit") or ""
    error = entry.get("error")
    return {
        "province": unit.partition(" ")[2].partition("/")[0],
        "line": entry.get("line"),
        "order": picture.order_label(desk.variant, entry.get("order"), unit),
        "results": [
            {
                "sign": wording.SIGNS.get(code, "·"),
                "words": wording.result(code),
                "failure": code in wording.FAILURES,
            }
            for code in entry.get("results") or ()
        ],
        "why": (entry.get("why") or {}).get(tongue, ""),
        "error": error["message"][tongue] if error else "",
        "notes": [
            note[tongue] for note in entry.get("notes") or () if isinstance(note, Mapping) and tongue in note
        ],
    }
