"""Secrets of hooks and the signature of what they are sent, by the rules of standardwebhooks.com.

No secret is kept: each comes from the key of the site and the seal of its hook, so that a copy of the
database gives none away.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from django.utils.crypto import salted_hmac

from .models import Webhook

PREFIX = "whsec_"


def signing_secret(hook: Webhook) -> str:
    """What the owner’s program checks signatures with: "whsec_" and base 64."""
    return f"{PREFIX}{base64.b64encode(_key(hook)).decode()}"


def signature_headers(hook: Webhook, number: str, seconds: int, body: bytes) -> dict[str, str]:
    """The heads that name a call, say when it was tried, and sign both with the body."""
    signed = f"{number}.{seconds}.".encode() + body
    signature = base64.b64encode(hmac.new(_key(hook), signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": number,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{signature}",
    }


def _key(hook: Webhook) -> bytes:
    return salted_hmac(
        "talleyrand.web.webhooks", f"{hook.key}:{hook.secret_seed}", algorithm="sha256"
    ).digest()
