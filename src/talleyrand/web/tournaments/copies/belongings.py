"""The copies that somebody holds, and what becomes of them when his account is deleted."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from . import holding


def export(account: Person) -> list[dict[str, Any]]:
    """Their names and since when; what they show is the tournament's."""
    return [
        {"copy": one.tournament.name, "key": one.tournament.key, "made": one.made.isoformat()}
        for one in holding.of(account)
    ]


def told(account: Person) -> list[str]:
    """What is shown here of events directed elsewhere goes."""
    said = _("The copy of the tournament “%(name)s” that you hold here will be deleted.")
    return [said % {"name": one.tournament.name} for one in holding.of(account)]


def left(account: Person) -> None:
    """What `told` said."""
    for one in holding.of(account):
        holding.drop(one)


BELONGINGS = Belongings("tournament_copies", export, told, left)
