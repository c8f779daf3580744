"""What a token may be used for. It never gives more than its person may."""

from __future__ import annotations

from enum import StrEnum

from .marked_texts import _


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
    Scope.READ: _("Read games, published phases, dates and books, and ask the judge."),
    Scope.ORDERS: _("Read your own sheets, and prepare and hand in your orders."),
    Scope.LETTERS: _("Read your letters, and write some in your name."),
    Scope.TABLES: _("Make games, join and leave them, say when you are away, propose and vote."),
    Scope.DESK: _("Do what you do as game master or assistant."),
    Scope.TOURNAMENTS: _("Do what you do as director or assistant of a tournament."),
    Scope.ACCOUNT: _("Read and change your preferences, news, webhooks, and your calendar’s address."),
}
