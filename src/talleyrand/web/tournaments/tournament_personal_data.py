"""What tournaments keep of an account, and what becomes of it when the account is deleted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import codec
from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from . import access_tokens
from .event_documents import event_of
from .models import AccessToken, TournamentCircuit, TournamentLeague, TournamentMembership, TournamentRole


def export_tournaments(account: Person) -> list[dict[str, Any]]:
    """One's entries in tournaments, the desks one works at, the seasons and leagues one keeps."""
    passes = AccessToken.objects.filter(account=account).select_related("tournament")
    desks = TournamentMembership.objects.filter(account=account).select_related("tournament")
    return [
        *(_as_person(one) for one in passes),
        *({"tournament": one.tournament.name, "key": one.tournament.key, "role": one.role} for one in desks),
        *({"season": one.name, "key": one.key} for one in TournamentCircuit.objects.filter(keeper=account)),
        *({"league": one.name, "key": one.key} for one in TournamentLeague.objects.filter(keeper=account)),
    ]


def _as_person(held: AccessToken) -> dict[str, Any]:
    known = event_of(held.tournament).people.get(access_tokens.person_of_token(held.tournament, held))
    told = codec.write_value(known) if known else {}
    told.get("private", {}).pop("note", None)  # the desk's own
    return {"tournament": held.tournament.name, "key": held.tournament.key, "person": told}


def tournament_deletion_notes(account: Person) -> list[str]:
    """A circuit or league that nobody keeps could not be put right any more; an entry is its director's."""
    held = TournamentCircuit.objects.filter(keeper=account)
    return [
        *(
            _("Your circuit “%(name)s” will be deleted. Its tournaments stay.") % {"name": one.name}
            for one in held
        ),
        *(
            _("Your league “%(name)s” will be deleted. Its tournaments stay.") % {"name": one.name}
            for one in TournamentLeague.objects.filter(keeper=account)
        ),
        *_entered(account),
        *_directed(account),
    ]


def _entered(account: Person) -> list[str]:
    """An entry and its results stay in the event, where others have played against it."""
    said = _(
        "Tournament “%(name)s”: your account is detached, but your entry stays, with your "
        "name and results. Only the tournament director can clear or remove it."
    )
    passes = AccessToken.objects.filter(account=account).select_related("tournament")
    return [said % {"name": one.tournament.name} for one in passes]


def _directed(account: Person) -> list[str]:
    """What nobody else directs stays as it is, and nobody can change it."""
    mine = TournamentMembership.objects.filter(account=account, role=TournamentRole.DIRECTOR).select_related(
        "tournament"
    )
    alone = [
        one.tournament.name
        for one in mine
        if one.tournament.memberships.filter(role=TournamentRole.DIRECTOR).count() == 1
    ]
    said = _(
        "The tournament “%(name)s” will be left without a director. Name another director or delete it first."
    )
    return [said % {"name": name} for name in alone]


def delete_kept_by(account: Person) -> None:
    """What `tournament_deletion_notes` said."""
    TournamentCircuit.objects.filter(keeper=account).delete()
    TournamentLeague.objects.filter(keeper=account).delete()


TOURNAMENT_PERSONAL_DATA = PersonalData(
    "tournaments", export_tournaments, tournament_deletion_notes, delete_kept_by
)
