"""The published phases of a game as a record that can be replayed, and as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from talleyrand import notation, variants
from talleyrand.formats import records
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.boards.texts import heading, played_sheet, position_lines, setting_lines
from talleyrand.web.games import readings
from talleyrand.web.games.models import OVER, Game, Json, Revision
from talleyrand.web.games.story import first_situation

JUDGED = ("adjudication", "start")


def published(game: Game) -> list[Revision]:
    """The current revisions, the start first."""
    return list(game.revisions.filter(current=True).order_by("number"))


def as_json(game: Game, *, seeded: bool) -> dict[str, Any]:
    """The inputs of the phases published, in the form `talleyrand play` replays.

    Without the seed nobody can tell what will be drawn by lot; what was drawn is then told by positions.
    """
    start, *phases = published(game)
    before = [_told_by_position(one, seeded) or _by_script(game, one) for one in (start, *phases)]
    whole = {
        "variant": game.variant,
        "rulebook": game.rulebook,
        "seed": game.seed if seeded else "",
        "start": start.after,
        "phases": [_phase(game, one, set_here) for one, set_here in zip(phases, before, strict=False)],
    }
    return dict(records.write_record(records.read_record(whole)))


def tells_seed(game: Game) -> bool:
    """Whether everybody may know by now what lots are drawn from."""
    return game.state in OVER


def _told_by_position(revision: Revision, seeded: bool) -> bool:
    """Whether what follows a phase cannot be computed from its orders."""
    drawn = bool((revision.answer or {}).get("chance"))
    return revision.kind not in JUDGED or (drawn and not seeded) or revision.sealed is not None


def _by_script(game: Game, revision: Revision) -> bool:
    """Whether a script played in a phase of a game in which nobody plays by one now."""
    return bool(game.script) and 0 < revision.number <= game.script_until


def _scripted(revision: Revision, powers: Sequence[str]) -> dict[str, list[str]]:
    """What the script ordered, as if somebody had written it."""
    entries = (revision.answer or {}).get("orders") or ()
    told: dict[str, list[str]] = {power: [] for power in powers}
    for one in entries:
        if one["power"] in told and one.get("order"):
            told[one["power"]].append(one["order"])
    return {power: lines for power, lines in told.items() if lines}


def sheets(revision: Revision, write: Callable[[str], str] = str) -> dict[str, list[str]]:
    """The sheets that counted, what was understood of them all in one writing.

    Its own would tell of a player which language he speaks, and that he types or taps.
    """
    entries = (revision.answer or {}).get("orders") or ()
    read = {
        (one["power"], one["line"]): write(one["order"])
        for one in entries
        if one.get("line") and one.get("order") and not one.get("error")
    }
    return {
        power: [read.get((power, line), line) for line in lines] for power, lines in revision.sheets.items()
    }


def answer(revision: Revision) -> Json:
    """What became of the orders, without what would tell how they were typed: see `sheets`."""
    told = revision.answer or {}
    return {**told, "orders": [_unsaid(entry) for entry in told.get("orders") or ()]} if told else {}


def _unsaid(entry: Mapping[str, Any]) -> Json:
    if entry.get("error") or not entry.get("line") or not entry.get("order"):
        return dict(entry)
    return {**entry, "line": entry["order"], "notes": []}


def in_words(variant: Variant) -> Callable[[str], str]:
    """How an order is written in the reader’s language."""
    language = wording.language()
    return lambda order: notation.write(notation.parse_own(order, variant), variant, language, "short")


def _phase(game: Game, revision: Revision, set_here: bool) -> Json:
    """One phase; its position too where the game master had set it, or a script played before."""
    fields: Json = {"phase": revision.phase, "orders": sheets(revision)}
    if _by_script(game, revision):
        fields["orders"] |= _scripted(revision, variants.load(game.script).setting.scripted)
    if revision.absent:
        fields["absent"] = revision.absent
    if set_here and revision.situation is not None:
        fields["position"] = {**dict.fromkeys(records.STANDING), **revision.situation}
    return fields


def as_text(game: Game) -> str:
    """The sheets of the phases published under their headings, with the results as remarks."""
    variant = variants.load(game.variant)
    start, *phases = published(game)
    first = first_situation(variant, game.terms.readings)
    begun = start.after or first
    book = game.rulebook if isinstance(game.rulebook, str) else game.rulebook.get("extends", "")
    settings = {"variant": game.variant, "rulebook": str(book)}
    settings |= {"seed": game.seed} if tells_seed(game) else {}
    lines = list(setting_lines(settings))
    lines += [f"// {sentence}" for sentence in readings.sentences(game, variant)]
    lines += position_lines(begun, variant) if begun != first else []
    for one in phases:
        lines += ["", heading(variant, one.phase), *_remarks(one)]
        answer: Mapping[str, Any] = one.answer or {"orders": []}
        told = sheets(one, in_words(variant))
        for power in variant.board.powers:
            lines += played_sheet(variant, power, told.get(power, []), dict(answer))
    return "\n".join(lines) + "\n"


def _remarks(revision: Revision) -> list[str]:
    """The game master’s reason for a correction, as a remark."""
    return [f"// {line}" for line in revision.reason.splitlines() if line.strip()]


def name(game: Game, phase: str = "") -> str:
    """What a file of the game is called: never for a person."""
    return "-".join(part for part in ("talleyrand", game.variant, phase) if part)
