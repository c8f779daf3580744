"""The rules of letters as a table: kind of press × moment × who writes × to whom."""

from __future__ import annotations

import itertools

import pytest

from talleyrand.web.games.models import Role, State
from talleyrand.web.games.terms import Press
from talleyrand.web.press import rules, sentences
from talleyrand.web.press.rules import EVERYBODY, MASTER, Address, Kind, Moment, NoAddress, Pen

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE")
ROOMS = {
    "pair": Address(Kind.PAIR, ("ENGLAND", "FRANCE")),
    "group": Address(Kind.GROUP, POWERS),
    "all": Address(Kind.ALL),
    "master": Address(Kind.MASTER, ("FRANCE",)),
}
FRANCE = Pen(Role.PLAYER, ("FRANCE",))
GONE = Pen(Role.PLAYER, ("FRANCE",), eliminated=frozenset({"FRANCE"}))
MASTERS = Pen(Role.MASTER)

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


def moment(press: str, between: str, state: str, phase: str, **more: bool) -> Moment:
    return Moment(Press(press), between == "yes", state=state, phase=phase.strip("-"), **more)


@pytest.mark.parametrize(
    ("row", "place"),
    list(itertools.product(ROWS, range(4))),
    ids=lambda one: "-".join(one) if isinstance(one, list) else "",
)
def test_what_a_power_may_write(row: list[str], place: int) -> None:
    now, room, expected = moment(*row[:4]), list(ROOMS.values())[place], row[4 + place]
    found = rules.verdict(now, FRANCE, room, "FRANCE")
    told = found.code or ("held" if found.held else "yes")
    assert told == expected
    assert expected in ("yes", "held") or sentences.refusal(expected)
    # an eliminated power keeps what goes to everybody and to the game master, and loses the rest
    eliminated = rules.verdict(now, GONE, room, "FRANCE").code
    private = room.kind in (Kind.PAIR, Kind.GROUP)
    assert eliminated == ("eliminated" if private and expected in ("yes", "held") else found.code)


@pytest.mark.parametrize("row", ROWS, ids="-".join)
def test_the_game_master_always_writes_and_is_always_written_to(row: list[str]) -> None:
    now = moment(*row[:4])
    for name, room in ROOMS.items():
        found = rules.verdict(now, MASTERS, room, MASTER)
        assert found == rules.Verdict("between_them" if name in ("pair", "group") else "")
    assert rules.verdict(now, FRANCE, ROOMS["master"], "FRANCE").allowed
    orphan = moment(*row[:4], mastered=False)
    assert rules.verdict(orphan, FRANCE, ROOMS["master"], "FRANCE").code == "no_master"


@pytest.mark.parametrize("row", ROWS, ids="-".join)
@pytest.mark.parametrize("room", list(ROOMS.values()), ids=list(ROOMS))
@pytest.mark.parametrize(
    ("pen", "writer", "code"),
    [
        (Pen(Role.OBSERVER), "FRANCE", "watching"),
        (Pen(Role.ASSISTANT), "FRANCE", "watching"),
        (Pen(Role.ASSISTANT), MASTER, "watching"),
        (Pen(""), "FRANCE", "watching"),
        (Pen(Role.PLAYER), "FRANCE", "seatless"),
        (Pen(Role.PLAYER), MASTER, "seatless"),
        (Pen(Role.PLAYER, (), ("FRANCE",)), "FRANCE", "lent"),
        (Pen(Role.PLAYER, ("ENGLAND",), ("FRANCE",)), "FRANCE", "lent"),
        (Pen(Role.PLAYER, ("ENGLAND",)), "FRANCE", "not_yours"),
        (Pen(Role.PLAYER, ("ENGLAND",)), "", "not_yours"),
        (Pen(Role.PLAYER, ("ENGLAND",)), MASTER, "not_yours"),
        (Pen(Role.PLAYER, ("ENGLAND",)), "?", "not_yours"),
        (Pen(Role.MASTER), "FRANCE", "not_yours"),
    ],
)
def test_nobody_signs_with_what_is_not_his(
    row: list[str], room: Address, pen: Pen, writer: str, code: str
) -> None:
    assert rules.verdict(moment(*row[:4]), pen, room, writer).code == code
    assert rules.verdict(moment(*row[:4]), pen, room, writer, unsigned=True).code == code
    assert sentences.refusal(code)


@pytest.mark.parametrize(
    ("powers", "lent", "room", "code"),
    [
        (("FRANCE",), (), Address(Kind.PAIR, ("AUSTRIA", "ENGLAND")), "not_yours"),
        (("FRANCE",), (), Address(Kind.MASTER, ("AUSTRIA",)), "not_yours"),
        (("FRANCE", "ENGLAND"), (), ROOMS["pair"], "oneself"),
        (("FRANCE",), ("ENGLAND",), ROOMS["pair"], "oneself"),
        (("FRANCE", "ENGLAND"), (), ROOMS["group"], ""),
        (("FRANCE", "ENGLAND"), (), ROOMS["all"], ""),
    ],
)
def test_a_room_has_its_writer_and_somebody_else(
    powers: tuple[str, ...], lent: tuple[str, ...], room: Address, code: str
) -> None:
    assert rules.verdict(Moment(), Pen(Role.PLAYER, powers, lent), room, "FRANCE").code == code


@pytest.mark.parametrize(
    ("press", "agreed", "state", "room", "expected"),
    [
        ("full", True, State.PLAYING, "all", "yes"),
        ("full", True, State.PAUSED, "all", "yes"),
        ("public", True, State.PLAYING, "all", "yes"),
        ("held", True, State.PLAYING, "all", "held"),
        ("none", True, State.PLAYING, "all", "none"),
        ("full", False, State.PLAYING, "all", "unsigned"),
        ("full", True, State.PLAYING, "pair", "unsigned"),
        ("full", True, State.PLAYING, "group", "unsigned"),
        ("full", True, State.PLAYING, "master", "unsigned"),
        ("full", True, State.ENDED, "all", "unsigned"),
        ("full", True, State.GATHERING, "all", "not_begun"),
    ],
)
def test_declarations(press: str, agreed: bool, state: str, room: str, expected: str) -> None:
    now = Moment(Press(press), declarations=agreed, state=state)
    found = rules.verdict(now, FRANCE, ROOMS[room], "FRANCE", unsigned=True)
    assert (found.code or ("held" if found.held else "yes")) == expected
    assert rules.verdict(now, MASTERS, ROOMS["all"], MASTER, unsigned=True).code == "unsigned"


@pytest.mark.parametrize(
    ("writer", "to", "expected"),
    [
        ("FRANCE", ["ENGLAND"], "ENGLAND+FRANCE"),
        ("ENGLAND", ["FRANCE"], "ENGLAND+FRANCE"),
        ("FRANCE", ["ENGLAND", "AUSTRIA"], "AUSTRIA+ENGLAND+FRANCE"),
        ("FRANCE", [EVERYBODY], "*"),
        ("FRANCE", [MASTER], "FRANCE+@"),
        (MASTER, ["FRANCE"], "FRANCE+@"),
        (MASTER, [EVERYBODY], "*"),
        ("FRANCE", [], NoAddress("nobody")),
        ("FRANCE", ["ENGLAND", "ENGLAND"], NoAddress("twice")),
        ("FRANCE", ["FRANCE"], NoAddress("oneself")),
        ("FRANCE", ["ENGLAND", "FRANCE"], NoAddress("oneself")),
        (MASTER, [MASTER], NoAddress("oneself")),
        ("FRANCE", ["TURKEY"], NoAddress("unknown")),
        ("FRANCE", ["england"], NoAddress("unknown")),
        ("FRANCE", [""], NoAddress("unknown")),
        ("FRANCE", ["?"], NoAddress("unknown")),
        ("FRANCE", ["ENGLAND+AUSTRIA"], NoAddress("unknown")),
        ("FRANCE", ["ENGLAND", MASTER], NoAddress("mixed")),
        ("FRANCE", [EVERYBODY, "ENGLAND"], NoAddress("mixed")),
        ("FRANCE", [EVERYBODY, MASTER], NoAddress("mixed")),
        (MASTER, ["FRANCE", "ENGLAND"], NoAddress("mixed")),
    ],
)
def test_addresses(writer: str, to: list[str], expected: str | NoAddress) -> None:
    if isinstance(expected, str):
        assert rules.address(writer, to, POWERS).members == expected
        return
    with pytest.raises(NoAddress) as raised:
        rules.address(writer, to, POWERS)
    assert raised.value.code == expected.code
    assert sentences.refusal(expected.code)


@pytest.mark.parametrize("row", ROWS, ids="-".join)
def test_the_page_says_what_may_be_written(row: list[str]) -> None:
    said = list(sentences.moods(moment(*row[:4])))
    assert len(said) == 2
    assert "maître de jeu" in said[1]
    assert "n’a pas de maître de jeu" in list(sentences.moods(moment(*row[:4], mastered=False)))[1]
