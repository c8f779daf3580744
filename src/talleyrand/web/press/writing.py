"""Writes, passes on and returns letters: each in one short transaction, safe to be asked twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from talleyrand.web.accounts.models import Person
from talleyrand.web.crashing import point
from talleyrand.web.games.models import Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing

from . import motions, posting, rules, standing
from .models import Fate, Letter, Room
from .rules import MASTER, NOBODY, Address, Kind
from .text import cleaned

MOST, WITHIN = 60, timedelta(minutes=10)  # letters by one person in a game: a flood, not a correspondence
LONGEST_REASON = 2000
TICK = timedelta(microseconds=1)


class Refused(Exception):
    """A letter that is not taken; `code` says why, as `rules.verdict` does, or: flood,
    incomplete, about_apart, no_motion."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Settled(Exception):
    """A letter that no longer waits: it was passed on or returned before; `state` says which."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.state = state


@dataclass(frozen=True)
class Doubt:
    """What in a letter may tell who wrote it: a code, and the words that are meant."""

    code: str
    found: str = ""


@dataclass(frozen=True)
class Written:
    """What somebody wrote: `writer` is the power he signs for or "@"; `submission` makes it one letter.

    With `doubts` it waits for the game master, and is refused where there is none. `about`: the proposal
    that it is about.
    """

    text: str
    writer: str
    submission: str
    unsigned: bool = False
    doubts: Sequence[Doubt] = ()
    about: str = ""

    @property
    def doubt(self) -> str:
        """What is wrong with it in one code; "" for nothing."""
        return "names_writer" if self.doubts else ""

    def key(self, person: Person) -> str:
        """The same form sent again is the same letter; with another text it is another one."""
        told = f"{person.pk}\n{self.submission}\n{self.writer}\n{self.unsigned}\n{self.text}"
        told += f"\n{self.about}" if self.about else ""
        return hashlib.sha256(told.encode()).hexdigest()


def send(game: Game, person: Person, to: Address, written: Written, now: datetime) -> Letter:
    """Deliver a letter, or hold it for the game master; the same one again is given back.

    Raises Refused, and `text.Unfit`.
    """
    if not written.submission:
        raise Refused("incomplete")
    written = replace(written, text=cleaned(written.text))
    if written.about and not Letter.objects.filter(room__game=game, key=written.key(person)).exists():
        _check_about(game, to, written.about)
    letter = _sent(game, person, to, written, now)
    point("letters: committed")
    return letter


def _check_about(game: Game, to: Address, about: str) -> None:
    """Raises Refused where nobody has made this proposal, or not everybody is to read what is said of it."""
    if to.kind != Kind.ALL:
        raise Refused("about_apart")
    if about not in {motion.key for motion in motions.on_table(game)}:
        raise Refused("no_motion")


@writing
def _sent(game: Game, person: Person, to: Address, written: Written, now: datetime) -> Letter:
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    key = written.key(person)
    known = Letter.objects.filter(room__game=fresh, room__members=to.members, key=key).first()
    if known is not None:
        return known
    found = _judged(fresh, person, to, written, now)
    room, _ = Room.objects.get_or_create(
        game=fresh, members=to.members, defaults={"kind": to.kind, "powers": list(to.powers)}
    )
    letter = Letter(
        room=room,
        key=key,
        number=fresh.number,
        phase=fresh.phase,
        signed=NOBODY if written.unsigned else written.writer,
        writer="" if written.writer == MASTER else written.writer,
        person=person,
        text=written.text,
        about=written.about,
        state=Fate.HELD,
        doubts=[[one.code, one.found] for one in written.doubts] if found.held else [],
    )
    if found.held:
        letter.save()
        posting.waiting(fresh, letter)
    else:
        _deliver(fresh, letter, now)
    return letter


def _judged(game: Game, person: Person, to: Address, written: Written, now: datetime) -> rules.Verdict:
    """What the rules say now that the game stands still; raises Refused."""
    pen = standing.pen(Sight.of(game, person))
    found = rules.verdict(
        standing.moment(game), pen, to, written.writer, unsigned=written.unsigned, doubt=written.doubt
    )
    if not found.allowed:
        raise Refused(found.code)
    lately = Letter.objects.filter(room__game=game, person=person, written__gt=now - WITHIN)
    if lately.count() >= MOST:
        raise Refused("flood")
    return found


def _deliver(game: Game, letter: Letter, now: datetime) -> None:
    """Put a letter into its room, after all that is there."""
    before = Letter.objects.filter(room=letter.room).exclude(delivered=None).order_by("-delivered").first()
    last = before.delivered if before else None
    letter.delivered = now if last is None else max(now, last + TICK)
    letter.state, letter.number, letter.phase = Fate.DELIVERED, game.number, game.phase
    letter.save()
    point("letters: letter written")
    posting.delivered(game, letter)
    point("letters: its reader told")


@writing
def pass_on(letter: Letter, now: datetime) -> Letter:
    """Deliver a letter that waits. Raises Settled."""
    game, fresh = _waiting(letter)
    _deliver(game, fresh, now)
    return fresh


def pass_all(letters: Iterable[Letter], now: datetime) -> int:
    """Deliver those of some letters that still wait, in their order; gives how many."""
    passed = 0
    for letter in letters:
        try:
            pass_on(letter, now)
        except Settled:
            continue
        passed += 1
    return passed


def give_back(letter: Letter, reason: str) -> Letter:
    """Return a letter that waits to its writer. Raises Settled, and `text.Unfit` without a reason."""
    return _given_back(letter, cleaned(reason, LONGEST_REASON))


@writing
def _given_back(letter: Letter, reason: str) -> Letter:
    game, fresh = _waiting(letter)
    fresh.state, fresh.reason = Fate.RETURNED, reason
    fresh.save()
    posting.returned(game, fresh)
    return fresh


def _waiting(letter: Letter) -> tuple[Game, Letter]:
    """The letter with its game held still; raises Settled."""
    game = Game.objects.select_for_update().get(pk=letter.room.game_id)
    fresh = Letter.objects.select_related("room").get(pk=letter.pk)
    if fresh.state != Fate.HELD:
        raise Settled(fresh.state)
    return game, fresh
