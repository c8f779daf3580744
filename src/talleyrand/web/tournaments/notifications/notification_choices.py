"""Whom the director has told what: nobody, those with an account, or all who gave an address too."""

from __future__ import annotations

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.tournaments.models import Tournament

from .models import TournamentNotificationState
from .pending_notifications import NOTIFICATION_TOPICS, SEATS

NOBODY, ACCOUNTS, ALL = "no", "accounts", "all"
AUDIENCES = (NOBODY, ACCOUNTS, ALL)


def audience_by_topic(telling: TournamentNotificationState) -> dict[str, str]:
    """Who is told of each topic; at first those with an account, of their seats."""
    usual = {topic: ACCOUNTS if topic == SEATS else NOBODY for topic in NOTIFICATION_TOPICS}
    return {topic: _known(telling.audiences.get(topic), usual[topic]) for topic in NOTIFICATION_TOPICS}


def _known(kept: object, usual: str) -> str:
    return kept if isinstance(kept, str) and kept in AUDIENCES else usual


def notification_settings_of(tournament: Tournament) -> TournamentNotificationState:
    """What is told of a tournament; at first what is usual."""
    return TournamentNotificationState.objects.get_or_create(tournament=tournament)[0]


def chosen_audiences(tournament: Tournament) -> dict[str, str]:
    """Who is told what, for whoever only looks."""
    return audience_by_topic(
        TournamentNotificationState.objects.filter(tournament=tournament).first()
        or TournamentNotificationState(tournament=tournament)
    )


@write_transaction
def save_audiences(tournament: Tournament, told: dict[str, str]) -> None:
    """Keep who is told what; what makes no sense stays as it was."""
    notification_settings_of(tournament)
    row = TournamentNotificationState.objects.select_for_update().get(tournament=tournament)
    before = audience_by_topic(row)
    row.audiences = {topic: _known(told.get(topic), before[topic]) for topic in NOTIFICATION_TOPICS}
    row.save(update_fields=["audiences"])
