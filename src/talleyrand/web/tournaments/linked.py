"""A board and its game on this site side by side: what differs, and who has a seat here and not yet there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from talleyrand import rulebooks, variants
from talleyrand.tournament import boards, regulations, timing
from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.model import Seat as Sitting
from talleyrand.web.boards import wording
from talleyrand.web.games.desk import scripts, seating
from talleyrand.web.games.models import RUNNING, Game, Seat, Tenure
from talleyrand.web.games.sight import Sight as Look

from . import gamed, naming, passes
from .models import Tournament
from .sight import Sight


class Step(StrEnum):
    """What makes the game have the seat that the board has."""

    TAKE = "take"  # from the script
    REPLACE = "replace"
    GIVE_BACK = "give_back"  # to the script
    STUCK = "stuck"  # the script cannot have its power back


@dataclass(frozen=True)
class Offer:
    """A seat that is another one in the game. `person` of the event; `account`: whose he is known to have,
    None where his name has to be typed. `mark`: of who plays it now, as the game's desk asks for it."""

    power: str
    step: Step
    mark: int = 0
    person: int | None = None
    account: int | None = None


def look_of(sight: Sight, held: Board) -> Look | None:
    """The game of a board as whoever works at the desk may see it; None for one that is not there for him."""
    game = gamed.game_of(held)
    look = Look(game, sight.account) if game else None
    return look if look is not None and look.may_open else None


def offers(sight: Sight, held: Board, look: Look) -> list[Offer]:
    """Seats to be given in the game: for its game master alone, while it is played."""
    if not look.is_master or look.game.state not in RUNNING:
        return []
    seats = {one.power: one for one in look.game.seats.all()}
    accounts = _accounts(sight.tournament)
    return [
        found
        for power in held.seats
        if (found := _offer(look.game, held, power, seats.get(power), accounts)) is not None
    ]


def _accounts(tournament: Tournament) -> dict[int, int]:
    """The accounts of people of the event, as far as they are known, by number."""
    known = tournament.passes.exclude(account=None)
    return {passes.person_of(tournament, one): int(one.account_id or 0) for one in known}


def sitting(held: Board, power: str) -> int | None:
    """Who plays a power of a board now: whoever took over last."""
    seat = held.seats[power]
    return seat.reliefs[-1].person if seat.reliefs else seat.person


def _offer(game: Game, held: Board, power: str, seat: Seat | None, accounts: dict[int, int]) -> Offer | None:
    person = sitting(held, power)
    if person is None:
        return _back(game, power)
    account = accounts.get(person)
    if power in scripts.free(game):
        return Offer(power, Step.TAKE, 0, person, account)
    if seat is None or not _is_other(seat, held.seats[power], account, accounts):
        return None
    return Offer(power, Step.REPLACE, seating.mark(seat), person, account)


def _back(game: Game, power: str) -> Offer | None:
    """Nobody has the power of a script at the board any more."""
    if power not in scripts.taken(game):
        return None
    return Offer(power, Step.GIVE_BACK if scripts.may_go_back(game) else Step.STUCK)


def _is_other(seat: Seat, here: Sitting, account: int | None, accounts: dict[int, int]) -> bool:
    """Whether somebody else has the seat in the game; without an account, whether nobody has come since, or
    whoever has it is known to be somebody else."""
    tenures = list(Tenure.objects.filter(seat=seat, until=None).order_by("stand_in"))
    if account is not None:
        return account not in [one.person_id for one in tenures]
    if not tenures or tenures[-1].person_id in accounts.values():
        return True
    return bool(here.reliefs or here.missed) and tenures[-1].first <= 1


def differences(event: Event, number: int, held: Board, game: Game) -> Iterator[str]:
    """How a game differs from what the tournament plays, in sentences."""
    yield from _of_variant(held, game)
    wanted = regulations.read(event.regulations).rulebook
    if wanted and game.rulebook != wanted:
        told = {"theirs": wording.book_title(game.rulebook), "ours": _book(wanted)}
        yield _("The game is judged by “%(theirs)s”; these regulations say “%(ours)s”.") % told
    yield from _of_seats(held, game)
    last = timing.last_year(event, number, held)
    if game.terms.last_year != last:
        yield _of_years(game.terms.last_year, last)


def _of_variant(held: Board, game: Game) -> Iterator[str]:
    """A latecomer in a script's seat makes no other game of it."""
    told = {"theirs": naming.variant_name(game.variant), "ours": naming.variant_name(held.variant)}
    if held.variant in boards.UNKNOWN_CENTRES:
        yield _("This site cannot lead a game of %(ours)s: the game there is %(theirs)s.") % told
        return
    played = boards.CLASSIC if held.variant == boards.PAIRS else held.variant
    if played not in (game.variant, game.script):
        yield _("The game there is %(theirs)s; at this board it is %(ours)s.") % told


def _book(name: str) -> str:
    known = name in rulebooks.names()
    return rulebooks.load(name).title[wording.language()] if known else name


def _of_seats(held: Board, game: Game) -> Iterator[str]:
    seats, scripted = game.seats.values_list("power", flat=True), variants.load(game.variant).setting.scripted
    there = {*seats, *scripted}
    if missing := [power for power in held.seats if power not in there]:
        told = ", ".join(naming.power(power, held.variant) for power in missing)
        yield _("The game has no seat for %(powers)s.") % {"powers": told}
    if extra := sorted(there - set(held.seats)):
        told = ", ".join(naming.power(power, game.variant) for power in extra)
        yield _("The game has powers that this board has not: %(powers)s.") % {"powers": told}


def _of_years(theirs: int, ours: int) -> str:
    if not theirs:
        return _("The game has no last year; at this board it is %(ours)s.") % {"ours": ours}
    return _("The last year of the game is %(theirs)s; at this board it is %(ours)s.") % {
        "theirs": theirs,
        "ours": ours,
    }
