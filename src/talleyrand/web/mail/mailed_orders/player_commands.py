"""What a player may write beside orders, one command a line, in French or English: to end the game by
agreement, for a link that signs them in, or for another address to send orders to. Pure.

Whole lines count and nothing else; case, accents and the signs at the end do not matter. A bare "yes" or
"no" is a vote where nothing else is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from talleyrand import notation
from talleyrand.web.games.endings.end_proposal_rules import CountedPosition
from talleyrand.web.mail.parsing.quote_detection import is_marked

MOST_COMMANDS, LONGEST_LINE = 4, 80


class PlayerAction(StrEnum):
    """What a line asks for; the answers to a proposal are those of `end_proposals`."""

    PROPOSE = "propose"
    WITHDRAW = "withdraw"
    VETO = "veto"
    PASS = "pass"  # noqa: S105 a word, not a secret
    YES = "yes"
    NO = "no"
    LINK = "link"
    RENEW = "renew"


ANSWERS = (PlayerAction.VETO, PlayerAction.PASS, PlayerAction.YES, PlayerAction.NO)
# Of one mail, neither counts: the first might end the game.
OPPOSITES = ({PlayerAction.VETO, PlayerAction.PASS}, {PlayerAction.YES, PlayerAction.NO})


@dataclass(frozen=True)
class PlayerCommand:
    """A line that is understood. `power` is whose proposal it names, `counts` the position, "" for none;
    `bare`: a "yes" or "no" alone.
    """

    action: PlayerAction
    power: str = ""
    counts: str = ""
    bare: bool = False


_I = r"(?:je |j |i )?"
_OF = r"(?: (?:a|au|aux|de|du|d|des|on|to|for|pour|of|the|la|le|l|les|proposition))*"
_POWER = rf"(?:{_OF} (?P<power>.+?)(?: s)?(?: proposal)?)?"
_END = (
    r"(?:fin|nulle|partie nulle|match nul|draw|end|finir|terminer|arreter)"
    r"(?: (?:of |de )?(?:the |la )?(?:game|partie))?"
)
_KNOWN = {
    action: re.compile(pattern)
    for action, pattern in {
        PlayerAction.PROPOSE: (
            rf"{_I}propos(?:e|er|ez)(?: (?:de|to|la|une|un|a|an|the|le|l))* {_END}(?P<counts> .+)?"
        ),
        PlayerAction.WITHDRAW: rf"{_I}(?:retir(?:e|er|ez)|withdraw) (?:ma|la|my|the) propos(?:ition|al)",
        PlayerAction.VETO: rf"{_I}(?:(?:mets|pose|oppose) )?(?:mon |un |a |my )?veto{_POWER}",
        PlayerAction.PASS: rf"(?:pas de|sans|aucun|no) veto{_POWER}",
        PlayerAction.YES: rf"{_I}vot(?:e|er|ez) (?:oui|yes){_POWER}",
        PlayerAction.NO: rf"{_I}vot(?:e|er|ez) (?:non|no){_POWER}",
        PlayerAction.LINK: (
            r"(?:(?:envoyez moi|envoie moi|send me) )?(?:un |a |le |the )?(?:lien|(?:sign in |login )?link)"
            r"(?: de connexion)?|connexion"
        ),
        PlayerAction.RENEW: r"(?:(?:une|a) )?(?:nouvelle adresse|new address)",
    }.items()
}
_BARE = {"oui": PlayerAction.YES, "yes": PlayerAction.YES, "non": PlayerAction.NO, "no": PlayerAction.NO}
_COUNTED = {
    **dict.fromkeys(("automne", "autumn", "fall"), CountedPosition.AUTUMN_DISORDER),
    **dict.fromkeys(("ajustements", "adjustments"), CountedPosition.LAST_ADJUSTMENTS),
}


def split_commands(
    text: str,
    powers: Mapping[str, str],
    is_elsewhere_below: Callable[[str], bool] = lambda _line: False,
) -> tuple[tuple[PlayerCommand, ...], str]:
    """The commands of a text, and the text without them; `powers` are codes by folded names.

    `is_elsewhere_below` says after each other line whether what follows stands under the heading of another
    phase or power: no command is one there.
    """
    found: list[PlayerCommand] = []
    rest = []
    lines = text.splitlines()
    parsed = [parse_command(line, powers) for line in lines]
    elsewhere, has_any = False, any(parsed)
    for line, command in zip(lines, parsed, strict=True):
        if command is not None and not elsewhere and len(found) < MOST_COMMANDS:
            found.append(command)
            continue
        rest.append(line)
        elsewhere = has_any and is_elsewhere_below(line)
    said = [line for line in lines if line.strip()]
    bare = _BARE.get(" ".join(_words(said[0]))) if len(said) == 1 else None
    if bare is not None:
        return (PlayerCommand(bare, bare=True),), ""
    return tuple(found), "\n".join(rest)


def parse_command(line: str, powers: Mapping[str, str]) -> PlayerCommand | None:
    """A line as a command; None where it is none, or names what is no power or position."""
    words = " ".join(_words(line))
    for action, pattern in _KNOWN.items():
        matched = pattern.fullmatch(words) if words else None
        if matched is None:
            continue
        parts = matched.groupdict()
        power, counts = parts.get("power") or "", parts.get("counts") or ""
        position = next((_COUNTED[word] for word in counts.split() if word in _COUNTED), "")
        if (power and power not in powers) or (counts and not position):
            return None
        return PlayerCommand(action, powers[power] if power else "", str(position))
    return None


def _words(line: str) -> tuple[str, ...]:
    """The folded words of a line that may be a command: none of what is quoted, or too long."""
    return () if is_marked(line.strip()) or len(line) > LONGEST_LINE else notation.folded_words(line)
