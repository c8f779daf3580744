"""The page that opens a table for one device: who plays, and what."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from talleyrand.rulebooks import FALLBACK
from talleyrand.web.boards import display_names
from talleyrand.web.games.lobby import split_form

from .class_forms import NamesField
from .models import Dealing
from .table_clock import TableClock
from .table_opening import TablePlan

MOST_NAMES = 40


class OneDeviceForm(forms.Form):
    """`plan()` of a valid form is the table that is asked for."""

    def __init__(self, data: Any = None) -> None:
        usual = {"game": "", "rulebook": FALLBACK}
        super().__init__(None if data is None else {**usual, **data.dict()}, initial=usual)
        self.fields["names"] = NamesField(_("Who plays, one name per line"), rows=7)
        self.fields["game"] = forms.CharField(
            widget=forms.Select(choices=_games()), required=False, label=_("Game")
        )
        self.fields["rulebook"] = forms.ChoiceField(
            choices=list(display_names.rulebook_titles()), label=_("Rulebook")
        )

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        if "names" in told:
            fits = [
                one for one in split_form.splits_for(len(told["names"])) if told["game"] in ("", one[0].name)
            ]
            if not fits:
                self.add_error(
                    "game", _("This game is not for %(people)s players.") % {"people": len(told["names"])}
                )
            else:
                told["fits"] = fits[0]
        return told

    def plan(self) -> TablePlan:
        """What is asked for."""
        told = self.cleaned_data
        variant, split = told["fits"]
        return TablePlan(
            _("Our table"),
            variant.name,
            told["rulebook"],
            split,
            TableClock(),
            Dealing.LOT,
            told["names"],
        )


def _games() -> list[tuple[str, str]]:
    known = {
        variant.name: variant.title[display_names.reader_language()]
        for people in range(2, MOST_NAMES)
        for variant, _split in split_form.splits_for(people)
    }
    return [("", _("What fits so many")), *known.items()]
