"""The site's key, by which push services know who sends (VAPID), and what a device's keys have to be."""

from __future__ import annotations

import base64
import binascii
import time
from email.utils import parseaddr
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

    from .models import PushDevice

LASTS = 12 * 3600  # seconds; services refuse more than a day
POINT, SHARED = 65, 16  # bytes of a device's keys


class InvalidDeviceKeys(Exception):
    """What a browser sent is no pair of keys."""


def public_key() -> str:
    """The site's public key in base64, as a browser wants it."""
    from cryptography.hazmat.primitives import serialization as forms

    point = _private(settings.PUSH_KEY).public_key()
    return _text(point.public_bytes(forms.Encoding.X962, forms.PublicFormat.UncompressedPoint))


@lru_cache(maxsize=2)
def _private(text: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(_bytes(text), "big"), ec.SECP256R1())


def vapid_headers(endpoint: str) -> dict[str, str]:
    """The header that says to the service of an endpoint, for some hours, that we are who sends."""
    from py_vapid import Vapid

    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + LASTS,
        "sub": vapid_contact(),
    }
    found: dict[str, str] = Vapid(_private(settings.PUSH_KEY)).sign(claims)
    return found


def vapid_contact() -> str:
    """Whom a service may ask about what we send: the site, or the sender of its mail."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    if settings.SITE_URL.startswith("https://") and "." in host:
        return f"https://{host}"
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def encrypt_for_device(device: PushDevice, data: bytes) -> bytes:
    """What only the device reads (RFC 8291, aes128gcm)."""
    from pywebpush import WebPusher

    told: dict[str, Any] = {"p256dh": device.p256dh, "auth": device.auth_secret}
    return bytes(WebPusher({"endpoint": device.endpoint, "keys": told}).encode(data)["body"])


def check_device_keys(known: object, shared: object) -> tuple[str, str]:
    """A device's keys as they are kept. Raises InvalidDeviceKeys."""
    from cryptography.hazmat.primitives.asymmetric import ec

    if not (isinstance(known, str) and isinstance(shared, str) and len(known) + len(shared) < 200):
        raise InvalidDeviceKeys
    try:
        point, secret = _bytes(known), _bytes(shared)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except (ValueError, binascii.Error) as problem:
        raise InvalidDeviceKeys from problem
    if len(point) != POINT or len(secret) != SHARED:
        raise InvalidDeviceKeys
    return _text(point), _text(secret)


def _bytes(text: str) -> bytes:
    plain = text.rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
