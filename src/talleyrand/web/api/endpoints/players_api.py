"""People, as their pages tell of them."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field

from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import Moment, ResponseSchema
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.person_pages.person_facts import PersonFacts
from talleyrand.web.games.player_records import person_page_access
from talleyrand.web.games.record_models import PagePart

RESOURCE = Resource("players", Scope.READ)
PersonName = Annotated[str, Path(description=_("Their name here."), min_length=1, max_length=80)]


class ReliabilityOut(ResponseSchema):
    percent: int | None = Field(
        validation_alias="reliability", description=_("Null while no finished game counts.")
    )
    due: int = Field(validation_alias="phases_due")
    missed: int = Field(validation_alias="phases_missed")
    left: int = Field(validation_alias="games_left", description=_("Games left before their end."))


class RatingPointOut(ResponseSchema):
    at: Moment = Field(validation_alias="ended_at")
    game: str = Field(validation_alias="key")
    rating: float
    deviation: float


class PlayerGameOut(ResponseSchema):
    game: str = Field(validation_alias="key")
    name: str
    variant: str
    ended: Moment = Field(validation_alias="ended_at")
    powers: list[str]
    outcome: str
    points: str = Field(description=_("A fraction; empty: none."))


class PlayerResultOut(ResponseSchema):
    variant: str
    power: str
    outcomes: dict[str, int] = Field(description=_("How often each came."))


class AllianceOut(ResponseSchema):
    game: str
    powers: list[str]
    ally: str
    player: str | None = Field(description=_("Who played it, where they show their games."))
    first: int = Field(description=_("A year."))
    last: int
    supports: int


class OpeningOut(ResponseSchema):
    variant: str
    power: str
    orders: list[str]
    times: int
    games: int = Field(description=_("Games with this power."))


class PlayerOut(ResponseSchema):
    """What someone shows of themselves; a part that they do not show is null or empty."""

    name: str = Field(validation_alias="owner.name")
    since: str | None = Field(description=_("A month: 2026-03."))
    reliability: ReliabilityOut | None
    ratings: dict[str, list[RatingPointOut]] = Field(
        description=_("With press or gunboat, with bots or not: the rating after each game.")
    )
    running: list[str] = Field(description=_("Games where everyone knows who plays what."))
    finished: list[PlayerGameOut]
    results: list[PlayerResultOut]
    alliances: list[AllianceOut]
    openings: list[OpeningOut]

    @staticmethod
    def resolve_since(facts: PersonFacts) -> str | None:
        return f"{facts.owner.joined_at:%Y-%m}" if PagePart.SINCE in facts.parts else None

    @staticmethod
    def resolve_reliability(facts: PersonFacts) -> object:
        return facts.profile if PagePart.RELIABILITY in facts.parts else None

    @staticmethod
    def resolve_running(facts: PersonFacts) -> list[str]:
        return [game.key for game in facts.running]

    @staticmethod
    def resolve_results(facts: PersonFacts) -> list[dict[str, Any]]:
        return [
            {"variant": variant, "power": power, "outcomes": dict(sorted(counts.items()))}
            for (variant, power), counts in sorted(facts.results.items())
        ]

    @staticmethod
    def resolve_alliances(facts: PersonFacts) -> list[dict[str, Any]]:
        return [
            {
                **one._asdict(),
                "game": one.game.key,
                "powers": one.game.powers,
                "player": one.person.name if one.person else None,
            }
            for one in facts.alliances
        ]


@RESOURCE.get("/players/{name}", _("Someone’s page: what they let you see."), PlayerOut)
def get_player(request: TokenRequest, name: PersonName) -> object:
    owner = person_page_access.open_page(name, request.auth.person)
    if owner is None:
        raise Http404
    return PersonFacts(owner, request.auth.person)
