"""What a sentence to a bot says that proposes nothing: a greeting, a question, thanks, a reproach."""

from __future__ import annotations

import re

from talleyrand.notation.lexer import folded_words

_WORDS = {
    "question": "pourquoi quoi comment ou combien why what how when where who",
    "greeting": "bonjour bonsoir salut coucou hello hi hey greetings",
    "reproach": "traitre traitresse menteur menteuse traitor liar",
    "declined": "no non nope",
    "one_sided": """laisse laissez laisser va allez reste restez quitte quittez retire retirez evacue evacuez
    sors sortez prends prenez rends rendez leave let go get stay withdraw take have keep""",
    "thanks": "merci thanks thank",
    "apology": """sorry apologise apologize mistake forgive desole desolee erreur excuse excusez pardon
    pardonne pardonnez""",
    "moves": """move convoy enter advance go va allez bouge bougez convoie convoyez avance avancez entre
    entrez""",
    "away": "ne n not don away out",
    "staying": "reste restez rentre rentrez stay stays",
    "home": "chez home maison pays",
}
_KNOWN = {kind: frozenset(words.split()) for kind, words in _WORDS.items()}
_REPROACH = re.compile(
    r"\b(you|you have|tu as|tu m as|t as|tu avais|vous avez|vous m avez|vous aviez)"
    r" (promised|promis|broke|broken|betrayed|lied|menti|trahi)\b"
)
_THANKS = re.compile(r"\b(merci|thanks|thank you) (pour|for)\b")
_PROMISE = re.compile(
    r"\b(i|we) (will|shall|ll|won|promise|leave|give|stay)\b|\byou (can|may) (have|take|keep)\b"
    r"|\bje (ne )?((te|t|vous) )?(promets|jure|laisse|donne|cede|defends|reste)\b"
    r"|\bje n (entre|attaque)\b|\bje (ne |n )?\w*(erai|irai|drai)\b"
    r"|\b(tu peux|vous pouvez) (prendre|avoir|garder)\b"
)
_ASKED = re.compile(
    r"\b(will|do|are|can|could|would) you\b|\best ce que\b|\b(vas|comptes|veux|peux|penses) tu\b"
    r"|\b(allez|comptez|voulez|pouvez|pensez) vous\b"
)
_OFFER_ASKED = re.compile(
    r"\bwhat (do|would|can) you (propose|offer|suggest|want)\b"
    r"|\bque (me |nous )?(proposes tu|proposez vous|veux tu|voulez vous)\b"
)


def looks_back(clause: str) -> bool:
    """Whether a part of a sentence is about what was done: thanks, or that the other broke their word."""
    said = " ".join(folded_words(clause))
    return bool(_REPROACH.search(said) or _THANKS.search(said))


def courtesy(text: str) -> str:
    """`reproach`, `declined`, `thanks` or `apology`; "" where a sentence is none of these."""
    words = folded_words(text)
    if _REPROACH.search(" ".join(words)) or not _KNOWN["reproach"].isdisjoint(words):
        return "reproach"
    if not _KNOWN["declined"].isdisjoint(words[:1]):
        return "declined"
    return next((kind for kind in ("apology", "thanks") if not _KNOWN[kind].isdisjoint(words)), "")


def small_talk(text: str, *, has_place: bool) -> str:
    """What a text says that proposes nothing, as a problem that a bot answers."""
    words = folded_words(text)
    said, first = " ".join(words), words[:4]
    found = (
        (courtesy(text), True),
        ("offer_asked", _OFFER_ASKED.search(said)),
        ("question", not _KNOWN["question"].isdisjoint(first) and not said.startswith("what a ")),
        ("promise", _PROMISE.search(said)),
        ("moves_asked", not _KNOWN["moves"].isdisjoint(words[:2]) and _KNOWN["away"].isdisjoint(words)),
        ("moves_asked", all(not _KNOWN[one].isdisjoint(words) for one in ("staying", "home"))),
        ("one_sided", has_place and not _KNOWN["one_sided"].isdisjoint(words)),
        ("question", _ASKED.search(said)),
        ("greeting", not _KNOWN["greeting"].isdisjoint(words[:1])),
    )
    return next((kind for kind, holds in found if kind and holds), "not_understood")
