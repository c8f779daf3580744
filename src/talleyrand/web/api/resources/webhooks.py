"""One’s webhooks, as on the page of the account."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.utils import timezone
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.api import paging
from talleyrand.web.api.callers import Call, once
from talleyrand.web.api.forms import CLEAN, After, Given, Limit, Moment, Once, Page, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _
from talleyrand.web.webhooks import models, owning, signing, words
from talleyrand.web.webhooks.owning import NotPossible, Wanted

RESOURCE = Resource("webhooks")
KEY = "^[A-Za-z0-9_-]{1,64}$"
HookKey = Annotated[str, Path(description=_("A webhook, by its `webhook`."), pattern=KEY)]
KindName = Annotated[str, StringConstraints(max_length=32, pattern="^[a-z_]*$")]
# Which part of what was sent a refusal is about.
WHERE = {"address": "body.address", "kinds": "body.kinds", "game": "body.game"}


class Webhook(Given):
    webhook: str
    address: str
    note: str
    kinds: list[str] = Field(description=_("Which news it hears; none named: all."))
    game: str | None = Field(description=_("Of which game; null: of all of yours."))
    made: Moment
    paused: Moment | None
    why: Literal["", "owner", "failing", "gone", "password"] = Field(description=_("Why it is paused."))
    failures: int = Field(description=_("How many calls in a row were not heard."))


class Webhooks(Given):
    items: list[Webhook]


class Secret(Given):
    secret: str = Field(description=_("With it your program checks that a call is ours: keep it."))


class Made(Webhook, Secret):
    pass


class NewWebhook(Sent):
    address: str = Field(
        max_length=models.LONGEST_ADDRESS, pattern=CLEAN, description=_("Where it leads, by https.")
    )
    kinds: list[KindName] = Field(default=[], max_length=100, description=_("None named: all."))
    game: str | None = Field(default=None, pattern=KEY, description=_("Null: all of your games."))
    note: str = Field(default="", max_length=models.LONGEST_NOTE, pattern=CLEAN)


class CallFacts(Given):
    number: str = Field(description=_("Its `webhook-id`."))
    kind: str
    made: Moment
    tries: int
    tried: Moment | None
    outcome: Literal["", "delivered", "given_up", "failed", "no_longer", "stale", "paused"] = Field(
        description=_("Empty while it waits.")
    )
    status: int | None = Field(description=_("What your program answered to the last try."))
    answer: str = Field(description=_("The first 200 characters of it."))
    problem: Literal["", "nowhere", "refused", "late", "insecure", "broken"]


class Calls(Page[CallFacts]):
    pass


@RESOURCE.reads("/webhooks", _("Your webhooks."), Webhooks, Scope.ACCOUNT)
def every(request: Call) -> object:
    return {"items": [_hook(one) for one in owning.of(request.auth.person)]}


@RESOURCE.changes(
    "POST",
    "/webhooks",
    _("Add a webhook: the site calls its address whenever there is news."),
    Made,
    Scope.ACCOUNT,
    status=201,
)
def add(request: Call, sent: NewWebhook, idempotency_key: Once = None) -> object:
    wanted = Wanted(sent.address, tuple(sent.kinds), sent.game or "", sent.note)
    try:
        hook, _fresh = owning.add(request.auth.person, wanted, once(idempotency_key), timezone.now())
    except NotPossible as problem:
        raise _refused(problem) from problem
    return {**_hook(hook), "secret": signing.secret(hook)}


@RESOURCE.reads("/webhooks/{hook}", _("One of your webhooks."), Webhook, Scope.ACCOUNT)
def one(request: Call, hook: HookKey) -> object:
    return _hook(_mine(request, hook))


@RESOURCE.changes(
    "DELETE", "/webhooks/{hook}", _("Delete a webhook, with its calls."), None, Scope.ACCOUNT, status=204
)
def delete(request: Call, hook: HookKey) -> None:
    owning.delete(_mine(request, hook))


@RESOURCE.changes(
    "POST",
    "/webhooks/{hook}/pause",
    _("Pause a webhook: what happens meanwhile is not sent later."),
    Webhook,
    Scope.ACCOUNT,
)
def pause(request: Call, hook: HookKey) -> object:
    owning.pause(_mine(request, hook), timezone.now())
    return _hook(_mine(request, hook))


@RESOURCE.changes("POST", "/webhooks/{hook}/resume", _("Start it again."), Webhook, Scope.ACCOUNT)
def resume(request: Call, hook: HookKey) -> object:
    owning.resume(_mine(request, hook))
    return _hook(_mine(request, hook))


@RESOURCE.changes(
    "POST",
    "/webhooks/{hook}/trial",
    _("Have a trial sent, paused or not; its calls say what became of it."),
    CallFacts,
    Scope.ACCOUNT,
    status=201,
)
def trial(request: Call, hook: HookKey) -> object:
    try:
        return _call(owning.trial(_mine(request, hook), timezone.now()))
    except NotPossible as problem:
        raise _refused(problem) from problem


@RESOURCE.changes(
    "POST",
    "/webhooks/{hook}/secret",
    _("Another secret: the former one is worth nothing from then on."),
    Secret,
    Scope.ACCOUNT,
)
def renew(request: Call, hook: HookKey) -> object:
    found = _mine(request, hook)
    owning.renew(found, found.seal)
    return {"secret": signing.secret(found)}


@RESOURCE.reads(
    "/webhooks/{hook}/calls",
    _("What it was told in the last thirty days, the newest first."),
    Calls,
    Scope.ACCOUNT,
)
def calls(request: Call, hook: HookKey, after: After = None, limit: Limit = 50) -> object:
    return paging.part(owning.every_call(_mine(request, hook)), after, limit, _call)


def _mine(request: Call, key: str) -> models.Hook:
    found = owning.of(request.auth.person).filter(key=key).first()
    if found is None:
        raise Http404
    return found


def _refused(problem: NotPossible) -> Refusal:
    """A value that cannot be, or a moment that is not right."""
    sentence = words.refusal(problem)
    if problem.code in WHERE:
        return Refusal(422, problem.code, sentence, [Wrong(WHERE[problem.code], sentence)])
    return Refusal(409, problem.code, sentence)


def _hook(hook: models.Hook) -> dict[str, Any]:
    told = {
        name: getattr(hook, name)
        for name in ("address", "note", "kinds", "made", "paused", "why", "failures")
    }
    return {"webhook": hook.key, "game": hook.game.key if hook.game else None, **told}


def _call(call: models.Call) -> dict[str, Any]:
    names = ("number", "kind", "made", "tries", "tried", "outcome", "status", "answer", "problem")
    return {name: getattr(call, name) for name in names}
