"""Photographs of boards: who sends them, who sees them, how many there may be."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.tournament.acts.act import board as board_of
from talleyrand.tournament.acts.act import check_state
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.exports.album import Photograph
from talleyrand.tournament.model import RoundState
from talleyrand.tournament.public import powers_of
from talleyrand.tournament.timing import moment
from talleyrand.web.notices import counters

from . import pictures
from .documents import event_of
from .journal import topic
from .models import Photo, Tournament
from .sight import Sight

MOST_OF_A_BOARD = 8
MOST = 400  # of a tournament


def seen(sight: Sight, number: int, at: int) -> QuerySet[Photo]:
    """Those of a board that a visitor may see, without what is in them."""
    event = sight.event if sight.at_desk else sight.shown
    held = event.rounds[number].boards.get(at) if number in event.rounds else None
    every = sight.tournament.photos.filter(round=number, board=at).defer("content")
    if held is None:
        return every.none()
    return every if sight.at_desk or powers_of(held, sight.number) else every.filter(shown=True)


def one(sight: Sight, key: str) -> Photo | None:
    """One of them, if he may see it."""
    found = sight.tournament.photos.filter(key=key[:32]).defer("content").first()
    return seen(sight, found.round, found.board).filter(pk=found.pk).first() if found else None


def may_send(sight: Sight, number: int, at: int) -> bool:
    """The desk, and whoever sits at the board until the event is over."""
    event = sight.event
    if number not in event.rounds or at not in event.rounds[number].boards or sight.tournament.copied:
        return False
    begun = event.rounds[number].state in (RoundState.PLAYING, RoundState.CLOSED)
    mine = bool(powers_of(event.rounds[number].boards[at], sight.number))
    return begun and (sight.at_desk or (mine and not event.over))


def may_remove(sight: Sight, photo: Photo) -> bool:
    """Who sent it, and the desk."""
    own = sight.number != 0 and photo.person == sight.number
    return not sight.tournament.copied and (sight.at_desk or own)


def send(sight: Sight, number: int, at: int, sent: bytes) -> None:
    """Keep a photograph; the same one twice is one. Raises Refused."""
    board_of(sight.event, number, at)
    if not may_send(sight, number, at):
        check_state(sight.event, number, RoundState.PLAYING, RoundState.CLOSED)
        raise Refused("act_not_at_board", person=str(sight.number), round=str(number), board=str(at))
    picture, mark = pictures.small(sent), sha256(sent).hexdigest()
    row = Photo(round=number, board=at, person=sight.by.person, at=timezone.now(), mark=mark, **vars(picture))
    _keep(sight.tournament, row)


def bring(sight: Sight, told: Photograph, sent: bytes) -> bool:
    """Keep one of an album, as it was kept there; whether it is new here. Raises Refused.

    To take a picture apart is long: it is done for those alone that there is room for.
    """
    board_of(sight.event, told.round, told.board)
    if _is_kept(sight.tournament, told.round, told.board, told.mark):
        return False
    picture, at = pictures.small(sent), moment(told.at)
    his = powers_of(sight.event.rounds[told.round].boards[told.board], told.person)
    row = Photo(
        round=told.round,
        board=told.board,
        person=told.person if his else 0,
        at=at or timezone.now(),
        mark=told.mark,
        shown=told.shown,
        **vars(picture),
    )
    return _keep(sight.tournament, row)


def _keep(tournament: Tournament, photo: Photo) -> bool:
    """Whether it is new. Raises Refused where its board is no longer played, or has too many."""
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        check_state(event_of(row), photo.round, RoundState.PLAYING, RoundState.CLOSED)
        board_of(event_of(row), photo.round, photo.board)
        if _is_kept(row, photo.round, photo.board, photo.mark):
            return False
        photo.tournament = row
        photo.save()
        counters.bump(topic(row.key))
        return True


def _is_kept(row: Tournament, number: int, at: int, mark: str) -> bool:
    """Whether it is there already; raises Refused where there is no room for another."""
    kept = row.photos.filter(round=number, board=at)
    if kept.filter(mark=mark).exists():
        return True
    _check_room(row, kept.count())
    return False


def _check_room(row: Tournament, kept: int) -> None:
    if kept >= MOST_OF_A_BOARD:
        raise Refused("act_photos_many", most=str(MOST_OF_A_BOARD))
    if row.photos.count() >= MOST:
        raise Refused("act_photos_many_in_all", most=str(MOST))


def show(sight: Sight, photo: Photo, *, shown: bool) -> None:
    """Show one to all, or no longer; for the desk."""
    with transaction.atomic():
        sight.tournament.photos.filter(pk=photo.pk).update(shown=shown)
        counters.bump(topic(sight.tournament.key))


def remove(sight: Sight, photo: Photo) -> None:
    """Take one away, for ever."""
    with transaction.atomic():
        sight.tournament.photos.filter(pk=photo.pk).delete()
        counters.bump(topic(sight.tournament.key))


def panel(sight: Sight, number: int, at: int) -> dict[str, Any]:
    """The context of `photos.html`."""
    return {
        "photos": [(held, may_remove(sight, held)) for held in seen(sight, number, at)],
        "photos_at": at,
        "may_send_photo": may_send(sight, number, at),
        "most_photos": MOST_OF_A_BOARD,
    }
