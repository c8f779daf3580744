"""Games: those one may know of, and one of them as one may see it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.utils.translation import gettext_noop as _
from ninja.params import Query
from pydantic import Field

from talleyrand import variants
from talleyrand.web.api.authentication import TokenRequest, open_game
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    Moment,
    PageAfter,
    PageLimit,
    ResponseSchema,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import game_log_texts, house_rules, power_assignments, visibility
from talleyrand.web.games.endings import game_scores
from talleyrand.web.games.game_settings import Anonymity, Pace, PressSetting
from talleyrand.web.games.lobby import game_lists, game_settings_texts
from talleyrand.web.games.lobby.game_filters import GameFilter
from talleyrand.web.games.models import Game, GameLogEntry
from talleyrand.web.games.viewer_permissions import GameViewer

RESOURCE = Resource("games", Scope.READ, sight=open_game)
Life = Literal["gathering", "playing", "paused", "ended", "abandoned"]

RuleLines = Annotated[list[str], Field(description=_("Of the game, then of the site."))]
RulesDigest = Annotated[str, Field(description=_("For `accepts`; empty: there are no house rules."))]
HouseRulesText = Annotated[
    str | None, Field(max_length=2000, description=_("House rules in one language, one per line."))
]
AcceptedRules = Field(
    default="",
    description=_(
        "The `rules_digest` of the game, where there are house rules: that you have read and accept them. "
        "A refusal without it holds both."
    ),
)
Part = Literal["", "player", "master", "assistant", "observer"]


class SeatOut(ResponseSchema):
    power: str
    player: str | None = Field(
        description=_("The name of its player; null if there is none, or if it is secret.")
    )
    computer: str = Field(description=_("The bot that plays it; empty: a person, or no one."))
    disorder: bool = Field(description=_("In civil disorder until its player returns."))


class GameSummaryOut(ResponseSchema):
    key: str = Field(
        validation_alias="game.key", description=_("Identifies this game in every other address.")
    )
    name: str = Field(validation_alias="game.name")
    variant: str = Field(validation_alias="game.variant")
    rulebook: str | dict[str, Any] = Field(
        validation_alias="game.rulebook", description=_("A name, or options that extend one.")
    )
    state: Life = Field(validation_alias="game.state")
    number: int = Field(
        validation_alias="game.phase_number",
        description=_("The current phase, counted from 1; 0 before the start."),
    )
    phase: str = Field(validation_alias="game.phase", description=_("Its code: S1901M."))
    due: Moment | None = Field(validation_alias="game.deadline")
    role: Literal["", "player", "master", "assistant", "observer"] = Field(
        description=_("Your role; empty: none.")
    )
    powers: list[str] = Field(description=_("Those you play."))


class GameOut(GameSummaryOut):
    opened: Moment | None = Field(validation_alias="game.phase_opened_at")
    started: Moment | None = Field(validation_alias="game.started_at")
    ended: Moment | None = Field(validation_alias="game.ended_at")
    waiting: bool = Field(
        validation_alias="game.is_waiting",
        description=_("The deadline has passed, and the game is waiting for missing orders."),
    )
    terms: dict[str, Any] = Field(description=_("Game settings."))
    house_rules: RuleLines
    rules_digest: RulesDigest
    seats: list[SeatOut]
    result: dict[str, Any] | None = Field(
        description=_("How the game ended; `working`: the lines that make up each power’s points.")
    )

    @staticmethod
    def resolve_terms(sight: GameViewer) -> dict[str, Any]:
        return sight.game.settings.as_json()

    @staticmethod
    def resolve_house_rules(sight: GameViewer) -> list[str]:
        return game_settings_texts.rule_lines(sight.game)

    @staticmethod
    def resolve_rules_digest(sight: GameViewer) -> str:
        return house_rules.rules_digest(sight.game)

    @staticmethod
    def resolve_result(sight: GameViewer) -> dict[str, Any] | None:
        return game_scores.result_with_working(sight.game)

    @staticmethod
    def resolve_seats(sight: GameViewer) -> list[dict[str, Any]]:
        return _seats(sight)


class GamesOut(ResponseSchema):
    items: list[GameSummaryOut]
    next: str | None


class LogLineOut(ResponseSchema):
    at: Moment
    kind: str
    role: str = Field(description=_("Of the person who did it; empty: no one, or the clock."))
    person: str | None = Field(description=_("Only where players’ identities are known."))
    sentence: str


Shown = Annotated[
    Literal["mine", "join", "seats", "watch", "ended"],
    Query(
        description=_(
            "Yours, those looking for players, those looking for a replacement, those you can watch, or "
            "those that are over."
        )
    ),
]
From = Annotated[int, Query(description=_("Number of items to skip."), ge=0, le=1_000_000)]


class GameSearch(ResponseSchema):
    """What the games of a list must have."""

    variant: str | None = Field(None, description=_("Only this variant."), max_length=40, pattern=PRINTABLE)
    rulebook: str | None = Field(
        None, description=_("Only this rulebook; `own`: a custom one."), max_length=64, pattern=PRINTABLE
    )
    pace: Pace | None = Field(None, description=_("About how long a movement phase lasts."))
    press: PressSetting | None = Field(None, description=_("Only with these rules for messages."))
    anonymity: Anonymity | None = Field(None, description=_("Whether names are public."))
    language: Literal["fr", "en"] | None = Field(
        None, description=_("The language of messages, or any language.")
    )
    bots: Literal["yes", "no", "seat"] | None = Field(
        None, description=_("Whether bots play empty seats; seat: one may take over a bot’s seat now.")
    )
    missing: int | None = Field(
        None, description=_("Only games that gather players and lack so many at most."), ge=1, le=3
    )

    reliability: Literal["60", "80", "90", "95"] | None = Field(
        None,
        description=_(
            "Only games whose players have such a reliability or more: the average of those who show "
            "theirs; in anonymous games, what the settings ask for."
        ),
    )

    def as_filter(self) -> GameFilter:
        """The same as the lobby takes it."""
        told = self.model_dump(mode="json", exclude_none=True)
        names = {"rulebook": "rulebook_name", "missing": "seats"}
        return GameFilter(**{names.get(name, name): str(value) for name, value in told.items()})


@RESOURCE.get("/games", _("The games you can see, one page at a time."), GamesOut)
def list_games(
    request: TokenRequest,
    wanted: Annotated[GameSearch, Query()],
    show: Shown = "mine",
    start: From = 0,
    limit: PageLimit = 50,
) -> object:
    found = _games_shown(request, show, wanted)
    some = list(found[start : start + limit + 1])
    told = [GameViewer.for_user(one, request.auth.person) for one in some[:limit]]
    return {"items": told, "next": str(start + limit) if len(some) > limit else None}


def _games_shown(request: TokenRequest, show: str, wanted: GameSearch) -> Any:
    """Games to be cut: a list of them, or something that reads those alone that are asked for."""
    person = request.auth.person
    if show != "mine":
        return game_lists.listed_games(show, person, wanted.as_filter())
    return wanted.as_filter().apply(game_lists.games_of_person(person), person)


@RESOURCE.get(
    "/games/{key}", _("One game: its settings, who plays, the current phase and its deadline."), GameOut
)
def get_game(sight: GameViewer) -> object:
    return sight


@RESOURCE.get(
    "/games/{key}/log",
    _("The log of a game, newest first, as far as you can see it."),
    page_out("LogOut", LogLineOut),
)
def game_log(
    request: TokenRequest, sight: GameViewer, after: PageAfter = None, limit: PageLimit = 50
) -> object:
    variant, zone = variants.load(sight.game.variant), request.auth.person.time_zone

    def line(entry: GameLogEntry) -> dict[str, Any]:
        known = sight.may_see_players and entry.person is not None
        said = game_log_texts.log_sentence(entry, variant, zone, people=sight.may_see_players)
        named = entry.person.shown_name if known and entry.person else None
        return {
            "at": entry.created_at,
            "kind": entry.kind,
            "role": entry.role,
            "person": named,
            "sentence": said,
        }

    found = visibility.visible_log_entries(sight).select_related("person").order_by("-pk")
    return paginate(found, after, limit, line)


def _seats(sight: GameViewer) -> list[dict[str, Any]]:
    names = _names(sight.game) if sight.may_see_players else {}
    return [
        {
            "power": seat.power,
            "player": names.get(seat.power),
            "computer": seat.bot,
            "disorder": seat.in_civil_disorder and not sight.is_delayed,
        }
        for seat in sight.game.seats.all()
    ]


def _names(game: Game) -> dict[str, str | None]:
    holders = power_assignments.players_by_power(game)
    here = game.memberships.filter(left_at=None).select_related("person")
    people = {one.person_id: one.person.shown_name for one in here}
    return {power: people.get(person) for power, person in holders.items() if person}
