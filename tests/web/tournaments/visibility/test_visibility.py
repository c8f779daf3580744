"""No page and no file of a tournament tells anybody what is not his business."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.tournaments.visibility import places, secrets
from tests.web.tournaments.visibility.secrets import AT_DESK, SECRETS

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    body: bytes = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return body.decode("utf-8", "replace")


@pytest.mark.long
def test_every_secret_is_told_to_those_alone_whose_business_it_is(
    full: bool, draw: str, record_property: Any
) -> None:
    """In a sample the desk looks at all, and each of the others at every other page."""
    made = secrets.tournament()
    told: dict[str, set[str]] = {name: set() for name in SECRETS}
    readers = secrets.READERS if full else secrets.SAMPLE
    wrong, asked = [], 0
    looking = [one for one in list(secrets.clients(made)) if one[0] in readers]
    for number, (who, client) in enumerate(looking):
        every = places.every(made)
        for path in every if full or who in AT_DESK else places.drawn(every, draw, number):
            answer = client.get(path)
            asked += 1
            assert answer.status_code in (200, 302, 404, 405), (who, path, answer.status_code)
            page = text(answer)
            for name, (marks, others) in SECRETS.items():
                if any(mark in page for mark in marks):
                    told[name].add(who)
                    wrong += [(name, who, path)] if who not in AT_DESK | others else []
    assert wrong == []
    assert {name for name, readers in told.items() if not readers & AT_DESK} == set()
    record_property("visibility", f"tournaments: {asked} pages asked by {len(readers)} readers")


@pytest.mark.long
def test_the_desk_is_there_for_nobody_else(full: bool, draw: str) -> None:
    made = secrets.tournament()
    paths = [path for path in places.every(made) if "/bureau/" in path]
    assert paths
    for number, (who, client) in enumerate(list(secrets.clients(made))):
        asked = paths if full else places.drawn(paths, draw, number)
        found = {client.get(path).status_code for path in asked}
        assert (found == {404}) == (who not in AT_DESK), (who, found)


@pytest.mark.long
def test_a_tournament_that_is_not_listed_is_there_for_its_people_alone(full: bool, draw: str) -> None:
    made = secrets.tournament(listed=False)
    inside = AT_DESK | {"player", "other"}
    outside = [one for one in list(secrets.clients(made)) if one[0] not in inside]
    for number, (who, client) in enumerate(outside):
        assert made.name not in text(client.get("/tournois/")), who
        every = places.every(made)
        asked = every if full else places.drawn(every, draw, number)
        found = {path: client.get(path).status_code for path in asked}
        assert set(found.values()) <= {404, 405}, (who, {path for path in found if found[path] == 200})
