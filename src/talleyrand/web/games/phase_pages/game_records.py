"""The published phases of a game as a record that can be replayed, and as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import notation, variants
from talleyrand.formats import game_record
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, politics_context
from talleyrand.web.boards.position_texts import (
    phase_heading_text,
    position_lines,
    resolved_orders_text,
    setting_lines,
)
from talleyrand.web.games import game_variant_options
from talleyrand.web.games.endings import end_texts
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import ENDED_STATES, Game, Json, PhaseRevision

ADJUDICATED_KINDS = ("adjudication", "start")


def current_revisions(game: Game) -> list[PhaseRevision]:
    """The current revisions, the start first."""
    return list(game.revisions.filter(is_current=True).order_by("phase_number"))


def game_record_json(game: Game, *, seeded: bool) -> dict[str, Any]:
    """The inputs of the phases published, in the form `talleyrand play` replays.

    Without the seed nobody can tell what will be drawn by lot; what was drawn is then told by positions.
    """
    start, *phases = current_revisions(game)
    before = [_told_by_position(one, seeded) or _by_script(game, one) for one in (start, *phases)]
    whole = {
        "variant": game.variant,
        "rulebook": game.rulebook,
        "seed": game.seed if seeded else "",
        "start": start.next_situation,
        "phases": [_phase(game, one, set_here) for one, set_here in zip(phases, before, strict=False)],
    }
    return dict(game_record.write_game_record(game_record.read_game_record(whole)))


def may_tell_seed(game: Game) -> bool:
    """Whether everybody may know by now what lots are drawn from."""
    return game.state in ENDED_STATES


def _told_by_position(revision: PhaseRevision, seeded: bool) -> bool:
    """Whether what follows a phase cannot be computed from its orders."""
    answer = revision.answer or {}
    drawn = bool(answer.get("chance") or (answer.get("politics") or {}).get("toss"))
    return (
        revision.kind not in ADJUDICATED_KINDS or (drawn and not seeded) or revision.secret_part is not None
    )


def _by_script(game: Game, revision: PhaseRevision) -> bool:
    """Whether a script played in a phase of a game in which nobody plays by one now."""
    return bool(game.scripted_variant) and 0 < revision.phase_number <= game.scripted_until_phase


def _scripted(revision: PhaseRevision, powers: Sequence[str]) -> dict[str, list[str]]:
    """What the script ordered, as if somebody had written it."""
    entries = (revision.answer or {}).get("orders") or ()
    told: dict[str, list[str]] = {power: [] for power in powers}
    for one in entries:
        if one["power"] in told and one.get("order"):
            told[one["power"]].append(one["order"])
    return {power: lines for power, lines in told.items() if lines}


def public_order_lines(revision: PhaseRevision, write: Callable[[str], str] = str) -> dict[str, list[str]]:
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
        power: [read.get((power, line), line) for line in lines]
        for power, lines in revision.order_lines.items()
    }


def public_answer(revision: PhaseRevision) -> Json:
    """What became of the orders, without what would tell how they were typed: see `public_order_lines`."""
    told = revision.answer or {}
    return {**told, "orders": [_unsaid(entry) for entry in told.get("orders") or ()]} if told else {}


def _unsaid(entry: Mapping[str, Any]) -> Json:
    if entry.get("error") or not entry.get("line") or not entry.get("order"):
        return dict(entry)
    return {**entry, "line": entry["order"], "notes": []}


def order_writer(variant: Variant) -> Callable[[str], str]:
    """How an order is written in the reader’s language."""
    language = display_names.reader_language()
    return lambda order: notation.write_order(
        notation.parse_order(order, variant), variant, language, "short"
    )


def _phase(game: Game, revision: PhaseRevision, set_here: bool) -> Json:
    """One phase; its position too where the game master had set it, or a script played before."""
    fields: Json = {"phase": revision.phase, "orders": public_order_lines(revision)}
    if _by_script(game, revision):
        fields["orders"] |= _scripted(
            revision, variants.load(game.scripted_variant).definition.scripted_powers
        )
    if revision.kind not in ADJUDICATED_KINDS and revision.next_situation is not None:
        fields["corrected"] = _correction(revision)
    if revision.powers_without_orders:
        fields["absent"] = revision.powers_without_orders
    if set_here and revision.situation is not None:
        fields["position"] = {**dict.fromkeys(game_record.CARRIED_OVER_FIELDS), **revision.situation}
    return fields


def _correction(revision: PhaseRevision) -> Json:
    """What the game master decided of a phase."""
    results = [{**one, "results": one["after"]} for one in revision.overrides]
    return {
        "results": results,
        "next": revision.next_situation,
        "winner": (revision.answer or {}).get("winner") or [],
        "reason": revision.reason,
    }


def game_record_text(game: Game) -> str:
    """The sheets of the phases published under their headings, with the results as remarks."""
    variant = variants.load(game.variant)
    revisions = current_revisions(game)
    usual = initial_situation(variant, GameSettings(readings=game.settings.readings))
    begun = revisions[0].next_situation or initial_situation(variant, game.settings)
    book = game.rulebook if isinstance(game.rulebook, str) else game.rulebook.get("extends", "")
    settings = {"variant": game.variant, "rulebook": str(book)}
    settings |= {"seed": game.seed} if may_tell_seed(game) else {}
    lines = list(setting_lines(settings))
    lines += [f"// {sentence}" for sentence in game_variant_options.variant_option_sentences(game, variant)]
    if begun != usual:
        said = _("The game begins with this position.")
        lines += [f"// {said}", *position_lines(begun, variant)]
    for before, one in pairwise(revisions):
        began = one.situation or before.next_situation or {}
        lines += ["", phase_heading_text(variant, one.phase), *_remarks(one)]
        lines += _politics_remarks(variant, began, one)
        answer: Mapping[str, Any] = one.answer or {"orders": []}
        told = public_order_lines(one, order_writer(variant))
        for power in variant.board.powers:
            lines += resolved_orders_text(variant, power, told.get(power, []), dict(answer))
    lines += ["", *(f"// {line}" for line in end_texts.end_lines(game))] if game.result else []
    return "\n".join(lines) + "\n"


def _remarks(revision: PhaseRevision) -> list[str]:
    """The game master’s reason for a correction, as a remark."""
    return [f"// {line}" for line in revision.reason.splitlines() if line.strip()]


def _politics_remarks(variant: Variant, began: Mapping[str, Any], revision: PhaseRevision) -> Iterator[str]:
    """What a phase did beside orders, as remarks, and what of it is told later."""
    told = (revision.answer or {}).get("politics") or {}
    for table in politics_context.minutes_tables(variant, began.get("politics") or {}, told):
        yield f"// {table['title']}"
        for row in table["rows"]:
            yield f"// {' · '.join(cell['text'] for cell in row if cell['text'])}"
    if revision.secret_part is not None:
        yield "// " + _("What is secret in this phase (lists, votes) is told when the game is over.")


def game_file_name(game: Game, phase: str = "") -> str:
    """What a file of the game is called: never for a person."""
    return "-".join(part for part in ("talleyrand", game.variant, phase) if part)
