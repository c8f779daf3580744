"""A game by post to its agreed end: nine people who only write mails, by real SMTP; and what reached whom.

The game master makes the game and invites on its pages; everything else is mail: a lost invitation, the
start, letters, orders, late sheets, who comes in another’s place, a draw refused and a draw agreed.
"""

from __future__ import annotations

import quopri
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from email.header import decode_header, make_header
from pathlib import Path

import pytest

from talleyrand.web.mail.parsing import parse_email
from tests.web.mail.office import Item
from tests.web.mail.year import playing
from tests.web.mail.year.people import LOST, MASTER, NEWCOMER, PEOPLE, Person
from tests.web.mail.year.playing import NAMES, POWERS, SAYS, Year
from tests.web.mail.year.script import YEAR
from tests.web.mail.year.town import OURS, open_town

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]) -> Iterator[Year]:
    """1901, played, and the draw."""
    with open_town(prepare_site(tmp_path_factory.mktemp("post") / "data")) as town:
        found = Year(town)
        playing.play(found)
        found.told = town.act("told")
        yield found


# what was played


def test_the_year_is_the_one_that_was_written(year: Year) -> None:
    assert [phase for phase, _sheets in year.told["phases"]] == list(YEAR)
    for phase, sheets in year.told["phases"]:
        for power, (french, english) in YEAR[phase].items():
            written = (french, english)[year.players[power].sheet]
            assert sheets[power] == written.splitlines(), (phase, power)


def test_every_sheet_came_by_mail_and_the_last_one_counted(year: Year) -> None:
    assert Counter(year.told["origins"])["granted"] == 2
    assert set(year.told["origins"]) == {"mail", "granted"}


def test_it_ended_in_a_draw_of_all_and_nobody_has_opened_the_site(year: Year) -> None:
    assert (year.told["result"]["kind"], set(year.told["result"]["powers"])) == ("draw", set(POWERS))
    assert year.told["signed_in"] in ([], ["Recteur"])


def test_the_vote_stays_secret_and_the_end_names_who_was_replaced(year: Year) -> None:
    for who in (*PEOPLE, NEWCOMER, MASTER):
        items = year.town.office.to(who.address)
        told = [item.text for item in items if SAYS[who.language][3] in item.text]
        assert len(told) == (who is not PEOPLE[6])
        for text in told:
            (line,) = (line for line in text.splitlines() if SAYS[who.language][3] in line)
            assert not any(one.name in line for one in NAMES[who.language].values())
        if who is not year.players["TURKEY"].who:
            assert not any(
                re.search(r"you vote No|vous votez non|vote\s?: [Nn]o", item.text) for item in items
            )
    power = next(power for power, who in year.wrote.items() if who is PEOPLE[6])
    (ending,) = (item for item in year.town.office.to(NEWCOMER.address) if "La partie est finie" in item.text)
    lines = [line for line in ending.text.splitlines() if line.startswith(f"- {NAMES['fr'][power].name}")]
    assert len(lines) == 2
    assert "(depuis" in lines[1]


# what reached whom


def _readings(item: Item) -> Iterator[str]:
    """A mail as its bytes are, and as any reader may decode it."""
    raw = item.data.decode("utf-8", "replace")
    head, _gap, body = item.data.partition(b"\r\n\r\n")
    yield raw
    yield " ".join([item.envelope, *item.to, item.greeting])
    yield quopri.decodestring(body).decode("utf-8", "replace")
    yield str(make_header(decode_header(head.decode("utf-8", "replace"))))
    yield " ".join(quopri.decodestring(body).decode("utf-8", "replace").split())
    for block in re.findall(rb"(?:[A-Za-z0-9+/]{40,}={0,2}\r?\n?)+", item.data):
        yield b64decode(block + b"=" * (-len(block) % 4), validate=False).decode("utf-8", "replace")


def _reached(year: Year, who: Person) -> str:
    return "\n".join(text for item in year.town.office.to(who.address) for text in _readings(item)).casefold()


EVERYBODY = (*PEOPLE, NEWCOMER, MASTER)


@pytest.mark.parametrize("reader", EVERYBODY, ids=lambda one: one.name)
def test_nothing_of_anybody_reaches_another(year: Year, reader: Person) -> None:
    """Names, addresses, hosts, zones, Message-IDs, marks of programs, hours: in any byte, decoded or not."""
    reached = _reached(year, reader)
    assert reached
    own = {secret.casefold() for secret in reader.secrets}
    allowed = _allowed(year, reader)
    for other in EVERYBODY:
        if other is not reader:
            for secret in other.secrets:
                if secret.casefold() not in own | allowed:
                    assert not _is_told(secret.casefold(), reached), (
                        f"{reader.name} was told {secret!r} of {other.name}"
                    )


def _is_told(secret: str, reached: str) -> bool:
    """As a word of its own: five letters in a row come up in the marks of a year by chance."""
    return secret in reached and bool(re.search(rf"(?<![0-9a-z]){re.escape(secret)}(?![0-9a-z])", reached))


def _allowed(year: Year, reader: Person) -> set[str]:
    """The game master reads the letter that names its writer, sends it back, and has typed an address."""
    if reader is not MASTER:
        return set()
    words = {word.casefold() for text in year.returned for word in re.findall(r"\w+", text)}
    local = NEWCOMER.address.partition("@")[0]
    return words | {NEWCOMER.address, local, *local.split(".")}


def test_the_search_would_find_what_it_looks_for(year: Year) -> None:
    """Everybody’s own address and his language’s hour are in what reached himself."""
    for who in EVERYBODY:
        assert who.address in _reached(year, who)


@pytest.mark.parametrize("reader", EVERYBODY, ids=lambda one: one.name)
def test_nobody_is_given_an_address_of_ours_that_is_anothers(year: Year, reader: Person) -> None:
    mine = {found.casefold() for found in OURS.findall(_reached(year, reader))}
    assert mine
    for other in EVERYBODY:
        if other is not reader:
            theirs = {found.casefold() for found in OURS.findall(_reached(year, other))}
            assert not mine & theirs, f"{reader.name} and {other.name}"


@pytest.mark.parametrize("power", POWERS)
def test_letters_reach_those_they_are_for_and_nobody_else(year: Year, power: str) -> None:
    reached = _reached(year, year.wrote[power])
    for text, (writer, readers) in year.passed.items():
        if power != writer:
            assert (text.casefold() in reached) == (power in readers), (power, text)
    for text, writer in year.returned.items():
        if power != writer:
            assert text.casefold() not in reached


def test_each_mail_leaves_once(year: Year) -> None:
    ids = [str(item.mail["Message-ID"]) for item in year.town.office.items]
    assert len(ids) == len(set(ids))
    same = Counter((item.to, str(item.mail["Subject"]), item.text) for item in year.town.office.items)
    assert not [one for one, times in same.items() if times > 1]
    assert all(LOST not in _reached(year, who) for who in EVERYBODY if who is not MASTER)


def test_headers_are_ours_alone(year: Year) -> None:
    known = {
        "from",
        "to",
        "subject",
        "date",
        "message-id",
        "mime-version",
        "content-type",
        "content-transfer-encoding",
        "in-reply-to",
        "references",
        "auto-submitted",
        "x-talleyrand-departure",
        "list-unsubscribe",
    }
    for item in year.town.office.items:
        assert {name.casefold() for name, _value in item.head} <= known
        assert str(item.mail["Date"]).endswith("+0000")
        assert len(item.to) == 1


def test_no_order_of_a_mail_of_ours_could_be_read_again(year: Year) -> None:
    """Sent back whole and unmarked, by the worst of programs, a mail of ours holds no order."""
    for item in year.town.office.items:
        worst = f"From: x@y.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{item.text}".encode()
        for line in parse_email(worst).text.splitlines():
            assert not re.match(r"\s*[AF] \w", line), line
