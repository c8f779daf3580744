"""The form in which one speaks to a bot: by menus, or in a sentence of one's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django import forms

from talleyrand.engine.board import province_of
from talleyrand.formats import question_input
from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.negotiation import proposals
from talleyrand.negotiation.proposal_reader import ReadMessage, read_message
from talleyrand.negotiation.proposals import MOST_YEARS, USUAL_YEARS, NoProposal, Proposal, read_proposal
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import talk_texts

Choices = list[tuple[str, str]]


class TalkForm(forms.Form):
    """`which` is the button pressed: `text` for the sentence, else the menus. A sentence counts with either:
    Enter in its field presses the first.
    """

    by = forms.ChoiceField()
    to = forms.ChoiceField()
    kind = forms.ChoiceField(required=False)
    province = forms.ChoiceField(required=False)
    third = forms.ChoiceField(required=False)
    asked = forms.ChoiceField(required=False)
    asked_to = forms.ChoiceField(required=False)
    offered = forms.ChoiceField(required=False)
    offered_to = forms.ChoiceField(required=False)
    years = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)
    text = forms.CharField(required=False)
    which = forms.CharField(required=False, max_length=10)

    def __init__(
        self, question: Question, speakers: Collection[str], bots: Collection[str], sent: Any = None
    ) -> None:
        super().__init__(sent)
        asked = question_input.read_question(question)
        self.variant, self.position = asked.variant, asked.position
        self.names = SentenceNames(asked.variant, display_names.reader_language())
        year = self.position.phase.year
        first = asked.variant.definition.calendar.year_of_moves(self.position.phase)
        self.choices: dict[str, Choices] = {
            "by": self._powers(speakers),
            "to": self._powers(bots),
            "kind": talk_texts.kind_labels(),
            "province": self._places(asked.variant.board.provinces),
            "third": self._powers(asked.variant.definition.players),
            "asked": self._units(speakers),
            "asked_to": self._places(self._reached_by(speakers)),
            "offered": self._units(bots),
            "offered_to": self._places(self._reached_by(bots)),
            "years": [
                (str(count), talk_texts.year_name(asked.variant, year + count - 1))
                for count in range(first - year + 1, MOST_YEARS + 1)
            ],
        }
        for name, listed in self.choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = listed if field.required else [("", ""), *listed]

    def _powers(self, powers: Iterable[str]) -> Choices:
        return [(code, display_names.power_name(self.variant, code)) for code in powers]

    def _places(self, provinces: Iterable[str]) -> Choices:
        named = [(code, self.names.place_name(code)) for code in provinces]
        return sorted(named, key=lambda one: one[1])

    def _units(self, powers: Collection[str]) -> Choices:
        units = [unit for unit in self.position.units if unit.power in powers]
        owners = dict(self._powers(powers))
        return [(str(unit), f"{self.names.unit(str(unit))} ({owners[unit.power]})") for unit in units]

    def _reached_by(self, powers: Collection[str]) -> set[str]:
        links = self.variant.board.adjacent_locations
        units = [unit for unit in self.position.units if unit.power in powers]
        return {province_of(to) for one in units for to in links[one.kind].get(one.location, ())}

    def read(self, offer: Proposal | None) -> ReadMessage:
        """What a valid form proposes, or answers to what the bot offers."""
        sent = self.cleaned_data
        if sent["which"] == "text" or sent["text"].strip():
            return read_message(sent["text"], self.variant, self.position, sent["by"], sent["to"], offer)
        told = {name: sent[name] for name in ("kind", "province", "third")}
        told["years"] = sent["years"] or USUAL_YEARS
        for name in ("asked", "offered"):
            goal = sent[f"{name}_to"]
            told[name] = f"{sent[name]} - {goal}" if sent[name] and goal else sent[name]
        lacking = {
            proposals.DEMILITARISED: "which_place",
            proposals.ALLIANCE: "which_power",
            proposals.SUPPORT: "which_unit",
        }
        try:
            return ReadMessage(read_proposal(told, self.variant.board))
        except NoProposal:
            return ReadMessage(problem=lacking.get(sent["kind"], "not_understood"))
