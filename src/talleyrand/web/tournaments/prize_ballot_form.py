"""Whom somebody names for the voted prizes of a board: one form for desk and phones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from talleyrand.tournament import regulations
from talleyrand.tournament.acts.act import find_board
from talleyrand.tournament.acts.result_acts import VOTED_PRIZE_KIND
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import Event, PrizeBallot
from talleyrand.tournament.whole_numbers import parse_whole_number

from . import tournament_names
from .result_form import ParsedField


class PrizeBallotForm(forms.Form):
    """A select for each voted prize, named as in the act (`names.KEY`), with the other people of the board.

    `voter`: who votes; None at the desk, where the form asks that, too. `typed`: what was sent, by field;
    without it the form shows the ballot as it stands. Raises ActRefused where there is no such board.
    """

    def __init__(
        self,
        event: Event,
        number: int,
        at: int,
        voter: int | None = None,
        typed: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.round, self.board, self.voter = number, at, voter
        kept = [
            one.names
            for one in event.ballots.values()
            if (one.round, one.board, one.voter) == (number, at, voter)
        ]
        self.standing = kept[0] if kept else {}
        people = tournament_names.alphabetical(event, board_people(find_board(event, number, at)))
        self.people = [
            (str(who), event.people[who].name) for who in people if who in event.people and who != voter
        ]
        super().__init__(
            None if typed is None else MultiValueDict({name: list(sent) for name, sent in typed.items()}),
            auto_id="ballot-%s",
            label_suffix="",
            initial={f"names.{key}": str(who) for key, who in self.standing.items()},
        )
        if voter is None:
            self.fields["voter"] = self._choice(_("Voter"), "–")
        for key, title in voted_prizes(event).items():
            self.fields[f"names.{key}"] = self._choice(title, _("nobody"))

    def _choice(self, label: str, nobody: str) -> ParsedField:
        field = ParsedField(parse_whole_number)
        field.label, field.widget = label, forms.Select(choices=[("", nobody), *self.people])
        return field

    def ballot(self) -> PrizeBallot:
        """What was typed; raises ActRefused. Whether it may be is for the act to say."""
        for first, *_others in self.errors.as_data().values():
            raise first.__cause__ or first  # the refusal of a ParsedField
        told = {
            name.removeprefix("names."): who for name, who in self.cleaned_data.items() if who is not None
        }
        voter = told.pop("voter", self.voter)
        if voter is None:
            raise ActRefused("act_nobody")
        return PrizeBallot(self.round, self.board, voter, told)


def voted_prizes(event: Event) -> dict[str, str]:
    """The prizes that players vote for, with their titles; none where the regulations cannot be read."""
    try:
        prizes = regulations.read_regulations(event.regulations).prizes
    except InvalidEvent:
        return {}
    return {
        key: tournament_names.in_reader_language(prize.title, key)
        for key, prize in prizes.items()
        if prize.kind == VOTED_PRIZE_KIND
    }
