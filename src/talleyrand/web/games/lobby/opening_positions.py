"""A game that begins elsewhere than its variant does: with a phase of the practice board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.formats import game_record, question_input
from talleyrand.variants import Variant
from talleyrand.web.boards import adjudicator, display_names, order_requests
from talleyrand.web.games.models import Json
from talleyrand.web.library.rulebook_input import RulebookInputRefusal
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.practice.practice_games import PracticeHistory

LEAST_POWERS = 2
SHARED, NUMBER = "board", "board_phase"  # the fields that name one
HELD = ("units", "dislodged", "centers")  # what a power needs one of to be played
OF_SHEETS = ("absent", "torn")  # what is told of orders, not of the board


@dataclass(frozen=True)
class OpeningPosition:
    """A phase of a practice game, which is named by its link for onlookers and the number of the phase."""

    shared: str
    number: int
    variant: Variant
    rulebook: str
    situation: Json

    @property
    def title(self) -> str:
        """What the variant is called."""
        return self.variant.title[display_names.reader_language()]

    @property
    def phase(self) -> str:
        """What its first phase is called."""
        return display_names.phase_name(self.variant, self.situation["phase"])


def practice_opening(asked: Mapping[str, Any]) -> OpeningPosition | None:
    """The position that a form or an address names by `board` and `board_phase`, None where it names none.

    Raises RulebookInputRefusal for one that is not there.
    """
    shared, number = (
        str(asked.get(SHARED) or ""),
        order_requests.whole_number_of(str(asked.get(NUMBER) or "")),
    )
    if not shared:
        return None
    known = shared.isascii() and shared.isprintable()
    game = PracticeGame.objects.filter(shared_key=shared).first() if known else None
    history = PracticeHistory(game) if game else None
    there = history.question(number) if history and 1 <= number <= history.open_phase_number else None
    if game is None or there is None:
        raise RulebookInputRefusal(_("This position is not on the practice board any more: set it up again."))
    told = {name: value for name, value in there.items() if name not in OF_SHEETS}
    position = question_input.read_question(told)
    situation = game_record.write_position_with_politics(position.position, position.variant)
    return OpeningPosition(shared, number, position.variant, str(game.rulebook), dict(situation))


def check_opening(opening: OpeningPosition, variant: str, rulebook: str | Json) -> None:
    """Whether a game of this variant can begin so; raises RulebookInputRefusal and QuestionRefusal."""
    own, situation = opening.variant, opening.situation
    if own.name != variant:
        raise RulebookInputRefusal(
            _("The position is for “%(variant)s”: choose this variant, or begin without a position.")
            % {"variant": own.title[display_names.reader_language()]}
        )
    if situation.get("centers") is None:
        raise RulebookInputRefusal(_("The position does not say whose the centres are: add them."))
    seats = opening_seats(own, situation)
    if len(set(seats) - set(own.board.landless)) < LEAST_POWERS:
        raise RulebookInputRefusal(
            _("Fewer than two powers have a unit or a centre here: nobody could play.")
        )
    question = adjudicator.make_question(variant, rulebook, "", situation)
    adjudicator.check_question(question)
    if not set(adjudicator.deciding_powers(question)).intersection(seats):
        raise RulebookInputRefusal(_("No power has anything to decide in this phase: choose another phase."))


def opening_seats(variant: Variant, situation: Mapping[str, Any]) -> tuple[str, ...]:
    """Who plays a game that begins so: without a position everybody, else who has a unit or a centre, or
    never had a home of their own."""
    held = [power for name in HELD for power, own in (situation.get(name) or {}).items() if own]
    homeless = [power for power in variant.board.powers if not variant.board.homes[power]]
    alive = {*held, *homeless, *variant.board.landless} - set(situation.get("passive") or ())
    return tuple(power for power in variant.definition.seats if not situation or power in alive)


def opening_with_readings(opening: OpeningPosition, readings: Mapping[str, str]) -> Json:
    """The position, with the open points of the text read as the game reads them, not as it was played."""
    politics = opening.variant.definition.politics
    if politics is None:
        return opening.situation
    every = ({option: value} for option, values in politics.options.items() for value in values)
    chosen = {field for one in every for field in politics.initial_state(one)}
    kept = {name: told for name, told in opening.situation.get("politics", {}).items() if name not in chosen}
    rest = {name: told for name, told in opening.situation.items() if name != "politics"}
    affairs = {**kept, **politics.initial_state(readings)}
    return {**rest, "politics": affairs} if affairs else rest
