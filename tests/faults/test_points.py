"""The door of the points, and their names."""

from __future__ import annotations

import pytest

from talleyrand.web.common import failpoints

from . import points

IMPORT = "from talleyrand.web.common.failpoints import failpoint"


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
    assert found["inbox: sheet written"] == "web/games/order_submission.py"
    assert {name for some in points.IN_DOUBT.values() for name in some} <= found.keys()
    assert len(found) > 40


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (
            f'{IMPORT}\ndef work():\n    failpoint("a")\n    failpoint("b")\n',
            ["a", "b"],
        ),
        (
            'from talleyrand.web.mail.text import failpoint\nfailpoint("a")  # not the one of failpoints\n',
            [],
        ),
        ('failpoint("a")\n', []),
    ],
)
def test_reading_a_source(source: str, found: list[str]) -> None:
    assert points.named(source) == found


def test_a_name_is_a_literal() -> None:
    with pytest.raises(TypeError):
        points.named(f"{IMPORT}\nfailpoint(name)\n")
