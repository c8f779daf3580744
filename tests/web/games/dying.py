"""Clocks that die: python -m tests.web.games.dying FOLDER, printing what became of each.

Each is a process of its own on a copy of one site, in which a phase is due. It ends at a named point as if
somebody had pulled the plug; two others come after it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import django

DEAD = 9
POINTS = (
    "claimed",
    "first draft kept",
    "drafts kept",
    "drafts committed",
    "snapshot",
    "judged",
    "revision written",
    "log written",
    "half of the news told",
    "before commit",
    "committed",
    "before release",
    "released",
)


def arm(point: str) -> None:
    """Let this process die at a point."""
    from talleyrand.web.games import audience, clock, inbox, log, referee
    from talleyrand.web.games.looking import Step

    places: dict[str, Callable[[], None]] = {
        "claimed": lambda: before(clock.Clock, "_one"),
        "first draft kept": lambda: after(inbox, "keep_draft"),
        "drafts kept": lambda: after(clock, "_keep_drafts"),
        "drafts committed": lambda: after_item(clock.ACTIONS, Step.SETTLE),
        "snapshot": lambda: after(referee, "snapshot"),
        "judged": lambda: after(referee.Snapshot, "judged"),
        "revision written": lambda: after(referee, "_kept"),
        "log written": lambda: after(log, "note"),
        "half of the news told": lambda: after(audience, "tell"),
        "before commit": lambda: after(referee, "_onward"),
        "committed": lambda: after(referee, "publish"),
        "before release": lambda: before(clock, "_release"),
        "released": lambda: after(clock, "_release"),
    }
    places[point]()


def before(owner: Any, name: str) -> None:
    setattr(owner, name, lambda *_args, **_more: os._exit(DEAD))


def after(owner: Any, name: str) -> None:
    setattr(owner, name, last(getattr(owner, name)))


def after_item(owner: dict[str, Callable[..., Any]], name: str) -> None:
    owner[name] = last(owner[name])


def last(work: Callable[..., Any]) -> Callable[..., Any]:
    def done(*args: Any, **more: Any) -> None:
        work(*args, **more)
        os._exit(DEAD)

    return done


def prepare() -> None:
    """Five have handed in, two have drafts alone, and some grace is left."""
    from django.core.management import call_command

    from tests.web.cast import table
    from tests.web.games.acting import all_hand_in, draft

    call_command("migrate", verbosity=0)
    game = table(rhythm={"hours": 72, "early": False, "grace": 3600}, absent="disorder")
    all_hand_in(game, but=["FRANCE", "TURKEY"])
    draft(game, "FRANCE", "A PAR-BUR")
    draft(game, "TURKEY", "A CON-BUL")


def sweep(*seconds: int) -> None:
    from talleyrand.web.games import clock
    from tests.web.cast import BEGUN

    for later in seconds:
        clock.sweep(BEGUN + timedelta(hours=72, seconds=later))


def told() -> Any:
    """All that a publication writes."""
    from talleyrand.web.games.models import Entry, Game, Revision, Seat, Sheet
    from talleyrand.web.notices.models import Notice

    game = Game.objects.get()
    row = (game.number, game.phase, str(game.due), game.state, game.worker, game.trouble, game.receipts)
    parts = ("number", "revision", "digest", "answer", "after", "sheets", "absent", "current")
    sheet = ("number", "power", "receipt", "digest", "origin", "lines")
    return {
        "game": row,
        "revisions": list(Revision.objects.order_by("pk").values_list(*parts)),
        "sheets": list(Sheet.objects.values_list(*sheet)),
        "seats": list(Seat.objects.values_list("power", "draft", "final", "missed", "disorder")),
        "log": list(Entry.objects.values_list("number", "kind")),
        "told": sorted(Notice.objects.values_list("person__name", "kind", "once")),
    }


def child(folder: Path, work: Callable[[], Any], meanwhile: Callable[[], Any] = lambda: None) -> int:
    """The status of a process that works on the site in a folder; `meanwhile` is done out here."""
    from django.db import connections

    pid = os.fork()
    if pid:
        meanwhile()
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        connections["default"].settings_dict["NAME"] = str(folder / "talleyrand.sqlite3")
        work()
    except BaseException as failure:  # noqa: BLE001 (nothing of the parent is to run here)
        print(repr(failure), file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def follow(folder: Path, point: str) -> dict[str, Any]:
    """One clock dies, the two after it go on; what they come to."""

    def die() -> None:
        if point:
            arm(point)
        sweep(2)

    def go_on() -> None:
        sweep(40, 80)
        (folder / "told.json").write_text(json.dumps(told()))

    status = child(folder, die)
    return {
        "status": status,
        "later": child(folder, go_on),
        "told": json.loads((folder / "told.json").read_text()),
    }


def main(place: Path) -> None:
    os.environ["TALLEYRAND_DATA"] = str(place)
    django.setup()
    first = place / "first"
    first.mkdir()
    if child(first, prepare):
        sys.exit("the site could not be prepared")
    found = {}
    for number, point in enumerate(("", *POINTS)):
        copy = place / str(number)
        shutil.copytree(first, copy)
        found[point] = follow(copy, point)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
