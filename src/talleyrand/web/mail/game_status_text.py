"""Where a game stands, as text: the position, the deadline, what a reader has to order."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, order_drafts, order_menus, politics_context
from talleyrand.web.games import readiness
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, time_left_text
from talleyrand.web.games.game_history import GameHistory, opening_situation
from talleyrand.web.games.models import RUNNING_STATES, Game, GameMembership, GameRole, GameState
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.games.phase_pages.own_orders import OwnOrders
from talleyrand.web.notifications import outbox

from .text_layout import TIED, heading, prose, protected

EXAMPLES = 3


@dataclass
class GameStatusText:
    """A game at this moment, in the language and the zone in use."""

    game: Game

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @cached_property
    def story(self) -> GameHistory:
        return GameHistory(self.game)

    @cached_property
    def question(self) -> Mapping[str, Any] | None:
        """The open phase; None where none is."""
        return self.story.question(self.game.phase_number) if self.is_open else None

    @property
    def is_open(self) -> bool:
        return self.game.state in RUNNING_STATES and self.game.phase_number > 0

    @cached_property
    def menus(self) -> dict[str, order_menus.PowerMenu]:
        """What each power may order in the open phase."""
        question = self.question
        return (
            {one.power: one for one in order_menus.order_menus(question, display_names.reader_language())}
            if question
            else {}
        )

    @property
    def phase(self) -> str:
        """ "Printemps 1901, mouvements"; "" where no phase is open."""
        return display_names.phase_name(self.variant, self.game.phase) if self.is_open else ""

    def power(self, code: str) -> str:
        return display_names.power_name(self.variant, code)

    def power_with_article(self, code: str) -> str:
        """A power within a sentence: "l’Allemagne"."""
        return SentenceNames(self.variant, display_names.reader_language()).power(code)

    def deadline(self) -> str:
        """Until when orders are taken, or why there is no such date."""
        game, language = self.game, display_names.reader_language()
        if game.state == GameState.PAUSED:
            return _("The game is paused: the clock is stopped, but orders can still be submitted.")
        if game.deadline is None:
            return _("No deadline: the GM decides when the phase ends.")
        when = date_text_with_zone(game.deadline, str(timezone.get_current_timezone()), language)
        left = game.deadline - timezone.now()
        if left.total_seconds() < 0:
            return _("The deadline was %(when)s.") % {"when": when}
        words = {"when": when, "left": time_left_text(left, language)}
        return _("Deadline: %(when)s (%(left)s).") % words

    def submissions(self) -> str:
        """Who has submitted orders for the open phase, where the game shows it."""
        if not self.game.settings.submissions_shown:
            return ""
        found = readiness.game_readiness(self.game, self.variant)
        return found.sentence if found else ""

    # what a reader has to do

    def tasks(self, power: str) -> list[str]:
        """The units that a power has to order, its retreats, what winter owes it; "nothing" where so."""
        menu = self.menus.get(power)
        if menu is None:
            return prose(self.why_nothing_to_order(power))
        return [*self._units(menu), *self.proposals(), *self._besides(power)]

    def why_nothing_to_order(self, power: str) -> str:
        """That a power has no orders to give in the open phase, and why."""
        units, dislodged, centres = (
            len((self.position.get(kind) or {}).get(power) or ())
            for kind in ("units", "dislodged", "centers")
        )
        kind = self.game.phase[-1:]
        if not units and not dislodged and not centres:
            told = _("You have no units or centres left, and so no orders to give (%(phase)s).")
        elif kind == "R" and not dislodged:
            told = _("None of your units is dislodged: you have no orders to give (%(phase)s).")
        elif kind == "A" and units == centres:
            told = ngettext(
                "You have %(n)d unit for as many centres: you have no orders to give (%(phase)s).",
                "You have %(n)d units for as many centres: you have no orders to give (%(phase)s).",
                units,
            )
        elif kind == "A" and power in (self.position.get("disorder") or ()):
            told = _(
                "You are in civil disorder and can build nothing: you have no orders to give (%(phase)s)."
            )
        elif kind == "A" and units < centres:
            told = _("None of your home centres is free to build in: you have no orders to give (%(phase)s).")
        else:
            told = _("You have no orders to give in the current phase (%(phase)s).")
        return told % {"phase": self.phase, "n": units}

    def _units(self, menu: order_menus.PowerMenu) -> list[str]:
        if menu.adjustments_due is not None:
            return list(_adjustments(menu, menu.adjustments_due))
        kind = self.game.phase[-1:]
        if kind == "R":
            return [line for one in menu.subjects for line in protected(self._retreats(one))]
        return [line for one in menu.subjects for line in protected(one.label)]

    def _besides(self, power: str) -> list[str]:
        """What may be written beside orders, each with a line as an example."""
        forms = politics_context.politics_forms(dict(self.question), [power]) if self.question else {}
        if not forms:
            return []
        empty = {key: [""] * len(leaflet.fields) for key, (_power, leaflet) in forms.items()}
        shown = politics_context.form_rows(self.variant, forms, empty)
        told = [
            _("%(title)s, for example: %(line)s")
            % {"title": form["title"], "line": politics_context.example_line(self.variant, leaflet)}
            for form, (_power, leaflet) in zip(shown, forms.values(), strict=True)
        ]
        return [*prose(_("You can also write:")), *(line for one in told for line in protected(one))]

    def proposals(self) -> list[str]:
        """What is proposed and put to the vote in the open phase."""
        told = self.question.get("politics") if self.question else None
        motions = [
            one for vote in politics_context.open_motions(self.variant, told) for one in vote["motions"]
        ]
        lines = [line for one in motions for line in protected(f"{one['name']}, {one['words']}")]
        announced = [
            line for one in politics_context.announced_tables(self.variant, told) for line in table_lines(one)
        ]
        return [*(prose(_("Proposals put to the vote:")) if motions else ()), *lines, *announced]

    def _retreats(self, subject: order_menus.MenuUnit) -> str:
        names = self.variant.names(display_names.reader_language())
        places = [names.location(one.first_place) for one in subject.choices if one.kind == "retreat"]
        if not places:
            return _("%(unit)s: no retreat possible") % {"unit": subject.label}
        words = {"unit": subject.label, "places": ", ".join(places)}
        return _("%(unit)s: can retreat to %(places)s") % words

    def dislodged(self) -> list[str]:
        """In a phase of retreats, every dislodged unit and where it may go."""
        if not self.is_open or self.game.phase[-1:] != "R":
            return []
        return [
            f"{self.power(power)}, {self._retreats(one)}"
            for power, menu in self.menus.items()
            for one in menu.subjects
        ]

    # the board

    @cached_property
    def position(self) -> Mapping[str, Any]:
        """The position: of the open phase, of the end, or the variant’s first."""
        if self.question:
            return self.question
        last = self.story.revision(self.game.phase_number)
        return (last.answer if last else None) or opening_situation(self.game)

    def units(self) -> list[str]:
        """Every power’s units, one power a line."""
        return self._rows("units", unit_name)

    def centres(self) -> list[str]:
        """Every power’s centres."""
        return self._rows("centers", place_name)

    def _rows(self, kind: str, name: Callable[[Variant, str], str]) -> list[str]:
        held = self.position.get(kind) or {}
        rows = []
        for code in self.variant.board.powers:
            if things := held.get(code):
                named = ", ".join(sorted((name(self.variant, one) for one in things), key=_alphabetical))
                words = {"power": self.power(code), "n": len(things), "names": named}
                rows.append(_("%(power)s (%(n)d): %(names)s") % words)
        return rows

    # the sheet

    def own_orders(self, power: str) -> str:
        """What counts as the sheet of a power so far: for its player alone."""
        if self.question is None or power not in self.menus:
            return ""
        own = OwnOrders.load(self.game, power, self.game.phase_number, dict(self.question))
        return str(order_texts.order_status(own)["sentence"])

    def has_submitted(self, power: str) -> bool:
        """Whether a power has a sheet for the open phase, or needs none."""
        return (
            power not in self.menus
            or OwnOrders.load(self.game, power, self.game.phase_number, {}).submitted is not None
        )

    def example(self, power: str) -> list[str]:
        """A short sheet of a power’s own units, under its name; nothing where it has none to order."""
        menu, question = self.menus.get(power), self.question
        if menu is None or question is None:
            return []
        most = (
            menu.adjustments_due.removals or menu.adjustments_due.possible
            if menu.adjustments_due is not None
            else EXAMPLES
        )
        lines = [
            _spelled(
                order_drafts.order_as_typed(dict(question), one.order, power, display_names.reader_language())
            )
            for one in _examples(menu.subjects)[:most]
        ]
        return [self.power(power).upper(), *lines] if lines else []


def place_name(variant: Variant, location: str) -> str:
    """The full name: abbreviations mean different places in different lists."""
    return variant.names(display_names.reader_language()).location(location)


def unit_name(variant: Variant, code: str) -> str:
    """ "A Paris"."""
    kind, _space, location = code.partition(" ")
    return f"{kind}{TIED}{place_name(variant, location)}"


def _alphabetical(name: str) -> str:
    return unicodedata.normalize("NFKD", name)


def game_page_url(game: Game, name: str = "games:game", *more: int) -> str:
    """The whole address of a page of the game, in the language in use; "" where the site has none."""
    if not settings.SITE_URL:
        return ""
    path = outbox.path_in_language(reverse(name, args=[game.key, *more]), display_names.reader_language())
    return f"{settings.SITE_URL}{path}"


def _adjustments(menu: order_menus.PowerMenu, due: AdjustmentCount) -> Iterator[str]:
    if due.removals:
        told = ngettext("You must remove %(n)d unit.", "You must remove %(n)d units.", due.removals)
        yield from prose(told % {"n": due.removals})
        yield from protected(", ".join(one.label for one in menu.subjects if one.unit))
    if due.possible:
        told = ngettext(
            "You can build %(n)d unit. Free home centres:",
            "You can build %(n)d units. Free home centres:",
            due.possible,
        )
        yield from prose(told % {"n": due.possible})
        yield from protected(", ".join(one.label for one in menu.subjects if not one.unit))


def _spelled(line: str) -> str:
    """An order whose sign few people know, in a word: builds and removals come but once a year."""
    unit, _space, sign = line.rpartition(" ")
    words = {"B": _("build %(unit)s"), "D": _("remove %(unit)s")}
    return words[sign] % {"unit": unit} if sign in words else line.replace(" R ", " - ", 1)


def _examples(subjects: Sequence[order_menus.MenuUnit]) -> list[order_menus.MenuOrder]:
    """An attack with a support where there is one, then whatever else comes first."""
    found = _supported(subjects)
    taken = {str(one.order)[:5] for one in found}
    others = [next(one.choices) for one in subjects if one.unit[:5] not in taken]
    return [*found, *others][:EXAMPLES]


def _supported(subjects: Sequence[order_menus.MenuUnit]) -> list[order_menus.MenuOrder]:
    """A move to where nothing of one’s own stands, and the support of it by another unit."""
    here = {one.province for one in subjects}
    for mover in subjects:
        for move in mover.choices:
            if move.kind != "move" or move.first_place.partition("/")[0] in here:
                continue
            for other in subjects:
                for support in other.choices:
                    if support.kind == "support" and support.order.endswith(f" S {move.order}"):
                        return [move, support]
    return []


def players_present(game: Game) -> str:
    """How many have come to a table that gathers its players."""
    there = GameMembership.objects.filter(game=game, role=GameRole.PLAYER, left_at=None).count()
    told = ngettext(
        "%(count)s of %(seats)s players has joined.", "%(count)s of %(seats)s players have joined.", there
    )
    return told % {"count": there, "seats": game.seats.count()}


def table_lines(table: Mapping[str, Any]) -> list[str]:
    """A table of what a phase did (`boards.politics.minutes`): a line a row, whom it is about first."""
    _about, *columns = table["columns"]
    lines = heading(table["title"])
    for first, *cells in table["rows"]:
        pairs = zip(columns, (cell["text"] for cell in cells), strict=True)
        told = [f"{column} {text}" for column, text in pairs if text]
        lines += protected(_("%(name)s: %(words)s") % {"name": first["text"], "words": ", ".join(told)})
    return lines
