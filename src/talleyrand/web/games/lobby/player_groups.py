"""Private groups: who is in one, and who leads it."""

from __future__ import annotations

from talleyrand.formats.visible_text import one_line_name
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import recipients
from talleyrand.web.games.finding_models import GroupMember, PlayerGroup, new_group_token
from talleyrand.web.games.models import Game

from .lobby_refusals import LobbyRefusal

MOST_GROUPS, MOST_MEMBERS, LONGEST_NAME = 20, 200, 80


def group_of_member(person: Person, key: str) -> PlayerGroup | None:
    """A group that somebody is in, by its key; None for any other."""
    if not (key.isascii() and key.isprintable()):
        return None
    return PlayerGroup.objects.filter(key=key, members__person=person).first()


@write_transaction
def create_group(person: Person, name: str) -> PlayerGroup:
    """A group that somebody leads; the same name twice is one group. Raises LobbyRefusal."""
    shown = one_line_name(name[: 2 * LONGEST_NAME])
    if not shown or len(shown) > LONGEST_NAME:
        raise LobbyRefusal("group_name")
    Person.objects.select_for_update().get(pk=person.pk)  # a second press waits until this one is kept
    led = PlayerGroup.objects.filter(name=shown, members__person=person, members__is_owner=True).first()
    if led is not None:
        return led
    _check_room(person)
    group = PlayerGroup.objects.create(name=shown)
    GroupMember.objects.create(group=group, person=person, is_owner=True)
    return group


@write_transaction
def join_group(group: PlayerGroup, token: str, person: Person) -> bool:
    """Come in by its link; False for whoever is in already. Raises LobbyRefusal."""
    fresh = _locked(group)
    if fresh.token != token:
        raise LobbyRefusal("revoked")
    if fresh.members.filter(person=person).exists():
        return False
    _check_room(person)
    if fresh.members.count() >= MOST_MEMBERS:
        raise LobbyRefusal("group_full")
    GroupMember.objects.create(group=fresh, person=person)
    return True


@write_transaction
def leave_group(group: PlayerGroup, person: Person) -> None:
    """Whoever has been there longest leads it after the last owner; with the last member it ends.

    Games that are played go on, by invitation. Raises LobbyRefusal.
    """
    fresh = _locked(group)
    if not fresh.members.filter(person=person).delete()[0]:
        raise LobbyRefusal("stranger")
    eldest = fresh.members.first()
    if eldest is None:
        fresh.delete()
    elif not fresh.members.filter(is_owner=True).exists():
        GroupMember.objects.filter(pk=eldest.pk).update(is_owner=True)


@write_transaction
def remove_group_member(group: PlayerGroup, member: int, by: Person) -> None:
    """Send somebody away, who can't come back by the link of before. Raises LobbyRefusal."""
    fresh = _locked(group)
    _check_owner(fresh, by)
    if not fresh.members.filter(pk=member).exclude(person=by).delete()[0]:
        raise LobbyRefusal("stranger")
    _renew(fresh)


@write_transaction
def renew_group_link(group: PlayerGroup, by: Person) -> None:
    """Another link; that of before leads nowhere. Raises LobbyRefusal."""
    fresh = _locked(group)
    _check_owner(fresh, by)
    _renew(fresh)


@write_transaction
def delete_group(group: PlayerGroup, by: Person) -> None:
    """End a group; its games stay, by invitation. Raises LobbyRefusal."""
    fresh = _locked(group)
    _check_owner(fresh, by)
    fresh.delete()


def tell_of_game(group: PlayerGroup, game: Game, by: Person) -> None:
    """The other members hear of a game of theirs, never who made it."""
    others = list(group.members.exclude(person=by).values_list("person", flat=True))
    recipients.notify_about_game(game, others, "group_game", "group_game")


def _locked(group: PlayerGroup) -> PlayerGroup:
    found = PlayerGroup.objects.select_for_update().filter(pk=group.pk).first()
    if found is None:
        raise LobbyRefusal("group_gone")
    return found


def _check_owner(group: PlayerGroup, person: Person) -> None:
    if not group.members.filter(person=person, is_owner=True).exists():
        raise LobbyRefusal("group_owner")


def _check_room(person: Person) -> None:
    if GroupMember.objects.filter(person=person).count() >= MOST_GROUPS:
        raise LobbyRefusal("groups")


def _renew(group: PlayerGroup) -> None:
    PlayerGroup.objects.filter(pk=group.pk).update(token=new_group_token())
