"""What a token may be used for. It never gives more than its person may."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_noop as _


class Scope(StrEnum):
    """One kind of right; a resource asks for exactly one."""

    READ = "read"
    ORDERS = "orders"
    LETTERS = "letters"
    TABLES = "tables"
    DESK = "desk"
    TOURNAMENTS = "tournaments"
    ACCOUNT = "account"


SENTENCES: dict[Scope, str] = {
    Scope.READ: _("Read games, resolved phases, deadlines and rulebooks, and use the adjudicator."),
    Scope.ORDERS: _("Read your own orders; prepare and submit orders."),
    Scope.LETTERS: _("Read your messages, and write messages in your name."),
    Scope.TABLES: _("Create, join and leave games, announce absences, propose and vote."),
    Scope.DESK: _("Act as game master or assistant in your games."),
    Scope.TOURNAMENTS: _("Act in your tournaments: as director or assistant, and at your board as a player."),
    Scope.ACCOUNT: _("Read and change your preferences, notifications, webhooks and calendar address."),
}
