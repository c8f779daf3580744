"""What in a letter would tell who wrote it. Pure: from a text and what is known of its writer to findings.

It guards against slips, a signature that a mail program adds or a first name typed by habit, not against
somebody who wants to be known. Our own addresses carry rights and are always blotted out.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import chain
from urllib.parse import parse_qsl, urlsplit

from talleyrand.variants import Variant, VariantNames

from .comparable_text import ComparableText, Range, as_latin, comparable, without_invisible, words_of

HIDDEN = "[…]"
LEAST = 4  # letters of a word that may tell somebody by itself, however it is written
# Digits and signs that are read as letters, in two ways.
READ_AS_LETTERS = ("4310578@", "aeiostba"), ("4310578@", "aelostba")


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


class IdentityTrace(StrEnum):
    """What may tell who wrote a letter."""

    NAME = "name"
    ADDRESS = "address"  # one of the writer’s own
    OTHER_ADDRESS = "other_address"
    TELEPHONE = "telephone"
    LINK = "link"
    MESSAGE_ID = "message_id"
    NETWORK = "network"  # the address of a computer
    ZONE = "zone"
    PLACE = "place"  # number and street
    HANDLE = "handle"  # name#1234


@dataclass(frozen=True)
class IdentityFinding:
    """Such a thing, with the words of the text that are meant."""

    trace: IdentityTrace
    found: str


@dataclass(frozen=True)
class KnownWriter:
    """What is known of who wrote: his names, his addresses, and whether they are a secret of the game."""

    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    is_secret: bool = True

    @cached_property
    def locals(self) -> frozenset[str]:
        """What stands before the @ of his addresses, as it is compared."""
        return frozenset(
            comparable(address.partition("@")[0].partition("+")[0]) for address in self.addresses
        )

    @cached_property
    def calls(self) -> tuple[tuple[str, ...], ...]:
        """The names he goes by, word by word; those that his addresses are made of too."""
        if not self.is_secret:
            return ()
        told = [words_of(name) for name in (*self.names, *self.locals)]
        told += [tuple(re.findall(r"[^\W\d_]+", name)) for name in self.locals]  # hugo of hugo75
        return tuple(dict.fromkeys(words for words in told if words))

    @cached_property
    def words(self) -> frozenset[str]:
        """All the words of his names."""
        return frozenset(chain.from_iterable(self.calls))


@dataclass(frozen=True)
class ExaminedText:
    """A letter as it may go on: `signature` is the signature it had, `hidden_addresses` counts our addresses
    in it.
    """

    text: str
    signature: str = ""
    hidden_addresses: int = 0
    findings: tuple[IdentityFinding, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not (self.signature or self.hidden_addresses or self.findings)


def examine(text: str, writer: KnownWriter, game: frozenset[str], ours: re.Pattern[str]) -> ExaminedText:
    """A letter without its signature and our addresses, and what in it still tells of its writer.

    `game` are words that name nobody here: powers, provinces, seasons. `ours` fits our addresses, in small
    letters.
    """
    visible = without_invisible(text)
    clean, blotted = hide_our_addresses(visible, ours)
    kept, cut = without_signature(clean, writer, game)
    return ExaminedText(kept, cut, blotted, tuple(dict.fromkeys(identity_findings(kept, writer, game))))


def reveals_writer(line: str, writer: KnownWriter, game: frozenset[str]) -> bool:
    """Whether a single line would tell who wrote it: by itself, or by how it ends."""
    visible = without_invisible(line)
    return bool(without_signature(visible, writer, game)[1]) or any(identity_findings(visible, writer, game))


def hide_our_addresses(text: str, ours: re.Pattern[str]) -> tuple[str, int]:
    """A text with our addresses blotted out, and how many there were."""
    seen = ComparableText.from_text(as_latin(text))
    spans = [seen.span(found) for found in ours.finditer(seen.text)]
    for start, end in reversed(spans):
        text = text[:start] + HIDDEN + text[end:]
    return text, len(spans)


@lru_cache(8)
def game_words(variant: Variant) -> frozenset[str]:
    """The words of a board in both languages, which name nobody: powers, provinces, units, seasons."""
    forms = chain.from_iterable(_forms(names) for names in variant.names_by_language.values())
    seasons = (name for names in variant.seasons.values() for name in names.values())
    return frozenset(word for form in (*forms, *seasons) for word in words_of(form))


def _forms(names: VariantNames) -> Iterator[str]:
    for places in (names.provinces, names.units, names.coasts):
        for code, place in places.items():
            yield from (code, place.name, place.plural, *place.other_forms)
    for code, power in names.powers.items():
        yield from (code, power.name, *power.adjectives, *power.other_forms, *power.short)
    for profile in (*names.abbreviations.values(), *names.misprints.values()):
        yield from chain.from_iterable(profile.values())


def common_words() -> frozenset[str]:
    """Words of every day that are also names: they tell somebody only with a capital."""
    return _set(_text("common_words"))


@cache
def closing_formulas() -> frozenset[str]:
    """What one writes below a letter, above a name or under it, as it is compared."""
    return frozenset(_text("closing_formulas").splitlines())


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(f"{name}.txt").read_text("utf-8")


# the signature


LINES = 8  # of a signature at most
LONGEST_LINE = 60
LABEL = re.compile(
    r"\b(?:tel(?:ephone)?|mobile|portable|mob|phone|cell|gsm|fax|e-?mail|mail|courriel|web|site|skype|"
    r"whatsapp|signal|telegram|adresse|address|bureau|domicile|office|home)\b\.?"
)
DELIMITER = re.compile(r"\n\s*[-–—_]{1,3}\s*\Z")
CLOSING = re.compile(r"(?P<before>[^\n]{0,60}?[,–—\-])\s*(?P<name>[^,–—\n]+)")


def without_signature(text: str, writer: KnownWriter, game: frozenset[str]) -> tuple[str, str]:
    """A text without the last lines that only tell who wrote it, and those lines."""
    lines = text.rstrip().split("\n")
    start, before = _signature(lines, writer, game)
    if start is None:
        start, before = _signature([as_latin(line) for line in lines], writer, game)
    if start is None:
        return text, ""
    before = lines[start][: len(before)]
    cut = "\n".join(lines[start:])
    kept = [*lines[:start], before] if before else lines[:start]
    return DELIMITER.sub("", "\n".join(kept).rstrip()), cut[len(before) :].strip(" ,–—-\n")


def _signature(lines: list[str], writer: KnownWriter, game: frozenset[str]) -> tuple[int | None, str]:
    """Where the signature begins, and what of its first line is none."""
    start, before = None, ""
    for place in range(len(lines) - 1, max(-1, len(lines) - 1 - LINES), -1):
        line = lines[place]
        if _is_signed(line, writer, game) or _is_contact(line, writer):
            start, before = place, ""
            continue
        if start is None and " ".join(words_of(line)) in closing_formulas():
            continue  # somebody may sign above it
        closing = _closing(line, writer, game)
        if closing:
            return place, closing
        follows = place > 0 and bool(lines[place - 1].strip())
        if line.strip() and not (follows and _may_be_trade(line, game)):
            break
    return start, before


def _is_signed(line: str, writer: KnownWriter, game: frozenset[str]) -> bool:
    """Whether a line is one’s name, or a part or the initials of it, and at most what one is after that."""
    words = words_of(line)
    if not words or not writer.calls or len(line) > LONGEST_LINE:
        return False
    if _is_named(words, writer, game) or _is_initialled(words, writer):
        return True
    name, comma, trade = line.partition(",")
    told = words_of(trade)
    follows = 0 < len(told) <= LEAST and _may_be_trade(trade.strip().capitalize(), game)
    return bool(comma) and follows and _is_named(words_of(name), writer, game)


def _is_named(words: tuple[str, ...], writer: KnownWriter, game: frozenset[str]) -> bool:
    own = [word for word in words if word in writer.words and word not in game]
    known = writer.words | {word[0] for word in writer.words}
    return bool(own) and all(word in known for word in words)


def _is_initialled(words: tuple[str, ...], writer: KnownWriter) -> bool:
    """ "V. H." or "VH" for Victor Hugo."""
    signed = "".join(words)
    initials = {"".join(word[0] for word in call) for call in writer.calls if len(call) > 1}
    return len(words) in (1, len(signed)) and signed in initials


def _is_contact(line: str, writer: KnownWriter) -> bool:
    """Whether a line is nothing but a telephone number, an address or a link to a page of one’s own."""
    left = comparable(line)
    if any(not is_personal_link(found[0], writer) for found in LINK.finditer(left)):
        return False
    found = 0
    for pattern in (ADDRESS, LINK, TELEPHONE):
        left, count = pattern.subn(" ", left)
        found += count
    return found > 0 and not re.search(r"[^\W_]{2}", LABEL.sub(" ", left))


def _closing(line: str, writer: KnownWriter, game: frozenset[str]) -> str:
    """The greeting of a last line that ends with one’s name: "Amitiés," of "Amitiés, Victor"."""
    found = CLOSING.fullmatch(line.rstrip())
    if found is None or not writer.calls or len(words_of(found["before"])) > LEAST:
        return ""
    words = words_of(found["name"])
    return found["before"].rstrip(" –—-") if words and _is_named(words, writer, game) else ""


def _may_be_trade(line: str, game: frozenset[str]) -> bool:
    """Whether a line below a name may say what somebody is or where he lives: no sentence, no order."""
    told = line.strip()
    begins = told[:1].isupper() or told[:1].isdigit()
    postscript = re.match(r"p\.? ?s\b", comparable(told))
    sentence = told[-1:] in ".!?…:;,"
    short = len(told) <= LONGEST_LINE
    return begins and short and not sentence and not postscript and game.isdisjoint(words_of(told))


# what tells of the writer


ADDRESS = re.compile(
    r"[\w.+%-]{1,64}\s?(?:@|[(\[{](?:at|a|arobase|chez)[)\]}]|\sarobase\s)\s?"
    r"[a-z0-9-]{1,63}(?:(?:\.|\s?[(\[{](?:dot|point)[)\]}]\s?|\spoint\s)[a-z0-9-]{1,63})+"
)
MESSAGE_ID = re.compile(
    r"(?:message-id|in-reply-to|references)\s?:[^\n]*|<(?=[^<>\s@]*\d)[^<>\s@]{20,}@[^<>\s]+>"
)
LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"]{3,}|\b(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,8}/[^\s<>\"]+")
DIGITS = r"(?:[ .\-/\u2009()]{0,2}\d){7,13}"
TELEPHONE = re.compile(
    rf"(?<![\d\w])(?:(?:\+|00)\d{DIGITS}|\(?0[1-9]{DIGITS}|\(?[2-9]\d\d\)?[ .-]\d{{3}}[.-]\d{{4}})(?!\d)"
)
DATED = re.compile(r"(?:^|\D)(?:1[6-9]|20)\d\d(?:\D|$)")
NETWORK = re.compile(
    r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]?\d)|(?<![\w:])[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]*(?![\w:])"
)
HANDLE = re.compile(r"(?<![\w#])[\w.-]{2,32}#\d{4,6}\b")
OFFSET = r"[+\u2212-](?:0\d|1[0-4])(?:00|15|30|45)\b|\+(?:0\d|1[0-4]):(?:00|15|30|45)\b"
ZONES = r"(?:CES?T|WES?T|EES?T|[ECMP][SD]T|A[SED]?[SD]T|BST|MSK|JST|IST|NZ[SD]T|HA[EC]|HN[EC])\b"
ZONE = re.compile(
    rf"\b\d{{1,2}}\s?[:hH.]\s?\d{{2}}(?::\d{{2}})?\s{{0,2}}(?:[AaPp][Mm]\s)?\(?(?:{OFFSET}|{ZONES})"
    rf"|\b\d{{1,2}}\s?(?:[hH]|[AaPp]\.?[Mm]\.?)\s{{0,2}}\(?{ZONES}"
    r"|\b(?:CES?T|WET|EES?T|[CMP][SD]T|EDT|BST|MSK|JST|NZ[SD]T|A[CEW][SD]T)\b"
    r"|(?<!\d)\d{1,2}:\d{2}:\d{2}(?:\.\d+)?[+-]\d{2}:\d{2}\b"
    r"|\b(?:UTC|GMT)\s?[+\u2212-]\s?\d{1,2}(?::?\d{2})?\b"
    r"|\b(?:Europe|America|Asia|Africa|Australia|Pacific|Indian|Atlantic)/[A-Z][A-Za-z_]+"
)
WORD = re.compile(r"[\w@]+")
PLACE = re.compile(
    r"\b\d{1,4}\s?(?:bis|ter)?,?\s(?:rue|avenue|av\.|boulevard|bd|allee|impasse|chemin|quai|square)\s[^\n,;.]{2,40}"
    r"|\b\d{1,4}\s[a-z'-]{2,20}\s(?:street|road|lane|avenue|drive|close)\b"
)


def identity_findings(text: str, writer: KnownWriter, game: frozenset[str]) -> Iterator[IdentityFinding]:
    """What in a text tells of its writer, each place once, in the order of the text."""
    taken: list[tuple[Range, IdentityTrace]] = []
    ways = [(text, ComparableText.from_text(way)) for way in dict.fromkeys((text, as_latin(text)))]
    found = (chain(_traces(*way, writer), _names(*way, writer, game)) for way in ways)
    for trace, span in chain.from_iterable(found):
        if not any(span[0] < end and start < span[1] for (start, end), _trace in taken):
            taken.append((span, trace))
    for (start, end), trace in sorted(taken):
        yield IdentityFinding(trace, " ".join(text[start:end].split())[:120])


def _traces(text: str, seen: ComparableText, writer: KnownWriter) -> Iterator[tuple[IdentityTrace, Range]]:
    """All but names, what is most telling first: one thing is found in one way only."""
    for pattern, told in SOUGHT:
        for found in pattern.finditer(seen.text):
            trace = told(found[0], writer)
            if trace is not None:
                yield trace, seen.span(found)
    shouted = list(_shouted(text))
    for found in ZONE.finditer(text):  # its capitals count: "CET ORDRE" names no zone
        if any(sign.isdecimal() for sign in found[0]) or not any(
            start <= found.start() < end for start, end in shouted
        ):
            yield IdentityTrace.ZONE, found.span()


def _link(found: str, writer: KnownWriter) -> IdentityTrace | None:
    return IdentityTrace.LINK if is_personal_link(found, writer) else None


def _address(found: str, writer: KnownWriter) -> IdentityTrace:
    return (
        IdentityTrace.ADDRESS if found in map(comparable, writer.addresses) else IdentityTrace.OTHER_ADDRESS
    )


def _network(found: str, _writer: KnownWriter) -> IdentityTrace | None:
    return IdentityTrace.NETWORK if _is_network(found) else None


def _telephone(found: str, _writer: KnownWriter) -> IdentityTrace | None:
    """Not days with their years."""
    abroad = found.startswith(("+", "00"))
    return IdentityTrace.TELEPHONE if abroad or not DATED.search(found) else None


SOUGHT: tuple[tuple[re.Pattern[str], Callable[[str, KnownWriter], IdentityTrace | None]], ...] = (
    (MESSAGE_ID, lambda _found, _writer: IdentityTrace.MESSAGE_ID),
    (LINK, _link),
    (ADDRESS, _address),
    (NETWORK, _network),
    (TELEPHONE, _telephone),
    (PLACE, lambda _found, _writer: IdentityTrace.PLACE),
    (HANDLE, lambda _found, _writer: IdentityTrace.HANDLE),
)


def _is_network(found: str) -> bool:
    try:
        ipaddress.ip_address(found)
    except ValueError:
        return False
    return any(sign.isalnum() for sign in found)


# pages that belong to somebody, and what shortens or follows links
PERSONAL = _set(
    """facebook.com fb.com fb.me instagram.com linkedin.com twitter.com x.com t.me telegram.me wa.me
    whatsapp.com discord.gg discord.com snapchat.com tiktok.com pinterest.com tumblr.com medium.com
    substack.com github.io gitlab.io github.com wordpress.com blogspot.com blogspot.fr over-blog.com
    docs.google.com drive.google.com photos.google.com photos.app.goo.gl calendar.google.com meet.google.com
    sites.google.com dropbox.com 1drv.ms onedrive.live.com sharepoint.com icloud.com wetransfer.com we.tl
    zoom.us teams.microsoft.com teams.live.com doodle.com calendly.com strava.com steamcommunity.com
    reddit.com free.fr pagesperso-orange.fr monsite-orange.fr wanadoo.fr perso.sfr.fr paypal.me leetchi.com
    bit.ly t.co tinyurl.com goo.gl ow.ly is.gd buff.ly lnkd.in"""
)
FOLLOWS = re.compile(
    r"utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|igshid?|si|uid|user(?:id|name)?|e?mail|token|key|sid|session|ref|share|"
    r"invite|hash|code|sig(?:nature)?"
)
PROVIDERS = _set(
    """gmail.com googlemail.com orange.fr wanadoo.fr free.fr sfr.fr laposte.net outlook.com outlook.fr
    hotmail.com hotmail.fr live.fr live.com yahoo.fr yahoo.com icloud.com me.com bbox.fr numericable.fr
    protonmail.com proton.me gmx.fr gmx.com gmx.net skynet.be videotron.ca bluewin.ch web.de"""
)
LONG_VALUE = 16


def is_personal_link(link: str, writer: KnownWriter) -> bool:
    """Whether a link may lead to whoever wrote it: his page or file, an invitation, one that is followed."""
    try:
        parts = urlsplit(link if "://" in link else f"https://{link}")
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return True
    names = {one for one in writer.words | writer.locals if len(one) >= LEAST} - common_words()
    domains = {address.rpartition("@")[2].lower() for address in writer.addresses} - PROVIDERS
    return (
        any(host == domain or host.endswith(f".{domain}") for domain in PERSONAL | domains if domain)
        or _is_network(host)
        or "@" in parts.netloc
        or "~" in parts.path
        or any(FOLLOWS.fullmatch(name) or len(value) >= LONG_VALUE for name, value in parse_qsl(parts.query))
        or any(name in words_of(link) for name in names)
    )


def _names(
    text: str, seen: ComparableText, writer: KnownWriter, game: frozenset[str]
) -> Iterator[tuple[IdentityTrace, Range]]:
    """One’s names: whole, as one word, and each word that tells somebody."""
    shouted = {place for start, end in _shouted(text) for place in range(start, end)}
    patterns = _patterns(writer, game)
    for read in _readings(seen.text):
        for pattern, any_case in patterns.items():
            for found in re.finditer(rf"(?<![^\W_]){pattern}(?![^\W\d_])", read):
                start, end = seen.span(found)
                if any_case or (text[start].isupper() and start not in shouted):
                    yield IdentityTrace.NAME, (start, end)


def _readings(text: str) -> Iterator[str]:
    """A text, and as it may be read where words hold digits: "m4ry", "v1ctor"."""
    yield text
    for digits, letters in READ_AS_LETTERS:
        known = str.maketrans(digits, letters)
        yield WORD.sub(lambda word: word[0] if word[0].isdecimal() else word[0].translate(known), text)  # noqa: B023


def _patterns(writer: KnownWriter, game: frozenset[str]) -> dict[str, bool]:
    """What to look for, longest first, and whether it tells somebody without a capital."""
    found: dict[str, bool] = {}
    for call in writer.calls:
        if len(call) > 1 and not game.issuperset(call):
            found[r"[\W_]{1,3}".join(map(re.escape, call))] = len("".join(call)) > LEAST
            found["".join(map(re.escape, call))] = len("".join(call)) > LEAST
    for word in writer.words - game:
        tells = any(sign.isalpha() for sign in word) and len(word) >= LEAST - 1
        if tells:
            found.setdefault(re.escape(word), len(word) >= LEAST and word not in common_words())
    return dict(sorted(found.items(), key=lambda one: -len(one[0])))


def _shouted(text: str) -> Iterator[Range]:
    """The lines that are written in capitals, of several words: there a capital says nothing."""
    for found in re.finditer(r"[^\n]+", text):
        if found[0].isupper() and len(found[0].split()) > LEAST:
            yield found.span()
