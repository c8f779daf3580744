"""Raw mails after the layouts of common programs: each is read as the file beside it says."""

from __future__ import annotations

from talleyrand.web.mail.parsing import ParsedEmail, parse_email
from talleyrand.web.mail.parsing.email_parser import parse_email_strictly
from talleyrand.web.mail.parsing.mime_parts import MimePart, decode_text, decode_transfer, parse_mime
from tests.each import each

from .corpus import CASES, FOLDER, Case


def told(mail: ParsedEmail) -> dict[str, object]:
    """A mail as the files write it."""
    pieces = [f"{one.kind}:{one.name}" if one.name else str(one.kind) for one in mail.left_out]
    found: dict[str, object] = {"nature": str(mail.message_class), "text": mail.text, "pieces": pieces}
    for name in ("failed", "delayed", "status", "is_html", "is_spam", "names", "addresses", "recipients"):
        value = getattr(mail, name)
        found[name] = list(value) if isinstance(value, tuple) else value
    return found


def test_there_are_as_many_expectations_as_mails() -> None:
    assert len(CASES) >= 48
    assert {path.stem for path in FOLDER.iterdir()} == {case.name for case in CASES}


ALWAYS = ("failed", "delayed", "status", "is_html", "is_spam")


@each("case", CASES)
def test_mails_are_read_as_expected(case: Case) -> None:
    found = told(parse_email_strictly(case.raw))
    empty = told(ParsedEmail(parse_email(b"").message_class))
    expected = {name: empty[name] for name in ALWAYS} | case.expected
    assert {name: found[name] for name in expected} == expected


@each("case", CASES)
def test_nothing_survives_that_must_not(case: Case) -> None:
    text = parse_email(case.raw).text.casefold()
    assert [canary for canary in case.canaries if canary.casefold() in text] == []


@each("case", CASES)
def test_what_must_not_survive_was_there(case: Case) -> None:
    sent = (case.raw.decode("utf-8", "replace") + _decoded(parse_mime(case.raw))).casefold()
    sent = sent.replace("&nbsp;", " ").replace("<br>\n", "\n")
    assert [canary for canary in case.canaries if canary.casefold() not in sent] == []


def _decoded(part: MimePart) -> str:
    """All parts of a mail without their transfer encodings, and what its headers say."""
    said = [value for name in set(part.headers) for value in part.values(name)]
    body = decode_text(decode_transfer(part.body, part.encoding), part.parameter("charset"))
    return "\n".join([*said, part.file_name, body, *map(_decoded, part.children())])
