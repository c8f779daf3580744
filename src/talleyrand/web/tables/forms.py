"""The page that opens a table: an answer to every question, so that one press is enough."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from talleyrand import rulebooks, variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.games.deadlines.deadline_errors import InvalidDeadlineSettings
from talleyrand.web.games.lobby import split_form
from talleyrand.web.library.rulebook_input import RulebookInputRefusal

from .models import Dealing
from .table_clock import CLOCKS, LEAST_MINUTES, MOST_MINUTES, OWN_CLOCK, TableClock, clock_text
from .table_opening import TablePlan

USUAL_PEOPLE, MOST_PEOPLE = 7, 40
OWN_TIMES = ("first", "moves", "writing", "between")


class OpenTableForm(forms.Form):
    """`plan()` of a valid form is the table that is asked for; `people` is a question of its own before."""

    def __init__(self, data: Any = None, *, people: int = USUAL_PEOPLE) -> None:
        options = split_form.game_options(people)
        usual = {
            "name": _("Our table"),
            "game": next(iter(options), ""),
            "rulebook": FALLBACK,
            "clock": next(iter(CLOCKS)),
            "dealing": Dealing.LOT,
            "bots": "",
            **TableClock().as_json(),
        }
        super().__init__(None if data is None else {**usual, **data.dict()}, initial=usual)
        self.people = people
        self.fields["name"] = forms.CharField(max_length=80, label=_("Name of the table"))
        self.fields["game"] = forms.ChoiceField(
            choices=[
                (value, option.label)
                for value, option in options.items()
                if not value.endswith(f"/{split_form.OWN}")
            ],
            label=_("Game"),
        )
        self.fields["rulebook"] = forms.ChoiceField(
            choices=[(name, title) for name, title in display_names.rulebook_titles()], label=_("Rulebook")
        )
        self.fields["clock"] = forms.ChoiceField(choices=clock_choices(), label=_("Table clock"))
        for name, label in own_time_labels().items():
            self.fields[name] = forms.IntegerField(
                min_value=LEAST_MINUTES, max_value=MOST_MINUTES, label=label
            )
        self.fields["dealing"] = forms.ChoiceField(choices=dealing_choices(), label=_("Powers"))
        if bot_players.bots_available():
            self.fields["bots"] = forms.ChoiceField(
                choices=bot_choices(), label=_("Seats without a phone at the start"), required=False
            )

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        if told.get("clock") == OWN_CLOCK and {*OWN_TIMES} <= told.keys():
            own = TableClock(**{name: told[name] for name in OWN_TIMES})
            if own.writing >= min(own.first, own.moves):
                self.add_error("writing", _("The time to write must be shorter than the phase."))
            told["times"] = own
        elif told.get("clock") in CLOCKS:
            told["times"] = CLOCKS[told["clock"]]
        variant = told.get("game", "").partition("/")[0]
        if variant and told.get("bots") and told["bots"] not in bot_players.bot_codes(variants.load(variant)):
            self.add_error("bots", _("This bot can’t play this variant: choose another."))
        if told.get("rulebook") and told["rulebook"] not in rulebooks.names():
            self.add_error("rulebook", _("Choose a rulebook from the list."))
        return told

    def text(self) -> str:
        """What one press opens, in a line."""
        return " · ".join(
            str(label)
            for name in ("game", "clock", "dealing")
            for value, label in getattr(self.fields[name], "choices", ())
            if value == self[name].value()
        )

    def usual_fields(self) -> list[forms.BoundField]:
        """All but the clock of one's own."""
        return [one for one in self if one.name not in OWN_TIMES]

    def own_fields(self) -> list[forms.BoundField]:
        """A clock of one's own."""
        return [one for one in self if one.name in OWN_TIMES]

    def plan(self) -> TablePlan:
        """What is asked for. Raises RulebookInputRefusal and InvalidDeadlineSettings."""
        told = self.cleaned_data
        variant_name, _slash, split_name = told["game"].partition("/")
        split = split_form.chosen_split(variants.load(variant_name), split_name, self.people, {})
        return TablePlan(
            told["name"],
            variant_name,
            told["rulebook"],
            split,
            told["times"],
            Dealing(told["dealing"]),
            people=self.people,
            bots=told.get("bots", ""),
        )


PLAN_REFUSALS = (RulebookInputRefusal, InvalidDeadlineSettings)


def clock_choices() -> list[tuple[str, str]]:
    """The clocks by name, each in a few words."""
    return [*((name, clock_text(clock)) for name, clock in CLOCKS.items()), (OWN_CLOCK, _("Your own"))]


def people_numbers(chosen: int) -> list[int]:
    """How many players a page offers: each number for which other games fit, and the one that is chosen."""
    return sorted({chosen, *(least for least, _most in split_form.people_groups())})


def own_time_labels() -> dict[str, str]:
    """What is asked of a clock of one's own, in minutes."""
    return {
        "first": _("First move, minutes"),
        "moves": _("Later moves, minutes"),
        "writing": _("Of these to write, minutes"),
        "between": _("Retreats and adjustments, minutes"),
    }


def bot_choices() -> list[tuple[str, str]]:
    """Who plays seats without a phone: paper, or a bot of some strength."""
    bots = [(code, bot_players.bot_title(code)) for code in bot_players.bot_codes() if ":" in code]
    return [("", _("on paper")), *((code, _("bot: %(player)s") % {"player": name}) for code, name in bots)]


def dealing_choices() -> list[tuple[str, str]]:
    """How powers are dealt."""
    return [
        (Dealing.LOT, _("Drawn at random")),
        (Dealing.WISHES, _("By preference, ties at random")),
        (Dealing.SEATED, _("As seated: each seat has its power")),
    ]
