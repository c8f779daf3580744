"""Figures of the powers from year to year: a picture of lines, and the table that it is drawn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from talleyrand.drawing.line_chart import NARROW_FRAME, ChartLabels, ChartLine, draw_chart
from talleyrand.engine.politics_protocol import YearlyFigure
from talleyrand.engine.position import Phase
from talleyrand.formats import question_input
from talleyrand.variants import Variant

from . import display_names
from .board_filter import BoardFilter
from .turning_points import ChartPhase, turning_point_rows

CENTRES = "centres"
CHART_FIELDS = ("phase", "units", "centers", "politics")
LONGEST_NAME = 4  # letters of a name at the end of a line


def year_chart_context(
    variant: Variant,
    start: Mapping[str, Any],
    stages: Sequence[ChartPhase],
    query: QueryDict,
    own: str = "",
    phase_url: Callable[[int], str] | None = None,
) -> dict[str, Any]:
    """The context of `boards/curves.html`; `own` is the visitor’s power. Words of the address that nothing
    is called by count for nothing. Turning points are told where they have a `phase_url` to lead to."""
    turning = turning_point_rows(variant, start, stages, phase_url) if phase_url else []
    years = _years(variant, start, stages)
    told = {year: _figures(variant, at) for year, at in years.items()}
    kinds = list(next(iter(told.values()), {}).values())
    figure = next((one for one in kinds if one.code == query.get("figure")), kinds[0] if kinds else None)
    narrowed = BoardFilter.from_query(variant, query)
    board, present = variant.board, narrowed.shown_powers(next(reversed(years.values()), start))
    shown = [code for code in board.powers if code in present]
    values = {year: told[year][figure.code].values for year in told} if figure else {}
    last = next(reversed(values.values()), {})
    shown.sort(key=lambda code: (code != own, -last.get(code, 0)))
    return {
        "figures": [(one.code, _title(variant, one.code), one is figure) for one in kinds],
        "figure_title": _title(variant, figure.code) if figure else "",
        "goal": figure.goal if figure else 0,
        "years": [str(year) if place else _("At first") for place, year in enumerate(values)],
        "rows": [
            {
                "name": display_names.power_name(variant, code),
                "code": code,
                "colour": display_names.power_colour(variant, code),
                "own": code == own,
                "values": [_signed(of.get(code, 0)) for of in values.values()],
            }
            for code in shown
        ],
        "turning": turning,
        "chart": _drawn(variant, shown, values, figure, own, turning)
        if figure and shown and len(values) > 1
        else "",
        "narrowed": narrowed.form_context(
            board.powers, [("figure", figure.code)] if figure and "figure" in query else []
        ),
    }


def _years(
    variant: Variant, start: Mapping[str, Any], stages: Iterable[ChartPhase]
) -> dict[int, Mapping[str, Any]]:
    """The position at the start, then that of each year once its last centres were taken."""
    capturing = variant.definition.calendar.capture_after
    closed: dict[int, Mapping[str, Any]] = {}
    for stage in stages:
        phase, following = Phase.parse(stage.phase), Phase.parse(str(stage.next_situation["phase"]))
        over = following == phase or (following.season, following.year) != (phase.season, phase.year)
        if phase.season in capturing and over and stage.next_situation.get("centers") is not None:
            closed[phase.year] = stage.next_situation
    first = min(closed, default=Phase.parse(str(start["phase"])).year)
    return {**({first - 1: start} if start.get("centers") is not None else {}), **closed}


def _figures(variant: Variant, at: Mapping[str, Any]) -> dict[str, YearlyFigure]:
    """What is followed, as it stands in a position."""
    politics = variant.definition.politics
    held = {code: len((at.get("centers") or {}).get(code, ())) for code in variant.board.powers}
    centres = YearlyFigure(
        CENTRES, held, 0 if politics else variant.definition.victory.centres_needed(variant.board)
    )
    if politics is None:
        return {CENTRES: centres}
    known = {name: at[name] for name in CHART_FIELDS if at.get(name) is not None}
    asked = question_input.read_question({"variant": variant.name, **known})
    own = politics.yearly_figures(variant.board, asked.position)
    return {one.code: one for one in (*own, centres)}


def _title(variant: Variant, code: str) -> str:
    return variant.sentence(display_names.reader_language(), "column", code) or _("Centres")


def _signed(value: int) -> str:
    return f"−{-value}" if value < 0 else str(value)


def _drawn(
    variant: Variant,
    shown: Iterable[str],
    values: Mapping[int, Mapping[str, int]],
    figure: YearlyFigure,
    own: str,
    turning: Iterable[Mapping[str, Any]],
) -> SafeString:
    lines = [
        ChartLine(
            display_names.power_name(variant, code)[:LONGEST_NAME].upper(),
            display_names.power_colour(variant, code),
            tuple((year, of.get(code, 0)) for year, of in values.items()),
            bold=code == own,
        )
        for code in shown
    ]
    words = ChartLabels("", "", "", _title(variant, figure.code), lambda value: _signed(int(value)))
    # Drawn by `drawing`, which escapes every word; nothing of the visitor's is in it.
    marks = [(one["year"], str(one["mark"])) for one in turning]
    return mark_safe(draw_chart(lines, words, NARROW_FRAME, figure.goal or None, marks))  # noqa: S308
