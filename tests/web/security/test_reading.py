"""Every address, looked at: nothing changes, and what it answers keeps to itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.security.heads import amiss
from tests.web.security.places import CHIEF, Site, drawn
from tests.web.security.writes import written

pytestmark = pytest.mark.django_db
# Where a look leaves a trace: what was read is read, who came came, an address of mail is made when needed.
TRACES = {
    "games:game": {"notices_notification"},
    "mail:post": {"mail_mailbox"},
    "moderation:report": {"conduct_moderatedgame"},  # who has read of a game stays out of it
    "practice:board": {"practice_practicegame"},
    "press:held": {"notices_notification"},
    "press:room": {"press_readmark"},
}


ONE_IN = 4  # of the addresses, by each method, without `--full`


@pytest.mark.long
@pytest.mark.parametrize("name", ["", CHIEF])
def test_a_look_changes_nothing(site: Site, name: str, record_property: Any, full: bool, draw: str) -> None:
    wrong: dict[str, object] = {}
    asked, client = 0, site.client(name)
    for place in site.places:
        if place.name in TRACES and not full:
            client.get(place.path)  # what is left once, where all are looked at, is left here
    for method in ("get", "head"):
        places = site.places if full else drawn(site.places, draw, f"{method} {name}", ONE_IN)
        for place in (place for place in places if not place.slow):
            with written() as tables:
                answer = getattr(client, method)(place.path)
            asked += 1
            changed, faults = tables - TRACES.get(place.name, set()), amiss(answer)
            if changed or faults or answer.status_code == 500:
                wrong[f"{place.path} {answer.status_code}"] = (changed, faults)
    assert wrong == {}
    record_property("asked", f"security: {asked} looks as {name or 'a visitor'}, none changed anything")


def test_the_visitor_s_traces_are_few(site: Site) -> None:
    """Who is not signed in leaves none but on the board that anybody may play."""
    client = site.client()
    for name in TRACES.keys() - {"practice:board"}:
        with written() as tables:
            client.get(next(place.path for place in site.places if place.name == name))
        assert tables == set()
