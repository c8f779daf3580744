"""A site on which nobody has looked at a phase that has been due for long."""

from __future__ import annotations


def prepare() -> None:
    """Five have handed in, two have drafts alone, and some grace is left."""
    from tests.web.cast import table
    from tests.web.games.acting import all_hand_in, draft

    game = table(rhythm={"hours": 72, "early": False, "grace": 3600}, absent="disorder")
    all_hand_in(game, but=["FRANCE", "TURKEY"])
    draft(game, "FRANCE", "A PAR-BUR")
    draft(game, "TURKEY", "A CON-BUL")
