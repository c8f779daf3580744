"""The same person at several events of a season."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.tournament import season_entrants
from talleyrand.tournament.model import Event, EventPerson, PrivateFacts
from talleyrand.tournament.season_entrants import EventEntry, IdentityDecisions, Pair

Told = tuple[str, str]


def _events(*people: list[Told]) -> dict[int, Event]:
    return {
        stage: Event(
            f"Event {stage}",
            people={
                number: EventPerson(name, private=PrivateFacts(born=born))
                for number, (name, born) in enumerate(told, 1)
            },
        )
        for stage, told in enumerate(people, 1)
    }


def _pair(*entries: tuple[int, int]) -> Pair:
    return frozenset(EventEntry(*one) for one in entries)


@pytest.mark.parametrize(
    ("first", "second", "one", "asked"),
    [
        (("Théa Brunel", "1990-05-01"), ("Théa Brunel", "1990-05-01"), True, True),
        (("Théa Brunel", "1990-05-01"), ("BRUNEL Thea", "1990-05-01"), True, True),
        (("Théa Brunel", "1990-05-01"), ("Théa Brunelle", "1990-05-01"), False, True),  # sounds alike
        (("Théa Brunel", "1990-05-01"), ("Théa Brunel", "1990-05-02"), False, False),  # a namesake
        (("Théa Brunel", "1990-05-01"), ("Théa Brunel", ""), False, True),
        (("Théa Brunel", ""), ("Théa Brunel", ""), False, True),
        (("Théa Brunel", "1990"), ("Théa Brunel", "1990-05-01"), False, True),
        (("Théa Brunel", "1990"), ("Théa Brunel", "1990"), False, True),  # a year is not a birthday
        (("Théa Brunel", "1991"), ("Théa Brunel", "1990-05-01"), False, False),
        (("Théa Brunel", "1990-05-01"), ("Oscar Le Bihan", "1990-05-01"), False, False),
        (("", ""), ("", ""), False, False),
    ],
)
def test_what_name_and_birth_tell(first: Told, second: Told, *, one: bool, asked: bool) -> None:
    """One person of the same name and day; whoever may be one is asked about."""
    events = _events([first], [second])
    assert len(season_entrants.group_entrants(events, IdentityDecisions())) == (1 if one else 2)
    questions = season_entrants.identity_questions(events, IdentityDecisions())
    assert [question.taken for question in questions] == ([one] if asked else [])


def test_what_was_settled_stands() -> None:
    """Whatever name and birth say, and nobody is asked again."""
    same = _events([("Théa Brunel", "1990-05-01")], [("Théa Brunel", "1990-05-01")])
    apart = IdentityDecisions(apart=frozenset({_pair((1, 1), (2, 1))}))
    assert len(season_entrants.group_entrants(same, apart)) == 2
    assert not season_entrants.identity_questions(same, apart)
    married = _events([("Théa Brunel", "")], [("Théa Marchand", "")])
    joined = IdentityDecisions(same=frozenset({_pair((1, 1), (2, 1))}))
    (found,) = season_entrants.group_entrants(married, joined)
    assert found.name == "Théa Marchand"
    assert found.key == (1, 1)


def test_one_entry_an_event() -> None:
    """Two of one event are never one: that is settled there."""
    twins = [("Théa Brunel", "1990-05-01"), ("Théa Brunel", "1990-05-01")]
    events = _events(twins, [("Théa Brunel", "1990-05-01")])
    assert sorted(
        len(one.entries) for one in season_entrants.group_entrants(events, IdentityDecisions())
    ) == [1, 2]
    assert len(season_entrants.identity_questions(events, IdentityDecisions())) == 2


def test_two_told_apart_are_not_one_through_a_third() -> None:
    """First and third are two people: the second is one of them only."""
    told = ("Théa Brunel", "1990-05-01")
    events = _events([told], [told], [told])
    apart = IdentityDecisions(apart=frozenset({_pair((1, 1), (3, 1))}))
    groups = {one.entries for one in season_entrants.group_entrants(events, apart)}
    assert groups == {((1, 1), (2, 1)), ((3, 1),)}


def test_a_decision_about_who_is_gone_does_no_harm() -> None:
    """Somebody was removed from his event since."""
    joined = IdentityDecisions(same=frozenset({_pair((1, 1), (2, 9))}))
    assert len(season_entrants.group_entrants(_events([("Théa Brunel", "")]), joined)) == 1


names = st.sampled_from(["Théa Brunel", "Thea Brunel", "Oscar Le Bihan"])
births = st.sampled_from(["", "1990", "1990-05-01", "1991-05-01"])
entries = st.builds(EventEntry, st.integers(1, 3), st.integers(1, 4))
pairs = st.sets(st.builds(lambda one, two: frozenset((one, two)), entries, entries), max_size=5)


@given(st.lists(st.lists(st.tuples(names, births), max_size=4), max_size=3), pairs, pairs)
def test_everybody_is_somebody_once(people: list[list[Told]], same: set[Pair], apart: set[Pair]) -> None:
    """Whatever was settled: each entry is one entrant's, and nobody has two at one event."""
    pairs_only = {pair for pair in same if len(pair) == 2}
    decisions = IdentityDecisions(
        frozenset(pairs_only - apart), frozenset(pair for pair in apart if len(pair) == 2)
    )
    events = _events(*people)
    found = season_entrants.group_entrants(events, decisions)
    held = [entry for one in found for entry in one.entries]
    assert sorted(held) == sorted(EventEntry(at, number) for at in events for number in events[at].people)
    for one in found:
        assert len({entry.stage for entry in one.entries}) == len(one.entries)
        assert not any(pair <= set(one.entries) for pair in decisions.apart)
