"""What the lines of one mail have done: written with the deed itself, so that none is lost or done twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.mail.models import InboundDelivery

ResultFacts = dict[str, Any]  # as JSON: `said` what was done or `refused` why not, both as codes, and facts
RESULTS_KEY = "deeds"


class CommandRefused(Exception):
    """What is not done, and nothing has changed; `code` and `facts` say why."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts

    @property
    def result_facts(self) -> ResultFacts:
        return {"refused": self.code, **self.facts}


@dataclass(frozen=True)
class CommandResults:
    """The deeds of a mail, by key. A mail that came several times has one ledger."""

    delivery_id: int

    @classmethod
    def for_delivery(cls, arrival: InboundDelivery) -> CommandResults:
        same = InboundDelivery.objects.filter(
            mailbox=arrival.mailbox_id, content_digest=arrival.content_digest
        )
        first = same.order_by("pk").values_list("pk", flat=True).first()
        return cls(first or arrival.pk)

    def all(self) -> dict[str, ResultFacts]:
        """Everything that is written in it."""
        return dict(InboundDelivery.objects.get(pk=self.delivery_id).facts.get(RESULTS_KEY, {}))

    def get(self, key: str) -> ResultFacts | None:
        return self.all().get(key)

    def run_once(self, key: str, deed: Callable[[], ResultFacts]) -> ResultFacts:
        """Do a deed and write it down in one transaction; one that is written is not done again.

        A deed that raises CommandRefused is written as refused, and is refused again.
        """
        return _once(self.delivery_id, key, deed)


@write_transaction
def _once(arrival: int, key: str, deed: Callable[[], ResultFacts]) -> ResultFacts:
    row = InboundDelivery.objects.select_for_update().get(pk=arrival)
    deeds: dict[str, ResultFacts] = dict(row.facts.get(RESULTS_KEY, {}))
    if key in deeds:
        return deeds[key]
    try:
        with transaction.atomic():
            deeds[key] = deed()
    except CommandRefused as refused:
        deeds[key] = refused.result_facts
    InboundDelivery.objects.filter(pk=arrival).update(facts={**row.facts, RESULTS_KEY: deeds})
    return deeds[key]
