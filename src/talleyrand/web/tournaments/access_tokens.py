"""Doors of people who come: a link of one's own, a phone that took a name, or an account."""

from __future__ import annotations

import hmac
import string

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from talleyrand.tournament.acts.merge_people import MergePeople
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import RoundState
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction

from .event_documents import event_of, locked_tournament
from .models import AccessToken, JournalEntry, Tournament, random_token

TOKENS_SESSION_KEY = "passes"  # keys of passes by the key of the tournament
CLAIMED_SESSION_KEY = "tapped"  # whether it was at the door of the room, by the same
ROOM_CODE_LETTERS = "".join(
    sorted({*string.ascii_uppercase, *string.digits} - set("0O1IL"))
)  # told apart at ten metres
ROOM_CODE_LENGTH = 8


def person_of_request(tournament: Tournament, request: HttpRequest) -> int:
    """Whom of the event a visitor is, or 0: by what this browser keeps, else by his account."""
    found = token_of_browser(request, tournament)
    if found is None and isinstance(request.user, Person):
        return person_of_account(tournament, request.user)
    return _known(tournament, found)


def token_of_browser(request: HttpRequest, tournament: Tournament) -> AccessToken | None:
    """The pass by which this browser has come, if any."""
    key = request.session.get(TOKENS_SESSION_KEY, {}).get(tournament.key, "")
    return tournament.passes.filter(token=key).first() if key else None


def person_of_account(tournament: Tournament, account: Person) -> int:
    """Whom of the event an account is, or 0."""
    return _known(tournament, tournament.passes.filter(account=account).first())


def _known(tournament: Tournament, found: AccessToken | None) -> int:
    return person_of_token(tournament, found) if found is not None else 0


def person_of_token(tournament: Tournament, held: AccessToken) -> int:
    """Whom of the event a pass opens: whoever its entry has become, where two were one; 0 for nobody."""
    people, number = event_of(tournament).people, held.person_number
    if number in people:
        return number
    heirs = dict(tournament.passes.exclude(merged_into=None).values_list("person_number", "merged_into"))
    while number and number not in people:
        number = heirs.pop(number, None) or 0
    return number


def tokens_of_person(tournament: Tournament, number: int) -> list[AccessToken]:
    """Every pass that opens somebody: his own, and those of entries that have become his."""
    own = token_of(tournament, number)
    others = tournament.passes.exclude(merged_into=None).exclude(pk=own.pk)
    return [own, *(one for one in others if person_of_token(tournament, one) == number)]


def claimed_people(tournament: Tournament) -> set[int]:
    """Who cannot be taken at the door of the room any more: a phone or an account is."""
    held = tournament.passes.exclude(claimed_at=None, account=None)
    return {person_of_token(tournament, one) for one in held}


def is_claimed_in_room(tournament: Tournament, number: int) -> bool:
    """Whether a phone took this name in the room, or that of an entry that has become his."""
    own = Q(person_number=number) | ~Q(merged_into=None)
    held = tournament.passes.filter(own).exclude(claimed_at=None)
    return any(person_of_token(tournament, one) == number for one in held)


def token_of(tournament: Tournament, number: int) -> AccessToken:
    """The pass of a person, made where there is none yet."""
    return AccessToken.objects.get_or_create(tournament=tournament, person_number=number)[0]


def remember_token(
    request: HttpRequest, tournament: Tournament, held: AccessToken, *, tapped: bool = False
) -> None:
    """This browser is that person from now on; `tapped`: it took his name at the door of the room."""
    before = request.session.get(TOKENS_SESSION_KEY, {})
    if before.get(tournament.key) != held.token:
        request.session[CLAIMED_SESSION_KEY] = {
            **request.session.get(CLAIMED_SESSION_KEY, {}),
            tournament.key: tapped,
        }
    request.session[TOKENS_SESSION_KEY] = {**before, tournament.key: held.token}


def forget_token(request: HttpRequest, tournament: Tournament) -> None:
    """This browser is nobody of the tournament any more."""
    kept = dict(request.session.get(TOKENS_SESSION_KEY, {}))
    kept.pop(tournament.key, None)
    request.session[TOKENS_SESSION_KEY] = kept


@write_transaction
def claim_in_room(tournament: Tournament, number: int) -> AccessToken:
    """A phone takes a name at the door of the room; raises ActRefused (`act_name_taken`) if another one
    has.
    """
    row = locked_tournament(tournament)
    known = event_of(row).people.get(number)
    if known is None or known.gone:
        raise ActRefused("act_no_person", number=str(number))
    if number in claimed_people(row):
        raise ActRefused("act_name_taken")
    held = token_of(row, number)
    held.claimed_at = timezone.now()
    held.save(update_fields=["claimed_at"])
    return held


@write_transaction
def release_person(tournament: Tournament, number: int) -> None:
    """Whoever came as somebody is nobody any more; there is another link."""
    row = locked_tournament(tournament)
    for held in tokens_of_person(row, number):
        held.token, held.claimed_at, held.account = random_token(), None, None
        held.save(update_fields=["token", "claimed_at", "account"])


def leave_person(request: HttpRequest, tournament: Tournament) -> AccessToken | None:
    """A browser is nobody any more: by which pass it came, `claim_in_room` if that frees a name; None for
    none.

    A name that was taken by mistake may be taken again; a link of one's own stays good, and whoever came by
    it frees no name that another phone has.
    """
    found = token_of_browser(request, tournament)
    tapped = request.session.get(CLAIMED_SESSION_KEY, {}).get(tournament.key, True)
    forget_token(request, tournament)
    if found is not None and not tapped:
        found.claimed_at = None
    if found is not None and found.claimed_at is not None:
        tournament.passes.filter(pk=found.pk).update(claimed_at=None)
    return found


def room_code(tournament: Tournament) -> str:
    """What a screen in the room shows: whoever types it is in the room, and may take his name.

    It is another one in each round.
    """
    code = _code(tournament, _turn(tournament))
    return f"{code[:4]} {code[4:]}"


def is_room_code(tournament: Tournament, typed: str) -> bool:
    """Whether somebody typed what the screen shows now; capitals, blanks and hyphens do not matter."""
    return _is_code(typed, _code(tournament, _turn(tournament)))


def is_old_room_code(tournament: Tournament, typed: str) -> bool:
    """Whether somebody typed what it showed before: he was in the room, and opens nothing any more."""
    return any(_is_code(typed, _code(tournament, turn)) for turn in range(_turn(tournament)))


def _turn(tournament: Tournament) -> int:
    """The last round for which people have begun to arrive; 0 before the first."""
    rounds = event_of(tournament).rounds
    return max((number for number, one in rounds.items() if one.state is not RoundState.PLANNED), default=0)


def _code(tournament: Tournament, turn: int) -> str:
    said = f"{tournament.key}:{turn}"
    told = salted_hmac("talleyrand.tournaments.room", said, algorithm="sha256").digest()
    return "".join(ROOM_CODE_LETTERS[byte % len(ROOM_CODE_LETTERS)] for byte in told[:ROOM_CODE_LENGTH])


def _is_code(typed: str, code: str) -> bool:
    bare = "".join(typed.upper().replace("-", " ").split())
    return hmac.compare_digest(bare.encode(), code.encode())


def follow_merges(tournament: Tournament, entry: JournalEntry) -> None:
    """Two entries are one person now: whoever came as either comes as the one that is kept."""
    for one in entry.acts:
        if one["kind"] == MergePeople.kind:
            token_of(tournament, int(one["other"]))
            tournament.passes.filter(person_number=one["other"]).update(merged_into=one["person"])
