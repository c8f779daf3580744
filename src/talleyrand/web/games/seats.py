"""Who plays which power, and since when; and who may not."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person

from .models import Game, Membership, Role, Seat, State, Tenure
from .terms import Chair


class NotGiven(Exception):
    """A power that somebody may not have; `code` is what `bar` says."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def holders(game: Game, powers: Iterable[str] | None = None) -> dict[str, int | None]:
    """For each seat’s power the person (by primary key) who may order it now; None where nobody plays.

    `powers` are those of the seats, where they are known already.
    """
    seats = game.seats.values_list("power", flat=True) if powers is None else powers
    found: dict[str, int | None] = dict.fromkeys(seats)
    # stand-ins last: they go before the player whom they stand in for
    held = _open(game).order_by("stand_in").values_list("seat__power", "person_id")
    return found | dict(held)


def holders_of(games: Collection[Game]) -> dict[int, dict[str, int | None]]:
    """The same for several games, by primary key, of the powers that somebody has."""
    found: dict[int, dict[str, int | None]] = {game.pk: {} for game in games}
    held = Tenure.objects.filter(seat__game__in=games, until=None).order_by("stand_in")
    for game, power, person in held.values_list("seat__game", "seat__power", "person"):
        found[game][power] = person
    return found


def holder(game: Game, power: str) -> int | None:
    """Who may order one power now, by primary key."""
    held = _open(game).filter(seat__power=power).order_by("-stand_in")
    return held.values_list("person_id", flat=True).first()


def vacant(game: Game) -> tuple[str, ...]:
    """The powers that nobody plays, nor the computer, in the game’s order."""
    bots = of_computer(game)
    return tuple(power for power, person in holders(game).items() if person is None and power not in bots)


def of_computer(game: Game) -> dict[str, str]:
    """The powers that the computer plays, each with the name of its player."""
    return dict(game.seats.exclude(bot="").values_list("power", "bot"))


def give_to_computer(game: Game, powers: Collection[str], bot: str) -> None:
    """Let the computer play free seats, inside a transaction; `computers.ask` has it begin."""
    free = game.seats.filter(power__in=powers).exclude(pk__in=_open(game).values("seat"))
    free.update(bot=bot, disorder=False, missed=0)


def powers_of(game: Game, person: Person | None) -> tuple[str, ...]:
    """The powers that a person plays, in the game’s order."""
    if person is None:
        return ()
    held = _open(game).filter(person=person).order_by("seat")
    return tuple(dict.fromkeys(held.values_list("seat__power", flat=True)))


def held(game: Game) -> list[tuple[str, int | None]]:
    """Each power with whoever has its seat, in the game’s order; a stand-in after whom he stands in for."""
    return list(_open(game).order_by("seat", "stand_in").values_list("seat__power", "person_id"))


def players(game: Game) -> list[int]:
    """Everybody who plays, stand-ins and those they stand in for included, by primary key."""
    return list(_open(game).exclude(person=None).values_list("person", flat=True).distinct())


def give(game: Game, power: str, person: Person, *, stand_in: bool = False) -> Tenure:
    """Give a seat to somebody, for good or for a while; whoever had it before keeps his part of the story.

    To be called inside a transaction. A player for good also ends a stand-in’s time. Sheets handed in stay;
    what was only in preparation is not the next player’s. Raises NotGiven.
    """
    if barred := bar(game, person, power):
        raise NotGiven(barred)
    seat = Seat.objects.get(game=game, power=power)
    ended = seat.tenures.filter(until=None)
    (ended.filter(stand_in=True) if stand_in else ended).update(
        until=timezone.now(), last=max(game.number - 1, 0)
    )
    _lay_down(seat, game)
    Seat.objects.filter(pk=seat.pk).update(disorder=False, missed=0, bot="")
    return Tenure.objects.create(seat=seat, person=person, stand_in=stand_in, first=game.number)


def vacate(game: Game, power: str, *, stand_in: bool = False) -> None:
    """End whoever plays a power, a person or the computer, or its stand-in alone; with nobody left it is in
    civil disorder.

    To be called inside a transaction.
    """
    seat = Seat.objects.get(game=game, power=power)
    ended = seat.tenures.filter(until=None)
    (ended.filter(stand_in=True) if stand_in else ended).update(
        until=timezone.now(), last=max(game.number - 1, 0)
    )
    _lay_down(seat, game)
    if not seat.tenures.filter(until=None).exists():
        Seat.objects.filter(pk=seat.pk).update(disorder=True, bot="")


def bar(game: Game, person: Person, power: str) -> str:
    """Why somebody may not play a power of a game that has begun, for good or for a while; "": they may.

    `saw_all`: they have been at its desk since it began. `held_other`: they have played another of its powers
    and know its secrets. Powers that one player had from the start go together.
    """
    if not game.number:
        return ""
    if power in variants.load(game.variant).board.landless and _leads(game, person):
        return ""  # whoever leads the game may preside over it
    desk = Membership.objects.filter(game=game, person=person, role__in=(Role.MASTER, Role.ASSISTANT))
    if desk.filter(Q(left=None) | Q(left__gt=game.started)).exists():
        return "saw_all"
    known = _known(game, person)
    return "held_other" if known and not known <= _dealt_with(game, power) else ""


def to_fill(game: Game) -> int:
    """How many players a game is for: a seat without land is theirs only where the terms say so."""
    return game.seats.count() - len(set_aside(game))


def set_aside(game: Game) -> tuple[str, ...]:
    """The seats without land that are no player’s."""
    if game.terms.chair == Chair.PLAYER:
        return ()
    return variants.load(game.variant).board.landless


def _leads(game: Game, person: Person) -> bool:
    return Membership.objects.filter(game=game, person=person, role=Role.MASTER, left=None).exists()


def _known(game: Game, person: Person) -> set[str]:
    """The powers that somebody has played since the game began."""
    if found := set(_since_the_start(game).filter(person=person).values_list("seat__power", flat=True)):
        return found
    left = Membership.objects.filter(game=game, person=person, role=Role.PLAYER, left__gt=game.started)
    # a script’s power that was given back has no seat, and no tenures any more
    return set(variants.load(game.script or game.variant).setting.scripted) if left.exists() else set()


def _dealt_with(game: Game, power: str) -> set[str]:
    """A power with the others that its first player had from the start."""
    first = _since_the_start(game).filter(first=0).exclude(person=None)
    players = dict(first.values_list("seat__power", "person"))
    return {power} | {other for other, who in players.items() if who == players.get(power)}


def _since_the_start(game: Game) -> QuerySet[Tenure]:
    """Without those that ended before it: with a power that a link gave, nothing was played yet."""
    return Tenure.objects.filter(seat__game=game).exclude(until__lte=game.started)


def _lay_down(seat: Seat, game: Game) -> None:
    """A draft goes with its player: what lies before the next one is the sheet that counts, if any."""
    sheet = seat.game.sheets.filter(number=game.number, power=seat.power, withdrawn=None).last()
    Seat.objects.filter(pk=seat.pk).update(
        final=False,
        draft=sheet.lines if sheet else [],
        draft_number=sheet.number if sheet else 0,
        draft_at=sheet.at if sheet else None,
    )
    if game.number:
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
        waiting = Game.objects.filter(pk=game.pk, state=State.PLAYING, trouble="")
        waiting.filter(Q(sweep=None) | Q(sweep__gt=timezone.now())).update(sweep=timezone.now())


def _open(game: Game) -> QuerySet[Tenure]:
    return Tenure.objects.filter(seat__game=game, until=None).select_related("seat")
