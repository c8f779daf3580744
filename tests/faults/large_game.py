"""A game of the large setting, in the database that the environment names: python -m tests.faults.large_game
begin | told.
"""

from __future__ import annotations

import json
import sys

import django


def begin() -> None:
    """Print the key of a game that goes on as soon as all seven are ready; some have news by mail."""
    from django.utils import timezone

    from talleyrand.web.games import first_phase
    from talleyrand.web.mail.subscriptions import subscribing
    from tests.web.cast import MASTER, table
    from tests.web.mail.correspondents import correspond

    rhythm = {"hours": 72, "early": True, "grace": 0}
    game = first_phase.open_first_phase(table(begun=False, rhythm=rhythm), timezone.now())
    for name in ("Flora", "Irène"):
        subscribing.subscribe(game, correspond(name))
    for name in ("Edmond", MASTER):
        correspond(name)
    print(game.key)


def told() -> None:
    """Print what the site holds."""
    from . import accounts

    accounts.told(lambda found: print(json.dumps(found)))


if __name__ == "__main__":
    django.setup()
    {"begin": begin, "told": told}[sys.argv[1]]()
