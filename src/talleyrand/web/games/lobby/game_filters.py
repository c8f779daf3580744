"""What somebody looks for in a list of games: a form, and the games that have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from django import forms
from django.db.models import F, Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.game_settings import OWN_RULEBOOK, Pace
from talleyrand.web.games.models import RUNNING_STATES, Game, GameState
from talleyrand.web.games.player_records import reliability

from .setting_options import NO, SEAT, SETTING_OPTIONS, YES

Choices = list[tuple[str, str]]
MOST_MISSING = 3
RELIABILITIES = (60, 80, 90, 95)  # in hundredths


@dataclass(frozen=True)
class GameFilter:
    """Values that a game must have; "" for any. `seats`: how many players it lacks at most. `reliability`:
    the least that its players have in the mean or, where nobody may know who plays, that its terms ask for.
    """

    variant: str = ""
    rulebook_name: str = ""
    pace: str = ""
    press: str = ""
    anonymity: str = ""
    language: str = ""
    bots: str = ""
    seats: str = ""
    reliability: str = ""

    @classmethod
    def from_values(cls, told: Mapping[str, Any]) -> GameFilter:
        """Of what was typed or kept, what is known; the rest counts as any."""
        form = GameFilterForm({name: told.get(name, "") for name in NAMES})
        form.is_valid()
        return cls(**{name: form.cleaned_data.get(name, "") for name in NAMES})

    @property
    def chosen(self) -> dict[str, str]:
        """What is looked for, by name."""
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def query(self) -> str:
        """As an address has it."""
        found = QueryDict(mutable=True)
        found.update(self.chosen)
        return found.urlencode()

    @property
    def words(self) -> list[str]:
        """The same in the reader's language."""
        told, asked = filter_choices(), filter_labels()
        return [
            _("%(question)s: %(answer)s")
            % {"question": asked[name], "answer": dict(told[name]).get(value, value)}
            for name, value in self.chosen.items()
        ]

    def apply(self, games: QuerySet[Game], reader: Person | None) -> QuerySet[Game]:
        """Those of some games that have all that, as a reader may know; `seats` asks for `sitting` and
        `places` of those that gather players.
        """
        wanted: dict[str, Any] = self.chosen
        if least := wanted.pop("reliability", ""):
            games = reliability.with_reliability(games, for_members=reader is not None)
            games = games.filter(Q(mean_reliability__gte=int(least)) | Q(asked_reliability__gte=int(least)))
        missing, bots = wanted.pop("seats", ""), wanted.pop("bots", "")
        if bots == SEAT:
            wanted |= {"offers_bot_seats": True, "state__in": RUNNING_STATES}
        elif bots:
            wanted["has_bots"] = bots == YES
        if "language" in wanted:
            wanted["language__in"] = ("", wanted.pop("language"))
        if missing:
            wanted |= {"state": GameState.GATHERING, "places__lte": F("sitting") + int(missing)}
        return games.filter(**wanted)


NAMES = tuple(one.name for one in fields(GameFilter))


def filter_choices() -> dict[str, Choices]:
    """What may be chosen, by name, in the reader's language."""
    few = {str(number): number for number in range(1, MOST_MISSING + 1)}
    return {
        "variant": display_names.variant_titles(),
        "rulebook_name": [*display_names.rulebook_titles(), (OWN_RULEBOOK, _("Custom rulebook"))],
        "pace": [
            (Pace.LIVE, _("live, under 12 hours")),
            (Pace.DAY, _("about a day")),
            (Pace.DAYS, _("a few days")),
            (Pace.WEEK, _("a week or more")),
            (Pace.MANUAL, _("the GM decides")),
        ],
        "press": _labels("press"),
        "anonymity": _labels("anonymity"),
        "language": [choice for choice in _labels("language") if choice[0]],
        "bots": [
            (NO, _("people only")),
            (YES, _("bots on empty seats")),
            (SEAT, _("a bot’s seat to take over")),
        ],
        "seats": [(code, _("%(number)s at most") % {"number": number}) for code, number in few.items()],
        "reliability": [(str(one), _("%(percent)s%% or more") % {"percent": one}) for one in RELIABILITIES],
    }


def _labels(name: str) -> Choices:
    return [(str(value), option.label) for value, option in SETTING_OPTIONS[name]().items()]


def filter_labels() -> dict[str, str]:
    """The questions, by name."""
    return {
        "variant": _("Variant"),
        "rulebook_name": _("Rulebook"),
        "pace": _("A phase lasts"),
        "press": _("Press"),
        "anonymity": _("Who plays what"),
        "language": _("Language"),
        "bots": _("Bots"),
        "seats": _("Players missing"),
        "reliability": _("Reliability of the players"),
    }


class GameFilterForm(forms.Form):
    """Each question may stay open; an answer that does not exist is none."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="find-%s")
        labels = filter_labels()
        for name, choices in filter_choices().items():
            self.fields[name] = forms.ChoiceField(
                choices=[("", _("any answer")), *choices], required=False, label=labels[name]
            )
