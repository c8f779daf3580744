"""Random positions judged here and by the peers: each difference has a name in the table, or fails."""

from collections import Counter

import pytest
from benchmarks.sample_positions import recorded

from talleyrand.engine import legality
from talleyrand.engine.errors import OrderRefusal
from talleyrand.variants import load
from tests.peers.differences import Known, compare, explain, known
from tests.peers.positions import BOOK, draw, read, write

PARTS = 8
BOARD = load("classic").board

pytestmark = pytest.mark.peers


@pytest.mark.one_in(4)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("peer", ["diplomacy", "pydip"])
def test_judges_as_the_peer_does(
    peer: str, part: int, full: bool, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """20,000 positions with --full, 400 otherwise, in eight parts."""
    numbers = range(part, 20_000 if full else 400, PARTS)
    reasons = {number: explain(BOARD, peer, draw(BOARD, seed, number)) for number in numbers}
    found = Counter(" and ".join(names) for names in reasons.values() if names)
    with capsys.disabled():
        print(f"\n{peer}, seed {seed}: {len(numbers)} positions, {found.total()} differ", *found, sep="; ")
    unexplained = [number for number, names in reasons.items() if names is None]
    assert not unexplained, _described(peer, seed, unexplained[0])


def _described(peer: str, seed: int, number: int) -> str:
    drawn = draw(BOARD, seed, number)
    return "\n".join([f"position {number}", *compare(BOARD, peer, drawn), *write(drawn)])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("entry", known(), ids=lambda entry: f"{entry.peer}: {entry.name}")
def test_known_difference_still_shows(entry: Known) -> None:
    """An entry that no longer explains its own example has to go."""
    assert entry.name in (explain(BOARD, entry.peer, entry.example) or ())


@pytest.mark.parametrize("entry", known(), ids=lambda entry: f"{entry.peer}: {entry.name}")
def test_examples_are_legal(entry: Known) -> None:
    for (power, _), order in entry.example.orders.items():
        checked = legality.check_movement_order(BOARD, entry.example.position, power, order, BOOK)
        assert not isinstance(checked, OrderRefusal)


@pytest.mark.parametrize("number", range(20))
def test_positions_come_back(seed: int, number: int) -> None:
    """What is drawn is the same each time, and what is printed can be read again."""
    drawn = draw(BOARD, seed, number)
    assert drawn == draw(BOARD, seed, number)
    again = read(write(drawn))
    assert (again.position, again.orders) == (drawn.position, drawn.orders)


@pytest.mark.long
def test_recorded_games_are_judged_as_they_were() -> None:
    """The movement phases of the games that `diplomacy` brings along, by both judges."""
    reasons = [explain(BOARD, "diplomacy", drawn) for drawn in recorded()]
    assert len(reasons) == 74
    assert None not in reasons
