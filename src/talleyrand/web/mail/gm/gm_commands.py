"""What a game master may write to run his game, one command a line, in French or English. Pure.

The grammar is strict: a line that is not a command as a whole is none. Case, accents, quotation marks and
the signs at a line’s end do not matter. A line moved to the right is none of the game master’s: so stand
the letters of others in the mails that he answers.
"""

from __future__ import annotations

import difflib
import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from talleyrand.web.mail.parsing.parsed_email import ORDER_MARK

MOST_COMMANDS, MOST_NUMBERS, LONGEST_LINE = 60, 200, 300  # of a line, what stands before a reason


class GmAction(StrEnum):
    """What a line asks for."""

    RELEASE = "deliver"
    RETURN = "return"
    STATUS = "status"
    BEGIN = "begin"
    REMIND = "remind"
    EXTEND = "extend"
    PAUSE = "pause"
    RESUME = "resume"
    PUBLISH = "publish"
    GRANT = "grant"
    GAZETTE = "gazette"
    CORRECT = "correct"
    ROLL_BACK = "roll_back"
    REPLACE = "replace"
    DEADLINE = "deadline"
    END = "end"
    ABANDON = "abandon"
    ANSWER = "answer"
    HELP = "help"


@dataclass(frozen=True)
class GmCommand:
    """A line that is understood; `line` is how it was written.

    `numbers` are messages ("transmettez 3 et 5"), or `all_messages`. `text` is a reason, the words of a
    gazette, a length or a date (`until` was written before it), a phase, who replaces somebody, or the code
    of a question. `anyway`: publish without those who are missing; `declined`: the answer is no.
    """

    action: GmAction
    line: str
    numbers: tuple[int, ...] = ()
    all_messages: bool = False
    powers: tuple[str, ...] = ()
    text: str = ""
    until: bool = False
    anyway: bool = False
    order: str = ""
    declined: bool = False


@dataclass(frozen=True)
class UnknownLine:
    """A line that is no command; `similar_action` is the one that looks like it, "" where none does."""

    line: str
    similar_action: str = ""


CommandLine = GmCommand | UnknownLine

CODE_SIGNS, CODE_LENGTH = "bcdfghjkmnpqrstvwxz", 5  # of a question: no word

_LETTERS = r"(?:(?:la|les|le|the) )?(?:lettres? |letters? |messages? )?"
_NUMBER = r"(?:n(?:o|os|umeros?|umbers?)?\.? ?|# ?)?\d{1,6}"
_AND = r" ?(?:[,;&+/-]|\bet\b|\band\b|\ba\b|\bto\b) ?(?:et |and )?"
_NUMBERS = rf"(?P<numbers>{_LETTERS}{_NUMBER}(?:{_AND}{_LETTERS}{_NUMBER})*)"
_ALL = (
    r"(?P<all>tout|(?:toutes?|tous)(?: les)?(?: (?:lettres?|messages?))?|"
    r"all(?: (?:the )?(?:letters?|messages?))?|everything)"
)
_LATE = (
    r"(?: (?:a )?(?:les |aux |the |tous les )?(?:retardataires|absents|joueurs en retard|ceux qui manquent|"
    r"late|late ones|late players|missing|missing players|those who are (?:late|missing)))?"
)
_DATE = r"(?: (?P<until>jusqu'aux?|jusqu'a|until|till))?(?: (?P<date>.+))?"
_ANYWAY = (
    r"(?: (?P<anyway>quand meme|sans (?:eux|elles?|lui|les absents|les retardataires|attendre)|"
    r"anyway|without (?:them|waiting)))?"
)
_ARTICLE = r"(?:(?:a|au|aux|pour|for|to) )?(?:(?:la|le|les|the) |l')?"
_DELIVER = r"(?:passe[rz]?|transmets?|transmet(?:tez|tre)|pass|forward)(?: on)?"
_RETURN = r"(?:rend(?:s|ez|re)|renv(?:oie|oyez|oyer)|retourne[rz]?|return|send back)"
_REMIND = r"(?:rappel(?:le|ez|er)|relance[rz]?|remind)(?:[ -](?:les|them))?"
_EXTEND = r"(?:prolonge[rz]?|repousse[rz]?|extend|postpone)"
_PHASE = r"(?: (?:la phase|l'echeance|le delai|les resultats|the (?:phase|deadline|results?)))?"
_REST = r"(?:(?:mets|mettez|mettre|put) (?:la partie |the game )?(?:en |on ))?pause"
_GRANT = r"(?:(?:accorde[rz]?|grant)(?: (?:la )?grace)?|grace|admettez|acceptez|accept)"
_PUBLISH = r"(?:publie[rz]?|juge[rz]|resolvez|resoudre|publish|adjudicate)"
_KNOWN = {
    act: re.compile(pattern)
    for act, pattern in {
        GmAction.RELEASE: rf"{_DELIVER} (?:{_NUMBERS}|{_ALL})",
        GmAction.RETURN: rf"{_RETURN} {_NUMBERS}",
        GmAction.STATUS: r"(?:l')?etat(?: (?:de la partie|du jeu))?|status|standing",
        GmAction.BEGIN: (
            r"(?:commence[rz]?|demarre[rz]?|lance[rz]?|begin|start)(?: (?:la partie|the game))?"
            r"(?: (?:maintenant|now))?"
        ),
        GmAction.REMIND: rf"{_REMIND}{_LATE}",
        GmAction.EXTEND: rf"{_EXTEND}{_PHASE}(?: (?:de|by|for))?{_DATE}",
        GmAction.PAUSE: rf"{_REST}|pause the game|suspen(?:ds|dez|dre) la partie",
        GmAction.RESUME: rf"(?:reprise|repren(?:ds|ez|dre)(?: la partie)?|resume(?: the game)?){_DATE}",
        GmAction.PUBLISH: rf"{_PUBLISH}{_PHASE}(?: (?:maintenant|now))?{_ANYWAY}",
        GmAction.GRANT: rf"{_GRANT} {_ARTICLE}(?P<powers>.+)",
        GmAction.ROLL_BACK: (
            r"(?:roll ?back|reven(?:ez|ir)(?: en arriere)?)"
            r"(?: (?:a|au|aux|to|the|la|phase))*(?: ?:)?(?: (?P<phase>.+))?"
        ),
        GmAction.DEADLINE: (
            r"(?:fixe[rz]?|avance[rz]?|set|move) (?:l'|the )?(?:echeance|deadline)(?: (?:a|au|to|le))*"
            r"(?: (?P<date>.+))?"
        ),
        GmAction.END: rf"(?:termine[rz]?|end|finish) (?:la partie|the game) ?: ?{_ARTICLE}(?P<powers>.+)",
        GmAction.ABANDON: r"(?:abandonne[rz]?|abandon) (?:la partie|the game)",
        GmAction.ANSWER: (
            r"(?:oui|yes|(?:je )?confirme[rz]?|confirm|(?P<declined>non|no|annule[rz]?|cancel))"
            rf"(?: (?P<code>[{CODE_SIGNS}]{{{CODE_LENGTH}}}))?"
        ),
        GmAction.HELP: r"aide|help|\?|commandes|commands",
    }.items()
}
_GAZETTE = re.compile(r"\W{0,3}(?:la |the )?gazette\s*:(.*)", re.IGNORECASE | re.DOTALL)
_CORRECT = re.compile(
    r"(?:corrige[rz]?|correct) +(?:l['’]ordre +|the +order +)?"
    r"(?P<order>\w+\.? [^:]{1,120}?)\s*(?::(?P<reason>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_REPLACE = re.compile(
    r"(?:remplace[rz]?|replace) +(?P<power>.{1,60}?) +(?:par|by|with) +(?P<who>\S.{0,260})", re.IGNORECASE
)
_PARTICIPLE = re.compile(r"\w+é(?:e?s?)\b", re.IGNORECASE)
_SIGN = re.compile(r":|\s[-–—]\s(?=\D)")
_MOVED = re.compile(r"\t|\s\s")
_BULLET = re.compile(r"(?:[-*•·–—]|\d{1,2}[.)])\s+")
_POLITE = re.compile(r"^(?:please|svp),? |,? (?:svp|s'il (?:te|vous) plait|please|merci|thanks|thank you)$")
_LEADING_ARTICLE = re.compile(rf"^{_ARTICLE}")
_SPAN = re.compile(r"(\d+)(?: ?(?:\ba\b|\bto\b|-) ?\D{0,12}?(\d+))?")
# The commands as help shows them, by the words that they begin with.
HEADS: Mapping[str, GmAction] = {
    **dict.fromkeys(("transmettez", "forward", "passez", "pass", "passer", "laissez"), GmAction.RELEASE),
    **dict.fromkeys(("rendez", "return", "renvoyez", "retournez", "refusez", "reject"), GmAction.RETURN),
    **dict.fromkeys(("etat", "status", "situation"), GmAction.STATUS),
    **dict.fromkeys(("commencez", "start", "begin", "demarrez", "lancez"), GmAction.BEGIN),
    **dict.fromkeys(("rappelez", "remind", "relancez", "rappel", "reminder"), GmAction.REMIND),
    **dict.fromkeys(("prolongez", "extend", "repoussez", "prolongation", "extension"), GmAction.EXTEND),
    **dict.fromkeys(("pause", "suspendez"), GmAction.PAUSE),
    **dict.fromkeys(("reprise", "resume", "reprenez"), GmAction.RESUME),
    **dict.fromkeys(("resolvez", "adjudicate", "publiez", "publish", "jugez"), GmAction.PUBLISH),
    **dict.fromkeys(("acceptez", "accept", "admettez", "grace", "accordez", "grant"), GmAction.GRANT),
    **dict.fromkeys(("gazette",), GmAction.GAZETTE),
    **dict.fromkeys(("corrigez", "correct"), GmAction.CORRECT),
    **dict.fromkeys(("rollback", "revenez"), GmAction.ROLL_BACK),
    **dict.fromkeys(("remplacez", "replace"), GmAction.REPLACE),
    **dict.fromkeys(("fixez", "avancez"), GmAction.DEADLINE),
    **dict.fromkeys(("terminez", "finish"), GmAction.END),
    **dict.fromkeys(("abandonnez", "abandon"), GmAction.ABANDON),
    **dict.fromkeys(("confirmez", "confirm"), GmAction.ANSWER),
    **dict.fromkeys(("aide", "help"), GmAction.HELP),
}
REASONED = (GmAction.RETURN, GmAction.ABANDON)  # what stands behind a colon, or a dash, is why
NEAR = 0.75  # how much a word has to look like the beginning of a command


def parse_commands(text: str, powers: Mapping[str, str]) -> tuple[CommandLine, ...]:
    """The commands of a mail and its other lines, in their order; `powers` are codes by plain names.

    A reason goes on over the lines that follow, until an empty one or another command, a mistyped one too: no
    player is to read it. A gazette goes on until the end, or what is quoted.
    """
    lines = text.replace("\x00", "").splitlines()
    found: list[CommandLine] = []
    place = 0
    while place < len(lines):
        line = lines[place].strip()
        moved = _MOVED.match(lines[place]) is not None
        place += 1
        if not line or line.startswith((ORDER_MARK, ">")):
            continue
        one = UnknownLine(line) if moved else _line(line, powers)
        if isinstance(one, GmCommand) and one.action == GmAction.GAZETTE:
            found.append(replace(one, text="\n".join([one.text, *_unmarked(lines[place:])]).strip()))
            break
        if isinstance(one, GmCommand) and (
            one.action == GmAction.RETURN or (one.action in (GmAction.CORRECT, GmAction.ABANDON) and one.text)
        ):
            more = list(_more(lines[place:], powers, begun=bool(one.text)))
            place += len(more)
            one = replace(one, text=" ".join(part for part in (one.text, *map(str.strip, more)) if part))
        found.append(one)
    return tuple(found)


def _unmarked(lines: list[str]) -> Iterator[str]:
    """The lines before the first one that is quoted: what others wrote is published by no oversight."""
    return itertools.takewhile(lambda line: not line.lstrip().startswith((ORDER_MARK, ">")), lines)


def _more(lines: list[str], powers: Mapping[str, str], *, begun: bool) -> Iterator[str]:
    """The lines over which a reason goes on."""
    for line in lines:
        plain = line.strip()
        if (begun and not plain) or plain.startswith((ORDER_MARK, ">")) or _MOVED.match(line):
            return
        if plain and any(isinstance(_line(one, powers), GmCommand) for one in (plain, _mended(plain))):
            return
        begun = begun or bool(plain)
        yield line


def _line(line: str, powers: Mapping[str, str]) -> CommandLine:
    """A line by itself."""
    if found := _GAZETTE.fullmatch(line):
        return GmCommand(GmAction.GAZETTE, line[: line.index(":") + 1], text=found[1].strip())
    bare = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    if _PARTICIPLE.match(unicodedata.normalize("NFC", bare[:LONGEST_LINE])):
        return UnknownLine(line, _near(bare))  # "publié", "résumé" report, and ask for nothing
    for read in (_with_names, _with_reason):
        if (command := read(line, bare, powers)) is not None:
            return command
    return _other(line, bare, powers) if len(bare) <= LONGEST_LINE else UnknownLine(line, _near(bare))


def _with_names(line: str, bare: str, powers: Mapping[str, str]) -> CommandLine | None:
    """A command with an order, or an address: signs count in it."""
    if found := _CORRECT.fullmatch(bare):
        return GmCommand(GmAction.CORRECT, line, order=found["order"], text=(found["reason"] or "").strip())
    if found := _REPLACE.fullmatch(bare):
        power = powers.get(_LEADING_ARTICLE.sub("", plain_line(found["power"])))
        who = found["who"].strip(' .,;!«»\u00a0"')
        return GmCommand(GmAction.REPLACE, line, powers=(power,), text=who) if power and who else None
    return None


def _with_reason(line: str, bare: str, powers: Mapping[str, str]) -> CommandLine | None:
    told, reason = _parted(bare)
    plain = plain_line(told) if len(told) <= LONGEST_LINE else ""
    for act in REASONED:
        if matched := _KNOWN[act].fullmatch(plain):
            command = _command(act, line, matched.groupdict(), powers)
            return replace(command, text=reason) if command else UnknownLine(line, act)
    return None


def _other(line: str, bare: str, powers: Mapping[str, str]) -> CommandLine:
    """A command without a reason, or none."""
    for act, pattern in _KNOWN.items():
        matched = pattern.fullmatch(plain_line(bare)) if act not in REASONED else None
        command = _command(act, line, matched.groupdict(), powers) if matched else None
        if command is not None:
            return command
    return UnknownLine(line, _near(bare))


def _parted(line: str) -> tuple[str, str]:
    """What stands before the first colon, or a dash between spaces, and what follows it."""
    sign = _SIGN.search(line[:LONGEST_LINE])
    return (line[: sign.start()], line[sign.end() :].strip()) if sign else (line, "")


def _command(
    act: GmAction, line: str, parts: Mapping[str, str | None], powers: Mapping[str, str]
) -> GmCommand | None:
    """A line that looks like a command; None where what it names is nothing."""
    if act in (GmAction.GRANT, GmAction.END):
        named = [_LEADING_ARTICLE.sub("", one) for one in re.split(r" et | and |, ?", parts["powers"] or "")]
        if not all(one in powers for one in named):
            return None
        return GmCommand(act, line, powers=tuple(dict.fromkeys(powers[one] for one in named)))
    if act in (GmAction.RELEASE, GmAction.RETURN):
        numbers = _numbers(parts.get("numbers") or "")
        everything = bool(parts.get("all"))
        return (
            GmCommand(act, line, numbers=numbers, all_messages=everything) if numbers or everything else None
        )
    text = parts.get("date") or parts.get("phase") or parts.get("code") or ""
    return GmCommand(
        act,
        line,
        text=text,
        until=act == GmAction.DEADLINE or bool(parts.get("until")),
        anyway=bool(parts.get("anyway")),
        declined=bool(parts.get("declined")),
    )


def _numbers(text: str) -> tuple[int, ...]:
    """ "3, 5 et 7 a 9", each once; nothing where they are too many, or a span runs backwards."""
    found: list[int] = []
    for first, last in _SPAN.findall(text):
        span = range(int(first), int(last or first) + 1)
        if not span or len(found) + len(span) > MOST_NUMBERS:
            return ()
        found.extend(span)
    return tuple(dict.fromkeys(found))


def plain_line(line: str) -> str:
    """In small letters, without accents, quotation marks, courtesies and signs at the end."""
    split = unicodedata.normalize("NFKD", line.replace("’", "'").replace("°", "o").casefold())
    kept = "".join(one for one in split if not unicodedata.combining(one) and one not in '«»“”„"*_`')
    kept = re.sub(r"[\u2010-\u2015]", "-", kept)
    kept = " ".join(kept.split()).strip()
    kept = kept if kept == "?" else kept.rstrip(" .!?;,…")
    return _POLITE.sub("", kept).rstrip(" .!;,")


def _near(line: str) -> str:
    """The act whose first word looks like that of a line; "" for none."""
    head, _rest = _likely(line)
    return HEADS[head] if head else ""


def _mended(line: str) -> str:
    """A line that begins with the command its first word looks like; as it is where it looks like none."""
    head, rest = _likely(line)
    return f"{head}{rest}" if head else line


def _likely(line: str) -> tuple[str, str]:
    """The word of a command that a line seems to begin with, "" for none, and what follows the first word."""
    plain = plain_line(line[:LONGEST_LINE])
    word = re.split(r"[\s:,;.!?-]", plain[:60], maxsplit=1)[0][:20]
    found = difflib.get_close_matches(word, HEADS, n=1, cutoff=NEAR) if len(word) > 2 else []
    return (found[0] if found else ""), plain[len(word) :]
