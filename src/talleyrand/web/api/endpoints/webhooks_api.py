"""One’s webhooks, as on the page of the account."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404
from django.utils import timezone
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.api import paging
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest, idempotency_key_or_new
from talleyrand.web.api.marked_texts import _
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    IdempotencyKey,
    Moment,
    PageAfter,
    PageLimit,
    PageOut,
    RequestSchema,
    ResponseSchema,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.common.outbound_urls import LONGEST_ADDRESS
from talleyrand.web.webhooks import (
    models,
    webhook_actions,
    webhook_labels,
    webhook_signing,
)
from talleyrand.web.webhooks.webhook_actions import WebhookRefused, WebhookRequest

RESOURCE = Resource("webhooks")
KEY = "^[A-Za-z0-9_-]{1,64}$"
WebhookKey = Annotated[str, Path(description=_("A webhook, by its `webhook`."), pattern=KEY)]
KindName = Annotated[str, StringConstraints(max_length=32, pattern="^[a-z_]*$")]
# Which part of what was sent a refusal is about.
WHERE = {"address": "body.address", "kinds": "body.kinds", "game": "body.game"}


class WebhookOut(ResponseSchema):
    webhook: str
    address: str
    note: str
    kinds: list[str] = Field(description=_("Which events it gets; empty: all."))
    game: str | None = Field(description=_("For which game; null: for all of yours."))
    made: Moment
    paused: Moment | None
    why: Literal["", "owner", "failing", "gone", "password"] = Field(description=_("Why it is paused."))
    failures: int = Field(description=_("Number of failed deliveries in a row."))


class WebhooksOut(ResponseSchema):
    items: list[WebhookOut]


class WebhookSecretOut(ResponseSchema):
    secret: str = Field(description=_("Your program uses it to check that a delivery is ours: keep it."))


class NewWebhookOut(WebhookOut, WebhookSecretOut):
    pass


class WebhookIn(RequestSchema):
    address: str = Field(
        max_length=LONGEST_ADDRESS, pattern=PRINTABLE, description=_("The https URL to call.")
    )
    kinds: list[KindName] = Field(default=[], max_length=100, description=_("Empty: all."))
    game: str | None = Field(default=None, pattern=KEY, description=_("Null: all your games."))
    note: str = Field(default="", max_length=models.LONGEST_NOTE, pattern=PRINTABLE)


class WebhookCallOut(ResponseSchema):
    number: str = Field(description=_("Its `webhook-id`."))
    kind: str
    made: Moment
    tries: int
    tried: Moment | None
    outcome: Literal["", "delivered", "given_up", "failed", "no_longer", "stale", "paused"] = Field(
        description=_("Empty while pending.")
    )
    status: int | None = Field(description=_("HTTP status returned by your program at the last attempt."))
    answer: str = Field(description=_("The first 200 characters of the response."))
    problem: Literal["", "nowhere", "refused", "late", "insecure", "broken"]


class WebhookCallsOut(PageOut[WebhookCallOut]):
    pass


@RESOURCE.read_view("/webhooks", _("Your webhooks."), WebhooksOut, Scope.ACCOUNT)
def list_webhooks(request: TokenRequest) -> object:
    return {"items": [_hook(one) for one in webhook_actions.webhooks_of(request.auth.person)]}


@RESOURCE.change_view(
    "POST",
    "/webhooks",
    _("Add a webhook: the site calls its URL whenever something happens."),
    NewWebhookOut,
    Scope.ACCOUNT,
    status=201,
)
def add_webhook(request: TokenRequest, sent: WebhookIn, idempotency_key: IdempotencyKey = None) -> object:
    wanted = WebhookRequest(sent.address, tuple(sent.kinds), sent.game or "", sent.note)
    try:
        hook, _fresh = webhook_actions.add_webhook(
            request.auth.person, wanted, idempotency_key_or_new(idempotency_key), timezone.now()
        )
    except WebhookRefused as problem:
        raise _refused(problem) from problem
    return {**_hook(hook), "secret": webhook_signing.signing_secret(hook)}


@RESOURCE.read_view("/webhooks/{hook}", _("One of your webhooks."), WebhookOut, Scope.ACCOUNT)
def get_webhook(request: TokenRequest, hook: WebhookKey) -> object:
    return _hook(_mine(request, hook))


@RESOURCE.change_view(
    "DELETE", "/webhooks/{hook}", _("Delete a webhook, with its deliveries."), None, Scope.ACCOUNT, status=204
)
def delete_webhook(request: TokenRequest, hook: WebhookKey) -> None:
    webhook_actions.delete_webhook(_mine(request, hook))


@RESOURCE.change_view(
    "POST",
    "/webhooks/{hook}/pause",
    _("Pause a webhook: what happens meanwhile is not sent later."),
    WebhookOut,
    Scope.ACCOUNT,
)
def pause_webhook(request: TokenRequest, hook: WebhookKey) -> object:
    webhook_actions.pause_webhook(_mine(request, hook), timezone.now())
    return _hook(_mine(request, hook))


@RESOURCE.change_view("POST", "/webhooks/{hook}/resume", _("Resume it."), WebhookOut, Scope.ACCOUNT)
def resume_webhook(request: TokenRequest, hook: WebhookKey) -> object:
    webhook_actions.resume_webhook(_mine(request, hook))
    return _hook(_mine(request, hook))


@RESOURCE.change_view(
    "POST",
    "/webhooks/{hook}/trial",
    _("Send a test, even while paused; its deliveries show the result."),
    WebhookCallOut,
    Scope.ACCOUNT,
    status=201,
)
def send_test_call(request: TokenRequest, hook: WebhookKey) -> object:
    try:
        return _call(webhook_actions.send_test_call(_mine(request, hook), timezone.now()))
    except WebhookRefused as problem:
        raise _refused(problem) from problem


@RESOURCE.change_view(
    "POST",
    "/webhooks/{hook}/secret",
    _("Replace the secret: the old one stops working at once."),
    WebhookSecretOut,
    Scope.ACCOUNT,
)
def renew_secret(request: TokenRequest, hook: WebhookKey) -> object:
    found = _mine(request, hook)
    webhook_actions.renew_secret(found, found.secret_seed)
    return {"secret": webhook_signing.signing_secret(found)}


@RESOURCE.read_view(
    "/webhooks/{hook}/calls",
    _("Deliveries in the last thirty days, newest first."),
    WebhookCallsOut,
    Scope.ACCOUNT,
)
def list_calls(
    request: TokenRequest, hook: WebhookKey, after: PageAfter = None, limit: PageLimit = 50
) -> object:
    return paging.paginate(webhook_actions.calls_of(_mine(request, hook)), after, limit, _call)


def _mine(request: TokenRequest, key: str) -> models.Webhook:
    found = webhook_actions.webhooks_of(request.auth.person).filter(key=key).first()
    if found is None:
        raise Http404
    return found


def _refused(problem: WebhookRefused) -> ApiError:
    """A value that cannot be, or a moment that is not right."""
    sentence = webhook_labels.webhook_refusal(problem)
    if problem.code in WHERE:
        return ApiError(422, problem.code, sentence, [FieldError(WHERE[problem.code], sentence)])
    return ApiError(409, problem.code, sentence)


def _hook(hook: models.Webhook) -> dict[str, Any]:
    return {
        "webhook": hook.key,
        "game": hook.game.key if hook.game else None,
        "address": hook.address,
        "note": hook.label,
        "kinds": hook.kinds,
        "made": hook.created_at,
        "paused": hook.paused_at,
        "why": hook.pause_reason,
        "failures": hook.failure_count,
    }


def _call(call: models.WebhookCall) -> dict[str, Any]:
    return {
        "number": call.message_id,
        "kind": call.kind,
        "made": call.created_at,
        "tries": call.attempts,
        "tried": call.attempted_at,
        "outcome": call.outcome,
        "status": call.status_code,
        "answer": call.response_text,
        "problem": call.error,
    }
