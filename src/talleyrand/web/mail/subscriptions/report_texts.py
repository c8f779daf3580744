"""What happened in a game, as text: a phase as it was published, a correction, the end, the desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.engine.outcome import CauseCode
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, result_rows
from talleyrand.web.games import order_state_labels, order_submission, power_assignments, visibility
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.endings import end_texts as endings
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.models import ENDED_STATES, EndProposal, Game, GameState, Gazette, PhaseRevision
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
from talleyrand.web.mail.text_layout import bullet, heading, prose, protected, title, unbroken

Part = list[str]
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
    board = GameBoard(GameViewer(game, None), number)
    if board.revision is None:
        return []
    told = phase_page_context.published_phase_context(board)
    parts = [
        title(report_title(board)),
        *_correction(board, told["changes"]),
        _people(_("Eliminated: %(powers)s."), told["eliminated"]),
        _people(_("No orders received, in civil disorder: %(powers)s."), told["absent"]),
        *_votes(told["votes"]),
        *(table_lines(one) for one in told["minutes"]),
        *_orders(board),
        _list(_("Random draws"), told["chance"]),
        _list(_("Adjudicator’s notes"), told["notes"]),
        _counts(told["counts"]),
        *(gazette_text(one) for one in told["gazettes"]),
    ]
    return [part for part in parts if part]


def report_title(board: GameBoard) -> str:
    """ "Printemps 1901, mouvements : résultats"; says so where it has been corrected."""
    words = {"phase": display_names.phase_name(board.variant, board.phase_code)}
    revision = board.revision
    if revision is not None and revision.revision > 1:
        return _("%(phase)s: corrected results") % words
    return _("%(phase)s: results") % words


def _people(sentence: str, powers: Sequence[str]) -> Part:
    return prose(sentence % {"powers": join_names(powers, display_names.reader_language())}) if powers else []


def _list(name: str, sentences: Sequence[str]) -> Part:
    return [*heading(name), *(line for one in sentences for line in protected(one))] if sentences else []


# votes


def _votes(votes: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    """How each vote went: the proposals with their ballots, and what decided."""
    for vote in votes:
        lines = [line for row in vote["rows"] for line in protected(_ballots(row))]
        yield [*heading(vote["vote"]), *lines, *prose(f"{vote['decided']} {vote['secret']}".strip())]


def _ballots(row: Mapping[str, Any]) -> str:
    named = f"{row['name']}, {row['words']}" if row["words"] else str(row["name"])
    if row["number"] is None:
        return _("%(proposal)s: adopted") % {"proposal": named} if row["adopted"] else named
    words = {
        "proposal": named,
        "n": row["number"],
        "powers": join_names(row["electors"], display_names.reader_language()),
    }
    told = _("%(proposal)s: %(n)d (%(powers)s)") if row["electors"] else _("%(proposal)s: %(n)d")
    return told % words


# orders


def _orders(board: GameBoard) -> Iterator[Part]:
    """The orders of each power and what became of them, in the order of the powers."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for entry in board.answer.get("orders") or ():
        found.setdefault(entry["power"], []).append(entry)
    for code in board.variant.board.seats:
        if code in found:
            lines = [line for entry in found[code] for line in _entry(board.variant, entry)]
            yield [*heading(display_names.power_name(board.variant, code)), *lines]
    if not found:
        yield prose(_("No orders in this phase."))


def _entry(variant: Variant, entry: Mapping[str, Any]) -> Iterator[str]:
    """An order, what became of it, and why; not what could not be read: so its writer may sign his mails."""
    told = result_rows.result_entry(variant, entry)
    if entry.get("error") and not entry.get("order"):
        yield from protected(_("Line not understood."))
        return
    became = ", ".join(one["words"] for one in told["results"])
    if became and (entry.get("cause") or {}).get("code") == CauseCode.NO_ORDER:
        became = _("%(results)s (no order)") % {"results": became}
    yield from protected(_became(told["order"], became))
    why = _why(entry, told)
    yield from protected(why, "  ") if why else ()


def _why(entry: Mapping[str, Any], told: Mapping[str, Any]) -> str:
    """The reason, where it teaches something and repeats nothing of the line that was written."""
    if told["error"]:
        return "" if any(mark in told["error"] for mark in QUOTES) else str(told["error"])
    return "" if (entry.get("cause") or {}).get("code") in PLAIN else str(told["why"])


def _became(order: str, became: str) -> str:
    if not became or order.endswith(f" {became}"):  # "A Venise tient"
        return order
    return _("%(order)s: %(results)s") % {"order": order, "results": became}


def _counts(rows: Sequence[Mapping[str, Any]]) -> Part:
    if not any(row["centres"] != row["before"] for row in rows):
        return []
    return [*heading(_("Centre count")), *(line for row in rows for line in protected(_count(row)))]


def _count(row: Mapping[str, Any]) -> str:
    words = {"power": row["name"], "before": row["before"], "n": row["centres"], "units": row["units"]}
    if row["before"] == row["centres"]:
        return _("%(power)s: centres %(n)d, units %(units)d") % words
    return _("%(power)s: centres %(n)d (was %(before)d), units %(units)d") % words


def gazette_text(one: Gazette) -> Part:
    """The game master’s words on a phase."""
    return [*heading(_("Gazette")), *prose(one.text)]


# corrections


def _correction(board: GameBoard, changes: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    """What another revision of a phase has changed, for those who have read the one before it."""
    revision = board.revision
    if revision is None or (revision.revision == 1 and revision.kind not in CORRECTIONS):
        return
    yield prose(_corrected(revision))
    if revision.reason:
        yield prose(_("Reason: %(reason)s") % {"reason": " ".join(revision.reason.split())})
    lines = [
        *(_change(one) for one in changes),
        *position_differences(board.variant, _before(revision), revision.next_situation),
    ]
    if lines:
        yield [*heading(_("Changes")), *(line for one in lines for line in protected(one))]


def _corrected(revision: PhaseRevision) -> str:
    if revision.kind == "edit":
        return _("The GM changed the position after this phase.")
    if revision.kind == "override":
        return _("The GM corrected this phase.")
    return _("New results for this phase: they replace the earlier ones.")


def _change(change: Mapping[str, Any]) -> str:
    words = {
        "power": change["power"],
        "order": change["order"],
        "before": ", ".join(one["words"] for one in change["before"]),
        "after": ", ".join(one["words"] for one in change["after"]),
    }
    return _("%(power)s, %(order)s: %(after)s (instead of %(before)s)") % words


def _before(revision: PhaseRevision) -> Mapping[str, Any] | None:
    """The position to which the revision before this one led."""
    earlier = PhaseRevision.objects.filter(
        game=revision.game_id, phase_number=revision.phase_number, revision__lt=revision.revision
    )
    found = earlier.order_by("revision").last()
    return found.next_situation if found else None


def position_differences(
    variant: Variant, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Iterator[str]:
    """What stands otherwise in one position than in another."""
    if before is None or after is None:
        return
    for code in variant.board.powers:
        for name, written in (("units", unit_name), ("centers", place_name)):
            old, new = (set((at.get(name) or {}).get(code) or ()) for at in (before, after))
            words = {
                "power": display_names.power_name(variant, code),
                "gone": ", ".join(sorted(written(variant, one) for one in old - new)),
                "come": ", ".join(sorted(written(variant, one) for one in new - old)),
            }
            yield from _difference(name, words)


def _difference(name: str, words: Mapping[str, str]) -> Iterator[str]:
    gone, come = {
        "units": (_("%(power)s, units removed: %(gone)s"), _("%(power)s, units added: %(come)s")),
        "centers": (_("%(power)s, centres removed: %(gone)s"), _("%(power)s, centres added: %(come)s")),
    }[name]
    if words["gone"]:
        yield gone % words
    if words["come"]:
        yield come % words


def taken_back_text(game: Game, code: str) -> Part:
    """A phase that was published counts no more."""
    words = {"phase": display_names.phase_name(variants.load(game.variant), code)}
    return prose(
        _(
            "The GM rolled back to: %(phase)s. Its results no longer count. The phase is "
            "open again with the orders as they were; you can send new ones."
        )
        % words
    )


# the end


def end_report(sight: GameViewer) -> list[Part]:
    """How a game ended, the table, and who played what for those who may know."""
    game, variant = sight.game, variants.load(sight.game.variant)
    told = game.result or {}
    rows = endings.final_table_rows(variant, told) if told.get("centres") else []
    played = _("%(power)s: centres %(centres)d, units %(units)d")
    scored = _("%(power)s: centres %(centres)d, units %(units)d, points %(points)s")
    table = [(scored if row["points"] else played) % {**row, "power": row["name"]} for row in rows]
    return [
        title(_("The game is over")),
        prose(endings.game_result_text(variant, told)),
        [line for one in table for line in protected(one)],
        _players(sight, variant),
    ]


def _players(sight: GameViewer, variant: Variant) -> Part:
    if not sight.may_see_players:
        return []
    found = (
        visibility.visible_assignments(sight)
        .filter(last_phase_number=None, person__isnull=False)
        .select_related("seat", "person")
    )
    names: dict[str, list[str]] = {}
    for tenure in found:
        if tenure.person is not None:
            names.setdefault(tenure.seat.power, []).append(tenure.person.name)
    rows = [
        _("%(power)s: %(people)s")
        % {
            "power": display_names.power_name(variant, power),
            "people": join_names(people, display_names.reader_language()),
        }
        for power, people in names.items()
    ]
    return [*heading(_("Who played what")), *(line for one in rows for line in bullet(one))] if rows else []


# the desk


def desk_report(game: Game, held: int = 0) -> list[str]:
    """How far the open phase is, as the desk shows it: states and nothing of what the sheets say.

    `held`: how many letters wait, which is the game master’s to know and no assistant’s.
    """
    standing = GameStatusText(game)
    if not standing.is_open:
        return _not_open(game)
    return [
        *heading(standing.phase),
        *prose(standing.deadline()),
        *_states(game, standing),
        *(line for one in _tasks(game, held) for line in prose(one)),
    ]


def _not_open(game: Game) -> list[str]:
    if game.state in ENDED_STATES:
        return prose(_("The game is over."))
    told = [_("The game has not started."), players_present(game)]
    told.append(_("Start it on the site, under “Game info”: powers are drawn or assigned there."))
    table = game_page_url(game, "games:table")
    return [*prose(" ".join(told)), *(unbroken(table) if table else [])]


def _states(game: Game, standing: GameStatusText) -> Iterator[str]:
    deciding = deadline_actions.powers_with_orders_to_give(game)
    free = power_assignments.unplayed_powers(game)
    for power, state in order_submission.order_states(game, game.phase_number).items():
        told = (
            order_state_labels.order_state_label(state).text if power in deciding else _("no orders needed")
        )
        words = {"power": standing.power(power), "state": told}
        line = _("%(power)s: %(state)s") if power not in free else _("%(power)s (open seat): %(state)s")
        yield from bullet(line % words)


def _tasks(game: Game, held: int) -> Iterator[str]:
    """What waits for whoever runs the game."""
    if game.adjudication_error:
        yield _("This phase could not be resolved; the game is waiting for you.")
    missing = [
        display_names.power_name(variants.load(game.variant), one)
        for one in deadline_actions.powers_missing_orders(game)
    ]
    if missing:
        yield _("Missing orders: %(powers)s.") % {
            "powers": join_names(missing, display_names.reader_language())
        }
    elif game.state == GameState.PLAYING:
        yield _("No orders are missing.")
    if held:
        told = ngettext(
            "%(n)d held message is waiting for you.", "%(n)d held messages are waiting for you.", held
        )
        yield told % {"n": held}
    if EndProposal.objects.filter(game=game, closed_at=None).exists():
        yield _("A proposal to end the game is open (players vote on the site).")
