"""A game begun now, in the database that the environment names: python -m tests.web.server.large_table"""

from __future__ import annotations

import sys

import django


def main() -> int:
    """Print the key of a game that goes on as soon as France is ready: the six others are."""
    django.setup()
    from django.utils import timezone

    from talleyrand.web.games import first_phase, order_submission
    from tests.web.cast import PLAYERS, table
    from tests.web.games.acting import all_hand_in

    game = first_phase.open_first_phase(
        table(begun=False, rhythm={"hours": 72, "early": True, "grace": 0}), timezone.now()
    )
    all_hand_in(game, but=["FRANCE"])
    for power in PLAYERS.keys() - {"FRANCE"}:
        order_submission.set_ready(game, power, game.phase_number, final=True, at=timezone.now())
    print(game.key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
