"""Words of the public pages: people, powers, boards, hours, and why something is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from talleyrand.tournament import boards
from talleyrand.tournament.model import Ended, Event, RoundState, VoteState, Words
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import hours, naming


class Hour(NamedTuple):
    """A moment for readers and for machines."""

    words: str
    iso: str


in_order, names, refusal = naming.in_order, naming.names, naming.refusal
power, colour, province = naming.power, naming.colour, naming.province
variant_title, variant_of = naming.variant_name, boards.variant_of
short_hour = hours.hour


def text(words: Words) -> str:
    """A text in the language in use, or in another where it was not written in this one."""
    found = words.get(wording.language(), "").strip()
    return found or next((one.strip() for one in words.values() if one.strip()), "")


def state(code: RoundState) -> str:
    """Where a round is; a draft is nobody's business yet."""
    told: Mapping[RoundState, str] = {
        RoundState.PLANNED: _("to come"),
        RoundState.OPEN: _("people are arriving"),
        RoundState.DRAFT: _("seats are being drawn"),
        RoundState.PLAYING: _("being played"),
        RoundState.CLOSED: _("over"),
    }
    return told[code]


def ended(code: Ended) -> str:
    """How a game ended."""
    told: Mapping[Ended, str] = {
        Ended.TIME: _("after its last year"),
        Ended.SOLO: _("won by one alone"),
        Ended.VOTE: _("ended by vote"),
        Ended.CONCEDED: _("conceded to one"),
        Ended.STOPPED: _("shortened by the director"),
    }
    return told[code]


def vote_state(code: VoteState) -> str:
    """What became of a vote to end a game."""
    told: Mapping[VoteState, str] = {
        VoteState.ASKED: _("asked: others may forbid it"),
        VoteState.VETOED: _("forbidden: the game goes on"),
        VoteState.VOTING: _("being voted on"),
        VoteState.CARRIED: _("carried: the game is over"),
        VoteState.LOST: _("lost: the game goes on"),
        VoteState.WITHDRAWN: _("asked no longer"),
    }
    return told[code]


def hour(event: Event, at: str) -> Hour | None:
    """A time of the event at its place: "samedi 4 juillet 2026 à 14 h, heure de Paris"."""
    told = hours.said(event, at)
    return Hour(told, at) if told else None


def place(number: int) -> str:
    """A place of the ranking: "1re place", "2nd place"."""
    if number == 1:
        return _("1st place")
    return {2: _("2nd place"), 3: _("3rd place")}.get(number, _("%(place)dth place") % {"place": number})
