"""A table is opened: a game with a guest on every seat."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from talleyrand import variants
from talleyrand.variants import Split
from talleyrand.web.accounts import guests
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.game_settings import (
    Anonymity,
    DrawRule,
    GameSettings,
    MissingOrdersRule,
    PressSetting,
    SpectatorRule,
)
from talleyrand.web.games.lobby import game_creation
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import GameMembership, GameRole, random_token

from .models import BOARD, Dealing, Table, TablePlayer, new_table_code
from .table_clock import TableClock

REFEREE_SEAT = 0


@dataclass(frozen=True)
class TablePlan:
    """What the page that opens a table asks; `names` of those who sit there, "" for whoever comes later.

    `people` are fewer than the split is for where a game goes on with powers that nobody plays; 0: as many.
    `bots` is who plays the seats that have neither a phone nor paper at the start, "": they play on paper.
    `last_year` is the game's, 0 for none; `board` whose table it is, where a tournament opens it: its key,
    the round and the board.
    """

    name: str
    variant: str
    rulebook: str
    split: Split
    clock: TableClock
    dealing: Dealing
    names: tuple[str, ...] = ()
    people: int = 0
    last_year: int = 0
    board: tuple[str, int, int] | None = None
    bots: str = ""


@write_transaction
def open_table(plan: TablePlan, submission: str) -> Table:
    """A table that waits for its phones, with a seat for each player and one for the referee.

    Raises QuestionRefusal where the rulebook cannot judge this board.
    """
    game_creation.check_playable(plan.variant, plan.rulebook)
    once = hashlib.sha256((submission or random_token()).encode("utf-8", "surrogatepass")).hexdigest()
    known = Table.objects.filter(submission_id=once).first()
    if known is not None:
        return known
    code = new_table_code()
    host = guests.make_guest("host", code)
    game = game_creation.create_game(_game_plan(plan), host, "")
    table = Table.objects.create(
        game=game,
        code=code,
        submission_id=once,
        host=host,
        dealing=plan.dealing,
        clock={**plan.clock.as_json(), **({BOARD: list(plan.board)} if plan.board else {})},
    )
    _seat(table, REFEREE_SEAT, "", (), GameRole.OBSERVER, is_referee=True)
    for number, share in enumerate(plan.split.shares[: plan.people or None], 1):
        name = plan.names[number - 1] if number <= len(plan.names) else ""
        _seat(table, number, name, share if plan.dealing == Dealing.SEATED else (), GameRole.PLAYER)
    return table


def _game_plan(plan: TablePlan) -> GamePlan:
    split = plan.split
    terms = GameSettings(
        anonymity=Anonymity.OPEN,
        press=PressSetting.NONE,
        rhythm=plan.clock.deadline_settings().as_json(),
        opens_paused=plan.clock.by_hand,
        absent=MissingOrdersRule.WAIT,
        patience=0,
        absence_days=0,
        draw=DrawRule.VETO_THEN_VOTE,
        submissions_shown=True,
        bots=plan.bots,
        watching=SpectatorRule.INVITED,
        split=split.name,
        shares=split.shares if any(len(share) > 1 for share in split.shares) else (),
        passive=split.passive,
        disordered=split.absent,
        first_year=split.first_year,
        last_year=plan.last_year,
    )
    return GamePlan(plan.name, plan.variant, plan.rulebook, terms, is_listed=False, role=GameRole.GAME_MASTER)


def _seat(
    table: Table, number: int, name: str, powers: tuple[str, ...], role: str, *, is_referee: bool = False
) -> TablePlayer:
    person = guests.make_guest(name or str(number), table.code)
    GameMembership.objects.create(game=table.game, person=person, role=role)
    return TablePlayer.objects.create(
        table=table, number=number, person=person, powers=list(powers), is_referee=is_referee
    )


def usual_split(variant: str, people: int) -> Split | None:
    """The first split of a variant for so many people, of which its own makers say that it fits; None."""
    return next(iter(variants.load(variant).splits_for(people)), None)
