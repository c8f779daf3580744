"""The words by which a page may hear that something changed, signed by whoever made the page.

They hold topics with the numbers that these had, so that whatever changed while the page was on its way is
noticed. Who has the words may listen for a day: he learns that something changed, never what. What is one
person's he hears as long as he is signed in, in the session for which they were signed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from django.core.signing import BadSignature, TimestampSigner

from . import topic_versions

SALT = "talleyrand.news"
LASTS = 24 * 60 * 60
MOST_WORDS = 40  # as many pages of one browser share a stream
MOST_TOPICS = 60
LONGEST = 4000
BETWEEN, BEFORE_NUMBER = ",", "~"
OF_SESSION = "session:"  # begins what stands beside topics in words that are one session's


class InvalidTopics(Exception):
    """Words that nobody signed, or longer ago than they last."""


def sign_topics(topics: Iterable[str], session: str = "") -> str:
    """What a page writes into `data-topics`: the topics as JSON in base64, a date and a signature.

    With the key of a session they are good in that one alone. To be called before what the page shows is
    read.
    """
    told = topic_versions.current_versions(topics)
    return TimestampSigner(salt=SALT).sign_object({**told, _mark(session): 0} if session else told)


def unsign_topics(words: Iterable[str], session: str = "") -> dict[str, int]:
    """The topics of one or more pages with the oldest number each was made at.

    Words that are too old, or of another session, do not spoil those of other pages beside them. Raises
    InvalidTopics where none are good.
    """
    found: dict[str, int] = {}
    for one in list(words)[:MOST_WORDS]:
        told = _unsigned(one)
        marks = {topic for topic in told if topic.startswith(OF_SESSION)}
        if marks <= {_mark(session)}:
            for topic in told.keys() - marks:
                found[topic] = min(told[topic], found.get(topic, told[topic]))
    if not found or len(found) > MOST_TOPICS:
        raise InvalidTopics
    return found


def are_bound_to_session(words: Iterable[str]) -> bool:
    """Whether some words are one session's."""
    return any(topic.startswith(OF_SESSION) for one in words for topic in _unsigned(one))


def _mark(session: str) -> str:
    return f"{OF_SESSION}{hashlib.sha256(session.encode()).hexdigest()[:24]}"


def _unsigned(words: str) -> dict[str, int]:
    """Nothing for what nobody signed, or too long ago."""
    if len(words) > LONGEST:
        return {}
    try:
        found: dict[str, int] = TimestampSigner(salt=SALT).unsign_object(words, max_age=LASTS)
    except (BadSignature, ValueError):
        return {}
    return found


def event_id(numbers: Mapping[str, int]) -> str:
    """Numbers as the `id` of an event: "game:KEY~12,person:4~7"."""
    return BETWEEN.join(f"{topic}{BEFORE_NUMBER}{number}" for topic, number in sorted(numbers.items()))


def parse_event_id(text: str) -> dict[str, int]:
    """The numbers that a listener says it knows; what makes no sense is left out."""
    found: dict[str, int] = {}
    for part in text[:LONGEST].split(BETWEEN):
        topic, _, number = part.partition(BEFORE_NUMBER)
        if number.isascii() and number.isdecimal() and len(number) < 19:
            found[topic] = int(number)
    return found


def known_versions(made: Mapping[str, int], *told: str) -> dict[str, int]:
    """What a listener knows of its topics: what it says last, else what its page was made with."""
    found = dict(made)
    for text in told:
        found |= {topic: number for topic, number in parse_event_id(text).items() if topic in made}
    return found


def changed_topics(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """The topics whose number is another; a lower one too, as after a copy was put back."""
    return {topic: number for topic, number in now.items() if before.get(topic, 0) != number}
