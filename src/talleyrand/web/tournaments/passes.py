"""Doors of people who come: a link of one's own, a phone that took a name, or an account."""

from __future__ import annotations

import hmac
import string

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from talleyrand.tournament.acts.merging import Merge
from talleyrand.tournament.errors import Refused
from talleyrand.web.accounts.models import Person

from .documents import event_of
from .models import Entry, Pass, Tournament, secret

SESSION = "passes"  # keys of passes by the key of the tournament
LETTERS = "".join(
    sorted({*string.ascii_uppercase, *string.digits} - set("0O1IL"))
)  # told apart at ten metres
ROOM = 8


def number_of(tournament: Tournament, request: HttpRequest) -> int:
    """Whom of the event a visitor is, or 0: by what this browser keeps, else by his account."""
    held = request.session.get(SESSION, {}).get(tournament.key, "")
    found = tournament.passes.filter(key=held).first() if held else None
    if found is None and isinstance(request.user, Person):
        return number_of_account(tournament, request.user)
    return _known(tournament, found)


def number_of_account(tournament: Tournament, account: Person) -> int:
    """Whom of the event an account is, or 0."""
    return _known(tournament, tournament.passes.filter(account=account).first())


def _known(tournament: Tournament, found: Pass | None) -> int:
    if found is None or found.number not in event_of(tournament).people:
        return 0
    return found.number


def of(tournament: Tournament, number: int) -> Pass:
    """The pass of a person, made where there is none yet."""
    return Pass.objects.get_or_create(tournament=tournament, number=number)[0]


def enter(request: HttpRequest, tournament: Tournament, held: Pass) -> None:
    """This browser is that person from now on."""
    request.session[SESSION] = {**request.session.get(SESSION, {}), tournament.key: held.key}


def leave(request: HttpRequest, tournament: Tournament) -> None:
    """This browser is nobody of the tournament any more."""
    kept = dict(request.session.get(SESSION, {}))
    kept.pop(tournament.key, None)
    request.session[SESSION] = kept


def claim(request: HttpRequest, tournament: Tournament, number: int) -> Pass:
    """A phone takes a name at the door of the room; raises Refused (`act_name_taken`) if another one has."""
    known = event_of(tournament).people.get(number)
    if known is None or known.gone:
        raise Refused("act_no_person", number=str(number))
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        held = of(tournament, number)
        if held.claimed is not None or held.account_id is not None:
            raise Refused("act_name_taken")
        held.claimed = timezone.now()
        held.save(update_fields=["claimed"])
    enter(request, tournament, held)
    return held


def release(tournament: Tournament, number: int) -> Pass:
    """Whoever came by this pass is nobody any more; it has another link."""
    held = of(tournament, number)
    held.key, held.claimed, held.account = secret(), None, None
    held.save(update_fields=["key", "claimed", "account"])
    return held


def not_me(request: HttpRequest, tournament: Tournament) -> Pass | None:
    """A browser is nobody any more: by which pass it came, with `claimed` as it was; None for none.

    A name that was taken by mistake may be taken again; a link of one's own stays good.
    """
    held = tournament.passes.filter(key=request.session.get(SESSION, {}).get(tournament.key, "")).first()
    leave(request, tournament)
    if held is not None and held.claimed is not None:
        tournament.passes.filter(pk=held.pk).update(claimed=None)
    return held


def room_code(tournament: Tournament) -> str:
    """What a screen in the room shows: whoever types it is in the room, and may take his name."""
    told = salted_hmac("talleyrand.tournaments.room", tournament.key, algorithm="sha256").digest()
    code = "".join(LETTERS[byte % len(LETTERS)] for byte in told[:ROOM])
    return f"{code[:4]} {code[4:]}"


def opens_room(tournament: Tournament, typed: str) -> bool:
    """Whether somebody typed what the screen shows; capitals, blanks and hyphens do not matter."""
    bare = "".join(typed.upper().replace("-", " ").split())
    return hmac.compare_digest(bare.encode(), room_code(tournament).replace(" ", "").encode())


def follow_merges(tournament: Tournament, entry: Entry | None) -> None:
    """The phone of somebody who has become somebody else of the event is that one's."""
    for one in entry.acts if entry is not None else ():
        if one["kind"] == Merge.kind:
            follow(tournament, int(one["person"]), int(one["other"]))


def follow(tournament: Tournament, kept: int, other: int) -> None:
    """Two entries were one person: whoever came as the one that is gone comes as the one that is kept."""
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        gone, known = of(tournament, other), of(tournament, kept)
        if (gone.claimed is None and gone.account_id is None) or known.claimed or known.account_id:
            return
        known.delete()
        gone.number = kept
        gone.save(update_fields=["number"])
