"""The orders of an open phase in preparation, as its page shows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.engine.politics_protocol import OrderForm
from talleyrand.variants import Variant

from . import display_names, order_drafts, order_menus, phase_maps, politics_context
from .adjudicator import Lines, Question
from .order_drafts import DraftLine
from .script_texts import script_texts

EXAMPLES = 2


def _instance(subject: order_menus.MenuUnit) -> str:
    """A move where there is one, else the first order there is."""
    orders = list(subject.choices)
    return next((one.order for one in orders if one.kind == "move"), orders[0].order)


@dataclass
class OrderPreparation:
    """A phase that waits for orders, and those given so far.

    They are those of the power `power`, or of all (""), without `excluded_powers`.
    """

    question: Question
    draft: Lines
    power: str = ""
    excluded_powers: Collection[str] = ()

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.question["variant"])

    @cached_property
    def readings(self) -> list[DraftLine]:
        return order_drafts.read_draft(self.question, self.draft)

    @cached_property
    def menus(self) -> list[order_menus.PowerMenu]:
        """What may be ordered, by the power that is played or by all."""
        found = order_menus.order_menus(self.question, display_names.reader_language(), self.power)
        return [menu for menu in found if menu.power not in self.excluded_powers]

    @cached_property
    def followed_orders(self) -> dict[str, str]:
        """For each province its unit's order that will be followed, the last one where there are several."""
        return {reading.province: reading.order for reading in self.readings if reading.is_followed}

    @cached_property
    def politics_forms(self) -> dict[str, tuple[str, OrderForm]]:
        """What may be written besides, by the power that is played or by all."""
        return politics_context.politics_forms(
            self.question, [one for one in self.powers if one not in self.excluded_powers]
        )

    @property
    def form_answers(self) -> dict[str, list[str]]:
        """The answers given so far, form by form."""
        return politics_context.form_answers(self.politics_forms, self.readings)

    @property
    def outlook_text(self) -> str:
        """What the orders of the power that is played lead to."""
        return politics_context.outlook_text(self.question, self.power, self.readings)

    @cached_property
    def binding_orders(self) -> list[str]:
        """The orders of the power that is played that cannot be taken back once they are handed in."""
        return (
            politics_context.binding_orders_of(self.question, self.power, self.readings) if self.power else []
        )

    @property
    def asks_nothing(self) -> bool:
        """Whether nobody waits for an order, a build or a form."""
        return not self.politics_forms and not self.progress()["total"]

    @property
    def powers(self) -> list[str]:
        return [self.power] if self.power else list(self.variant.definition.seats)

    def page_context(self) -> dict[str, Any]:
        """What the templates of a phase in preparation need."""
        words = script_texts()
        words["start"] = words[self._start_with()]
        return {
            "strings": words,
            "menus": [self._menu(menu) for menu in self.menus],
            "powers": [
                (code, display_names.power_name(self.variant, code))
                for code in self.variant.definition.seats
                if code not in self.excluded_powers
            ],
            "sheet": self.as_text(),
            "readings": self.remarks(),
            "progress": self.progress(),
            "refused_text": self.refused_text,
            "given": self.followed_orders,
            "kind": self.question["phase"][-1],
            "lines": self.draft,
            "place_names": phase_maps.place_points(self.variant),
            "forms": politics_context.form_rows(self.variant, self.politics_forms, self.form_answers),
            "outlook": self.outlook_text,
            "barred": politics_context.barred_text(self.question, self.power),
            "example": self.example(),
        }

    def example(self) -> str:
        """Two lines as one may write them: orders to units, else forms filled in; "" where there are none."""
        led = [subject for menu in self.menus for subject in menu.subjects if self.may_be_ordered(subject)]
        orders = [politics_context.short_line(self.variant, _instance(one)) for one in led if one.groups]
        filled = [
            politics_context.example_line(self.variant, leaflet)
            for _, leaflet in self.politics_forms.values()
        ]
        return "\n".join((orders or filled)[:EXAMPLES])

    def may_be_ordered(self, subject: order_menus.MenuUnit) -> bool:
        """Whether a unit is its power's to lead: one that may only be dismantled is led by others."""
        return self.question["phase"][-1] in "RA" or subject.kinds != {"disband"}

    def script_state(self) -> dict[str, Any]:
        """What the scripts of the page are told after a change, but for what is drawn or rendered."""
        return {
            "given": self.followed_orders,
            "lines": self.draft,
            "waives": self.waived_builds,
            "leaflets": self.form_answers,
            "outlook": self.outlook_text,
            "sheet": self.as_text(),
            "progress": self.progress(),
            "refused": self.refused_text,
            "refusals": self.refusals_by_province,
        }

    def as_text(self) -> str:
        """The orders in preparation as one text."""
        return order_drafts.draft_as_text(
            self.variant, self.draft, self.powers, display_names.reader_language()
        )

    @property
    def refused_lines(self) -> list[DraftLine]:
        """The lines that the judge will not follow."""
        return [reading for reading in self.readings if reading.error]

    @property
    def refused_text(self) -> str:
        """How many lines are refused, in words; "" where none is."""
        count = len(self.refused_lines)
        return ngettext("%(n)d line refused", "%(n)d lines refused", count) % {"n": count} if count else ""

    @cached_property
    def refusals_by_province(self) -> dict[str, str]:
        """For each province the refused lines of its unit, and why, in the reader’s language."""
        tongue = display_names.reader_language()
        found: dict[str, list[str]] = {}
        for reading in self.refused_lines:
            if reading.province and reading.error:
                found.setdefault(reading.province, []).append(f"{reading.line} – {reading.error[tongue]}")
        return {province: " ".join(told) for province, told in found.items()}

    def remarks(self) -> list[dict[str, Any]]:
        """The lines that the judge will not follow, then those that it reads otherwise than written."""
        tongue = display_names.reader_language()
        return [
            {
                "is_refused": reading.error is not None,
                "power": display_names.power_name(self.variant, reading.power) if reading.power else "",
                "line": reading.line,
                "order": reading.order,
                "error": reading.error[tongue] if reading.error else "",
                "notes": [note[tongue] for note in reading.notes if tongue in note],
            }
            for reading in sorted(self.readings, key=lambda one: one.error is None)
            if reading.error or reading.notes
        ]

    def progress(self) -> dict[str, int]:
        """How many of the units that may be ordered are; adjustments count what is due."""
        given = self.followed_orders
        subjects = (one for menu in self.menus for one in menu.subjects if self.may_be_ordered(one))
        ordered = sum(1 for subject in subjects if subject.province in given)
        return {
            "given": ordered + sum(self.waived_builds.values()),
            "total": sum(self._due(menu) for menu in self.menus),
        }

    @property
    def unfilled_text(self) -> str:
        """What becomes of builds and removals that are due and not ordered; "" elsewhere."""
        if self.question["phase"][-1] in "MR":
            return ""
        builds = removals = 0
        for menu in self.menus:
            ordered = sum(subject.province in self.followed_orders for subject in menu.subjects)
            lacking = max(0, self._due(menu) - ordered - self.waived_builds.get(menu.power, 0))
            if menu.adjustments_due and menu.adjustments_due.removals:
                removals += lacking
            elif menu.waivable_builds:
                builds += lacking
        told = (
            ngettext("%(n)s build not ordered: no unit.", "%(n)s builds not ordered: no units.", builds),
            ngettext(
                "%(n)s removal not ordered: the rulebook chooses.",
                "%(n)s removals not ordered: the rulebook chooses.",
                removals,
            ),
        )
        counted = zip(told, (builds, removals), strict=True)
        return " ".join(text % {"n": count} for text, count in counted if count)

    @cached_property
    def waived_builds(self) -> dict[str, int]:
        """The builds given up, for each power that may build."""
        found = {menu.power: 0 for menu in self.menus if menu.waivable_builds}
        for reading in self.readings:
            if reading.order == "WAIVE" and reading.power in found:
                found[reading.power] += 1
        return found

    def _start_with(self) -> str:
        """The sentence that says what to touch first."""
        kinds = {kind for menu in self.menus for subject in menu.subjects for kind in subject.kinds}
        if self.asks_nothing:
            return "start_nothing"
        if not kinds and any(menu.subjects for menu in self.menus):
            return "start_written"
        if not kinds and self.politics_forms:
            return "start_forms"
        if kinds and kinds <= {"build", "disband"}:
            return "start_builds" if "build" in kinds else "start_removals"
        return "start_retreats" if "retreat" in kinds else "start"

    def _due(self, menu: order_menus.PowerMenu) -> int:
        """The orders that a power has to give, or may."""
        if menu.adjustments_due is None:
            return sum(self.may_be_ordered(subject) for subject in menu.subjects)
        return menu.adjustments_due.removals + self._builds(menu)

    def _builds(self, menu: order_menus.PowerMenu) -> int:
        """The builds that a power may order or give up."""
        free = sum(not subject.unit for subject in menu.subjects)
        return free if menu.adjustments_due is None else min(menu.adjustments_due.builds, free)

    def _menu(self, menu: order_menus.PowerMenu) -> dict[str, Any]:
        given: Mapping[str, str] = self.followed_orders
        return {
            "power": menu.power,
            "name": display_names.power_name(self.variant, menu.power),
            "colour": display_names.power_colour(self.variant, menu.power),
            "builds": menu.adjustments_due.builds if menu.adjustments_due else 0,
            "waives": range(self._builds(menu) + 1) if menu.waivable_builds else None,
            "waived": self.waived_builds.get(menu.power, 0),
            "remove": menu.adjustments_due.removals if menu.adjustments_due else 0,
            "subjects": [
                {
                    "subject": subject,
                    "options": subject.options_html(given.get(subject.province, "")),
                    "refusal": self.refusals_by_province.get(subject.province, ""),
                }
                for subject in menu.subjects
            ],
        }
