"""The door of the points, and their names."""

from __future__ import annotations

import pytest

from talleyrand.web.common import failpoints

from . import points


def test_a_point_tells_whoever_listens_and_nobody_else() -> None:
    heard: list[str] = []
    failpoints.failpoint("before")
    with failpoints.observe_failpoints(heard.append):
        failpoints.failpoint("meanwhile")
        with failpoints.observe_failpoints(lambda _name: None):
            failpoints.failpoint("elsewhere")
        failpoints.failpoint("still")
    failpoints.failpoint("afterwards")
    assert heard == ["meanwhile", "still"]


def test_the_sources_name_their_points() -> None:
    found = points.declared()
    assert found["inbox: sheet written"] == "web/games/inbox.py"
    assert {name for some in points.IN_DOUBT.values() for name in some} <= found.keys()
    assert len(found) > 40


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (
            'from talleyrand.web.common.failpoints import point\ndef work():\n    point("a")\n    point("b")\n',
            ["a", "b"],
        ),
        (
            'from talleyrand.web.mail.text_layout import point\npoint("a")  # not talleyrand.web.common.failpoints\n',
            [],
        ),
        ('point("a")\n', []),
    ],
)
def test_reading_a_source(source: str, found: list[str]) -> None:
    assert points.named(source) == found


def test_a_name_is_a_literal() -> None:
    with pytest.raises(TypeError):
        points.named("from talleyrand.web.common.failpoints import point\npoint(name)\n")
