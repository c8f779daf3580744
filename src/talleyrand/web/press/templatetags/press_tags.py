"""`{% load press_tags %}`: `{% unread_messages sight %}`, how many letters wait for the visitor;
`{% held_messages sight %}`, how many wait to be passed on;
`{% unread_by_game_master sight %}`, from whom the game master has letters that he has not read;
`{% with_unread cards as cards %}`, the same for each of several, as its `letters`;
`{% opened_letters sight as letters %}`, what becomes of the letters of a finished game;
`{% with_threads debate board as debate %}`, proposals with what was said of them."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import urlencode

from talleyrand.web.games.phase_pages.game_board import GameBoard
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.press import conversation_pages, message_visibility, opened_letters, proposal_refs
from talleyrand.web.press.message_form import MessageComposer
from talleyrand.web.press.models import OpenedLetters
from talleyrand.web.press.press_rules import EVERYBODY, ConversationKind, Recipients

register = template.Library()


@register.simple_tag
def unread_messages(sight: GameViewer) -> int:
    """The number of unread letters to the visitor, and for the game master of those that wait for him."""
    return message_visibility.unread_count(sight)


@register.simple_tag(name="opened_letters")
def letters_at_the_end(sight: GameViewer) -> dict[str, Any]:
    """How many private letters are open, whether one may open one’s own and has."""
    mine = OpenedLetters.objects.filter(game=sight.game, person=sight.person)
    return {
        "count": opened_letters.opened_count(sight.game) if sight.is_game_over else 0,
        "may": opened_letters.may_open_letters(sight),
        "agreed": sight.person is not None and mine.exists(),
    }


@register.simple_tag
def held_messages(sight: GameViewer) -> int:
    """The number of letters that wait for the game master; none for anybody else."""
    return message_visibility.held_messages(sight).count()


@register.simple_tag
def unread_by_game_master(sight: GameViewer) -> list[dict[str, Any]]:
    """The rooms of a power and the game master with letters that he has not read: `room`, `title`, `unread`.

    None for anybody else.
    """
    return conversation_pages.unread_by_game_master(sight)


@register.simple_tag
def with_unread(cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cards of games, each with a `sight`, with the number of letters that wait there."""
    told = message_visibility.unread_counts(card["sight"] for card in cards)
    return [{**card, "letters": told.get(card["sight"].game.pk, 0)} for card in cards]


@register.simple_tag
def with_threads(debate: list[dict[str, Any]], board: GameBoard) -> list[dict[str, Any]]:
    """The proposals of a phase, each with its argument, its thread, and where one writes of it."""
    rows = [row for vote in debate for row in vote["motions"]]
    if not rows:
        return debate
    number = proposal_refs.proposal_phase(board.history, board.phase_number, board.phase_code)
    keys = [proposal_refs.ProposalRef(number, row["about"], row["by"]).key for row in rows]
    told = conversation_pages.proposal_threads(board.viewer, number, keys)
    writes = board.is_open and bool(
        MessageComposer.for_viewer(board.viewer).signatures(Recipients(ConversationKind.ALL))
    )
    place = reverse("press:new", args=[board.game.key])
    for row, key in zip(rows, keys, strict=True):
        said = told[key]
        row["argument"] = next((one for one in said if one["signed"] == row["by"]), None)
        row["thread"] = [one for one in said if one is not row["argument"]]
        row["mine"] = row["by"] in board.viewer.orderable_powers
        asked = urlencode({"to": EVERYBODY, "about": key})
        row["write"] = f"{place}?{asked}#write" if writes else ""
    return debate
