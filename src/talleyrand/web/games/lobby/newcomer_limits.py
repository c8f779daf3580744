"""How many games found in the list newcomers, and players who are often absent, play at once."""

from __future__ import annotations

from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct import bans
from talleyrand.web.games.models import ENDED_STATES, GameMembership, GameRole, GameState
from talleyrand.web.games.player_records import reliability

NEWCOMER_GAMES = 3
RELIABLE_FROM = 80  # hundredths of reliability from which one plays as many as one likes


def why_no_more_games(person: Person) -> str:
    """Why somebody can find no further game: `banned`; `newcomer`, before they have played one to its end, or
    `often_absent`, while their reliability is low; "" for all others, and with games to spare.

    Games by invitation, which nobody finds in the list, do not count.
    """
    if bans.running_ban(person):
        return "banned"
    mine = GameMembership.objects.filter(person=person, role=GameRole.PLAYER, left_at=None)
    if mine.filter(game__state=GameState.ENDED, game__phase_number__gt=0).exists():
        known = reliability.reliability_of(person)
        code = "often_absent" if known is not None and known < RELIABLE_FROM else ""
    else:
        code = "newcomer"
    if not code:
        return ""
    open_games = mine.filter(game__is_listed=True).exclude(game__state__in=ENDED_STATES)
    return code if open_games.count() >= NEWCOMER_GAMES else ""
