"""What the waiting room of a table shows."""

from __future__ import annotations

from typing import Any

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.games.lobby import split_form
from talleyrand.web.games.lobby.preference_form import preference_choices
from talleyrand.web.games.models import GameMembership

from .forms import dealing_choices
from .models import Dealing, Table, TablePlayer
from .table_clock import clock_text


def waiting_context(player: TablePlayer) -> dict[str, Any]:
    """How many have come, what will be played, and what the one who looks would like to play."""
    table = player.table
    numbers = [one for one in table.players.all() if one.number]
    found = {
        "there": sum(bool(one.phone_digest) for one in numbers),
        "all": len(numbers),
        "plan": plan_text(table),
        "bots": bot_players.bot_title(table.game.settings.bots),
    }
    return {**found, **_wishes(player)} if table.dealing == Dealing.WISHES else found


def plan_text(table: Table) -> str:
    """The game, its clock and how powers are dealt, in a line."""
    game = table.game
    variant = variants.load(game.variant)
    split = variant.splits.get(game.settings.split) or variant.each_alone
    title = split_form.split_title(variant, split)
    return " · ".join((title, clock_text(table.clock_rules), dict(dealing_choices())[Dealing(table.dealing)]))


def _wishes(player: TablePlayer) -> dict[str, Any]:
    game = player.table.game
    mine = GameMembership.objects.filter(game=game, person=player.person, left_at=None).first()
    wished = mine.preferences if mine else []
    variant = variants.load(game.variant)
    return {
        "ranks": preference_choices(game, wished),
        "wished": [display_names.power_name(variant, power) for power in wished],
    }
