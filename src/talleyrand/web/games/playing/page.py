"""What the page of a phase shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.printing.pdf import installed
from talleyrand.web.boards import picture, politics, results, standing, wording
from talleyrand.web.boards.scripting import script_words
from talleyrand.web.games import frame, inbox, seats, seen, states
from talleyrand.web.games.models import OVER, Game, Revision, State, secret

from . import copies, telling
from .board import Board


def page(board: Board, request: HttpRequest) -> dict[str, Any]:
    """The context of the board’s template."""
    words = {**script_words(), "saved": _("Draft kept at {time}")}
    prepared = _prepared(board)
    if prepared:
        words["start"] = words[prepared["start_with"]]
    return {
        **frame.page(board.sight, "board"),
        "board": board,
        "number": board.number,
        "current": board.current,
        "title": wording.title(board.variant, board.code, over=board.question is None),
        "rulebook_title": wording.book_title(board.game.rulebook),
        "phases": _phases(board),
        "links": _links(board),
        "drawing": board.sketch.inline(getattr(request, "style_nonce", "")),
        **politics_of(board),
        "standing": board.narrowed.places(standing.rows(board.variant, board.at, board.preparation)),
        "scenes": scenes(board),
        "board_name": f"game:{board.game.key}",
        "played": board.revision is not None,
        "strings": words,
        "copy_submission": secret(),
        "ordering": board.orders_here,
        "receipts": receipts(board),
        **prepared,
        **(published(board) if board.revision else {"revisions": _revisions(board)}),
        "ended": ended(board.game, board) if board.question is None and board.game.state in OVER else None,
        "gathering": board.game.state == State.GATHERING,
        "desk_sheets": list(_desk_sheets(board)),
        "others": list(_other_powers(board)),
        "may_practise": copies.possible(board) and not board.shown,
    }


def politics_of(board: Board) -> dict[str, Any]:
    """The table of the powers, and what everybody knows of proposals."""
    columns = politics.table(board.variant, board.at)
    rows = standing.counts(board.variant, board.at)
    more = columns.get("rows", {})
    return {
        "table": [{**row, "more": more.get(row["code"], [])} for row in board.narrowed.rows(rows, board.at)],
        "columns": columns,
        "computers": seats.of_computer(board.game),
        "findable": picture.findable(board.variant),
        "debate": politics.debate(board.variant, board.known),
        "announced": [] if board.is_told else politics.announcements(board.variant, board.known),
        "narrowed": board.narrowed.page(
            board.variant.board.seats, [("power", board.power)] if "power" in board.query else []
        ),
    }


def _prepared(board: Board) -> dict[str, Any]:
    if board.own is None:
        return {}
    told = {"mine": telling.standing(board.own)}
    if not board.preparation:
        return {**told, "shown_orders": board.own.preparation.sheet(), "start_with": "start"}
    lines = {board.power: board.own.lines}
    shown = {**board.preparation.page(), "outlook": telling.outlook(board.own)}
    return {**shown, **told, "submission": secret(), "lines": lines}


def _phases(board: Board) -> list[dict[str, Any]]:
    codes = list(board.story.phases)
    if board.current == board.number and board.question:
        codes.append(board.code)
    elif board.game.phase and len(codes) < board.current:
        codes.append(board.game.phase)
    return [
        {"number": number, "title": wording.phase(board.variant, code), "url": board.address(number)}
        for number, code in enumerate(codes, 1)
    ]


def _links(board: Board) -> dict[str, str]:
    key, number = board.game.key, board.number
    pdf = installed()
    published_here = board.revision is not None
    narrowed = f"?{board.narrowed.query}" if board.narrowed else ""
    return {
        "png": reverse("games:picture", args=[key, number, "png"]),
        "svg": reverse("games:picture", args=[key, number, "svg"]),
        "report": reverse("games:report", args=[key, number]) + narrowed if published_here else "",
        "report_pdf": reverse("games:report_pdf", args=[key, number]) + narrowed
        if published_here and pdf
        else "",
        "txt": reverse("games:record", args=[key, "txt"]),
        "json": reverse("games:record", args=[key, "json"]),
        "pdf": reverse("games:record", args=[key, "pdf"]) if pdf else "",
        "curves": reverse("games:curves", args=[key]) if board.game.number else "",
        "previous": board.address(number - 1) if number > 1 else "",
        "next": board.address(number + 1) if number < board.current else "",
    }


def scenes(board: Board) -> str:
    """Where the phases of the history are; the page’s script puts their number in place of 0."""
    path = reverse("games:scene", args=[board.game.key, 0])
    power = f"power={board.power}" if board.power else ""
    query = "&".join(filter(None, (power, board.narrowed.query)))
    return f"{path}?{query}" if query else path


def receipts(board: Board) -> list[dict[str, Any]]:
    """The sheets that the visitor’s power has handed in for the phase, the last one first."""
    if not board.power:
        return []
    found = seen.sheets(board.sight).filter(number=board.number, power=board.power).order_by("-receipt")
    counting = inbox.counting(board.game, board.number).get(board.power)
    return [
        {**telling.receipt(sheet), "counting": counting is not None and sheet.pk == counting.pk}
        for sheet in found
    ]


def published(board: Board) -> dict[str, Any]:
    """The results of a published phase, with all that was said and done about it."""
    revision = board.revision
    assert revision is not None
    answer, before = board.answer, (board.question or {}).get("politics") or {}
    return {
        "results": board.narrowed.entries(_explained(board, results.by_power(board.variant, answer)))
        if answer
        else [],
        "votes": politics.votes(board.variant, answer, before),
        "minutes": politics.minutes(board.variant, before, answer.get("politics") or {}),
        "notes": results.notes(answer),
        "chance": _chance(board),
        "eliminated": results.newly_out(board.variant, board.question, answer),
        "absent": [wording.power(board.variant, power) for power in revision.absent],
        "revision": revision,
        "changes": list(_changes(board, revision)),
        "revisions": _revisions(board),
        "gazettes": list(board.game.gazettes.filter(number=board.number)),
        "counts": _counts(board),
    }


def _explained(board: Board, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each order of a movement phase with its chain of causes, but where the game master decided."""
    revision = board.revision
    if not board.code.endswith("M") or revision is None or revision.changes or board.shown:
        return rows
    return results.explained(
        rows, lambda province: reverse("games:why", args=[board.game.key, board.number, province])
    )


def _chance(board: Board) -> list[str]:
    """The lots that were drawn, in words."""
    told = _("Drawn by lot for %(power)s: %(drawn)s, among %(among)s.")
    return [
        told
        % {
            "power": wording.power(board.variant, lot["power"]),
            "drawn": picture.unit_words(board.variant, lot["drawn"]),
            "among": ", ".join(picture.unit_words(board.variant, one) for one in lot["among"]),
        }
        for lot in board.answer.get("chance") or ()
    ]


def _changes(board: Board, revision: Revision) -> Iterator[dict[str, Any]]:
    """What the game master overrode: an order, what the judge had found, what counts."""
    for change in revision.changes:
        if "before" in change and "after" in change:
            entry = {"unit": change.get("unit"), "order": change.get("order"), "line": change.get("line")}
            yield {
                "order": results.entry_words(board.variant, entry)["order"] or change.get("line"),
                "power": wording.power(board.variant, str(change.get("power", ""))),
                "before": [results.result_words(code, board.variant) for code in change["before"]],
                "after": [results.result_words(code, board.variant) for code in change["after"]],
            }


def _revisions(board: Board) -> list[dict[str, Any]]:
    """Every revision of the phase, where there is another than the one shown."""
    found = list(board.game.revisions.filter(number=board.number).defer("answer", "situation", "after"))
    if len(found) < (2 if board.revision else 1):
        return []
    return [
        {
            "revision": one,
            "url": reverse("games:revision", args=[board.game.key, board.number, one.revision]),
            "shown": board.revision is not None and one.pk == board.revision.pk,
        }
        for one in found
    ]


def _counts(board: Board) -> list[dict[str, Any]]:
    """The centres of each power before and after the phase, where it changed any."""
    after = board.answer.get("centers")
    if after is None:
        return []
    before = (board.question or {}).get("centers") or {}
    rows = standing.counts(board.variant, board.answer)
    shown = board.narrowed.rows(rows, board.answer)
    return [{**row, "before": len(before.get(row["code"], ()))} for row in shown]


def ended(game: Game, board: Board) -> dict[str, Any]:
    """Who won, or how the game ended."""
    result = game.result or {}
    winners = [wording.power(board.variant, code) for code in result.get("powers") or ()]
    return {"winners": winners, "kind": result.get("kind", ""), "abandoned": game.state == State.ABANDONED}


def _desk_sheets(board: Board) -> Iterator[dict[str, Any]]:
    """The open phase as the game master sees it: each power’s state and the sheet that counts, no draft."""
    if not board.is_open or not board.sight.is_master:
        return
    handed = inbox.counting(board.game, board.number)
    stand = inbox.standing(board.game, board.number)
    choosers = board.story.choosers(board.number)
    seats = {seat.power: seat for seat in board.game.seats.all()}
    for row in board.narrowed.rows([{"code": code} for code in seats], board.at):
        seat = seats[row["code"]]
        sheet = handed.get(seat.power)
        yield {
            "code": seat.power,
            "name": wording.power(board.variant, seat.power),
            "colour": wording.colour(board.variant, seat.power),
            "state": states.told(stand[seat.power]),
            "receipt": telling.receipt(sheet) if sheet else None,
            "lines": sheet.lines if sheet else [],
            "idle": seat.power not in choosers,
        }


def _other_powers(board: Board) -> Iterator[dict[str, Any]]:
    """The visitor’s other powers, where he plays several."""
    if len(board.sight.powers) < 2:
        return
    for code in board.sight.powers:
        name = wording.power(board.variant, code)
        yield {"code": code, "name": name, "shown": code == board.power}
