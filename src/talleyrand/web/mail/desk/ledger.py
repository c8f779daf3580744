"""What the lines of one mail have done: written with the deed itself, so that none is lost or done twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from talleyrand.web.games.writing import writing
from talleyrand.web.mail.models import Arrival

Told = dict[str, Any]  # as JSON: `said` what was done or `refused` why not, both as codes, and facts
DEEDS = "deeds"


class Refused(Exception):
    """What is not done, and nothing has changed; `code` and `facts` say why."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts

    @property
    def told(self) -> Told:
        return {"refused": self.code, **self.facts}


@dataclass(frozen=True)
class Ledger:
    """The deeds of a mail, by key. A mail that came several times has one ledger."""

    arrival: int

    @classmethod
    def of(cls, arrival: Arrival) -> Ledger:
        same = Arrival.objects.filter(mailbox=arrival.mailbox_id, same=arrival.same)
        first = same.order_by("pk").values_list("pk", flat=True).first()
        return cls(first or arrival.pk)

    def deeds(self) -> dict[str, Told]:
        """Everything that is written in it."""
        return dict(Arrival.objects.get(pk=self.arrival).facts.get(DEEDS, {}))

    def known(self, key: str) -> Told | None:
        return self.deeds().get(key)

    def once(self, key: str, deed: Callable[[], Told]) -> Told:
        """Do a deed and write it down in one transaction; one that is written is not done again.

        A deed that raises Refused is written as refused, and is refused again.
        """
        return _once(self.arrival, key, deed)


@writing
def _once(arrival: int, key: str, deed: Callable[[], Told]) -> Told:
    row = Arrival.objects.select_for_update().get(pk=arrival)
    deeds: dict[str, Told] = dict(row.facts.get(DEEDS, {}))
    if key in deeds:
        return deeds[key]
    try:
        with transaction.atomic():
            deeds[key] = deed()
    except Refused as refused:
        deeds[key] = refused.told
    Arrival.objects.filter(pk=arrival).update(facts={**row.facts, DEEDS: deeds})
    return deeds[key]
