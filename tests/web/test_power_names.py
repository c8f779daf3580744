"""Powers in French sentences: « de l’Autriche », « du Japon », « aux Balkans », never « de Autriche »."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.utils.translation import override

import talleyrand
from talleyrand import variants
from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.web.notifications.notification_kinds import KINDS
from talleyrand.web.notifications.notification_sentences import notification_sentence

ROOT = Path(talleyrand.__file__).parent
FRENCH = sorted(ROOT.glob("**/locale/fr/LC_MESSAGES/*.po"))
# What no French sentence says: a word that should have lost its vowel, or be one with its article.
WRONG = re.compile(r"\b(?:de|que|le|la|ne|se)\s(?=[aeiouyàâéèêëîïôœù])|\b(?:de|à)\sles?\s", re.IGNORECASE)
NAMED = r"(?:%\(|\{)(?:\w*power\w*|who|whom)(?:\)s|\})"
# A word before a power’s name that changes with it; `of_power` and its sisters bring it along.
BEFORE = re.compile(rf"\b(?:de|d’|à|que|qu’|du|des|au|aux|par|entre|le|la|l’)\s?{NAMED}", re.IGNORECASE)


def powers() -> Iterator[tuple[SentenceNames, str]]:
    for name in variants.playable_names():
        voice = SentenceNames(variants.load(name), "fr")
        yield from ((voice, code) for code in voice.names.powers)


def test_every_power_of_every_variant_has_its_small_words() -> None:
    seen = 0
    for voice, code in powers():
        seen += 1
        for said in (voice.of_power(code), voice.to_power(code), voice.power(code)):
            assert not WRONG.search(said), said
        assert voice.names.powers[code].name in voice.of_power(code) + voice.to_power(code)
    assert seen > 40


def test_no_french_sentence_puts_a_bare_name_after_a_word_that_changes_with_it() -> None:
    """Where a name has no article, a sentence is built around it: « Unités retirées : Autriche »."""
    wrong = []
    for path in FRENCH:
        if "notifications" in path.parts and "tournaments" not in path.parts:
            continue  # whose names have their articles: see below
        with path.open("rb") as file:
            for message in read_po(file):
                said = [message.string] if isinstance(message.string, str) else message.string or []
                wrong += [(path.parent.parent.parent.parent.name, one) for one in said if BEFORE.search(one)]
    assert not wrong


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_notification_does_so_for_any_power(kind: str) -> None:
    with override("fr"):
        for voice, code in powers():
            facts = {
                "variant": voice.variant.name,
                "power": code,
                "powers": [code],
                "phase": "S1901M",
                "result": "draw",
                "outcome": "vetoed",
            }
            said = notification_sentence(kind, facts)
            assert not WRONG.search(said), said
