"""A tournament that is played, one whose round is drawn, and a season."""

from __future__ import annotations

from typing import Any

from django.test import Client

from talleyrand.web.tournaments import access_tokens
from talleyrand.web.tournaments.circuit_pages import circuit_rows
from tests.web import cast
from tests.web.tournaments import weekend
from tests.web.tournaments.visibility import secrets


def told() -> dict[str, Any]:
    """Their keys, and the session of somebody who plays."""
    played, drafted = weekend.tournament(), secrets.tournament()
    season = circuit_rows.create_circuit("Tour de France", cast.person(cast.MASTER), "a form")
    client = Client()
    session = client.session
    session[access_tokens.TOKENS_SESSION_KEY] = {played.key: access_tokens.token_of(played, 9).token}
    session.save()
    ticket = client.cookies["sessionid"].value
    return {"played": played.key, "drafted": drafted.key, "season": season.key, "ticket": ticket}
