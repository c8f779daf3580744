"""Every kind of page that the site has, by the names of its addresses; and the addresses that are no page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import Page

from talleyrand import variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.web.library import rules_context, rules_texts, variant_rules
from tests.e2e import boards
from tests.e2e.steps import follow
from tests.web.addresses import named_addresses

Arguments = Sequence[object]
EIGHTEEN = variants.load("classic").board.centres
PLAYED = "Printemps 1901\nFRANCE\nA Par - Bou\nF Bre - AtM\nALLEMAGNE\nA Mun - Bou\nRUSSIE\nA Xyz - Mos\n"
RETREAT = {
    "phase": "S1902R",
    "units": {"FRANCE": ["A MUN"]},
    "dislodged": {"GERMANY": [{"unit": "A MUN", "by": "BUR", "retreats": ["BER", "KIE"]}]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
}
WINTER = {"phase": "W1901A", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR", "MAR", "BRE"]}}
WON = {
    "start": {
        "phase": "F1910M",
        "units": {"FRANCE": ["A PAR"]},
        "centers": {"FRANCE": sorted(EIGHTEEN)[:18]},
    },
    "phases": [{"phase": "F1910M", "orders": {"FRANCE": ["A PAR H"]}}],
}


@dataclass(frozen=True)
class Game:
    """The two addresses of a game: for whoever plays, and for whoever looks."""

    key: str
    shared: str


def made(page: Page, site: str) -> dict[str, Game]:
    """A game in each state that has a page of its own."""
    boards.new_game(page, site)
    games = {"fresh": _game(page)}
    brought = {"played": PLAYED, "retreat": RETREAT, "winter": WINTER, "won": WON}
    for name, text in brought.items():
        page.goto(f"{site}/p/new/")
        page.fill("#text", text if isinstance(text, str) else json.dumps(text))
        follow(page.locator("form:has(#text) button"))
        games[name] = _game(page)
    boards.new_game(page, site, "trio")
    games["trio"] = _game(page)
    boards.new_game(page, site, "diplomatie_2000")
    games["world"] = _game(page)
    boards.new_game(page, site)
    page.click("#players-title")
    follow(page.locator("#others"))
    games["watched"] = _game(page)
    return games


def _game(page: Page) -> Game:
    return Game(page.url.split("/p/")[1].split("/")[0], page.input_value("#share").split("/s/")[1].strip("/"))


def pages(games: Mapping[str, Game], full: bool = True) -> dict[str, list[Arguments]]:
    """What to visit under each name that leads to a page; of many of one kind only some, unless `full`."""
    played, book = games["played"], FALLBACK
    chapters = [
        chapter["id"] for chapter in rules_context.rulebook_contents(rules_context.open_rulebook(book))
    ]
    lessons = range(1, 11) if full else (2, 10)
    own = [*(chapter.id for chapter in variant_rules.variant_chapters("diplomatie_2000")), "readings"]
    own_lessons = range(1, 7) if full else (2,)
    looked_at = games.values() if full else (games["played"], games["retreat"], games["won"])
    return {
        "home:page": [()],
        "practice:new": [()],
        "practice:position": [()],
        "practice:board": [(game.key,) for game in games.values()],
        "practice:phase": [(played.key, 1), (games["won"].key, 1)],
        "practice:curves": [(played.key,), (games["won"].key,), (games["world"].key,)],
        "practice:shared_curves": [(games["won"].shared,)],
        "practice:change": [(played.key, 2)],
        "practice:why": [(played.key, 1, "PAR")],
        "practice:coach": [(games["trio"].key, 1)],
        "practice:shared_coach": [(games["trio"].shared, 1)],
        "practice:shared": [(game.shared,) for game in looked_at],
        "practice:shared_phase": [(played.shared, 1)],
        "practice:shared_why": [(played.shared, 1, "PAR")],
        "library:compare": [()],
        "library:two_books": [()],
        "library:rules": [()],
        "library:conference": [()],
        "library:rules_book": [(book,)],
        "library:rules_search": [(book,)],
        "library:demonstration": [(book, 1), (book, len(rules_texts.demonstration_phases()))],
        "library:rules_point": [(book, "convoy_route")],
        "library:rules_chapter": [(book, chapter) for chapter in chapters[:: 1 if full else 6]],
        "library:lessons": [()],
        "library:lesson": [(number,) for number in lessons],
        "library:half_hour": [()],
        "library:variants": [()],
        "library:variant": [(name,) for name in variants.all_names()],
        "library:variant_glossary": [("diplomatie_2000",)],
        "library:variant_rules": [("diplomatie_2000",)],
        "library:variant_rules_chapter": [("diplomatie_2000", name) for name in own[:: 1 if full else 5]],
        "library:variant_demonstration": [("diplomatie_2000", number) for number in (1, 5)],
        "library:course": [("diplomatie_2000",)],
        "library:course_lesson": [("diplomatie_2000", number) for number in own_lessons],
    }


def others(games: Mapping[str, Game]) -> dict[str, Arguments]:
    """What is fetched by a script, kept as a file, or only sent to: nobody reads it as a page."""
    key, shared = games["played"].key, games["played"].shared
    board = "stage-1"
    return {
        "home:board": (),
        "home:scene": (1,),
        "home:variant_map": ("classic",),
        **{f"practice:{name}": () for name in ("import", "look")},
        **{
            f"practice:{name}": (key, 1)
            for name in ("draft", "sheet", "resolve", "back", "copy", "onward", "talk")
        },
        **{
            f"practice:{name}": (key,)
            for name in ("power", "players", "computer", "computer_stop", "computer_again")
        },
        "practice:imported": ("zz-nobodys-file",),
        "practice:shared_copy": (shared, 1),
        "practice:scene": (key, 1),
        "practice:shared_scene": (shared, 1),
        "practice:why_steps": (key, 1, "PAR"),
        "practice:shared_why_steps": (shared, 1, "PAR"),
        "practice:picture": (key, 1, "svg"),
        "practice:shared_picture": (shared, 1, "svg"),
        "practice:map_sheet": (key, 1, "a4"),
        "practice:shared_map_sheet": (shared, 1, "a3"),
        "practice:order_sheets": (key, 1),
        "practice:shared_order_sheets": (shared, 1),
        "practice:preview": (shared, 1),
        "practice:record": (key, "txt"),
        "practice:shared_record": (shared, "json"),
        "library:conference_picture": (),
        "library:conference_pdf": (),
        "library:rules_pdf": ("datc",),
        "library:rules_board": (FALLBACK, board),
        "library:rules_board_solved": (FALLBACK, board),
        "library:start_over": (),
        "library:lesson_draft": (1,),
        "library:half_hour_draft": (),
        "library:blank_map": ("classic", "a4"),
        "library:variant_sheets": ("classic",),
        "library:variant_rules_pdf": ("diplomatie_2000",),
        "library:variant_demonstration_picture": ("diplomatie_2000", 1, "result"),
        "library:course_start_over": ("diplomatie_2000",),
        "library:course_draft": ("diplomatie_2000", 1),
    }


def names() -> set[str]:
    """The name of every address that the site answers."""
    return {name for name, _arguments in named_addresses()}


def address(name: str, arguments: Arguments, language: str) -> str:
    with override(language):
        return reverse(name, args=list(arguments))
