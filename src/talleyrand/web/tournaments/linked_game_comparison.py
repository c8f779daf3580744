"""A board and its game on this site side by side: what differs, and who has a seat here and not yet there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from talleyrand import rulebooks, variants
from talleyrand.tournament import board_rules, regulations, round_timing
from talleyrand.tournament.model import Event, EventBoard
from talleyrand.tournament.model import PowerSeat as Sitting
from talleyrand.web.boards import display_names
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_master import scripted_powers, seat_actions
from talleyrand.web.games.lobby import split_form
from talleyrand.web.games.models import RUNNING_STATES, Game, GameSeat, GameState, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer as Look

from . import access_tokens, linked_game, tournament_names
from .models import Tournament
from .tournament_viewer import TournamentViewer


class SeatStep(StrEnum):
    """What makes the game have the seat that the board has."""

    TAKE = "take"  # from the script
    REPLACE = "replace"
    GIVE_BACK = "give_back"  # to the script
    STUCK = "stuck"  # the script cannot have its power back


@dataclass(frozen=True)
class SeatOffer:
    """A seat that is another one in the game. `person` of the event; `account`: whose he is known to have,
    None where his name has to be typed. `player_mark`: of who plays it now, as the game's desk asks for it.
    """

    power: str
    step: SeatStep
    player_mark: int = 0
    person: int | None = None
    account: int | None = None


def linked_game_viewer(sight: TournamentViewer, held: EventBoard) -> Look | None:
    """The game of a board as whoever works at the desk may see it; None for one that is not there for him."""
    game = linked_game.linked_game_of(held)
    look = Look(game, sight.account) if game else None
    return look if look is not None and look.may_open else None


def seat_offers(sight: TournamentViewer, held: EventBoard, look: Look) -> list[SeatOffer]:
    """Seats to be given in the game: for its game master alone, while it is played."""
    if not look.is_game_master or look.game.state not in RUNNING_STATES:
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
    return {access_tokens.person_of_token(tournament, one): int(one.account_id or 0) for one in known}


def player_of_seat(held: EventBoard, power: str) -> int | None:
    """Who plays a power of a board now: whoever took over last."""
    seat = held.seats[power]
    return seat.reliefs[-1].person if seat.reliefs else seat.person


def _offer(
    game: Game, held: EventBoard, power: str, seat: GameSeat | None, accounts: dict[int, int]
) -> SeatOffer | None:
    person = player_of_seat(held, power)
    if person is None:
        return _back(game, power)
    account = accounts.get(person)
    if power in scripted_powers.free_scripted_powers(game):
        return SeatOffer(power, SeatStep.TAKE, 0, person, account)
    if seat is None or not _is_other(seat, held.seats[power], account, accounts):
        return None
    return SeatOffer(power, SeatStep.REPLACE, seat_actions.seat_player_mark(seat), person, account)


def _back(game: Game, power: str) -> SeatOffer | None:
    """Nobody has the power of a script at the board any more."""
    if power not in scripted_powers.powers_taken_from_script(game):
        return None
    return SeatOffer(
        power, SeatStep.GIVE_BACK if scripted_powers.may_return_to_script(game) else SeatStep.STUCK
    )


def _is_other(seat: GameSeat, here: Sitting, account: int | None, accounts: dict[int, int]) -> bool:
    """Whether somebody else has the seat in the game; without an account, whether nobody has come since, or
    whoever has it is known to be somebody else."""
    tenures = list(PowerAssignment.objects.filter(seat=seat, ended_at=None).order_by("is_stand_in"))
    if account is not None:
        return account not in [one.person_id for one in tenures]
    if not tenures or tenures[-1].person_id in accounts.values():
        return True
    return bool(here.reliefs or here.missed) and tenures[-1].first_phase_number <= 1


def game_differences(event: Event, number: int, held: EventBoard, game: Game) -> Iterator[str]:
    """How a game differs from what the tournament plays, in sentences."""
    yield from _of_variant(held, game)
    wanted = regulations.read_regulations(event.regulations).rulebook
    if wanted and game.rulebook != wanted:
        told = {"theirs": display_names.rulebook_title(game.rulebook), "ours": _book(wanted)}
        yield (
            _("The game uses the rulebook “%(theirs)s”; the tournament regulations require “%(ours)s”.")
            % told
        )
    if held.variant != board_rules.INTIMATE:  # its seats are sides, whose powers their lists decide
        yield from _of_seats(held, game)
    if held.variant == board_rules.PAIRS:
        yield from _of_pairs(game)
    last = round_timing.last_year(event, number, held) - linked_game.years_later(game)
    if game.settings.last_year != last:
        yield _of_years(game.settings.last_year, last)
    ended = game.result if game.state == GameState.ENDED else None
    if ended and held.result and ended["centres"] != held.result.centres:
        yield _("The game ended with other centres than the result of this board, which stays.")


def _of_variant(held: EventBoard, game: Game) -> Iterator[str]:
    """A latecomer in a script's seat makes no other game of it."""
    told = {
        "theirs": tournament_names.variant_name(game.variant),
        "ours": tournament_names.variant_name(held.variant),
    }
    if held.variant == board_rules.ESCALATION:
        yield _("This site cannot run games of %(ours)s; the game’s variant is %(theirs)s.") % told
        return
    played = board_rules.CLASSIC if held.variant == board_rules.PAIRS else held.variant
    if played not in (game.variant, game.scripted_variant):
        yield _("The game’s variant is %(theirs)s; this board’s is %(ours)s.") % told


def _book(name: str) -> str:
    known = name in rulebooks.names()
    return rulebooks.load(name).title[display_names.reader_language()] if known else name


def _of_seats(held: EventBoard, game: Game) -> Iterator[str]:
    seats, scripted = (
        game.seats.values_list("power", flat=True),
        variants.load(game.variant).definition.scripted_powers,
    )
    there = {*seats, *scripted, *game.settings.passive}
    if missing := [power for power in held.seats if power not in there]:
        told = ", ".join(tournament_names.power_name(power, held.variant) for power in missing)
        yield _("The game has no seat for %(powers)s.") % {"powers": told}
    if extra := sorted(there - set(held.seats)):
        told = ", ".join(tournament_names.power_name(power, game.variant) for power in extra)
        yield _("The game has powers that this board does not have: %(powers)s.") % {"powers": told}


def _of_pairs(game: Game) -> Iterator[str]:
    """By the terms of the game, or by those who play it, dealt by hand."""
    hands: dict[int, set[str]] = {}
    for power, person in power_assignments.players_by_power(game).items():
        if person is not None:
            hands.setdefault(person, set()).add(power)
    pairs = board_rules.PAIRS_SPLIT.shares
    if set(map(frozenset, pairs)) in (
        set(map(frozenset, game.settings.shares)),
        set(map(frozenset, hands.values())),
    ):
        return
    ours = split_form.shares_text(board_rules.board_variant(board_rules.PAIRS), pairs)
    yield _("At this board people play %(ours)s; the game shares the powers otherwise.") % {"ours": ours}


def _of_years(theirs: int, ours: int) -> str:
    if not theirs:
        return _("The game has no last year; this board’s is %(ours)s.") % {"ours": ours}
    return _("The game’s last year is %(theirs)s; this board’s is %(ours)s.") % {
        "theirs": theirs,
        "ours": ours,
    }
