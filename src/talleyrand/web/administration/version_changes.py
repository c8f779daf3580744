"""What a version changes: the entries of the changelog that a data folder has not seen, and what it noted."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import talleyrand
from talleyrand import __version__

FILE = "updates.json"
LANGUAGES = {"Français": "fr", "English": "en"}
TITLE = re.compile(r"^\*\*([^*]+)\*\*$")
PACKAGE = Path(talleyrand.__file__).parent
# In a wheel it stands in the package; in a folder that is worked in, at its root.
PLACES = (PACKAGE / "CHANGELOG.md", PACKAGE.parent.parent / "CHANGELOG.md")


@dataclass(frozen=True)
class ChangelogEntry:
    """What changed, under its title, in one language; `digest` tells whether it was there before."""

    language: str
    title: str
    text: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.language} {self.text}".encode()).hexdigest()[:12]


@dataclass(frozen=True)
class UpdateNote:
    """The last update of a data folder: when, between which versions, its migrations, its new entries."""

    at: str
    former: str
    version: str
    migrations: list[str]
    entries: list[str]


@cache
def changelog_entries() -> tuple[ChangelogEntry, ...]:
    """Every entry, of all versions; none where no changelog was shipped."""
    file = next((one for one in PLACES if one.is_file()), None)
    return tuple(_parsed(file.read_text("utf-8"))) if file else ()


def _parsed(text: str) -> Iterable[ChangelogEntry]:
    language = title = ""
    for block in re.split(r"\n(?=[-#*\n])", text):
        told = " ".join(block.split())
        if told.startswith("#"):
            language, title = LANGUAGES.get(told.lstrip("# "), ""), ""
        elif found := TITLE.match(told):
            title = found[1]
        elif told.startswith("- ") and language:
            yield ChangelogEntry(language, title, told[2:])


def unseen_entries(data: Path) -> list[ChangelogEntry]:
    """What this version says that no start from this folder has noted; nothing for a new folder."""
    seen = _version_notes(data).get("seen")
    return [one for one in changelog_entries() if one.digest not in seen] if isinstance(seen, list) else []


def note_start(data: Path, migrations: Iterable[str], now: datetime) -> None:
    """Remember what this version says and, where it is another than before, what it changed.

    No site fails to start for it.
    """
    known, ran, fresh = _version_notes(data), sorted(migrations), unseen_entries(data)
    former = str(known.get("version", ""))
    note = known.get("last")
    if former and (ran or fresh or former != __version__):
        note = asdict(UpdateNote(now.isoformat(), former, __version__, ran, [one.digest for one in fresh]))
    wanted = {"version": __version__, "seen": [one.digest for one in changelog_entries()], "last": note}
    if wanted != known:
        with suppress(OSError):
            part = data / f".{FILE}.part"
            part.write_text(json.dumps(wanted), "utf-8")
            part.replace(data / FILE)


def last_update(data: Path) -> UpdateNote | None:
    """None where there was none yet, or the note cannot be read."""
    try:
        found = UpdateNote(**_version_notes(data)["last"])
        datetime.fromisoformat(found.at)
        set(found.entries + found.migrations)
    except (KeyError, TypeError, ValueError):
        return None
    return found


def grouped(entries: Iterable[ChangelogEntry], language: str) -> Mapping[str, list[str]]:
    """The entries of a language under their titles."""
    found: dict[str, list[str]] = {}
    for one in entries:
        if one.language == language:
            found.setdefault(one.title, []).append(one.text)
    return found


def _version_notes(data: Path) -> dict[str, Any]:
    try:
        found = json.loads((data / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
