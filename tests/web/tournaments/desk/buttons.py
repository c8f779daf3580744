"""Every button of the desk."""

from __future__ import annotations

from tests.web.tournaments.desk import preparing, running

BUTTONS = (*preparing.BUTTONS, *running.BUTTONS)
