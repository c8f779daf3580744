"""The rules of letters as a table: kind of press × moment × who writes × to whom."""

from __future__ import annotations

import itertools

import pytest

from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import GameRole, GameState
from talleyrand.web.press import press_rules, press_texts
from talleyrand.web.press.press_rules import (
    EVERYBODY,
    GAME_MASTER,
    ConversationKind,
    InvalidRecipients,
    PressAuthor,
    PressSituation,
    Recipients,
)
from tests.each import each

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE")
ROOMS = {
    "pair": Recipients(ConversationKind.PAIR, ("ENGLAND", "FRANCE")),
    "group": Recipients(ConversationKind.GROUP, POWERS),
    "all": Recipients(ConversationKind.ALL),
    "master": Recipients(ConversationKind.MASTER, ("FRANCE",)),
}
FRANCE = PressAuthor(GameRole.PLAYER, ("FRANCE",))
GONE = PressAuthor(GameRole.PLAYER, ("FRANCE",), eliminated=frozenset({"FRANCE"}))
MASTERS = PressAuthor(GameRole.GAME_MASTER)

# Kind of press, whether letters go on between moves, state, kind of phase: what a power may write in
# pair, group, all, master. "yes", "held", or why not.
TABLE = """
full   yes playing   M   yes       yes       yes       yes
full   yes playing   R   yes       yes       yes       yes
full   yes playing   A   yes       yes       yes       yes
full   yes playing   D   yes       yes       yes       yes
full   yes paused    M   yes       yes       yes       yes
full   yes gathering -   not_begun not_begun not_begun yes
full   yes ended     -   over      over      yes       yes
full   yes abandoned M   over      over      yes       yes
full   no  playing   M   yes       yes       yes       yes
full   no  playing   D   yes       yes       yes       yes
full   no  playing   R   between   between   between   yes
full   no  playing   A   between   between   between   yes
full   no  paused    A   between   between   between   yes
full   no  ended     A   over      over      yes       yes
public yes playing   M   public    public    yes       yes
public yes playing   R   public    public    yes       yes
public yes paused    M   public    public    yes       yes
public no  playing   M   public    public    yes       yes
public no  playing   R   between   between   between   yes
public yes gathering -   not_begun not_begun not_begun yes
public yes ended     -   over      over      yes       yes
none   yes playing   M   none      none      none      yes
none   yes playing   A   none      none      none      yes
none   no  playing   R   none      none      none      yes
none   yes paused    M   none      none      none      yes
none   yes gathering -   not_begun not_begun not_begun yes
none   yes ended     -   over      over      yes       yes
held   yes playing   M   held      held      held      yes
held   yes playing   A   held      held      held      yes
held   no  playing   A   between   between   between   yes
held   yes paused    M   held      held      held      yes
held   yes gathering -   not_begun not_begun not_begun yes
held   yes ended     -   over      over      yes       yes
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]


def moment(press: str, between: str, state: str, phase: str, **more: bool) -> PressSituation:
    return PressSituation(PressSetting(press), between == "yes", state=state, phase=phase.strip("-"), **more)


@each(
    ("row", "place"),
    list(itertools.product(ROWS, range(4))),
)
def test_what_a_power_may_write(row: list[str], place: int) -> None:
    now, room, expected = moment(*row[:4]), list(ROOMS.values())[place], row[4 + place]
    found = press_rules.press_permission(now, FRANCE, room, "FRANCE")
    told = found.code or ("held" if found.held else "yes")
    assert told == expected
    assert expected in ("yes", "held") or press_texts.refusal_text(expected)
    # an eliminated power keeps what goes to everybody and to the game master, and loses the rest
    eliminated = press_rules.press_permission(now, GONE, room, "FRANCE").code
    private = room.kind in (ConversationKind.PAIR, ConversationKind.GROUP)
    assert eliminated == ("eliminated" if private and expected in ("yes", "held") else found.code)


@each("row", ROWS)
def test_the_game_master_always_writes_and_is_always_written_to(row: list[str]) -> None:
    now = moment(*row[:4])
    for name, room in ROOMS.items():
        found = press_rules.press_permission(now, MASTERS, room, GAME_MASTER)
        assert found == press_rules.PressPermission("between_them" if name in ("pair", "group") else "")
    assert press_rules.press_permission(now, FRANCE, ROOMS["master"], "FRANCE").allowed
    orphan = moment(*row[:4], has_game_master=False)
    assert press_rules.press_permission(orphan, FRANCE, ROOMS["master"], "FRANCE").code == "no_master"


@each("row", ROWS)
@each("room", list(ROOMS.values()))
@each(
    ("pen", "writer", "code"),
    [
        (PressAuthor(GameRole.OBSERVER), "FRANCE", "watching"),
        (PressAuthor(GameRole.ASSISTANT), "FRANCE", "watching"),
        (PressAuthor(GameRole.ASSISTANT), GAME_MASTER, "watching"),
        (PressAuthor(""), "FRANCE", "watching"),
        (PressAuthor(GameRole.PLAYER), "FRANCE", "seatless"),
        (PressAuthor(GameRole.PLAYER), GAME_MASTER, "seatless"),
        (PressAuthor(GameRole.PLAYER, (), ("FRANCE",)), "FRANCE", "lent"),
        (PressAuthor(GameRole.PLAYER, ("ENGLAND",), ("FRANCE",)), "FRANCE", "lent"),
        (PressAuthor(GameRole.PLAYER, ("ENGLAND",)), "FRANCE", "not_yours"),
        (PressAuthor(GameRole.PLAYER, ("ENGLAND",)), "", "not_yours"),
        (PressAuthor(GameRole.PLAYER, ("ENGLAND",)), GAME_MASTER, "not_yours"),
        (PressAuthor(GameRole.PLAYER, ("ENGLAND",)), "?", "not_yours"),
        (PressAuthor(GameRole.GAME_MASTER), "FRANCE", "not_yours"),
    ],
)
def test_nobody_signs_with_what_is_not_his(
    row: list[str], room: Recipients, pen: PressAuthor, writer: str, code: str
) -> None:
    assert press_rules.press_permission(moment(*row[:4]), pen, room, writer).code == code
    assert press_rules.press_permission(moment(*row[:4]), pen, room, writer, unsigned=True).code == code
    assert press_texts.refusal_text(code)


@each(
    ("powers", "lent", "room", "code"),
    [
        (("FRANCE",), (), Recipients(ConversationKind.PAIR, ("AUSTRIA", "ENGLAND")), "not_yours"),
        (("FRANCE",), (), Recipients(ConversationKind.MASTER, ("AUSTRIA",)), "not_yours"),
        (("FRANCE", "ENGLAND"), (), ROOMS["pair"], "oneself"),
        (("FRANCE",), ("ENGLAND",), ROOMS["pair"], "oneself"),
        (("FRANCE", "ENGLAND"), (), ROOMS["group"], ""),
        (("FRANCE", "ENGLAND"), (), ROOMS["all"], ""),
    ],
)
def test_a_room_has_its_writer_and_somebody_else(
    powers: tuple[str, ...], lent: tuple[str, ...], room: Recipients, code: str
) -> None:
    assert (
        press_rules.press_permission(
            PressSituation(), PressAuthor(GameRole.PLAYER, powers, lent), room, "FRANCE"
        ).code
        == code
    )


@each(
    ("press", "agreed", "state", "room", "expected"),
    [
        ("full", True, GameState.PLAYING, "all", "yes"),
        ("full", True, GameState.PAUSED, "all", "yes"),
        ("public", True, GameState.PLAYING, "all", "yes"),
        ("held", True, GameState.PLAYING, "all", "held"),
        ("none", True, GameState.PLAYING, "all", "none"),
        ("full", False, GameState.PLAYING, "all", "unsigned"),
        ("full", True, GameState.PLAYING, "pair", "unsigned"),
        ("full", True, GameState.PLAYING, "group", "unsigned"),
        ("full", True, GameState.PLAYING, "master", "unsigned"),
        ("full", True, GameState.ENDED, "all", "unsigned"),
        ("full", True, GameState.GATHERING, "all", "not_begun"),
    ],
)
def test_declarations(press: str, agreed: bool, state: str, room: str, expected: str) -> None:
    now = PressSituation(PressSetting(press), declarations=agreed, state=state)
    found = press_rules.press_permission(now, FRANCE, ROOMS[room], "FRANCE", unsigned=True)
    assert (found.code or ("held" if found.held else "yes")) == expected
    assert (
        press_rules.press_permission(now, MASTERS, ROOMS["all"], GAME_MASTER, unsigned=True).code
        == "unsigned"
    )


@each(
    ("writer", "to", "expected"),
    [
        ("FRANCE", ["ENGLAND"], "ENGLAND+FRANCE"),
        ("ENGLAND", ["FRANCE"], "ENGLAND+FRANCE"),
        ("FRANCE", ["ENGLAND", "AUSTRIA"], "AUSTRIA+ENGLAND+FRANCE"),
        ("FRANCE", [EVERYBODY], "*"),
        ("FRANCE", [GAME_MASTER], "FRANCE+@"),
        (GAME_MASTER, ["FRANCE"], "FRANCE+@"),
        (GAME_MASTER, [EVERYBODY], "*"),
        ("FRANCE", [], InvalidRecipients("nobody")),
        ("FRANCE", ["ENGLAND", "ENGLAND"], InvalidRecipients("twice")),
        ("FRANCE", ["FRANCE"], InvalidRecipients("oneself")),
        ("FRANCE", ["ENGLAND", "FRANCE"], InvalidRecipients("oneself")),
        (GAME_MASTER, [GAME_MASTER], InvalidRecipients("oneself")),
        ("FRANCE", ["TURKEY"], InvalidRecipients("unknown")),
        ("FRANCE", ["england"], InvalidRecipients("unknown")),
        ("FRANCE", [""], InvalidRecipients("unknown")),
        ("FRANCE", ["?"], InvalidRecipients("unknown")),
        ("FRANCE", ["ENGLAND+AUSTRIA"], InvalidRecipients("unknown")),
        ("FRANCE", ["ENGLAND", GAME_MASTER], InvalidRecipients("mixed")),
        ("FRANCE", [EVERYBODY, "ENGLAND"], InvalidRecipients("mixed")),
        ("FRANCE", [EVERYBODY, GAME_MASTER], InvalidRecipients("mixed")),
        (GAME_MASTER, ["FRANCE", "ENGLAND"], InvalidRecipients("mixed")),
    ],
)
def test_addresses(writer: str, to: list[str], expected: str | InvalidRecipients) -> None:
    if isinstance(expected, str):
        assert press_rules.recipients_for(writer, to, POWERS).participants_key == expected
        return
    with pytest.raises(InvalidRecipients) as raised:
        press_rules.recipients_for(writer, to, POWERS)
    assert raised.value.code == expected.code
    assert press_texts.refusal_text(expected.code)


@each("row", ROWS)
def test_the_page_says_what_may_be_written(row: list[str]) -> None:
    said = list(press_texts.mode_texts(moment(*row[:4])))
    assert len(said) == 2
    assert "maître de jeu" in said[1]
    assert (
        "n’a pas de maître de jeu" in list(press_texts.mode_texts(moment(*row[:4], has_game_master=False)))[1]
    )
