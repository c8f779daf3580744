"""The answer to an invitation, read from what its writer wrote. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from talleyrand.notation import find_power
from talleyrand.variants import Variant

WORD = re.compile(r"[^\W\d_]+")
YES, NO = ("oui", "yes"), ("non", "no")
GREETINGS = ("bonjour", "bonsoir", "salut", "hello", "hi", "dear", "cher", "chère", "madame", "monsieur")
NAME = re.compile(r"\s*(?:nom|pseudo|pseudonyme|name)\s*[:=]\s*(?P<said>.+)", re.IGNORECASE)
WISHES = re.compile(
    r"\s*(?:pr[ée]f[ée]rences?|v(?:œ|oe)ux?|wish(?:es)?)\s*[:=]\s*(?P<said>.+)", re.IGNORECASE
)
AGREED = (
    *("d accord", "ok", "okay", "volontiers", "avec plaisir", "bien volontiers", "avec joie"),
    *("sure", "gladly", "with pleasure", "count me in", "i m in", "i am in"),
)
ARTICLE = re.compile(r"\A(?:l['’]|la |le |les |the )", re.IGNORECASE)
BETWEEN = re.compile(r"[,;/]| puis | then ")
MOST_LINES, LONGEST_LINE, MOST_WISHES = 60, 400, 12


class ReplyAnswer(StrEnum):
    """What somebody answers."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"


@dataclass(frozen=True)
class InvitationReply:
    """An answer with what was asked for: a name, powers best first, and the words that are no power."""

    answer: ReplyAnswer
    name: str = ""
    preferences: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def parse_reply(text: str, variant: Variant) -> InvitationReply:
    """Read an answer: its first word decides, after a greeting, a name and wishes if they come first."""
    lines = [line[:LONGEST_LINE] for line in text.splitlines() if line.strip()][:MOST_LINES]
    wished = [part.strip(" .") for part in BETWEEN.split(_after(WISHES, lines))]
    wished = [part for part in wished if part][:MOST_WISHES]
    powers = {part: find_power(ARTICLE.sub("", part, count=1), variant) for part in wished}
    return InvitationReply(
        _said(lines),
        _after(NAME, lines).strip(),
        tuple(dict.fromkeys(power for power in powers.values() if power)),
        tuple(part for part, power in powers.items() if not power),
    )


def _said(lines: list[str]) -> ReplyAnswer:
    for line in lines:
        if NAME.match(line) or WISHES.match(line):
            continue
        words = WORD.findall(line.casefold())
        greets = bool(words) and words[0] in GREETINGS
        for word in words[greets : greets + 1]:
            if word in YES:
                return ReplyAnswer.YES
            if word in NO:
                return ReplyAnswer.NO
        if words and not greets:
            return ReplyAnswer.YES if " ".join(words) in AGREED else ReplyAnswer.NEITHER
    return ReplyAnswer.NEITHER


def _after(label: re.Pattern[str], lines: list[str]) -> str:
    """What stands behind a label; the last such line counts."""
    found = [match["said"] for line in lines if (match := label.match(line))]
    return found[-1] if found else ""
