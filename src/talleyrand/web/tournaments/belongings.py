"""What tournaments keep of an account, and what becomes of it when the account is deleted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import codec
from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from . import passes
from .documents import event_of
from .models import Membership, Pass, Role, Season


def export(account: Person) -> list[dict[str, Any]]:
    """One's entries in tournaments, the desks one works at, the seasons one keeps."""
    passes = Pass.objects.filter(account=account).select_related("tournament")
    desks = Membership.objects.filter(account=account).select_related("tournament")
    return [
        *(_as_person(one) for one in passes),
        *({"tournament": one.tournament.name, "key": one.tournament.key, "role": one.role} for one in desks),
        *({"season": one.name, "key": one.key} for one in Season.objects.filter(keeper=account)),
    ]


def _as_person(held: Pass) -> dict[str, Any]:
    known = event_of(held.tournament).people.get(passes.person_of(held.tournament, held))
    told = codec.write(known) if known else {}
    told.get("private", {}).pop("note", None)  # the desk's own
    return {"tournament": held.tournament.name, "key": held.tournament.key, "person": told}


def told(account: Person) -> list[str]:
    """A circuit that nobody keeps could not be put right any more; an entry is its director's."""
    held = Season.objects.filter(keeper=account)
    return [
        *(
            _("Your circuit “%(name)s” will be deleted. Its tournaments stay.") % {"name": one.name}
            for one in held
        ),
        *_entered(account),
        *_directed(account),
    ]


def _entered(account: Person) -> list[str]:
    """An entry and its results stay in the event, where others have played against it."""
    said = _(
        "Tournament “%(name)s”: your account is taken off, but your entry stays, with your name and results. "
        "Only its director can clear or remove it."
    )
    passes = Pass.objects.filter(account=account).select_related("tournament")
    return [said % {"name": one.tournament.name} for one in passes]


def _directed(account: Person) -> list[str]:
    """What nobody else directs stays as it is, and nobody can change it."""
    mine = Membership.objects.filter(account=account, role=Role.DIRECTOR).select_related("tournament")
    alone = [
        one.tournament.name
        for one in mine
        if one.tournament.memberships.filter(role=Role.DIRECTOR).count() == 1
    ]
    said = _("Nobody will direct the tournament “%(name)s” any more: name a director, or delete it first.")
    return [said % {"name": name} for name in alone]


def left(account: Person) -> None:
    """What `told` said."""
    Season.objects.filter(keeper=account).delete()


BELONGINGS = Belongings("tournaments", export, told, left)
