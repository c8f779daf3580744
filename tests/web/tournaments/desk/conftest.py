"""Desks at each moment of a round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web import cast
from tests.web.tournaments import scene
from tests.web.tournaments.desk import stages
from tests.web.tournaments.desk.director import Desk


@pytest.fixture
def at(db: None) -> Callable[[str], Desk]:
    """The director's desk at a moment of the first round."""

    def made(stage: str) -> Desk:
        return Desk(stages.kept(stage))

    return made


@pytest.fixture
def helping(db: None) -> Callable[[str], Desk]:
    """An assistant's desk."""

    def made(stage: str) -> Desk:
        kept = stages.kept(stage)
        scene.assistant(kept)
        return Desk(kept, cast.ASSISTANT)

    return made
