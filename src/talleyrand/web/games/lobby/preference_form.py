"""The powers that a player would like, as a form asks for them: a first wish, a second, and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game

MOST_PREFERENCES = 40


def preferences_from_post(post: Mapping[str, Any]) -> list[str]:
    """What was chosen, the best first; a wish left out is none."""
    chosen = (str(post.get(f"wish-{rank}", "")) for rank in range(1, MOST_PREFERENCES + 1))
    return [power for power in chosen if power]


def preference_choices(game: Game, wishes: Sequence[str]) -> list[dict[str, Any]]:
    """One list of powers for each rank, with what is wished already."""
    variant = variants.load(game.variant)
    aside = power_assignments.seats_for_no_player(game)
    seated = [code for code in game.seats.values_list("power", flat=True) if code not in aside]
    powers = [(code, display_names.power_name(variant, code)) for code in seated]
    return [
        {
            "rank": rank,
            "name": f"wish-{rank}",
            "powers": powers,
            "chosen": wishes[rank - 1] if rank <= len(wishes) else "",
        }
        for rank in range(1, len(powers) + 1)
    ]
