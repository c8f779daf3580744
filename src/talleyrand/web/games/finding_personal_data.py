"""What is kept of how somebody looks for games; it goes with the account."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from .finding_models import GroupMember, PlayerGroup, QueuePlace, SavedSearch
from .lobby import player_groups, saved_searches
from .lobby.lobby_refusals import LobbyRefusal


def export_finding(person: Person) -> dict[str, Any]:
    """The queues in which one waits, and the groups that one is in, the searches that one keeps."""
    places = QueuePlace.objects.filter(person=person).select_related("queue")
    groups = GroupMember.objects.filter(person=person).select_related("group")
    return {
        "queues": [
            {"queue": one.queue.kind, "since": one.joined_at, "until": one.expires_at} for one in places
        ],
        "searches": [
            {**saved_searches.filter_of(one).chosen, "since": one.created_at}
            for one in SavedSearch.objects.filter(person=person)
        ],
        "groups": [{"name": one.group.name, "since": one.joined_at, "leads": one.is_owner} for one in groups],
    }


def leave_all_groups(person: Person) -> None:
    """Another leads a group whose only owner goes."""
    for group in PlayerGroup.objects.filter(members__person=person).order_by("pk"):
        with suppress(LobbyRefusal):  # gone by another click
            player_groups.leave_group(group, person)


def hold_places(person: Person) -> None:
    """A game that begins with these places has them first: it waits for its people while it has them."""
    list(QueuePlace.objects.select_for_update().filter(person=person).order_by("pk"))


FINDING_PERSONAL_DATA = PersonalData("finding", export_finding, on_delete=leave_all_groups, hold=hold_places)
