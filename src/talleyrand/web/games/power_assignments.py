"""Who plays which power, and since when; and who may not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from .bot_letter_models import BotAgreement
from .game_settings import LandlessSeatRule
from .models import Game, GameMembership, GameRole, GameSeat, GameState, PowerAssignment


class AssignmentRefusal(Exception):
    """A power that somebody may not have; `code` is what `why_barred` says."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def players_by_power(game: Game, powers: Iterable[str] | None = None) -> dict[str, int | None]:
    """For each seat’s power the person (by primary key) who may order it now; None where nobody plays.

    `powers` are those of the seats, where they are known already.
    """
    seats = game.seats.values_list("power", flat=True) if powers is None else powers
    found: dict[str, int | None] = dict.fromkeys(seats)
    # stand-ins last: they go before the player whom they stand in for
    held = _open(game).order_by("is_stand_in").values_list("seat__power", "person_id")
    return found | dict(held)


def players_by_power_of_games(games: Collection[Game]) -> dict[int, dict[str, int | None]]:
    """The same for several games, by primary key, of the powers that somebody has."""
    found: dict[int, dict[str, int | None]] = {game.pk: {} for game in games}
    held = PowerAssignment.objects.filter(seat__game__in=games, ended_at=None).order_by("is_stand_in")
    for game, power, person in held.values_list("seat__game", "seat__power", "person"):
        found[game][power] = person
    return found


def player_of(game: Game, power: str) -> int | None:
    """Who may order one power now, by primary key."""
    found: tuple[int | None] = PLAYER.first(game=game.pk, power=power) or (None,)
    return found[0]


def unplayed_powers(game: Game) -> tuple[str, ...]:
    """The powers that nobody plays, nor the computer, in the game’s order."""
    bots = bots_by_power(game)
    return tuple(
        power for power, person in players_by_power(game).items() if person is None and power not in bots
    )


def bots_by_power(game: Game) -> dict[str, str]:
    """The powers that the computer plays, each with the name of its player."""
    return dict(game.seats.exclude(bot="").values_list("power", "bot"))


def assign_bot(game: Game, powers: Collection[str], bot: str) -> None:
    """Let the computer play free seats, inside a transaction; `request_bot_orders` has it begin."""
    free = game.seats.filter(power__in=powers).exclude(pk__in=_open(game).values("seat"))
    free.update(bot=bot, in_civil_disorder=False, missed_phases=0)
    end_bot_agreements(game, Q(power__in=powers) | Q(partner__in=powers))


def end_bot_agreements(game: Game, which: Q) -> None:
    """What bots have agreed to ends with their seats, and with those of others that a bot takes over."""
    found = BotAgreement.objects.filter(which, game=game, ended_at=None)
    found.update(ended_at=timezone.now(), ended_number=game.phase_number)


def powers_played_by(game: Game, person: Person | None) -> tuple[str, ...]:
    """The powers that a person plays, in the game’s order."""
    if person is None:
        return ()
    held = _open(game).filter(person=person).order_by("seat")
    return tuple(dict.fromkeys(held.values_list("seat__power", flat=True)))


def assignments_in_order(game: Game) -> list[tuple[str, int | None]]:
    """Each power with whoever has its seat, in the game’s order; a stand-in after whom he stands in for."""
    return ASSIGNMENTS.rows(game=game.pk)


def player_ids(game: Game) -> list[int]:
    """Everybody who plays, stand-ins and those they stand in for included, by primary key."""
    return list(_open(game).exclude(person=None).values_list("person", flat=True).distinct())


def assign_power(game: Game, power: str, person: Person, *, stand_in: bool = False) -> PowerAssignment:
    """Give a seat to somebody, for good or for a while; whoever had it before keeps his part of the story.

    To be called inside a transaction. A player for good also ends a stand-in’s time. Sheets handed in stay;
    what was only in preparation is not the next player’s. Raises AssignmentRefusal.
    """
    if barred := why_barred(game, person, power):
        raise AssignmentRefusal(barred)
    seat = GameSeat.objects.get(game=game, power=power)
    ended = seat.tenures.filter(ended_at=None)
    (ended.filter(is_stand_in=True) if stand_in else ended).update(
        ended_at=timezone.now(), last_phase_number=max(game.phase_number - 1, 0)
    )
    _lay_down(seat, game)
    GameSeat.objects.filter(pk=seat.pk).update(in_civil_disorder=False, missed_phases=0, bot="")
    if seat.bot:
        end_bot_agreements(game, Q(power=power))
    return PowerAssignment.objects.create(
        seat=seat, person=person, is_stand_in=stand_in, first_phase_number=game.phase_number
    )


def end_assignment(game: Game, power: str, *, stand_in: bool = False) -> None:
    """End whoever plays a power, a person or the computer, or its stand-in alone; with nobody left it is in
    civil disorder.

    To be called inside a transaction.
    """
    seat = GameSeat.objects.get(game=game, power=power)
    ended = seat.tenures.filter(ended_at=None)
    (ended.filter(is_stand_in=True) if stand_in else ended).update(
        ended_at=timezone.now(), last_phase_number=max(game.phase_number - 1, 0)
    )
    _lay_down(seat, game)
    if not seat.tenures.filter(ended_at=None).exists():
        GameSeat.objects.filter(pk=seat.pk).update(in_civil_disorder=True, bot="")
        end_bot_agreements(game, Q(power=power))


def why_barred(game: Game, person: Person, power: str) -> str:
    """Why somebody may not play a power of a game that has begun, for good or for a while; "": they may.

    `saw_all`: they have been at its desk since it began. `held_other`: they have played another of its powers
    and know its secrets. Powers that one player had from the start go together, and those that the rules give
    go with any.
    """
    if not game.phase_number:
        return ""
    if power in variants.load(game.variant).board.landless and _leads(game, person):
        return ""  # whoever leads the game may preside over it
    if power in seats_given_by_rules(game):
        return ""
    desk = GameMembership.objects.filter(
        game=game, person=person, role__in=(GameRole.GAME_MASTER, GameRole.ASSISTANT)
    )
    if desk.filter(Q(left_at=None) | Q(left_at__gt=game.started_at)).exists():
        return "saw_all"
    known = _known(game, person)
    return "held_other" if known and not known <= _dealt_with(game, power) else ""


def player_seat_count(game: Game) -> int:
    """How many players a game is for: a seat without land is theirs only where the terms say so."""
    if game.settings.shares:
        return len(game.settings.shares)
    return game.seats.count() - len(seats_for_no_player(game))


def seats_for_no_player(game: Game) -> tuple[str, ...]:
    """The seats that nobody can choose: those without land that are no player’s, those in civil disorder by
    the terms, those that the rules give."""
    terms, board = game.settings, variants.load(game.variant).board
    landless = () if terms.chair == LandlessSeatRule.PLAYER else board.landless
    return (*landless, *terms.disordered, *seats_given_by_rules(game))


def seats_given_by_rules(game: Game) -> tuple[str, ...]:
    """The seats that go to whoever plays another (`Politics.given_seats`)."""
    setting = variants.load(game.variant).definition
    return tuple(setting.politics.given_seats(setting.start)) if setting.politics else ()


def give_seats(game: Game, heirs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Give each seat to whoever plays the first of its heirs that somebody plays, inside a transaction.

    Gives those that changed hands, each with that heir; a seat that somebody plays already stays theirs.
    """
    found: dict[str, str] = {}
    players, bots = players_by_power(game), bots_by_power(game)
    for power, others in heirs.items():
        heir = next((one for one in others if players.get(one) or one in bots), None)
        if heir is None or power not in players or players[power] or power in bots:
            continue
        if person := players.get(heir):
            assign_power(game, power, Person.objects.get(pk=person))
        else:
            assign_bot(game, [power], bots[heir])
        found[power] = heir
    return found


def _leads(game: Game, person: Person) -> bool:
    return GameMembership.objects.filter(
        game=game, person=person, role=GameRole.GAME_MASTER, left_at=None
    ).exists()


def _known(game: Game, person: Person) -> set[str]:
    """The powers that somebody has played since the game began."""
    if found := set(_since_the_start(game).filter(person=person).values_list("seat__power", flat=True)):
        return found - {*seats_given_by_rules(game)}
    left = GameMembership.objects.filter(
        game=game, person=person, role=GameRole.PLAYER, left_at__gt=game.started_at
    )
    # a script’s power that was given back has no seat, and no tenures any more
    return (
        set(variants.load(game.scripted_variant or game.variant).definition.scripted_powers)
        if left.exists()
        else set()
    )


def _dealt_with(game: Game, power: str) -> set[str]:
    """A power with the others of its share, and those that its first player had from the start."""
    shared = {other for share in game.settings.shares if power in share for other in share}
    first = _since_the_start(game).filter(first_phase_number=0).exclude(person=None)
    players = dict(first.values_list("seat__power", "person"))
    return {power} | shared | {other for other, who in players.items() if who == players.get(power)}


def _since_the_start(game: Game) -> QuerySet[PowerAssignment]:
    """Without those that ended before it: with a power that a link gave, nothing was played yet."""
    return PowerAssignment.objects.filter(seat__game=game).exclude(ended_at__lte=game.started_at)


def _lay_down(seat: GameSeat, game: Game) -> None:
    """A draft goes with its player: what lies before the next one is the sheet that counts, if any."""
    sheet = seat.game.sheets.filter(
        phase_number=game.phase_number, power=seat.power, withdrawn_at=None
    ).last()
    GameSeat.objects.filter(pk=seat.pk).update(
        is_ready=False,
        draft_orders=sheet.lines if sheet else [],
        draft_phase_number=sheet.phase_number if sheet else 0,
        drafted_at=sheet.received_at if sheet else None,
    )
    if game.phase_number:
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
        waiting = Game.objects.filter(pk=game.pk, state=GameState.PLAYING, adjudication_error="")
        waiting.filter(Q(next_check_at=None) | Q(next_check_at__gt=timezone.now())).update(
            next_check_at=timezone.now()
        )


def _open(game: Game | Given | OuterRef) -> QuerySet[PowerAssignment]:
    return PowerAssignment.objects.filter(seat__game=game, ended_at=None).select_related("seat")


def _holders(game: Given | OuterRef) -> QuerySet[PowerAssignment, tuple[int | None]]:
    """Who may order the power that will be given first."""
    held = _open(game).filter(seat__power=Given(GameSeat, "power"))
    return held.order_by("-is_stand_in").values_list("person_id")


def holder_of_power(game: OuterRef) -> Subquery:
    """For prepared queries: who may order the power that will be given, by primary key."""
    return Subquery(_holders(game)[:1])


PLAYER = PreparedQuery(lambda: _holders(Given(GameSeat, "game")))
ASSIGNMENTS = PreparedQuery(
    lambda: (
        _open(Given(GameSeat, "game")).order_by("seat", "is_stand_in").values_list("seat__power", "person_id")
    )
)
