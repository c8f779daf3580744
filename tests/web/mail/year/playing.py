"""How the year is played: each of the nine writes mails and waits for mails, and does nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.messages import phase_name
from tests.waiting import wait_until
from tests.web.mail.office import Item
from tests.web.mail.year.people import LOST, MASTER, NEWCOMER, PEOPLE, Person
from tests.web.mail.year.script import YEAR
from tests.web.mail.year.town import Town, addresses_of

POWERS = tuple(variants.load("classic").board.powers)
LATE = {"S1901M": "TURKEY", "F1901M": "GERMANY"}  # whose last sheet comes after the phase, after its hour
EARLIER = {
    "TURKEY": "A Con H\nA Smy H\nF Ank H",
    "GERMANY": "A Kie H\nF Den H\nA Ruh H",
}  # what they sent first
AWAITED = {"F1901M": "ITALY"}  # for whom the game waits beyond the hour
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
    news: dict[str, Item] = field(default_factory=dict)  # by address: the last results, which are answered
    told: Any = None


def play(year: Year) -> None:
    """1901, and the draw."""
    _gather(year)
    for phase, sheets in YEAR.items():
        if phase == "S1901M":
            _letters(year)
        if phase == "W1901A":
            _replace(year)
        late, awaited = LATE.get(phase, ""), AWAITED.get(phase, "")
        first = {power: 2 * (EARLIER[power],) if power == late else one for power, one in sheets.items()}
        _orders(year, {power: one for power, one in first.items() if power != awaited})
        if awaited:
            _late(year, sheets, late, awaited)
        else:
            _publish(year)
        _published(year, phase)
        if late and not awaited:
            _too_late(year, phase, sheets[late], late)
    _vote(year, "AUSTRIA", against="TURKEY")
    _vote(year, "FRANCE")


def _gather(year: Year) -> None:
    """Seven are invited by mail and say yes; the game master begins."""
    town = year.town
    town.office.refuse("RCPT", to=LOST)
    town.act("found")
    lost = town.next(MASTER, lambda item: LOST in item.text)
    year.desk = addresses_of(lost.text, "arbitre")[0]
    for who in PEOPLE:
        invitation = town.next(who)
        to = addresses_of(f"{invitation.mail['From']}", "place")[0]
        town.send(who, to, "oui" if who.language == "fr" else "yes", invitation)
    for who in PEOPLE:
        town.next(who)  # he has joined
    year.news[MASTER.address] = _confirmed(year, "commencez la partie", lost)
    for who in PEOPLE:
        player = _seated(who, town.next(who, lambda item: bool(addresses_of(item.text, "ordres"))))
        year.players[player.power] = player
    assert set(year.players) == set(POWERS)
    year.wrote = {power: player.who for power, player in year.players.items()}
    year.news |= {player.who.address: player.welcome for player in year.players.values()}


def _confirmed(year: Year, line: str, answered: Item) -> Item:
    """The game master asks for what cannot be undone, and says yes; gives the answer to that."""
    town = year.town
    town.send(MASTER, year.desk, line, answered)
    question = town.next(MASTER, lambda item: f"| {line}" in item.text)
    assert str(question.mail["Subject"]).endswith("à confirmer")
    town.send(MASTER, year.desk, "oui", question)
    return town.next(MASTER, lambda item: "| oui" in item.text)


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
        last = year.news[player.who.address]
        if power == "AUSTRIA":
            town.send(player.who, player.orders, written[player.sheet].splitlines()[0], last)
        town.send(player.who, player.orders, written[player.sheet], last)
    for power, written in sheets.items():
        player = year.players[power]
        count = len(written[player.sheet].splitlines())
        echo = town.next(player.who, lambda item, least=count: _understood(item) >= least)  # type: ignore[misc]
        assert str(echo.mail["To"]) == player.who.address


def _understood(item: Item) -> int:
    """How many orders a receipt says that it has read; a report that shows the orders that stand is none."""
    if not RECEIPT.search(str(item.mail["Subject"])):
        return 0
    return len(re.findall(r"(?m)^\| ", item.text))


def _late(year: Year, sheets: dict[str, tuple[str, str]], late: str, awaited: str) -> None:
    """The hour strikes, and the game waits for one power. Another changes its mind too late, and the game
    master lets that in; with the sheet that was awaited the phase is played at once.
    """
    town = year.town
    town.act("strike")
    told = town.next(MASTER, lambda item: "la partie vous attend" in str(item.mail["Subject"]))
    assert NAMES["fr"][awaited].name in str(told.mail["Subject"])
    command = _sent_too_late(
        year, year.players[late], sheets[late], year.news[year.players[late].who.address]
    )
    town.send(MASTER, year.desk, command, told)
    _accepted(year, year.players[late])
    _orders(year, {awaited: sheets[awaited]})


def _too_late(year: Year, phase: str, written: tuple[str, str], late: str) -> None:
    """A sheet comes for what was just published: the game master is asked, says yes, and publishes again."""
    town, player = year.town, year.players[late]
    receipt = next(item for item in town.office.to(player.who.address) if _understood(item) >= 3)
    command = _sent_too_late(year, player, written, receipt)
    year.news[MASTER.address] = _confirmed(year, command, year.news[MASTER.address])
    _accepted(year, player)
    _publish(year, "résolvez")
    _published(year, phase, again=True)


def _sent_too_late(year: Year, player: Player, written: tuple[str, str], answered: Item) -> str:
    """A sheet that comes too late; gives what the game master is told to answer to let it in."""
    town = year.town
    town.send(player.who, player.orders, written[player.sheet], answered)
    late = {"fr": "ordres en retard", "en": "orders too late"}[player.who.language]
    town.next(player.who, lambda item: late in str(item.mail["Subject"]))
    command = f"acceptez {NAMES['fr'][player.power].name}"
    town.next(MASTER, lambda item: f"« {command} »" in item.text.replace("\u00a0", " "))
    return command


def _accepted(year: Year, player: Player) -> None:
    granted = {"fr": "en retard acceptés", "en": "late orders accepted"}[player.who.language]
    year.town.next(player.who, lambda item: granted in str(item.mail["Subject"]) and _understood(item) >= 3)


def _replace(year: Year) -> None:
    """Somebody else comes in the place of one who is taken off a power, by answering an invitation."""
    town, gone = year.town, PEOPLE[6]
    (power,) = (one for one, player in year.players.items() if player.who is gone)
    named = NAMES["fr"][power].name
    _confirmed(year, f"remplacez {named} par {NEWCOMER.address}", year.news[MASTER.address])
    town.next(gone, lambda item: "Vous ne jouez plus" in item.text)
    invitation = town.next(NEWCOMER)
    assert named in invitation.text
    town.send(NEWCOMER, addresses_of(f"{invitation.mail['From']}", "place")[0], "oui", invitation)
    welcome = town.next(NEWCOMER, lambda item: bool(addresses_of(item.text, "ordres")))
    year.players[power], year.news[NEWCOMER.address] = _seated(NEWCOMER, welcome), welcome
    assert year.players[power].power == power


SAYS = {
    "fr": ("je propose la nulle", "vote oui {}", "vote non {}", "est refusée", "La partie est finie"),
    "en": ("I propose a draw", "vote yes {}", "vote no {}", "was rejected", "The game is over"),
}


def _vote(year: Year, proposer: str, against: str = "") -> None:
    """A power proposes a draw; all others agree but for one, and everybody hears what came of it."""
    town, players = year.town, year.players
    news = dict(year.news)
    for power in (proposer, *(one for one in POWERS if one != proposer)):
        who = players[power].who
        propose, yes, no, *_told = SAYS[who.language]
        line = propose if power == proposer else (no if power == against else yes)
        named = NAMES[who.language][proposer].name
        town.send(who, players[power].orders, line.format(named), news[who.address])
        if power == proposer:
            for one in (*(player.who for player in players.values()), MASTER):
                news[one.address] = town.next(
                    one, lambda item: bool(PROPOSED.search(str(item.mail["Subject"])))
                )
    for one in (*(player.who for player in players.values()), MASTER):
        said = SAYS[one.language][3 if against else 4]
        town.next(one, lambda item, said=said: said in item.text)  # type: ignore[misc]


PROPOSED = re.compile(r"propose une fin de partie|proposes to end the game")


RECEIPT = re.compile(r"orders (received|accepted)|ordres (reçus|en retard acceptés)")


def _publish(year: Year, word: str = "publiez") -> None:
    """The game master has the phase played."""
    year.town.send(MASTER, year.desk, word, year.news[MASTER.address])


def _published(year: Year, phase: str, *, again: bool = False) -> None:
    """Everybody hears of the results."""
    results = {"fr": ("résultats", "résultats corrigés"), "en": ("results", "corrected results")}
    for who in (*(player.who for player in year.players.values()), MASTER):
        colon = " :" if who.language == "fr" else ":"
        said = f"{_named(phase, who.language)}{colon} {results[who.language][again]} ="
        year.news[who.address] = year.town.next(
            who,
            lambda item, said=said: said in " ".join(item.text.split()),  # type: ignore[misc]
        )


def _named(phase: str, language: str) -> str:
    return phase_name(Phase.parse(phase), variants.load("classic"), language).capitalize()
