"""The result of a board as a form, one for desk and phones: as it was typed, or as it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import codec, end_vote_rules, round_timing
from talleyrand.tournament.acts.act import find_board
from talleyrand.tournament.acts.result_acts import DESK_HAND
from talleyrand.tournament.board_rules import centre_count
from talleyrand.tournament.model import BoardResult, Event, EventBoard, GameEnd
from talleyrand.tournament.whole_numbers import YEAR_DIGITS, parse_whole_number

from . import tournament_names

BESIDE = ("eliminated_in", "reached")  # what may be told of a power beside its centres


class ParsedField(forms.Field):
    """A field whose text is parsed by a function that refuses in the words of the acts; `empty` for none."""

    def __init__(self, parse: Callable[[str], Any], empty: Any = None) -> None:
        super().__init__(required=False)
        self.parse, self.empty = parse, empty

    def clean(self, value: str | None) -> Any:
        """What the text means."""
        text = (value or "").strip()
        try:
            return self.parse(text) if text else self.empty
        except TalleyrandError as refused:
            raise forms.ValidationError(str(refused)) from refused


class ResultForm(forms.Form):
    """What a board ended with, its fields named as the facts of the act are: `result.centres.AUSTRIA`.

    `by`: who fills it in, a person's number or DESK_HAND. `typed`: what was sent, by field; without it the
    form shows the result as it stands. Raises ActRefused where there is no such board.
    """

    def __init__(
        self, event: Event, number: int, at: int, by: str, typed: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.held, self.by = find_board(event, number, at), by
        self.total, self.endings = centre_count(self.held.variant), tournament_names.ending_choices()
        super().__init__(
            None if typed is None else MultiValueDict({name: list(sent) for name, sent in typed.items()}),
            prefix="result",
            initial=_standing_values(event, number, self.held),
        )
        count = partial(parse_whole_number, digits=YEAR_DIGITS)
        for power in self.held.seats:
            self.fields[f"centres.{power}"] = ParsedField(count)
            self.fields[f"eliminated_in.{power}"] = ParsedField(count)
            self.fields[f"reached.{power}"] = ParsedField(
                partial(tournament_names.province_from_text, self.held.variant)
            )
        self.fields["neutral"] = ParsedField(count, 0)
        self.fields["ended"] = ParsedField(partial(codec.read_value, GameEnd), GameEnd.TIME)
        self.fields["year"] = ParsedField(count)
        self.fields["winner"] = ParsedField(str, "")
        for several in ("out", "draw"):
            self.fields[several] = forms.Field(required=False, widget=forms.SelectMultiple)

    def add_prefix(self, field_name: str) -> str:
        """The name of a field on the page."""
        return f"{self.prefix}.{field_name}"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row of fields for each power."""
        variant, out, draw = self.held.variant, self["out"].value() or (), self["draw"].value() or ()
        return [
            {
                "code": power,
                "power": tournament_names.power_name(power, variant),
                "colour": tournament_names.power_colour(power, variant),
                "centres": self[f"centres.{power}"],
                "eliminated_in": self[f"eliminated_in.{power}"],
                "reached": self[f"reached.{power}"],
                "out": power in out,
                "draw": power in draw,
            }
            for power in self.held.seats
        ]

    @property
    def says_more(self) -> bool:
        """Whether anything stands there beside centres, year and an end by time."""
        several = [one for row in self.rows for one in (row["out"], row["draw"])]
        texts = [self[f"{part}.{power}"].value() for part in BESIDE for power in self.held.seats]
        plain = self["ended"].value() == GameEnd.TIME and self["neutral"].value() in ("", "0", None)
        return not plain or any([*several, *texts, self["winner"].value()])

    def result(self) -> BoardResult:
        """What was typed; raises ActRefused and InvalidEvent. Whether it can be is for the act to say."""
        for first, *_others in self.errors.as_data().values():
            raise first.__cause__ or first  # the refusal of a ParsedField
        told = self.cleaned_data
        centres, years, reached = map(self._by_power, ("centres", "eliminated_in", "reached"))
        out = tuple(told["out"])
        if self.by != DESK_HAND:  # on phones, what is said of a power that is not out is forgotten
            out = tuple(power for power in out if centres.get(power))
            years = {power: year for power, year in years.items() if power in out or centres.get(power) == 0}
        return BoardResult(
            centres=centres,
            ended=told["ended"],
            year=told["year"],
            winner=told["winner"],
            draw=tuple(told["draw"]),
            out=out,
            eliminated_in=years,
            reached=reached,
            neutral=told["neutral"],
        )

    def _by_power(self, part: str) -> dict[str, Any]:
        found = {power: self.cleaned_data[f"{part}.{power}"] for power in self.held.seats}
        return {power: value for power, value in found.items() if value not in (None, "")}


def _standing_values(event: Event, number: int, held: EventBoard) -> dict[str, Any]:
    """The result as fields show it; where there is none, how and when the game will have ended."""
    result = held.result
    if result is None:
        ended, year = end_vote_rules.carried_vote_end(held) or (
            GameEnd.TIME,
            round_timing.last_year(event, number, held),
        )
        return {"ended": ended, "year": str(year), "neutral": "0"}
    provinces = {
        power: tournament_names.province_name(code, held.variant) for power, code in result.reached.items()
    }
    by_power = {"centres": result.centres, "eliminated_in": result.eliminated_in, "reached": provinces}
    return {
        "ended": result.ended,
        "year": str(result.year or ""),
        "winner": result.winner,
        "neutral": str(result.neutral),
        "out": result.out,
        "draw": result.draw,
        **{f"{part}.{power}": str(one) for part, ones in by_power.items() for power, one in ones.items()},
    }
