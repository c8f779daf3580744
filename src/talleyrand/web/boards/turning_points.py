"""The turning points of a game: the seasons in which its balance of centres moved most, and who took what.

The balance is each power's share of the squares of all centres: a centre more counts for more where many are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.engine.position import Phase
from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.variants import Variant

from . import display_names
from .position_tables import centre_owners

MOST, FEW = 5, 2  # so many in a long game, and in a short one
LEAST = 0.05  # how much of the whole must have changed sides
MOST_TOLD = 4  # of those who took something from somebody
Owners = Mapping[str, str]


@dataclass(frozen=True)
class ChartPhase:
    """A phase played, and the position that came of it."""

    phase: str
    next_situation: Mapping[str, Any]


@dataclass(frozen=True)
class TurningPoint:
    """A season: `number` is its first phase of moves, `shift` how much of the balance changed sides.

    `taken` are the centres by who took them from whom ("": neutral), most first; `without_centres` those who
    lost their last one, `enough` those who came to have what it takes to win.
    """

    number: int
    phase: str
    shift: float
    taken: Sequence[tuple[str, str, Sequence[str]]]
    without_centres: Sequence[str]
    enough: Sequence[str]

    @property
    def year(self) -> int:
        return Phase.parse(self.phase).year


def turning_points(
    variant: Variant, start: Mapping[str, Any], stages: Iterable[ChartPhase]
) -> list[TurningPoint]:
    """The greatest, in the order of the game, of a longer one half its seasons at most; `stages` are the
    phases played from number 1 on.
    """
    moved = list(_seasons(variant, start, stages))
    found = [one for one in moved if one.shift >= LEAST]
    greatest = sorted(found, key=lambda one: -one.shift)[: min(MOST, max(FEW, len(moved) // 2))]
    return sorted(greatest, key=lambda one: one.number)


def _seasons(
    variant: Variant, start: Mapping[str, Any], stages: Iterable[ChartPhase]
) -> Iterator[TurningPoint]:
    before = centre_owners(start)
    numbered = enumerate(stages, 1)
    for _season, some in groupby(numbered, key=lambda one: (one[1].phase[:1], one[1].phase[1:-1])):
        played = list(some)
        after = centre_owners(played[-1][1].next_situation)
        if before and after and before != after:
            number, stage = next((one for one in played if one[1].phase.endswith("M")), played[0])
            yield _turning_point(variant, number, stage.phase, before, after)
        before = after or before


def _turning_point(variant: Variant, number: int, phase: str, before: Owners, after: Owners) -> TurningPoint:
    powers, definition = variant.board.powers, variant.definition
    was, now = ({power: list(owners.values()).count(power) for power in powers} for owners in (before, after))
    taken: dict[tuple[str, str], list[str]] = {}
    for place in sorted(after):
        if after[place] != before.get(place):
            taken.setdefault((after[place], before.get(place, "")), []).append(place)
    needed = 0 if definition.politics else definition.victory.centres_needed(variant.board)
    return TurningPoint(
        number,
        phase,
        sum(abs(_share(now, power) - _share(was, power)) for power in powers) / 2,
        sorted(
            ((winner, loser, places) for (winner, loser), places in taken.items()),
            key=lambda one: (-len(one[2]), not one[1]),
        ),
        [power for power in powers if was[power] and not now[power]],
        [power for power in powers if was[power] < needed <= now[power]],
    )


def _share(counts: Mapping[str, int], power: str) -> float:
    return counts[power] ** 2 / max(1, sum(count**2 for count in counts.values()))


def turning_point_rows(
    variant: Variant,
    start: Mapping[str, Any],
    stages: Iterable[ChartPhase],
    phase_url: Callable[[int], str],
) -> list[dict[str, Any]]:
    """For a template: `mark` (their number on the chart), `year`, `title`, `url`, `text`."""
    return [
        {
            "mark": mark,
            "year": one.year,
            "title": display_names.season_name(variant, one.phase),
            "url": phase_url(one.number),
            "text": turning_point_text(variant, one),
        }
        for mark, one in enumerate(turning_points(variant, start, stages), 1)
    ]


def turning_point_text(variant: Variant, point: TurningPoint) -> str:
    """Who took what from whom, in a sentence or two."""
    voice = SentenceNames(variant, display_names.reader_language())
    between = _("; ")
    told = between.join(_captures_text(voice, *one) for one in point.taken[:MOST_TOLD])
    if rest := sum(len(places) for _winner, _loser, places in point.taken[MOST_TOLD:]):
        more = ngettext("%(count)d more centre changes hands", "%(count)d more centres change hands", rest)
        told += between + more % {"count": rest}
    sentences = [
        told,
        *(_("%(power)s has no centre left") % {"power": voice.power(one)} for one in point.without_centres),
        *(_("%(power)s has enough centres to win") % {"power": voice.power(one)} for one in point.enough),
    ]
    return " ".join(f"{text[:1].upper()}{text[1:]}." for text in sentences if text)


def _captures_text(voice: SentenceNames, winner: str, loser: str, places: Sequence[str]) -> str:
    facts = {"power": voice.power(winner), "places": voice.join_and(map(voice.place, places))}
    if not loser:
        text = ngettext(
            "%(power)s takes %(places)s (neutral)", "%(power)s takes %(places)s (neutral)", len(places)
        )
        return text % facts
    lost = voice.to_power(loser) if voice.language == "fr" else voice.power(loser)
    return _("%(power)s takes %(places)s from %(loser)s") % {**facts, "loser": lost}
