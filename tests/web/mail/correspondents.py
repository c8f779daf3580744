"""People who play by post: an address each, such as nobody would write by chance."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from django.test import override_settings

from talleyrand.web.accounts.models import Person
from tests.web.built_once import built_once
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, person

DOMAIN = "jeu.example.org"
POST = {
    "GAME_MAIL_DOMAIN": DOMAIN,
    "GAME_MAIL_BASE": "",
    "GAME_MAIL_HOPS": 0,
    "MAILS_PER_MINUTE": 6000,
    "HAS_MAIL": True,
    "HAS_PLAY_BY_MAIL": True,
    "DEFAULT_FROM_EMAIL": f"Talleyrand <site@{DOMAIN}>",
    "SITE_URL": "https://jeu.example.org",
}
# What these people are called in life, so that a test can look for it in what reaches others.
SURNAMES = {
    "Agathe": "Martin",
    "Edmond": "Vasseur",
    "Flora": "Kerbrat",
    "Gaspard": "Lenoir",
    "Irène": "Colonna",
    "Roman": "Zielinski",
    "Théa": "Papadakis",
    MASTER: "Quéméner",
    ASSISTANT: "Delvaux",
    OBSERVER: "Brandt",
    STRANGER: "Thibodeau",
}
EVERYBODY = (*PLAYERS.values(), MASTER)


def address_of(name: str) -> str:
    """Somebody’s address: agathe.martin@exemple-agathe.fr."""
    first, last = _plain(name), _plain(SURNAMES.get(name, "Personne"))
    return f"{first}.{last}@exemple-{first}.fr"


@built_once
def correspond(name: str, address: str = "") -> Person:
    """Somebody of the cast with an address that is shown to be his; another one replaces it."""
    found = person(name)
    EmailAddress.objects.filter(user=found).delete()
    EmailAddress.objects.create(user=found, email=address or address_of(name), verified=True, primary=True)
    return found


@built_once
def everybody() -> dict[str, Person]:
    """The seven players and the game master, each with an address."""
    return {name: correspond(name) for name in EVERYBODY}


@pytest.fixture
def by_post() -> Iterator[None]:
    """A site on which one plays by post."""
    with override_settings(**POST):
        yield


def _plain(name: str) -> str:
    split = unicodedata.normalize("NFKD", name.lower())
    return "".join(sign for sign in split if sign.isascii() and sign.isalpha())
