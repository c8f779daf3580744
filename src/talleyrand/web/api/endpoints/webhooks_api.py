"""One’s webhooks, as on the page of the account."""

from __future__ import annotations

from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field, StringConstraints

from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest, idempotency_key_or_new
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import (
    PRINTABLE,
    IdempotencyKey,
    Moment,
    PageAfter,
    PageLimit,
    RequestSchema,
    ResponseSchema,
    list_out,
    page_out,
    paginate,
)
from talleyrand.web.api.scopes import Scope
from talleyrand.web.common.outbound_urls import LONGEST_ADDRESS
from talleyrand.web.webhooks import models, webhook_actions, webhook_events, webhook_labels
from talleyrand.web.webhooks.webhook_actions import WebhookRefused, WebhookRequest

KEY = "^[A-Za-z0-9_-]{1,64}$"
WebhookKey = Annotated[str, Path(description=_("A webhook, by its `webhook`."), pattern=KEY)]
KindName = Annotated[str, StringConstraints(max_length=32, pattern="^[a-z_]*$")]
# Which part of what was sent a refusal is about.
WHERE = {"address": "body.address", "kinds": "body.kinds", "game": "body.game"}


def _refused(problem: WebhookRefused, _sight: object) -> ApiError:
    """A value that cannot be, or a moment that is not right."""
    sentence = webhook_labels.webhook_refusal(problem)
    if problem.code in WHERE:
        return ApiError(422, problem.code, sentence, [FieldError(WHERE[problem.code], sentence)])
    return ApiError(409, problem.code, sentence)


RESOURCE = Resource("webhooks", Scope.ACCOUNT, refused={WebhookRefused: _refused})


class WebhookOut(ResponseSchema):
    webhook: str = Field(validation_alias="key")
    address: str
    note: str = Field(validation_alias="label")
    kinds: list[str] = Field(description=_("Which events it gets; empty: all."))
    game: str | None = Field(description=_("For which game; null: for all of yours."))
    made: Moment = Field(validation_alias="created_at")
    paused: Moment | None = Field(validation_alias="paused_at")
    why: Literal["", "owner", "failing", "gone", "password"] = Field(
        validation_alias="pause_reason", description=_("Why it is paused.")
    )
    failures: int = Field(
        validation_alias="failure_count", description=_("Number of failed deliveries in a row.")
    )

    @staticmethod
    def resolve_game(hook: models.Webhook) -> str | None:
        return hook.game.key if hook.game else None


class WebhookSecretOut(ResponseSchema):
    secret: str = Field(description=_("Your program uses it to check that a delivery is ours: keep it."))

    @staticmethod
    def resolve_secret(hook: models.Webhook) -> str:
        return webhook_events.signing_secret(hook)


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
    number: str = Field(validation_alias="message_id", description=_("Its `webhook-id`."))
    kind: str
    made: Moment = Field(validation_alias="created_at")
    tries: int = Field(validation_alias="attempts")
    tried: Moment | None = Field(validation_alias="attempted_at")
    outcome: Literal["", "delivered", "given_up", "failed", "no_longer", "stale", "paused"] = Field(
        description=_("Empty while pending.")
    )
    status: int | None = Field(
        validation_alias="status_code",
        description=_("HTTP status returned by your program at the last attempt."),
    )
    answer: str = Field(
        validation_alias="response_text", description=_("The first 200 characters of the response.")
    )
    problem: Literal["", "nowhere", "refused", "late", "insecure", "broken"] = Field(validation_alias="error")


@RESOURCE.get("/webhooks", _("Your webhooks."), list_out("WebhooksOut", WebhookOut))
def list_webhooks(request: TokenRequest) -> object:
    return {"items": webhook_actions.webhooks_of(request.auth.person)}


@RESOURCE.post(
    "/webhooks",
    _("Add a webhook: the site calls its URL whenever something happens."),
    NewWebhookOut,
    status=201,
)
def add_webhook(request: TokenRequest, sent: WebhookIn, idempotency_key: IdempotencyKey = None) -> object:
    wanted = WebhookRequest(sent.address, tuple(sent.kinds), sent.game or "", sent.note)
    hook, _fresh = webhook_actions.add_webhook(
        request.auth.person, wanted, idempotency_key_or_new(idempotency_key), timezone.now()
    )
    return hook


@RESOURCE.get("/webhooks/{hook}", _("One of your webhooks."), WebhookOut)
def get_webhook(request: TokenRequest, hook: WebhookKey) -> object:
    return _mine(request, hook)


@RESOURCE.delete("/webhooks/{hook}", _("Delete a webhook, with its deliveries."))
def delete_webhook(request: TokenRequest, hook: WebhookKey) -> None:
    webhook_actions.delete_webhook(_mine(request, hook))


@RESOURCE.post(
    "/webhooks/{hook}/pause", _("Pause a webhook: what happens meanwhile is not sent later."), WebhookOut
)
def pause_webhook(request: TokenRequest, hook: WebhookKey) -> object:
    webhook_actions.pause_webhook(_mine(request, hook), timezone.now())
    return _mine(request, hook)


@RESOURCE.post("/webhooks/{hook}/resume", _("Resume it."), WebhookOut)
def resume_webhook(request: TokenRequest, hook: WebhookKey) -> object:
    webhook_actions.resume_webhook(_mine(request, hook))
    return _mine(request, hook)


@RESOURCE.post(
    "/webhooks/{hook}/trial",
    _("Send a test, even while paused; its deliveries show the result."),
    WebhookCallOut,
    status=201,
)
def send_test_call(request: TokenRequest, hook: WebhookKey) -> object:
    return webhook_actions.send_test_call(_mine(request, hook), timezone.now())


@RESOURCE.post(
    "/webhooks/{hook}/secret", _("Replace the secret: the old one stops working at once."), WebhookSecretOut
)
def renew_secret(request: TokenRequest, hook: WebhookKey) -> object:
    found = _mine(request, hook)
    webhook_actions.renew_secret(found, found.secret_seed)
    return found


@RESOURCE.get(
    "/webhooks/{hook}/calls",
    _("Deliveries in the last thirty days, newest first."),
    page_out("WebhookCallsOut", WebhookCallOut),
)
def list_calls(
    request: TokenRequest, hook: WebhookKey, after: PageAfter = None, limit: PageLimit = 50
) -> object:
    return paginate(webhook_actions.calls_of(_mine(request, hook)), after, limit)


def _mine(request: TokenRequest, key: str) -> models.Webhook:
    return get_object_or_404(webhook_actions.webhooks_of(request.auth.person), key=key)
