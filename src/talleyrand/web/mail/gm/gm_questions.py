"""Questions before acts that are hard to take back: asked in an answer, and answered by another mail.

A question is kept with the mail that caused it. A yes is good once, for two days, and for the state of the
game that was shown: where that has changed, the question is asked anew.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from talleyrand.web.games.models import Game
from talleyrand.web.mail.command_results import RESULTS_KEY, CommandRefused, ResultFacts
from talleyrand.web.mail.models import InboundDelivery, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.outbound import email_queue

from . import gm_plans
from .gm_commands import CODE_LENGTH, CODE_SIGNS, GmAction, GmCommand
from .gm_context import GmContext, refusing, run_once
from .gm_plans import PlannedAction

GOOD_FOR = timedelta(days=2)
ASKED, SETTLED = "asked", "settled"


def do_or_ask(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """Do what a command says, or ask first where that is hard to take back."""
    return [_told_once(master, key, lambda: _done_or_asked(master, command))]


def _done_or_asked(master: GmContext, command: GmCommand) -> Callable[[], ResultFacts]:
    planned = gm_plans.PLANS[command.action](master, command)
    return partial(_question, master, planned) if planned.effects else planned.act


def are_unclear(answers: Iterable[GmCommand]) -> bool:
    """Whether several answers of one mail do not each name a question of its own: then none counts."""
    given = {(one.text, one.declined) for one in answers}
    codes = {code for code, _declined in given}
    return len(given) > 1 and ("" in codes or len(codes) < len(given))


def take_answer(master: GmContext, key: str, command: GmCommand) -> list[ResultFacts]:
    """A yes or a no to a question that was asked in another mail."""
    return [_told_once(master, key, lambda: _answered(master, command))]


def _told_once(master: GmContext, key: str, prepare: Callable[[], Callable[[], ResultFacts]]) -> ResultFacts:
    """Prepared outside of the transaction in which it is done: the judge takes his time."""
    known = master.results.get(key)
    if known is not None:
        return known
    try:
        with refusing():
            deed = prepare()
    except CommandRefused as refused:
        told = refused.result_facts
        return run_once(master, key, lambda: told)
    return run_once(master, key, deed)


# asking


def _question(master: GmContext, planned: PlannedAction, *, anew: bool = False) -> ResultFacts:
    command = {**dataclasses.asdict(planned.command), "powers": list(planned.command.powers), "numbers": []}
    return {
        "said": ASKED,
        "code": "".join(secrets.choice(CODE_SIGNS) for _sign in range(CODE_LENGTH)),
        "command": command,
        "effects": list(planned.effects),
        "digest": planned.digest,
        "until": (master.received_at + GOOD_FOR).isoformat(),
        "anew": anew,
    }


# answering


@dataclass(frozen=True)
class _Question:
    """A question that was asked, and where it is kept."""

    delivery: int
    key: str
    facts: ResultFacts

    @property
    def command(self) -> GmCommand:
        kept = {**self.facts["command"], "numbers": (), "powers": tuple(self.facts["command"]["powers"])}
        return GmCommand(**{**kept, "action": GmAction(kept["action"])})

    def problem(self, at: datetime) -> str:
        """Why an answer that came then does nothing; "" where it does."""
        if SETTLED in self.facts:
            return "answered_before"
        return "too_late" if at > datetime.fromisoformat(self.facts["until"]) else ""

    def settle(self, how: str) -> None:
        """Let no other answer count, inside the transaction that does what was asked. Raises
        CommandRefused.
        """
        row = InboundDelivery.objects.select_for_update().get(pk=self.delivery)
        deeds = row.facts[RESULTS_KEY]
        if SETTLED in deeds[self.key]:
            raise CommandRefused("answered_before")
        deeds[self.key] |= {SETTLED: how}
        InboundDelivery.objects.filter(pk=row.pk).update(facts=row.facts)


def _answered(master: GmContext, answer: GmCommand) -> Callable[[], ResultFacts]:
    """Raises CommandRefused."""
    question = _meant(master, answer.text)
    if answer.declined:
        return partial(_declined, question)
    command = question.command
    planned = gm_plans.PLANS[command.action](master, command)
    if planned.effects and planned.digest != question.facts["digest"]:
        return partial(_asked_anew, master, question, planned)
    return partial(_confirmed, question, planned)


def _declined(question: _Question) -> ResultFacts:
    question.settle("declined")
    return {"said": "declined"}


def _asked_anew(master: GmContext, question: _Question, planned: PlannedAction) -> ResultFacts:
    question.settle("anew")
    return _question(master, planned, anew=True)


def _confirmed(question: _Question, planned: PlannedAction) -> ResultFacts:
    if Game.objects.select_for_update().get(pk=planned.game.pk).version != planned.game.version:
        raise CommandRefused("moved")
    question.settle("done")
    return planned.act()


def _meant(master: GmContext, code: str) -> _Question:
    """The question that an answer is for. Raises CommandRefused."""
    asked = _questions(master)
    if code:
        found = [one for one in asked if one.facts["code"] == code]
    else:
        named = _deliveries_answered(master)
        found = [one for one in asked if one.delivery in named] if named is not None else asked
    waiting = [one for one in found if not one.problem(master.received_at)]
    if len(waiting) > 1:
        raise CommandRefused("which", codes=[one.facts["code"] for one in waiting])
    if waiting:
        return waiting[0]
    raise CommandRefused(found[-1].problem(master.received_at) if found else "no_question")


def _questions(master: GmContext) -> list[_Question]:
    """What this game master has been asked lately, the last one last; nothing that their mail asks itself.

    A mail that came again after it had failed carries what the first asked, where the answer is kept.
    """
    since = master.received_at - 2 * GOOD_FOR
    rows = InboundDelivery.objects.filter(
        mailbox__game=master.game,
        mailbox__person=master.person,
        mailbox__purpose=MailboxPurpose.DESK,
        email__received_at__gt=since,
    )
    found: dict[str, _Question] = {}
    for pk, facts in rows.exclude(pk=master.results.delivery_id).order_by("pk").values_list("pk", "facts"):
        for key, told in facts.get(RESULTS_KEY, {}).items():
            if told.get("said") == ASKED:
                found.setdefault(told["code"], _Question(pk, key, told))
    return list(found.values())


def _deliveries_answered(master: GmContext) -> set[int] | None:
    """The mails to whose answers theirs is one; None where it answers no mail of ours."""
    tokens = [one.strip(" <>").partition("@")[0] for one in master.answers_to.split()]
    keys = OutboundEmail.objects.filter(person=master.person, message_token__in=tokens).values_list(
        "idempotency_key", flat=True
    )
    if not keys:
        return None
    digests = [key.split(":")[1] for key in keys if key.startswith(f"{email_queue.ANSWER}:")]
    return set(
        InboundDelivery.objects.filter(mailbox__person=master.person, content_digest__in=digests).values_list(
            "pk", flat=True
        )
    )
