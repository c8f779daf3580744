"""The page that opens a class: a list of names is enough."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts import guests, person_names
from talleyrand.web.accounts.person_names import folded_name
from talleyrand.web.boards import display_names

from . import class_sessions
from .class_sessions import BOARD_SEATS, LEAST_SEATS, MOST_BOARDS, MOST_PUPILS, ClassPlan
from .table_clock import CLASS_CLOCKS, clock_text

USUAL_VARIANT, USUAL_RULEBOOK = "classic", "simplified"
MOST_FAULTS = 5  # lines of which each has a sentence


class NamesField(forms.CharField):
    """A list of names, read by `read_names`."""

    def __init__(self, label: str, *, rows: int) -> None:
        widget = forms.Textarea({"rows": rows, "spellcheck": "false", "autocomplete": "off"})
        super().__init__(widget=widget, label=label, required=False)

    def clean(self, value: Any) -> tuple[str, ...]:
        return read_names(str(super().clean(value)))


class OpenClassForm(forms.Form):
    """`plan()` of a valid form is the class that is asked for."""

    def __init__(self, data: Any = None) -> None:
        usual = {
            "variant": USUAL_VARIANT,
            "rulebook": USUAL_RULEBOOK,
            "clock": next(iter(CLASS_CLOCKS)),
        }
        super().__init__(None if data is None else {**usual, **data.dict()}, initial={**usual, "draw": True})
        self.fields["names"] = NamesField(_("First names or pseudonyms, one per line"), rows=12)
        self.fields["name"] = forms.CharField(max_length=80, required=False, label=_("Name of the class"))
        self.fields["boards"] = forms.IntegerField(
            min_value=1, max_value=MOST_BOARDS, required=False, label=_("Number of boards")
        )
        self.fields["draw"] = forms.BooleanField(required=False, label=_("Draw who sits at which board"))
        self.fields["clock"] = forms.ChoiceField(choices=class_clock_choices(), label=_("Table clock"))
        self.fields["variant"] = forms.ChoiceField(choices=variant_choices(), label=_("Game"))
        self.fields["rulebook"] = forms.ChoiceField(
            choices=list(display_names.rulebook_titles()), label=_("Rulebook")
        )

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        names = told.get("names")
        if names is None or "boards" in self.errors or "variant" in self.errors:
            return told
        told["sizes"] = class_sessions.board_sizes(len(names), told.get("boards") or 0)
        facts = {"pupils": len(names), "least": LEAST_SEATS, "most": BOARD_SEATS}
        if not told["sizes"]:
            said = _(
                "%(pupils)s pupils: each board seats %(least)s to %(most)s. Change the number of boards."
            )
            self.add_error("boards" if told.get("boards") else "names", said % facts)
        elif not class_sessions.is_playable(told["variant"], told["sizes"]):
            sizes = ", ".join(str(size) for size in dict.fromkeys(told["sizes"]))
            said = _("This game is not for boards of %(sizes)s. Choose another game or number of boards.")
            self.add_error("variant", said % {"sizes": sizes})
        return told

    def plan(self) -> ClassPlan:
        """What is asked for."""
        told = self.cleaned_data
        return ClassPlan(
            told["name"],
            told["variant"],
            told["rulebook"],
            CLASS_CLOCKS[told["clock"]],
            told["names"],
            told["sizes"],
            told["draw"],
        )


def read_names(text: str) -> tuple[str, ...]:
    """The names of a list, one a line, each of them once: a second Anna is "Anna 2".

    Raises ValidationError with a sentence for each of the first lines that nobody can go by.
    """
    lines = [(at, line.strip(" \t\ufeff\u00a0")) for at, line in enumerate(text.splitlines(), 1)]
    lines = [(at, line) for at, line in lines if line]
    if not lines:
        raise ValidationError(_("Type the names, one per line."))
    if len(lines) > MOST_PUPILS:
        facts = {"lines": len(lines), "most": MOST_PUPILS}
        raise ValidationError(_("%(lines)s lines: a class has %(most)s pupils at most.") % facts)
    names: list[str] = []
    faults: list[str] = []
    taken: set[str] = set()
    for at, line in lines:
        try:
            names.append(_own_name(_checked(line), taken))
        except ValidationError as refused:
            said = {"line": at, "name": line[:40], "reason": " ".join(refused.messages)}
            faults.append(_("Line %(line)s, “%(name)s”: %(reason)s") % said)
    if faults:
        raise ValidationError([*faults[:MOST_FAULTS]])
    return tuple(names)


def _checked(line: str) -> str:
    if len(line) > guests.LONGEST_NAME:
        raise ValidationError(
            _("%(most)s characters at most. No surname is needed.") % {"most": guests.LONGEST_NAME}
        )
    return person_names.check_name(line)


def _own_name(name: str, taken: set[str]) -> str:
    found, number = name, 1
    while folded_name(found) in taken:
        number += 1
        found = f"{name[: guests.LONGEST_NAME - 4]} {number}"
    taken.add(folded_name(found))
    return found


def class_clock_choices() -> list[tuple[str, str]]:
    """The clocks of a class by name, each in a few words."""
    return [(name, clock_text(clock)) for name, clock in CLASS_CLOCKS.items()]


def variant_choices() -> list[tuple[str, str]]:
    """The games that have a split for one of the sizes that boards of a class have."""
    language = display_names.reader_language()
    sizes = range(LEAST_SEATS, BOARD_SEATS + 1)
    known = ((name, variants.load(name)) for name in variants.playable_names())
    return [
        (name, variant.title[language])
        for name, variant in known
        if any(variant.splits_for(size) for size in sizes)
    ]
