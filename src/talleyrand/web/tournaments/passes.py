"""Doors of people who come: a link of one's own, a phone that took a name, or an account."""

from __future__ import annotations

import hmac
import string

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from talleyrand.tournament.acts.merging import Merge
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import RoundState
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.writing import writing

from .documents import event_of, locked
from .models import Entry, Pass, Tournament, secret

SESSION = "passes"  # keys of passes by the key of the tournament
TAPPED = "tapped"  # whether it was at the door of the room, by the same
LETTERS = "".join(
    sorted({*string.ascii_uppercase, *string.digits} - set("0O1IL"))
)  # told apart at ten metres
ROOM = 8


def number_of(tournament: Tournament, request: HttpRequest) -> int:
    """Whom of the event a visitor is, or 0: by what this browser keeps, else by his account."""
    found = held(request, tournament)
    if found is None and isinstance(request.user, Person):
        return number_of_account(tournament, request.user)
    return _known(tournament, found)


def held(request: HttpRequest, tournament: Tournament) -> Pass | None:
    """The pass by which this browser has come, if any."""
    key = request.session.get(SESSION, {}).get(tournament.key, "")
    return tournament.passes.filter(key=key).first() if key else None


def number_of_account(tournament: Tournament, account: Person) -> int:
    """Whom of the event an account is, or 0."""
    return _known(tournament, tournament.passes.filter(account=account).first())


def _known(tournament: Tournament, found: Pass | None) -> int:
    return person_of(tournament, found) if found is not None else 0


def person_of(tournament: Tournament, held: Pass) -> int:
    """Whom of the event a pass opens: whoever its entry has become, where two were one; 0 for nobody."""
    people, number = event_of(tournament).people, held.number
    if number in people:
        return number
    heirs = dict(tournament.passes.exclude(follows=None).values_list("number", "follows"))
    while number and number not in people:
        number = heirs.pop(number, None) or 0
    return number


def opening(tournament: Tournament, number: int) -> list[Pass]:
    """Every pass that opens somebody: his own, and those of entries that have become his."""
    own = of(tournament, number)
    others = tournament.passes.exclude(follows=None).exclude(pk=own.pk)
    return [own, *(one for one in others if person_of(tournament, one) == number)]


def taken(tournament: Tournament) -> set[int]:
    """Who cannot be taken at the door of the room any more: a phone or an account is."""
    held = tournament.passes.exclude(claimed=None, account=None)
    return {person_of(tournament, one) for one in held}


def is_tapped(tournament: Tournament, number: int) -> bool:
    """Whether a phone took this name in the room, or that of an entry that has become his."""
    own = Q(number=number) | ~Q(follows=None)
    held = tournament.passes.filter(own).exclude(claimed=None)
    return any(person_of(tournament, one) == number for one in held)


def of(tournament: Tournament, number: int) -> Pass:
    """The pass of a person, made where there is none yet."""
    return Pass.objects.get_or_create(tournament=tournament, number=number)[0]


def enter(request: HttpRequest, tournament: Tournament, held: Pass, *, tapped: bool = False) -> None:
    """This browser is that person from now on; `tapped`: it took his name at the door of the room."""
    before = request.session.get(SESSION, {})
    if before.get(tournament.key) != held.key:
        request.session[TAPPED] = {**request.session.get(TAPPED, {}), tournament.key: tapped}
    request.session[SESSION] = {**before, tournament.key: held.key}


def leave(request: HttpRequest, tournament: Tournament) -> None:
    """This browser is nobody of the tournament any more."""
    kept = dict(request.session.get(SESSION, {}))
    kept.pop(tournament.key, None)
    request.session[SESSION] = kept


@writing
def claimed(tournament: Tournament, number: int) -> Pass:
    """A phone takes a name at the door of the room; raises Refused (`act_name_taken`) if another one has."""
    row = locked(tournament)
    known = event_of(row).people.get(number)
    if known is None or known.gone:
        raise Refused("act_no_person", number=str(number))
    if number in taken(row):
        raise Refused("act_name_taken")
    held = of(row, number)
    held.claimed = timezone.now()
    held.save(update_fields=["claimed"])
    return held


@writing
def release(tournament: Tournament, number: int) -> None:
    """Whoever came as somebody is nobody any more; there is another link."""
    row = locked(tournament)
    for held in opening(row, number):
        held.key, held.claimed, held.account = secret(), None, None
        held.save(update_fields=["key", "claimed", "account"])


def not_me(request: HttpRequest, tournament: Tournament) -> Pass | None:
    """A browser is nobody any more: by which pass it came, `claimed` if that frees a name; None for none.

    A name that was taken by mistake may be taken again; a link of one's own stays good, and whoever came by
    it frees no name that another phone has.
    """
    found = held(request, tournament)
    tapped = request.session.get(TAPPED, {}).get(tournament.key, True)
    leave(request, tournament)
    if found is not None and not tapped:
        found.claimed = None
    if found is not None and found.claimed is not None:
        tournament.passes.filter(pk=found.pk).update(claimed=None)
    return found


def room_code(tournament: Tournament) -> str:
    """What a screen in the room shows: whoever types it is in the room, and may take his name.

    It is another one in each round.
    """
    code = _code(tournament, _turn(tournament))
    return f"{code[:4]} {code[4:]}"


def opens_room(tournament: Tournament, typed: str) -> bool:
    """Whether somebody typed what the screen shows now; capitals, blanks and hyphens do not matter."""
    return _is_code(typed, _code(tournament, _turn(tournament)))


def opened_room(tournament: Tournament, typed: str) -> bool:
    """Whether somebody typed what it showed before: he was in the room, and opens nothing any more."""
    return any(_is_code(typed, _code(tournament, turn)) for turn in range(_turn(tournament)))


def _turn(tournament: Tournament) -> int:
    """The last round for which people have begun to arrive; 0 before the first."""
    rounds = event_of(tournament).rounds
    return max((number for number, one in rounds.items() if one.state is not RoundState.PLANNED), default=0)


def _code(tournament: Tournament, turn: int) -> str:
    said = f"{tournament.key}:{turn}"
    told = salted_hmac("talleyrand.tournaments.room", said, algorithm="sha256").digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in told[:ROOM])


def _is_code(typed: str, code: str) -> bool:
    bare = "".join(typed.upper().replace("-", " ").split())
    return hmac.compare_digest(bare.encode(), code.encode())


def follow_merges(tournament: Tournament, entry: Entry) -> None:
    """Two entries are one person now: whoever came as either comes as the one that is kept."""
    for one in entry.acts:
        if one["kind"] == Merge.kind:
            of(tournament, int(one["other"]))
            tournament.passes.filter(number=one["other"]).update(follows=one["person"])
