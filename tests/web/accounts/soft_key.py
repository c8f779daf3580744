"""A passkey made of software: it answers what a page asks as the key of a telephone does."""

from __future__ import annotations

import hashlib
import json
import re
from html import unescape
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

from .doors import PASSWORD

FLAG = AuthenticatorData.FLAG
Told = dict[str, Any]
ORIGIN = "http://localhost"
SIGN_IN, ADD = "/compte/cle-d-acces/", "/compte/cle-d-acces/nouvelle/"
STEP, AGAIN, PAGE = "/compte/deuxieme-etape/", "/compte/encore/", "/compte/securite/"


def browser() -> Client:
    """One that asks the site by the name under which keys are known."""
    return Client(HTTP_HOST="localhost")


def asked(page: str) -> Told:
    """The question in a page."""
    found = re.search(r'<script id="passkey-options" type="application/json">(.*?)</script>', page, re.S)
    assert found, page
    public: Told = json.loads(unescape(found[1]))["publicKey"]
    return public


class SoftKey:
    """`seen`: whether it has seen a finger, a face or a code."""

    def __init__(self, origin: str = ORIGIN, *, seen: bool = True) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = hashlib.sha256(str(id(self)).encode()).digest()
        self.origin, self.seen, self.count, self.owner = origin, seen, 0, b""

    def _data(self, place: str, credential: bytes = b"") -> AuthenticatorData:
        self.count += 1
        flags = FLAG.UP | (FLAG.UV if self.seen else FLAG(0)) | (FLAG.AT if credential else FLAG(0))
        there = hashlib.sha256(place.encode()).digest()
        made: AuthenticatorData = AuthenticatorData.create(there, flags, self.count, credential)
        return made

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _whole(self, response: Told) -> Told:
        text = {name: websafe_encode(value) for name, value in response.items()}
        name = websafe_encode(self.id)
        extensions = {"credProps": {"rk": True}}
        told = {"id": name, "rawId": name, "type": "public-key", "response": text}
        return {**told, "clientExtensionResults": extensions}

    def made(self, question: Told) -> Told:
        """The key, made for a question."""
        self.owner = websafe_decode(question["user"]["id"])
        public = ES256.from_cryptography_key(self.private.public_key())  # type: ignore[no-untyped-call]
        credential = AttestedCredentialData.create(b"\0" * 16, self.id, public)
        data = self._data(question["rp"]["id"], credential)
        client = self._client("webauthn.create", question["challenge"])
        attested = AttestationObject.create("none", data, {})
        return self._whole({"clientDataJSON": client, "attestationObject": bytes(attested)})

    def shown(self, question: Told) -> Told:
        """Its answer to a question."""
        data = self._data(question["rpId"])
        client = self._client("webauthn.get", question["challenge"])
        signed = bytes(data) + hashlib.sha256(client).digest()
        signature = self.private.sign(signed, ec.ECDSA(hashes.SHA256()))
        answer = {"clientDataJSON": client, "authenticatorData": bytes(data), "signature": signature}
        return self._whole({**answer, "userHandle": self.owner})


def add(client: Client, key: SoftKey, name: str = "mon téléphone") -> Any:
    """Make a key for whoever is signed in, the password typed once more."""
    client.post(f"{AGAIN}?next={ADD}", {"password": PASSWORD})
    question = asked(client.get(ADD).content.decode())
    return client.post(ADD, {"name": name, "credential": json.dumps(key.made(question))})


def sign_in_by(client: Client, key: SoftKey, **more: str) -> Any:
    """By the key alone."""
    question = client.post(SIGN_IN).json()["publicKey"]
    return client.post(SIGN_IN, {"credential": json.dumps(key.shown(question)), **more})
