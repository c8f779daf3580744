"""The history of a game on paper: a title page, a page a year, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from math import ceil
from string import Template

from talleyrand import messages
from talleyrand.drawing.base_map import load_base_map
from talleyrand.drawing.png import FALLBACK_FAMILY
from talleyrand.drawing.svg_markup import element, escape_text
from talleyrand.messages import Catalogue
from talleyrand.messages.sentence_names import FAILURE_RESULTS, RESULT_SIGNS
from talleyrand.variants import Variant

from . import pdf
from .game_by_year import HistoryLine, HistoryPhase, HistoryYear, PrintedHistory

printing_sentence = Catalogue("talleyrand.printing", "printing").say
# A4 across, in millimetres
WIDE, TALL = 277.0, 190.0
HEAD, GAP, FRAME, COLUMNS = 11.0, 4.0, 1.5, 6
# sizes of letters in points, and how much of its size a map keeps before smaller ones are taken
FONT_SIZES = {7.4: 0.85, 6.9: 0.8, 6.4: 0.75, 5.9: 0.65, 5.4: 0.55}
LEADING, LETTER, MILLIMETRES = 1.24, 0.6, 0.3528  # of a line and of a letter, in font sizes; of a point
SIGN_ONLY_RESULTS = ("moves", "holds", "support_given", "convoys", "retreats", "builds", "removed", "waived")
DOTS_PER_MILLIMETRE = 9  # pixels a millimetre: 230 an inch


def render_history_pdf(told: PrintedHistory, language: str) -> bytes:
    """The history as PDF; raises pdf.Unavailable."""
    return pdf.html_to_pdf(render_history_html(told, language), partial(_fetched, told, language))


def render_history_html(told: PrintedHistory, language: str) -> str:
    """The history as a page of HTML, its pictures named by `board:` and its fonts by `font:`."""
    writer = _HistoryWriter(told, language)
    head = element("meta", charset="utf-8") + element("title", escape_text(writer.name))
    foot = f'@page {{ @bottom-left {{ content: "{writer.key()}" }} }}'
    style = f"<style>\n{pdf.font_faces()}\n{HISTORY_CSS}{foot}\n</style>"
    parts = (writer.cover(), *map(writer.year, told.years), writer.end())
    whole = element("head", head, style) + element("body", *parts)
    return f"<!doctype html>\n{element('html', whole, lang=language)}\n"


def _fetched(told: PrintedHistory, language: str, url: str) -> tuple[bytes, str]:
    kind, _, rest = url.partition(":")
    if kind == "font":
        return pdf.font_file(rest)
    if kind != "board":
        raise ValueError(url)
    phase, _, width = rest.partition(":")
    shown = (stage for year in told.years for stage in year.shown)
    svg = next((stage.svg(language) for stage in shown if str(stage.phase) == phase), None)
    return pdf.board_jpeg(svg or told.last_svg(language), round(float(width) * DOTS_PER_MILLIMETRE))


@dataclass(frozen=True)
class PageFit:
    """How large the maps (millimetres wide) and the letters (points) of a page are."""

    map: float
    type: float


def fit_page(lines: Sequence[str], maps: int, shape: float) -> PageFit:
    """The largest letters with which the lines fit below maps as large as the page allows.

    `shape` is the height of a map in its widths. Where nothing fits, the orders run on to a second page.
    """
    widest = min(WIDE / maps - GAP - FRAME, 0.72 * TALL / shape)
    for size, kept in FONT_SIZES.items():
        left = TALL - HEAD - _height(lines, size)
        if left >= kept * widest * shape:
            return PageFit(min(widest, left / shape), size)
    return PageFit(kept * widest, size)


def _height(lines: Sequence[str], size: float) -> float:
    """How high the lines stand in their columns, in millimetres."""
    letters = (WIDE / COLUMNS - GAP) / (size * LETTER * MILLIMETRES)
    rows = sum(ceil(max(len(line), 1) / letters) for line in lines)
    return (ceil(rows / COLUMNS) + 3) * size * LEADING * MILLIMETRES


class _HistoryWriter:
    """The parts of one document, in one language."""

    def __init__(self, told: PrintedHistory, language: str) -> None:
        self.told, self.language = told, language
        self.say = partial(printing_sentence, language)

    @property
    def variant(self) -> Variant:
        return self.told.variant

    @property
    def name(self) -> str:
        return self.told.title or self.say("history")

    def power(self, code: str) -> str:
        known = self.variant.names(self.language).powers.get(code)
        return known.name if known else code

    def phase(self, stage: HistoryPhase) -> str:
        named = messages.phase_name(stage.phase, self.variant, self.language)
        return named[:1].upper() + named[1:]

    # the title page

    def cover(self) -> str:
        book = self.told.record.loaded_rulebook.title[self.language]
        facts = f"{self.variant.title[self.language]} · {book}"
        begun = self.told.record.start
        if begun != self.variant.definition.start:
            phase = messages.phase_name(begun.phase, self.variant, self.language)
            facts += f" · {self.say('from_position', phase=phase)}"
        return element(
            "section",
            element("h1", escape_text(self.name)),
            element("p", escape_text(facts), class_="facts"),
            element("p", escape_text(self.outcome()), class_="outcome"),
            self.counts(),
            element("p", escape_text(self.say("made_by")), class_="small"),
            class_="cover",
        )

    def outcome(self) -> str:
        """Who won, or how far the game has come."""
        years, winners = self.told.years, [self.power(code) for code in self.told.winners]
        if winners:
            return self.say("won" if len(winners) == 1 else "shared", powers=", ".join(winners))
        if not years:
            return self.say("nothing_played")
        span = {"first": self.phase(years[0].stages[0]), "last": self.phase(years[-1].stages[-1])}
        return self.say("over" if self.told.over else "goes_on", **span)

    def counts(self) -> str:
        """The centres of each power, a row a year."""
        if not self.told.counts:
            return ""
        powers = self.variant.board.powers
        head = [element("th", escape_text(self.power(code)), scope="col") for code in powers]
        rows = [element("tr", element("th", escape_text(self.say("year")), scope="col"), *head)]
        before: dict[str, int] = {}
        for year, counts in self.told.counts:
            cells = (_count(counts.get(code, 0), before.get(code)) for code in powers)
            named = element("th", escape_text(year or self.say("at_first")), scope="row")
            rows.append(element("tr", named, *cells))
            before = counts
        caption = element("caption", escape_text(self.say("centres_by_year")))
        return element(
            "table", caption, element("thead", rows[0]), element("tbody", *rows[1:]), class_="counts"
        )

    # a year

    def year(self, year: HistoryYear) -> str:
        fitting = fit_page(self._lines(year), len(year.shown), self._shape())
        head = element(
            "h1",
            escape_text(self.say("year_of", year=str(year.number))),
            element("span", escape_text(self.name)),
        )
        maps = (self._map(stage, fitting.map) for stage in year.shown)
        sheets = "".join(self._stage(stage) for stage in year.stages) + self._centres(year)
        size = f"font-size: {fitting.type}pt"
        return element(
            "section",
            head,
            element("div", *maps, class_="maps"),
            element("div", sheets, class_="sheets", style=size),
            class_="year",
        )

    def _shape(self) -> float:
        box = load_base_map(self.variant).box
        return box[3] / box[2]

    def _map(self, stage: HistoryPhase, width: float) -> str:
        image = element(
            "img",
            src=f"board:{stage.phase}:{width:.1f}",
            alt=self.phase(stage),
            style=f"width: {width:.1f}mm",
        )
        return element("figure", image, element("figcaption", escape_text(self.phase(stage))))

    def _lines(self, year: HistoryYear) -> list[str]:
        """Everything that is written below the maps, a line each, to see how much room it needs."""
        lines = []
        for stage in year.stages:
            lines += ["", *filter(None, [self._reason(stage)])]
            for sheet in stage.lines_by_power(self.language).values():
                lines += ["", *(self._plain(line) for line in sheet)]
        return [*lines, "", *(f"{self.power(code)} {held}" for code, held in self._held(year))]

    def _plain(self, line: HistoryLine) -> str:
        return f"{line.text} {' '.join(self._result(code) for code in line.results)}"

    def _result(self, code: str) -> str:
        """What became of an order: a sign alone where it succeeded, the word too where it failed."""
        sign = RESULT_SIGNS.get(code, "·")
        return (
            sign
            if code in SIGN_ONLY_RESULTS
            else f"{sign} {messages.result_word(code, self.language, self.variant)}"
        )

    def _stage(self, stage: HistoryPhase) -> str:
        sheets, reason = stage.lines_by_power(self.language), self._reason(stage)
        if not sheets and not reason:
            return ""
        blocks = (self._sheet(power, lines) for power, lines in sheets.items())
        told = element("p", escape_text(reason)) if reason else ""
        return element("h2", escape_text(self.phase(stage))) + told + "".join(blocks)

    def _reason(self, stage: HistoryPhase) -> str:
        """That the game master decided something else than the adjudicator, and why."""
        return self.say("corrected", reason=stage.reason) if stage.reason else ""

    def _sheet(self, power: str, lines: Iterable[HistoryLine]) -> str:
        rows = (element("li", self._line(line)) for line in lines)
        return element("h3", escape_text(self.power(power))) + element("ul", *rows)

    def _line(self, line: HistoryLine) -> str:
        order = element("del" if line.refused else "span", escape_text(line.text)) if line.text else ""
        results = (self._mark(code) for code in line.results)
        return " ".join(filter(None, (order, *results)))

    def _mark(self, code: str) -> str:
        return element("b" if code in FAILURE_RESULTS else "i", escape_text(self._result(code)))

    def key(self) -> str:
        """What the signs without words mean, for the foot of every page."""
        told = (
            f"{RESULT_SIGNS[code]}\u00a0{messages.result_word(code, self.language)}"
            for code in SIGN_ONLY_RESULTS
        )
        return "  ".join(told)

    def _centres(self, year: HistoryYear) -> str:
        held = dict(self._held(year))
        if not held:
            return ""
        rows = (
            element("li", element("strong", escape_text(self.power(code))), f" {escape_text(told)}")
            for code, told in held.items()
        )
        return element("h2", escape_text(self.say("centres"))) + element("ul", *rows, class_="held")

    def _held(self, year: HistoryYear) -> Iterator[tuple[str, str]]:
        """For each power how many centres it has, how many more than a year ago, and which."""
        names = self.variant.names(self.language)
        short = names.abbreviations.get(self.variant.naming.get(self.language, ""), {})
        for code in self.variant.board.powers if year.centres is not None else ():
            centres = (year.centres or {}).get(code, ())
            change = None if year.before is None else len(centres) - len(year.before.get(code, ()))
            listed = ", ".join(short.get(place, (place,))[0] for place in centres)
            if centres or change:
                yield code, f"{len(centres)}{_change(change)}" + (f" : {listed}" if listed else "")

    # the end

    def end(self) -> str:
        phase = messages.phase_name(self.told.reached.phase, self.variant, self.language)
        told = self.say("ended") if self.told.over else self.say("waiting", phase=phase)
        width = min(WIDE, (TALL - HEAD - 4) / self._shape())
        image = element("img", src=f"board:last:{width:.1f}", alt=told, style=f"width: {width:.1f}mm")
        head = element("h1", escape_text(told), element("span", escape_text(self.name)))
        return element("section", head, element("div", image, class_="maps"), class_="year")


def _count(now: int, before: int | None) -> str:
    """A cell of the table: how many, and how many more than before."""
    change = "" if before is None else _change(now - before).strip()
    return element("td", escape_text(str(now)), element("small", escape_text(change)) if change else "")


def _change(change: int | None) -> str:
    if not change:
        return ""
    return f" (+{change})" if change > 0 else f" (−{-change})"


HISTORY_CSS = Template(resources.files(__package__).joinpath("history.css").read_text("utf-8")).substitute(
    family=FALLBACK_FAMILY, leading=LEADING, columns=COLUMNS, gap=GAP, half_gap=GAP / 2
)
