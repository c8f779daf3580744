"""Who sees what, and when: each column a reader, each row a secret, “x” where it is seen somewhere.

v visitor · s stranger · o observer · a assistant · m game master · F France · G Germany · R Russia’s former
player · r Russia’s new one · T Turkey’s player · t who stands in for them · I Italy’s former player (the
computer has it now), who asks for England’s free seat · A the site’s administrator
"""

from __future__ import annotations

from tests.web.visibility.scene import MARKS

COLUMNS = {
    "v": "visitor",
    "s": "stranger",
    "o": "observer",
    "a": "assistant",
    "m": "master",
    "F": "france",
    "G": "germany",
    "R": "replaced",
    "r": "russia",
    "T": "stood_in",
    "t": "stand_in",
    "I": "held_another",
    "A": "administrator",
}
PLAYED = """
                  v s o a m F G R r T t I A
published_sheet   x x x x x x x x x x x x x
open_sheet        . . . . x x . . . . . . .
open_draft        . . . . . . x . . . . . .
stand_in_draft    . . . . . . . . . x x . .
former_draft      . . . . . . . . . . . . .
former_sheet      . . . . x . . x x . . . .
free_sheet        . . . . x . . . . . . . .
computer_sheet    . . . . x . . . . . . . .
letter            . . . . x x x . . . . . .
letter_russia     . . . . x x . . x . . . .
letter_england    . . . . x x . . . . . . .
letter_master     . . . . x x . . . . . . .
held_letter       . . . . x x . . . . . . .
returned_letter   . . . . x x . . . . . . .
public_letter     x x x x x x x x x x x x x
gazette           x x x x x x x x x x x x x
invitation        . . . . x . . . . . . . .
masters_log       . . . x x . . . . . . . .
offered           . . . . x . . . . . . . .
absence           . . . . x x . . . . . . .
mail_to_france    . . . . . x . . . . . . .
mail_for_russia   . . . . . . . . . . . . .
"""
# Nobody is invited any more; a sheet that was never published has a receipt alone, and a bot has none.
OVER = "\n".join(
    row.replace(" x", " .") if row.startswith(("invitation", "offered", "computer_sheet")) else row
    for row in PLAYED.split("\n")
)
GATHERING = """
                  v s o a m F G R r T t I A
invitation        . . . . x . . . . . . . .
offered           . . . . x . . . . . . . .
"""
TABLES = {
    "gathering": GATHERING,
    "open": PLAYED,
    "paused": PLAYED,
    "revealed": PLAYED,
    "ended": OVER,
    "abandoned": OVER,
}
# At these moments everybody who may look may know who plays what.
KNOWN = ("revealed", "ended", "abandoned")


def seen(moment: str, who: str) -> set[str]:
    """The secrets that a reader sees at a moment."""
    head, *rows = TABLES[moment].strip("\n").splitlines()
    column = head.split().index(next(letter for letter, name in COLUMNS.items() if name == who)) + 1
    found = {row.split()[0] for row in rows if row.split()[column] == "x"}
    assert found <= MARKS.keys()
    return found


def told_to_programs(moment: str, who: str) -> set[str]:
    """The secrets that a reader's programs may be told: a bot's sheet too, which the game master could read
    while the game was played.
    """
    more = {"computer_sheet"} if who == "master" and TABLES[moment] is OVER else set()
    return seen(moment, who) | more


def cells() -> int:
    """How many answers the tables hold."""
    return sum(len(table.split()) - len(COLUMNS) - table.count("\n") + 1 for table in TABLES.values())
