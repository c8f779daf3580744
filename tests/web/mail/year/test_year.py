"""A game by post to its agreed end: nine people who only write mails, by real SMTP; and what reached whom.

The game master makes and begins the game on its pages, and frees a seat there; everything else is mail:
a lost invitation, letters, orders, a late sheet, who comes in another’s place, a draw refused, one agreed.
"""

from __future__ import annotations

import quopri
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.header import decode_header, make_header
from pathlib import Path
from typing import Any

import pytest

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.messages import phase_name
from talleyrand.web.mail.parsing import parse_email
from tests.waiting import wait_until
from tests.web.mail.office import Item
from tests.web.mail.year.people import LOST, MASTER, NEWCOMER, PEOPLE, Person
from tests.web.mail.year.script import YEAR
from tests.web.mail.year.town import OURS, Town, addresses_of, open_town

pytestmark = pytest.mark.long

POWERS = tuple(variants.load("classic").board.powers)
LATE = ("ITALY", "F1901M")  # whose sheet comes after the hour, and when
NAMES = {language: variants.load("classic").names(language).powers for language in ("fr", "en")}


@dataclass
class Player:
    """A power, who plays it, and what he knows: his addresses, from his first mail."""

    who: Person
    power: str
    welcome: Item
    orders: str
    letters: dict[str, str]

    @property
    def sheet(self) -> int:
        return 0 if self.who.language == "fr" else 1


@dataclass
class Year:
    """What happened, for the tests that look at it."""

    town: Town
    desk: str = ""
    players: dict[str, Player] = field(default_factory=dict)
    passed: dict[str, tuple[str, list[str]]] = field(
        default_factory=dict
    )  # text of a letter: who wrote, who reads
    returned: dict[str, str] = field(default_factory=dict)  # text: who wrote it
    wrote: dict[str, Person] = field(default_factory=dict)  # who played a power when letters were written
    told: Any = None


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]) -> Iterator[Year]:
    """1901, played, and the draw."""
    with open_town(prepare_site(tmp_path_factory.mktemp("post") / "data")) as town:
        found = Year(town)
        _gather(found)
        for phase, sheets in YEAR.items():
            if phase == "S1901M":
                _letters(found)
            if phase == "W1901A":
                _replace(found)
            _orders(found, {power: one for power, one in sheets.items() if (power, phase) != LATE})
            if phase == LATE[1]:
                _late(found, sheets[LATE[0]])
            _publish(found, phase)
        _vote(found, "AUSTRIA", against="TURKEY")
        _vote(found, "FRANCE")
        found.told = town.act("told")
        yield found


def _gather(year: Year) -> None:
    """Seven are invited by mail and say yes; the game master begins."""
    town = year.town
    town.office.refuse("RCPT", to=LOST)
    town.act("found")
    town.next(MASTER, lambda item: LOST in item.text)
    for who in PEOPLE:
        invitation = town.next(who)
        to = addresses_of(f"{invitation.mail['From']}", "place")[0]
        town.send(who, to, "oui" if who.language == "fr" else "yes", invitation)
    for who in PEOPLE:
        town.next(who)  # he has joined
    assert town.act("begin") == "playing"
    for who in PEOPLE:
        player = _seated(who, town.next(who, lambda item: bool(addresses_of(item.text, "ordres"))))
        year.players[player.power] = player
    assert set(year.players) == set(POWERS)
    year.wrote = {power: player.who for power, player in year.players.items()}
    welcome = town.next(MASTER, lambda item: bool(addresses_of(item.text, "arbitre")))
    year.desk = addresses_of(welcome.text, "arbitre")[0]


def _seated(who: Person, welcome: Item) -> Player:
    """What the first mail tells: the power, and its addresses."""
    names = NAMES[who.language]
    mine = {
        code
        for code in POWERS
        if re.search(rf"\b{names[code].name}\b", str(welcome.mail["Subject"]), re.IGNORECASE)
    }
    letters = {}
    for line in welcome.text.splitlines():
        room, _gap, address = line.strip().partition("  ")
        found = addresses_of(address, "lettre")
        if found:
            letters[_room(room, who.language)] = found[0]
    (power,) = mine or set(POWERS) - set(letters)
    return Player(who, power, welcome, addresses_of(welcome.text, "ordres")[0], letters)


def _room(name: str, language: str) -> str:
    for code in POWERS:
        if NAMES[language][code].name.casefold() in name.casefold():
            return code
    return "@" if name in ("Maître de jeu", "Game master") else "*"


def _letters(year: Year) -> None:
    """Everybody writes to the next power; then a group, everybody, the game master; one names himself."""
    town, players = year.town, year.players
    for place, power in enumerate(POWERS):
        other = POWERS[(place + 1) % len(POWERS)]
        text = f"Secret of {power} for {other}: shall we leave each other in peace this year?"
        town.send(players[power].who, players[power].letters[other], text, players[power].welcome)
        year.passed[text] = (power, [other])
    group = "Only the two of you read this: I move west."
    england = players["ENGLAND"]
    town.send(england.who, england.letters["FRANCE"], group, cc=england.letters["GERMANY"], subject="A plan")
    year.passed[group] = ("ENGLAND", ["FRANCE", "GERMANY"])
    to_all = "To all powers: the Sultan wishes you a prosperous year."
    town.send(players["TURKEY"].who, players["TURKEY"].letters["*"], to_all, subject="Declaration")
    year.passed[to_all] = ("TURKEY", [power for power in POWERS if power != "TURKEY"])
    named = f"Believe me, it is me, {players['ITALY'].who.name}, who writes this: I shall not move."
    town.send(players["ITALY"].who, players["ITALY"].letters["AUSTRIA"], named, subject="Who I am")
    year.returned[named] = "ITALY"
    asked = "May I ask what happens if nobody builds?"
    town.send(players["RUSSIA"].who, players["RUSSIA"].letters["@"], asked, subject="A question")
    _rule_on_letters(year, len(POWERS) + 3)
    answered = town.next(MASTER, lambda item: asked in item.text)
    reply = addresses_of(str(answered.mail["From"]), "lettre")[0]
    town.send(MASTER, reply, "Then nothing is built.", answered)
    town.next(players["RUSSIA"].who, lambda item: "Then nothing is built." in item.text)
    _delivered(year)


def _rule_on_letters(year: Year, count: int) -> None:
    """The game master forwards what waits, and returns what names its writer."""
    town = year.town
    first = None
    words = []
    for _ in range(count):
        held = town.next(MASTER, lambda item: re.search(r"(?i)\btransmettez (\d+)", item.text) is not None)
        number = re.search(r"(?i)\btransmettez (\d+)", held.text)
        assert number is not None
        named = any(text in " ".join(held.text.split()) for text in year.returned)
        words.append(
            f"renvoyez {number[1]} : sans votre nom, s’il vous plaît" if named else f"transmettez {number[1]}"
        )
        first = first or held
    assert first is not None
    desk = addresses_of(str(first.mail["From"]), "arbitre")[0]
    town.send(MASTER, desk, "\n".join(words), first)
    done = town.next(MASTER, lambda item: "| transmettez" in item.text)
    assert done.text.count(": transmis") == count - len(year.returned), done.text


def _delivered(year: Year) -> None:
    for text, (_writer, readers) in year.passed.items():
        for power in readers:
            who = year.players[power].who
            _until(year.town, who, text)
    for text, writer in year.returned.items():
        _until(year.town, year.players[writer].who, "sans votre nom")
        assert text


def _until(town: Town, who: Person, words: str) -> None:
    """Wait until somebody has been sent these words, in whatever order mails come."""
    wait_until(
        lambda: any(words in " ".join(item.text.split()) for item in town.office.to(who.address)),
        f"{who.name} never had: {words}",
    )


def _orders(year: Year, sheets: dict[str, tuple[str, str]]) -> None:
    """Everybody who has something to order answers with a sheet; Austria at first with a worse one."""
    town = year.town
    for power, written in sheets.items():
        player = year.players[power]
        last = town.office.to(player.who.address)[-1]
        if power == "AUSTRIA":
            town.send(player.who, player.orders, written[player.sheet].splitlines()[0], last)
        town.send(player.who, player.orders, written[player.sheet], last)
    for power, written in sheets.items():
        player = year.players[power]
        count = len(written[player.sheet].splitlines())
        echo = town.next(player.who, lambda item, least=count: _understood(item) >= least)  # type: ignore[misc]
        assert str(echo.mail["To"]) == player.who.address


def _understood(item: Item) -> int:
    """How many orders an echo says that it has read."""
    if "Auto-Submitted" not in item.mail or not re.search(r"(?i)\b(ordres nº|orders v)", item.text):
        return 0
    return len(re.findall(r"(?m)^\| ", item.text))


def _late(year: Year, written: tuple[str, str]) -> None:
    """The hour strikes, a sheet comes after it, and the game master lets it in by a mail."""
    town, player = year.town, year.players[LATE[0]]
    town.act("strike")
    warned = town.next(MASTER, lambda item: NAMES["fr"][LATE[0]].name in item.text and "attend" in item.text)
    sheet = written[player.sheet]
    town.send(player.who, player.orders, sheet, town.office.to(player.who.address)[-1])
    late = {"fr": "Trop tard", "en": "too late"}[player.who.language]
    town.next(player.who, lambda item: late in item.text or late in str(item.mail["Subject"]))
    warned = town.next(MASTER, lambda item: "« acceptez" in item.text.replace("\u00a0", " "))
    command = re.search(r"«\s(acceptez\s\w+)\s»", warned.text)
    assert command is not None
    town.send(MASTER, year.desk, command[1], warned)
    town.next(player.who, lambda item: _understood(item) >= len(sheet.splitlines()))


def _replace(year: Year) -> None:
    """Somebody else comes in the place of one whose seat was freed, by answering an invitation."""
    town, gone = year.town, PEOPLE[5]
    (power,) = (one for one, player in year.players.items() if player.who is gone)
    town.act("free", power)
    town.next(gone, lambda item: "You no longer play" in item.text)
    town.act("invite", NEWCOMER.address, NEWCOMER.language)
    invitation = town.next(NEWCOMER)
    assert NAMES["en"][power].name in invitation.text
    town.send(NEWCOMER, addresses_of(f"{invitation.mail['From']}", "place")[0], "yes", invitation)
    welcome = town.next(NEWCOMER, lambda item: bool(addresses_of(item.text, "ordres")))
    year.players[power] = _seated(NEWCOMER, welcome)
    assert year.players[power].power == power


SAYS = {
    "fr": ("je propose la nulle", "vote oui {}", "vote non {}", "est refusée", "La partie est finie"),
    "en": ("I propose a draw", "vote yes {}", "vote no {}", "was rejected", "The game is over"),
}


def _vote(year: Year, proposer: str, against: str = "") -> None:
    """A power proposes a draw; all others agree but for one, and everybody hears what came of it."""
    town, players = year.town, year.players
    for power in (proposer, *(one for one in POWERS if one != proposer)):
        who = players[power].who
        propose, yes, no, *_told = SAYS[who.language]
        line = propose if power == proposer else (no if power == against else yes)
        named = NAMES[who.language][proposer].name
        town.send(who, players[power].orders, line.format(named), town.office.to(who.address)[-1])
        if power == proposer:
            for one in (*(player.who for player in players.values()), MASTER):
                town.next(one, lambda item: bool(PROPOSED.search(str(item.mail["Subject"]))))
    for one in (*(player.who for player in players.values()), MASTER):
        said = SAYS[one.language][3 if against else 4]
        town.next(one, lambda item, said=said: said in item.text)  # type: ignore[misc]


PROPOSED = re.compile(r"propose une fin de partie|proposes to end the game")


def _publish(year: Year, phase: str) -> None:
    """The game master has the phase played; everybody hears of it."""
    town = year.town
    last = town.office.to(MASTER.address)[-1]
    town.send(MASTER, year.desk, "publiez", last)
    for who in (*(player.who for player in year.players.values()), MASTER):
        heading = (
            f"{_named(phase, who.language)}: results"
            if who.language == "en"
            else f"{_named(phase, who.language)} : résultats"
        )
        town.next(who, lambda item, said=heading: said in " ".join(item.text.split()))  # type: ignore[misc]


def _named(phase: str, language: str) -> str:
    return phase_name(Phase.parse(phase), variants.load("classic"), language).capitalize()


# what was played


def test_the_year_is_the_one_that_was_written(year: Year) -> None:
    assert [phase for phase, _sheets in year.told["phases"]] == list(YEAR)
    for phase, sheets in year.told["phases"]:
        for power, (french, english) in YEAR[phase].items():
            written = (french, english)[year.players[power].sheet]
            assert sheets[power] == written.splitlines(), (phase, power)


def test_every_sheet_came_by_mail_and_the_last_one_counted(year: Year) -> None:
    assert Counter(year.told["origins"])["granted"] == 1
    assert set(year.told["origins"]) == {"mail", "granted"}


def test_it_ended_in_a_draw_of_all_and_nobody_has_opened_the_site(year: Year) -> None:
    assert (year.told["result"]["kind"], set(year.told["result"]["powers"])) == ("draw", set(POWERS))
    assert year.told["signed_in"] in ([], ["Recteur"])


def test_the_vote_stays_secret_and_the_end_names_who_was_replaced(year: Year) -> None:
    for who in (*PEOPLE, NEWCOMER, MASTER):
        items = year.town.office.to(who.address)
        told = [item.text for item in items if SAYS[who.language][3] in item.text]
        assert len(told) == (who is not PEOPLE[5])
        for text in told:
            (line,) = (line for line in text.splitlines() if SAYS[who.language][3] in line)
            assert not any(one.name in line for one in NAMES[who.language].values())
        if who is not year.players["TURKEY"].who:
            assert not any(
                re.search(r"you vote No|vous votez non|vote\s?: [Nn]o", item.text) for item in items
            )
    power = next(power for power, who in year.wrote.items() if who is PEOPLE[5])
    (ending,) = (item for item in year.town.office.to(NEWCOMER.address) if "The game is over" in item.text)
    lines = [line for line in ending.text.splitlines() if line.startswith(f"- {NAMES['en'][power].name}: ")]
    assert len(lines) == 2
    assert "(since " in lines[1]


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
    """The game master reads the letter that names its writer, and sends it back."""
    if reader is not MASTER:
        return set()
    return {word.casefold() for text in year.returned for word in re.findall(r"\w+", text)}


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
