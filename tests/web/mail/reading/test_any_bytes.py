"""Whatever the bytes: a mail, soon; and nothing that is quoted."""

from __future__ import annotations

import gc
import random
import re
import time
import unicodedata
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talleyrand.web.mail.parsing import MessageClass, ParsedEmail, content_digest, parse_email
from talleyrand.web.mail.parsing.email_parser import parse_email_strictly

from .corpus import CASES, Case

HEADERS = b"From: a@example.org\nSubject: x\nContent-Type: %s; charset=utf-8\n\n"
PLAIN, PAGE = HEADERS % b"text/plain", HEADERS % b"text/html"
FLOWED = HEADERS % b"text/plain; format=flowed; delsp=yes"
TYPE = b"To: x\nContent-Type: text/plain"
MEGABYTE = 1_000_000
SIZES = [MEGABYTE // 4**step for step in range(5, -1, -1)]
MOST_GROWTH = 48
"""Of the cost, from a size to the sixteenfold: in proportion it is 16, of what is quadratic 256. A limit to
what is read at all hides the growth beyond it, and the outlay for any mail that of the smallest: hence the
many sizes."""


def assert_is_whole(mail: ParsedEmail) -> None:
    """Nothing in it that a database or a sheet would refuse."""
    names = [one.name for one in mail.left_out]
    heads = (mail.subject, mail.message_id, *mail.names, *mail.addresses, *mail.recipients)
    for text in (mail.text, *heads, *names):
        assert not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text.translate(BREAKS))
    assert len(mail.text.split("\n")) == len(mail.text.splitlines() or [""])


BREAKS = {ord("\n"): None, ord("\t"): None}
HEADS = (
    *(
        b"Content-Type: multipart/mixed; boundary=b\n",
        b"Content-Type: text/html; charset=\xff\n",
        b"--b\n",
        b"\r",
    ),
    *(
        b"Content-Transfer-Encoding: base64\n",
        b"Subject: =?utf-7?B?//==?= =?x?q?=ZZ?= =?utf-8?b?a?=\n",
        b"\n",
    ),
    *(
        b'From: "((<a@@\n',
        b"Content-Disposition: attachment; filename*0*=x''%zz\n",
        b"<blockquote",
        b"--b--\n",
    ),
    *(b"Content-Type: message/rfc822\n", b"-- \n", b"On 6 Mar 2026 at 20:00, x wrote:\n", b"> \n", b"\x00>"),
    *(b"begin 644 a\nM\n", b"Content-Type: text/plain; format=flowed; name*=\xe9\n"),
)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_a_mail(raw: bytes) -> None:
    assert_is_whole(parse_email_strictly(raw))
    assert len(content_digest(raw)) == 64


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(HEADS),
        max_size=12,
    ).map(b"".join)
)
def test_heaps_of_headers_are_a_mail(raw: bytes) -> None:
    assert_is_whole(parse_email_strictly(raw))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(CASES), st.randoms(use_true_random=False))
def test_damaged_mails_are_mails(case: Case, chance: random.Random) -> None:
    assert_is_whole(parse_email_strictly(_damaged(case.raw, chance)))


def _damaged(raw: bytes, chance: random.Random) -> bytes:
    """Cut, spliced with another mail, octets changed, lines doubled."""
    for _ in range(chance.randint(1, 6)):
        raw = chance.choice([_cut, _spliced, _changed, _doubled])(raw, chance)
    return raw


def _cut(raw: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + raw[chance.randint(at, len(raw)) :]


def _spliced(raw: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + _cut(chance.choice(CASES).raw, chance)


def _changed(raw: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]


def _doubled(raw: bytes, chance: random.Random) -> bytes:
    lines = raw.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[: at + 1], *lines[at:]])


# A line is kept as it is where the program says what is quoted, by a mark, a tag, the words that introduce a
# quote; or how the text is written, and where its parts end.
_MARKS = re.compile(
    rb"\s*(?:[>|]|&gt;|=[0-9A-F]{2}|--|__|==|\xef\xbb\xbf|$)"
    rb"|.*(?:<[a-z/!]|crit|wrote|schrieb|escribi|scritto|schreef|above this|pondez)"
    rb"|.*(?:orwarded|transf|\d\d:\d\d)"
    rb"|.*(?:boundary|ontent-|(?:=|jeu\.example.*)\r?$)"
    rb"|.{0,8}(?:De|From|Date|Objet|Sujet|Sent|Envoy|To|A|Pour|Subject|\xc3\x80|=C3=80|envoy|de|objet)\s*:"
    rb"|[A-Za-z0-9+/=]{60,}\r?$|line"
)
PERSONAL = [case for case in CASES if case.expected["nature"] == "personal" and case.canaries]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(PERSONAL), st.randoms(use_true_random=False))
def test_no_quoted_order_leaks_while_the_marks_are_whole(case: Case, chance: random.Random) -> None:
    orders = [canary for canary in case.canaries if re.fullmatch(r"[AF] \w+ - \w+", canary)]
    text = parse_email(_damaged_between_marks(case.raw, chance)).text
    assert [order for order in orders if order in text] == []


def _damaged_between_marks(raw: bytes, chance: random.Random) -> bytes:
    """Other lines are doubled, left out, cut short, or an octet of theirs is changed."""
    end = re.search(rb"\r?\n\r?\n", raw)
    head = end.end() if end and b":" in raw[:40] else 0
    found: list[bytes] = []
    for before, line in pairwise([b"", *raw[head:].split(b"\n")]):
        if _MARKS.match(line) or before.rstrip().endswith(b"=") or chance.random() < 0.7:
            found.append(line)
            continue
        at = chance.randrange(len(line)) if line else 0
        octet = bytes([chance.choice([n for n in range(32, 256) if n != ord("=")])])
        found += chance.choice(
            [[line, line], [], [line[:at].rstrip(b"=")], [line[:at] + octet + line[at + 1 :]]]
        )
    return raw[:head] + b"\n".join(found)


def _nested(depth: int) -> bytes:
    inner = b"\nA Par - Bur"
    for n in range(depth):
        inner = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%s\n--b%d--\n" % (n, n, inner, n)
    return b"From: a@example.org\n" + inner


def _filled(piece: bytes, length: int = MEGABYTE) -> bytes:
    return (piece * (length // len(piece) + 1))[:length]


PLAIN_HEAPS = (
    *(
        b">",
        b"> \n",
        b"\n",
        b"\r",
        b"-- \n",
        b"A Par - Bur\n",
        b"_____\n",
        b"a \xc3\xa9crit :\n",
        b"ecrit ",
        b"a@",
    ),
    *(b"De : a@b\n", b"De:\nA:\n", b"Le 1 ecrit " * 30 + b":\n", b"begin 644 x\nM\n", b"replyabove "),
    *(b"ce message et\n", b"envoye de mon ", b"\xe2\x80\xa8", b"\x00", b"> " + b"x" * 60 + b"\nabc\n"),
    b"x" * 599 + b":\n",
)
PAGE_HEAPS = (
    *(
        b"<div>",
        b"<div",
        b"<",
        b"<!--",
        b'<a="',
        b'<a ">',
        b"</",
        b"&#9",
        b"<blockquote>",
        b"<script>",
        b"<p hidden>",
    ),
    *(b"<pre>\n", b"<s>", b"<br>", b"<div class=gmail_quote><blockquote>", b"<a href='x>y'>"),
)
FROM_HEAPS = (b"(", b"<", b'"', b"a@b,", b"[", b";")
SUBJECT_HEAPS = (b"=?a?q?", b"=?utf-8?q?a?= ", b"\n x", b"(")
PARTS = HEADERS % b"multipart/mixed; boundary=x"


def _heap(before: bytes, piece: bytes, behind: bytes = b"", times: int = 1) -> Callable[[int], bytes]:
    """Makes mails of about so many bytes: a piece again and again between two others, and all that again."""
    return lambda size: (before + _filled(piece, size // times) + behind) * times


FEW_READ = 100  # headers of one name
HEAPS: dict[str, Callable[[int], bytes]] = {
    **{f"plain {piece[:20]!r}": _heap(PLAIN, piece) for piece in PLAIN_HEAPS},
    **{f"flowed {piece!r}": _heap(FLOWED, piece) for piece in (b"a \n", b"> \n", b">> a \n> b \n")},
    **{f"page {piece!r}": _heap(PAGE, piece) for piece in PAGE_HEAPS},
    **{f"subject {piece!r}": _heap(b"Subject: ", piece, b"\n\nx") for piece in SUBJECT_HEAPS},
    **{f"from {piece!r}": _heap(b"From: ", piece, b"\n", FEW_READ) for piece in FROM_HEAPS},
    **{f"type {piece!r}": _heap(TYPE, piece) for piece in (b";a*0=b", b'"', b";", b"; name*1=")},
    "headers": _heap(b"From: a@b\n", b"A: b\n"),
    "many parts": _heap(PARTS, b"\n--x\n\nhi"),
    "borders alike": _heap(PARTS + b"\n--x\n", b"\n--xy"),
    "mails in mails": _heap(b"", b"Content-Type: message/rfc822\n\n"),
    "punycode": _heap(HEADERS.replace(b"utf-8", b"punycode") % b"text/plain", b"a-b"),
    "nested": lambda size: _nested(size // 200),
}


def _cost(raw: bytes) -> float:
    """The time of the processor that a mail takes, without what the collector of garbage takes."""
    gc.disable()
    try:
        begun = time.process_time()
        assert isinstance(parse_email_strictly(raw), ParsedEmail)
        return time.process_time() - begun
    finally:
        gc.enable()


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", HEAPS)
def test_a_megabyte_is_read_in_a_moment(name: str) -> None:
    """Sixteen times as much costs hardly more than in proportion, up to a megabyte. What seems to cost more
    is measured again, for something else that the machine does may take some of a time: the least counts."""
    heaps = {size: HEAPS[name](size) for size in SIZES}
    costs = {size: _cost(raw) for size, raw in heaps.items()}
    for small, large in zip(SIZES, SIZES[2:], strict=False):
        for _time in range(3):
            if costs[large] > MOST_GROWTH * costs[small]:
                costs |= {size: min(costs[size], _cost(heaps[size])) for size in (small, large)}
        assert costs[large] <= MOST_GROWTH * costs[small], costs


def test_what_nobody_could_read_is_unreadable() -> None:
    for raw in (b"", b"\r\n\r\n", b"Subject: x\n\n" + b"\x81\x8d" * 50):
        assert parse_email(raw).message_class is MessageClass.UNREADABLE
