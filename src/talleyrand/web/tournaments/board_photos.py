"""Photographs of boards: who sends them, who sees them, how many there may be."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from talleyrand.tournament.acts.act import check_round_state
from talleyrand.tournament.acts.act import find_board as board_of
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.exports.event_archive import Photograph
from talleyrand.tournament.model import RoundState
from talleyrand.tournament.public_view import powers_played_by
from talleyrand.tournament.round_timing import parse_time
from talleyrand.web.notifications import topic_versions

from . import photo_processing
from .event_documents import event_of
from .event_journal import tournament_topic
from .models import BoardPhoto, Tournament
from .tournament_viewer import TournamentViewer

MOST_PHOTOS_A_BOARD = 8
MOST_PHOTOS = 400  # of a tournament


def visible_photos(sight: TournamentViewer, number: int, at: int) -> QuerySet[BoardPhoto]:
    """Those of a board that a visitor may see, without what is in them."""
    event = sight.event if sight.is_at_desk else sight.visible_event
    held = event.rounds[number].boards.get(at) if number in event.rounds else None
    every = sight.tournament.photos.filter(round_number=number, board_number=at).defer("content")
    if held is None:
        return every.none()
    return (
        every
        if sight.is_at_desk or powers_played_by(held, sight.person_number)
        else every.filter(is_public=True)
    )


def photo_or_404(sight: TournamentViewer, key: str) -> BoardPhoto:
    """One of them. Raises Http404 where he may not see it, too."""
    found = get_object_or_404(sight.tournament.photos.defer("content"), key=key[:32])
    return get_object_or_404(visible_photos(sight, found.round_number, found.board_number), pk=found.pk)


def may_send_photo(sight: TournamentViewer, number: int, at: int) -> bool:
    """The desk, and whoever sits at the board until the event is over."""
    event = sight.event
    if number not in event.rounds or at not in event.rounds[number].boards or sight.tournament.copied_at:
        return False
    begun = event.rounds[number].state in (RoundState.PLAYING, RoundState.CLOSED)
    mine = bool(powers_played_by(event.rounds[number].boards[at], sight.person_number))
    return begun and (sight.is_at_desk or (mine and not event.over))


def may_remove_photo(sight: TournamentViewer, photo: BoardPhoto) -> bool:
    """Who sent it, and the desk."""
    own = sight.person_number != 0 and photo.person_number == sight.person_number
    return not sight.tournament.copied_at and (sight.is_at_desk or own)


def save_photo(sight: TournamentViewer, number: int, at: int, sent: bytes) -> BoardPhoto:
    """Keep a photograph, and give it back; the same one twice is one. Raises ActRefused."""
    board_of(sight.event, number, at)
    if not may_send_photo(sight, number, at):
        check_round_state(sight.event, number, RoundState.PLAYING, RoundState.CLOSED)
        raise ActRefused(
            "act_not_at_board", person=str(sight.person_number), round=str(number), board=str(at)
        )
    picture, mark = photo_processing.clean_photo(sent), sha256(sent).hexdigest()
    row = BoardPhoto(
        round_number=number,
        board_number=at,
        person_number=sight.journal_actor.person,
        sent_at=timezone.now(),
        content_digest=mark,
        **vars(picture),
    )
    if _keep(sight.tournament, row):
        return row
    return sight.tournament.photos.get(round_number=number, board_number=at, content_digest=mark)


def import_photo(sight: TournamentViewer, told: Photograph, sent: bytes) -> bool:
    """Keep one of an album, as it was kept there; whether it is new here. Raises ActRefused.

    To take a picture apart is long: it is done for those alone that there is room for.
    """
    board_of(sight.event, told.round, told.board)
    if _is_kept(sight.tournament, told.round, told.board, told.mark):
        return False
    picture, at = photo_processing.clean_photo(sent), parse_time(told.at)
    his = powers_played_by(sight.event.rounds[told.round].boards[told.board], told.person)
    row = BoardPhoto(
        round_number=told.round,
        board_number=told.board,
        person_number=told.person if his else 0,
        sent_at=at or timezone.now(),
        content_digest=told.mark,
        is_public=told.shown,
        **vars(picture),
    )
    return _keep(sight.tournament, row)


def _keep(tournament: Tournament, photo: BoardPhoto) -> bool:
    """Whether it is new. Raises ActRefused where its board is no longer played, or has too many."""
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        check_round_state(event_of(row), photo.round_number, RoundState.PLAYING, RoundState.CLOSED)
        board_of(event_of(row), photo.round_number, photo.board_number)
        if _is_kept(row, photo.round_number, photo.board_number, photo.content_digest):
            return False
        photo.tournament = row
        photo.save()
        topic_versions.bump(tournament_topic(row.key))
        return True


def _is_kept(row: Tournament, number: int, at: int, mark: str) -> bool:
    """Whether it is there already; raises ActRefused where there is no room for another."""
    kept = row.photos.filter(round_number=number, board_number=at)
    if kept.filter(content_digest=mark).exists():
        return True
    _check_room(row, kept.count())
    return False


def _check_room(row: Tournament, kept: int) -> None:
    if kept >= MOST_PHOTOS_A_BOARD:
        raise ActRefused("act_photos_many", most=str(MOST_PHOTOS_A_BOARD))
    if row.photos.count() >= MOST_PHOTOS:
        raise ActRefused("act_photos_many_in_all", most=str(MOST_PHOTOS))


def set_photo_public(sight: TournamentViewer, photo: BoardPhoto, *, shown: bool) -> None:
    """Show one to all, or no longer; for the desk."""
    with transaction.atomic():
        sight.tournament.photos.filter(pk=photo.pk).update(is_public=shown)
        topic_versions.bump(tournament_topic(sight.tournament.key))


def remove_photo(sight: TournamentViewer, photo: BoardPhoto) -> None:
    """Take one away, for ever."""
    with transaction.atomic():
        sight.tournament.photos.filter(pk=photo.pk).delete()
        topic_versions.bump(tournament_topic(sight.tournament.key))


def photo_panel_context(sight: TournamentViewer, number: int, at: int) -> dict[str, Any]:
    """The context of `photos.html`."""
    return {
        "photos": [(held, may_remove_photo(sight, held)) for held in visible_photos(sight, number, at)],
        "photos_at": at,
        "may_send_photo": may_send_photo(sight, number, at),
        "most_photos": MOST_PHOTOS_A_BOARD,
    }
