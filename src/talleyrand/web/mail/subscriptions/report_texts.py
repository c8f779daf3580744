"""What happened in a game, as text: a phase as it was published, a correction, the end, the desk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.engine.outcome import CauseCode
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, result_rows
from talleyrand.web.games import order_state_labels, order_submission, power_assignments, visibility
from talleyrand.web.games.endings import end_texts as endings
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.lobby import game_info_context
from talleyrand.web.games.models import ENDED_STATES, EndProposal, Game, GameState, PhaseRevision
from talleyrand.web.games.phase_pages import phase_page_context
from talleyrand.web.games.phase_pages.game_board import GameBoard
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.game_status_text import (
    GameStatusText,
    game_page_url,
    place_name,
    players_present,
    table_lines,
    unit_name,
)
from talleyrand.web.mail.mail_templates import Part, render_lines, render_parts

QUOTES = '“”«»"'  # of a line as it was written
CORRECTIONS = ("override", "edit")
PLAIN = (  # nothing is learnt from these
    *(CauseCode.UNOPPOSED, CauseCode.NOT_ATTACKED, CauseCode.ORDERED, CauseCode.NO_ORDER),
    *(CauseCode.RETREAT_FREE, CauseCode.WITHIN_BALANCE, CauseCode.CHOSEN),
)


def phase_report(game: Game, number: int) -> list[Part]:
    """A published phase with all that was said about it, for everybody who may open the game.

    Nothing where it is not published, or not any more.
    """
    board = GameBoard(GameViewer(game, None, shows_all=True), number)
    if board.revision is None:
        return []
    told = phase_page_context.published_phase_context(board)
    counts = told["counts"]
    return render_parts(
        "phase_report",
        about=report_title(board),
        **_correction(board, board.revision, told["changes"]),
        eliminated=told["eliminated"],
        absent=told["absent"],
        votes=[{**one, "proposals": [_proposal(row) for row in one["rows"]]} for one in told["votes"]],
        minutes=[table_lines(one) for one in told["minutes"]],
        orders=list(_orders(board)),
        chance=told["chance"],
        notes=told["notes"],
        counts=counts if any(row["centres"] != row["before"] for row in counts) else (),
        gazettes=told["gazettes"],
    )


def report_title(board: GameBoard) -> str:
    """ "Printemps 1901, mouvements : résultats"; says so where it has been corrected."""
    words = {"phase": display_names.phase_name(board.variant, board.phase_code)}
    revision = board.revision
    if revision is not None and revision.revision > 1:
        return _("%(phase)s: corrected results") % words
    return _("%(phase)s: results") % words


def _proposal(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "proposal": f"{row['name']}, {row['words']}" if row["words"] else row["name"]}


# orders


def _orders(board: GameBoard) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The orders of each power and what became of them, in the order of the powers."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for entry in board.answer.get("orders") or ():
        found.setdefault(entry["power"], []).append(entry)
    for code in board.variant.board.seats:
        if code in found:
            entries = [_entry(board.variant, entry) for entry in found[code]]
            yield display_names.power_name(board.variant, code), entries


def _entry(variant: Variant, entry: Mapping[str, Any]) -> dict[str, str]:
    """An order, what became of it, and why; nothing of an unread line: so its writer may sign mails."""
    if entry.get("error") and not entry.get("order"):
        return {}
    told = result_rows.result_entry(variant, entry)
    became = ", ".join(one["words"] for one in told["results"])
    if became and (entry.get("cause") or {}).get("code") == CauseCode.NO_ORDER:
        became = _("%(results)s (no order)") % {"results": became}
    return {"became": _became(told["order"], became), "why": _why(entry, told)}


def _why(entry: Mapping[str, Any], told: Mapping[str, Any]) -> str:
    """The reason, where it teaches something and repeats nothing of the line that was written."""
    if told["error"]:
        return "" if any(mark in told["error"] for mark in QUOTES) else str(told["error"])
    return "" if (entry.get("cause") or {}).get("code") in PLAIN else str(told["why"])


def _became(order: str, became: str) -> str:
    if not became or order.endswith(f" {became}"):  # "A Venise tient"
        return order
    return _("%(order)s: %(results)s") % {"order": order, "results": became}


# corrections


def _correction(
    board: GameBoard, revision: PhaseRevision, changes: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What another revision of a phase has changed, for those who have read the one before it."""
    if revision.revision == 1 and revision.kind not in CORRECTIONS:
        return {}
    return {
        "correction": {"kind": revision.kind, "reason": " ".join(revision.reason.split())},
        "changes": [
            {**one, **{when: ", ".join(of["words"] for of in one[when]) for when in ("before", "after")}}
            for one in changes
        ],
        "differences": list(_differences(board.variant, _before(revision), revision.next_situation)),
    }


def _before(revision: PhaseRevision) -> Mapping[str, Any] | None:
    """The position to which the revision before this one led."""
    earlier = PhaseRevision.objects.filter(
        game=revision.game_id, phase_number=revision.phase_number, revision__lt=revision.revision
    )
    found = earlier.order_by("revision").last()
    return found.next_situation if found else None


def _differences(
    variant: Variant, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Iterator[tuple[str, dict[str, list[str]], dict[str, list[str]]]]:
    """What stands otherwise in one position than in another: each power with its units and its centres."""

    def changed(code: str, kind: str, name: Callable[[Variant, str], str]) -> dict[str, list[str]]:
        old, new = (set(((at or {}).get(kind) or {}).get(code) or ()) for at in (before, after))
        gone, come = (sorted(name(variant, one) for one in those) for those in (old - new, new - old))
        return {"gone": gone, "come": come}

    if before is not None and after is not None:
        for code in variant.board.powers:
            units, centres = changed(code, "units", unit_name), changed(code, "centers", place_name)
            if any((*units.values(), *centres.values())):
                yield display_names.power_name(variant, code), units, centres


# the end


def end_report(sight: GameViewer) -> list[Part]:
    """How a game ended, the table, and who played what for those who may know."""
    variant = variants.load(sight.game.variant)
    told = sight.game.result or {}
    return render_parts(
        "end_report",
        result=endings.game_result_text(variant, told),
        table=endings.final_table_rows(sight.game),
        system=endings.scoring_title(sight.game),
        players=_players(sight, variant) if sight.may_see_players else {},
    )


def _players(sight: GameViewer, variant: Variant) -> dict[str, list[dict[str, Any]]]:
    """All who have played each power, one after the other."""
    found = visibility.visible_assignments(sight).select_related("seat", "person").order_by("seat_id", "pk")
    people: dict[str, list[dict[str, Any]]] = {}
    for tenure in found:
        power = display_names.power_name(variant, tenure.seat.power)
        people.setdefault(power, []).append(game_info_context.tenure_row(tenure, variant, sight.game))
    return people


# the desk


def desk_report(game: Game, held: int = 0, *, may_start: bool = True) -> Part:
    """How far the open phase is, as the desk shows it: states and nothing of what the sheets say.

    `held`: how many letters wait, which is the game master’s to know and no assistant’s; nor may they start
    a game.
    """
    standing = GameStatusText(game)
    if not standing.is_open:
        return render_lines(
            "desk_report",
            standing=standing,
            is_over=game.state in ENDED_STATES,
            players_present=players_present(game),
            may_start=may_start,
            table_page=game_page_url(game, "games:table"),
        )
    missing = deadline_actions.powers_missing_orders(game)
    return render_lines(
        "desk_report",
        standing=standing,
        states=list(_states(game, standing)),
        is_unresolved=game.adjudication_error,
        missing=[standing.power(one) for one in missing],
        is_playing=game.state == GameState.PLAYING,
        held=held,
        end_is_proposed=EndProposal.objects.filter(game=game, closed_at=None).exists(),
    )


def _states(game: Game, standing: GameStatusText) -> Iterator[tuple[str, str, bool]]:
    """Each power, the state of its orders, and whether its seat is open."""
    deciding = deadline_actions.powers_with_orders_to_give(game)
    free = power_assignments.unplayed_powers(game)
    for power, state in order_submission.order_states(game, game.phase_number).items():
        told = (
            order_state_labels.order_state_label(state).text if power in deciding else _("no orders needed")
        )
        yield standing.power(power), told, power in free
