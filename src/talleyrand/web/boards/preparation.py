"""The orders of an open phase in preparation, as its page shows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from talleyrand import notation, variants
from talleyrand.engine.protocols import Leaflet
from talleyrand.variants import Variant

from . import choices, drafts, picture, politics, wording
from .drafts import Reading
from .referee import Lines, Question

EXAMPLES = 2


def _instance(subject: choices.Subject) -> str:
    """A move where there is one, else the first order there is."""
    orders = list(subject.choices)
    return next((one.order for one in orders if one.kind == "move"), orders[0].order)


@dataclass
class Preparation:
    """A phase that waits for orders, and those given so far.

    They are those of the power `plays`, or of all (""), without `others`.
    """

    question: Question
    draft: Lines
    plays: str = ""
    others: Collection[str] = ()

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.question["variant"])

    @cached_property
    def readings(self) -> list[Reading]:
        return drafts.readings(self.question, self.draft)

    @cached_property
    def menus(self) -> list[choices.Menu]:
        """What may be ordered, by the power that is played or by all."""
        found = choices.menus(self.question, wording.language(), self.plays)
        return [menu for menu in found if menu.power not in self.others]

    @property
    def given(self) -> dict[str, str]:
        """For each province its unit's order that will be followed, the last one where there are several."""
        return {reading.province: reading.order for reading in self.readings if reading.given}

    @cached_property
    def leaflets(self) -> dict[str, tuple[str, Leaflet]]:
        """What may be written besides, by the power that is played or by all."""
        return politics.leaflets(self.question, [one for one in self.powers if one not in self.others])

    @property
    def filled(self) -> dict[str, list[str]]:
        """The answers given so far, form by form."""
        return politics.answered(self.leaflets, self.readings)

    @property
    def outlook(self) -> str:
        """What the orders of the power that is played lead to."""
        return politics.outlook(self.question, self.plays, self.readings)

    @cached_property
    def lasting(self) -> list[str]:
        """The orders of the power that is played that cannot be taken back once they are handed in."""
        return politics.lasting(self.question, self.plays, self.readings) if self.plays else []

    @property
    def asks_nothing(self) -> bool:
        """Whether nobody waits for an order, a build or a form."""
        return not self.leaflets and not self.progress()["total"]

    @property
    def powers(self) -> list[str]:
        return [self.plays] if self.plays else list(self.variant.setting.seats)

    def page(self) -> dict[str, Any]:
        """What the templates of a phase in preparation need."""
        return {
            "menus": [self._menu(menu) for menu in self.menus],
            "powers": [
                (code, wording.power(self.variant, code))
                for code in self.variant.setting.seats
                if code not in self.others
            ],
            "sheet": self.sheet(),
            "readings": self.remarks(),
            "progress": self.progress(),
            "given": self.given,
            "kind": self.question["phase"][-1],
            "start_with": self._start_with(),
            "place_names": picture.places(self.variant),
            "forms": politics.forms(self.variant, self.leaflets, self.filled),
            "outlook": self.outlook,
            "barred": politics.barred(self.question, self.plays),
            "example": self.example(),
        }

    def example(self) -> str:
        """Two lines as one may write them: orders to units, else forms filled in; "" where there are none."""
        led = [subject for menu in self.menus for subject in menu.subjects if self.is_led(subject)]
        orders = [_instance(subject) for subject in led if subject.groups]
        filled = [leaflet.line([leaflet.slots[0].picks[0].words]) for _, leaflet in self.leaflets.values()]
        shown = (orders or filled)[:EXAMPLES]
        language = wording.language()
        return "\n".join(
            notation.write(notation.parse_own(one, self.variant), self.variant, language, "short")
            for one in shown
        )

    def is_led(self, subject: choices.Subject) -> bool:
        """Whether a unit is its power's to lead: one that may only be dismantled is led by others."""
        kinds = {choice.kind for choice in subject.choices}
        return self.question["phase"][-1] in "RA" or kinds != {"disband"}

    def state(self) -> dict[str, Any]:
        """What the scripts of the page are told after a change, but for what is drawn or rendered."""
        return {
            "given": self.given,
            "lines": self.draft,
            "waives": self.waived,
            "leaflets": self.filled,
            "outlook": self.outlook,
            "sheet": self.sheet(),
            "progress": self.progress(),
        }

    def sheet(self) -> str:
        """The orders in preparation as one text."""
        return drafts.as_sheet(self.variant, self.draft, self.powers, wording.language())

    def remarks(self) -> list[dict[str, Any]]:
        """The lines that the judge will not follow, or reads otherwise than written."""
        tongue = wording.language()
        return [
            {
                "power": wording.power(self.variant, reading.power) if reading.power else "",
                "line": reading.line,
                "order": reading.order,
                "error": reading.error[tongue] if reading.error else "",
                "notes": [note[tongue] for note in reading.notes if tongue in note],
            }
            for reading in self.readings
            if reading.error or reading.notes
        ]

    def progress(self) -> dict[str, int]:
        """How many of the units that may be ordered are; adjustments count what is due."""
        given = self.given
        subjects = (one for menu in self.menus for one in menu.subjects if self.is_led(one))
        ordered = sum(1 for subject in subjects if subject.province in given)
        return {
            "given": ordered + sum(self.waived.values()),
            "total": sum(self._due(menu) for menu in self.menus),
        }

    @cached_property
    def waived(self) -> dict[str, int]:
        """The builds given up, for each power that may build."""
        found = {menu.power: 0 for menu in self.menus if menu.waives}
        for reading in self.readings:
            if reading.order == "WAIVE" and reading.power in found:
                found[reading.power] += 1
        return found

    def _start_with(self) -> str:
        """The sentence that says what to touch first."""
        kinds = {
            choice.kind for menu in self.menus for subject in menu.subjects for choice in subject.choices
        }
        if self.asks_nothing:
            return "start_nothing"
        if not kinds and any(menu.subjects for menu in self.menus):
            return "start_written"
        if not kinds and self.leaflets:
            return "start_forms"
        if kinds and kinds <= {"build", "disband"}:
            return "start_builds" if "build" in kinds else "start_removals"
        return "start_retreats" if "retreat" in kinds else "start"

    def _due(self, menu: choices.Menu) -> int:
        """The orders that a power has to give, or may."""
        if menu.due is None:
            return sum(self.is_led(subject) for subject in menu.subjects)
        return menu.due.removals + self._builds(menu)

    def _builds(self, menu: choices.Menu) -> int:
        """The builds that a power may order or give up."""
        free = sum(not subject.unit for subject in menu.subjects)
        return free if menu.due is None else min(menu.due.builds, free)

    def _menu(self, menu: choices.Menu) -> dict[str, Any]:
        given: Mapping[str, str] = self.given
        return {
            "power": menu.power,
            "name": wording.power(self.variant, menu.power),
            "colour": wording.colour(self.variant, menu.power),
            "builds": menu.due.builds if menu.due else 0,
            "waives": range(self._builds(menu) + 1) if menu.waives else None,
            "waived": self.waived.get(menu.power, 0),
            "remove": menu.due.removals if menu.due else 0,
            "subjects": [
                {"subject": subject, "given": given.get(subject.province, "")} for subject in menu.subjects
            ],
        }
