"""A seat that an account keeps: what a guest has played is the account's, and the guest is gone."""

from __future__ import annotations

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_log
from talleyrand.web.games.models import (
    Absence,
    GameLogEntry,
    GameMembership,
    GameRole,
    Gazette,
    OrderSet,
    PhaseRevision,
    PowerAssignment,
)

from .models import Table, TablePlayer
from .table_seats import SeatRefusal, locked_player, tell_table


@write_transaction
def keep_in_account(player: TablePlayer, account: Person) -> TablePlayer:
    """The seat of a guest is an account's, with its powers, orders and history; its phone stays seated.

    Twice is once. Raises SeatRefusal: `kept` (an account has it already), `member` (the account has another
    part in this game), `class` (a class keeps nobody's account), `one_device` (all hold one device, which is
    signed in as one of them).
    """
    fresh = locked_player(player)
    if fresh.person_id == account.pk:
        return fresh
    _check(fresh, account)
    guest = fresh.person
    _hand_down(fresh.table, guest, account)
    TablePlayer.objects.filter(pk=fresh.pk).update(person=account)
    guest.delete()
    game_log.add_log_entry(fresh.table.game, "joined", role=GameRole.PLAYER, by=account, shown=False)
    tell_table(fresh.table)
    return locked_player(player)


def _check(player: TablePlayer, account: Person) -> None:
    if not player.person.is_guest or account.is_guest:
        raise SeatRefusal("kept")
    if player.table.class_session_id is not None:
        raise SeatRefusal("class")
    if player.table.is_one_device:
        raise SeatRefusal("one_device")
    game = player.table.game
    plays = GameMembership.objects.filter(game=game, person=account, left_at=None)
    if plays.exclude(role=GameRole.OBSERVER).exists() or TablePlayer.objects.filter(
        table=player.table, person=account
    ):
        raise SeatRefusal("member")


def _hand_down(table: Table, guest: Person, account: Person) -> None:
    """All that says in this game that the guest did it says so of the account."""
    mine = {"person": guest, "game": table.game}
    GameMembership.objects.filter(game=table.game, person=account, left_at=None).update(
        left_at=timezone.now()
    )
    for rows in (
        GameMembership.objects.filter(**mine),
        GameLogEntry.objects.filter(**mine),
        Absence.objects.filter(**mine),
        PowerAssignment.objects.filter(person=guest, seat__game=table.game),
    ):
        rows.update(person=account)
    OrderSet.objects.filter(game=table.game, submitted_by=guest).update(submitted_by=account)
    PhaseRevision.objects.filter(game=table.game, published_by=guest).update(published_by=account)
    Gazette.objects.filter(game=table.game, author=guest).update(author=account)
