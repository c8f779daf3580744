"""What each command of a game master does, once: the deeds of the desk and of his letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.games import frame, inbox, unread
from talleyrand.web.games.deadlines import errors, moments, typed
from talleyrand.web.games.desk import directing, timing
from talleyrand.web.games.desk.acts import Hand, NotDone, last_published
from talleyrand.web.games.models import RUNNING, Game, Revision, Role
from talleyrand.web.games.sight import Sight
from talleyrand.web.mail import addressing, identity
from talleyrand.web.mail.identity import Writer
from talleyrand.web.mail.models import Correspondent, Departure
from talleyrand.web.mail.orders import granting
from talleyrand.web.press import numbering, seen, text, writing
from talleyrand.web.press.models import Letter

from .commands import Act, Command
from .ledger import Ledger, Refused, Told

T = TypeVar("T")

JUST_OPENED = timedelta(hours=1)  # so long a phase is not published without those who are missing
FURTHEST = timedelta(days=366)


@dataclass(frozen=True)
class Master:
    """A game master who has written; `received` is when. `phase`: the one that his mail speaks of, if any."""

    game: Game
    person: Person
    received: datetime
    ledger: Ledger
    writer: Writer
    phase: str = ""

    @property
    def hand(self) -> Hand:
        return Hand(self.person, Role.MASTER)

    @property
    def sight(self) -> Sight:
        return Sight(self.fresh, self.person)

    @property
    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)


def done(master: Master, key: str, command: Command) -> list[Told]:
    """Do what a command says, unless it is done; what became of it, by codes."""
    return DEEDS[command.act](master, key, command)


@contextmanager
def _refusing() -> Iterator[None]:
    """What other parts of the site refuse, refused here."""
    try:
        yield
    except NotDone as refused:
        raise Refused(refused.code) from None
    except writing.Settled as settled:
        raise Refused("settled", state=settled.state) from None
    except text.Unfit as unfit:
        raise Refused("reason", why=unfit.code) from None
    except errors.Unfit as unfit:
        raise Refused("date", why=unfit.code) from None


def _told(master: Master, words: str) -> str:
    """His words as others read them: without our addresses, and telephone numbers under them."""
    game_words = identity.game_words(variants.load(master.game.variant))
    return identity.examine(words, master.writer, game_words, addressing.ours()).text


def _once(master: Master, key: str, deed: Callable[[], Told]) -> Told:
    def refusing() -> Told:
        with _refusing():
            return deed()

    return master.ledger.once(key, refusing)


def _each(master: Master, key: str, things: Iterable[T], deed: Callable[[T], Told]) -> list[Told]:
    """A deed for each of several things, each by itself."""
    return [_once(master, f"{key}.{one}", partial(deed, one)) for one in things]


def _nothing(_master: Master, _key: str, command: Command) -> list[Told]:
    """What only asks for an answer."""
    return [{"said": str(command.act)}]


# letters


def _deliver(master: Master, key: str, command: Command) -> list[Told]:
    numbers, told = _numbers(master, key, command)
    return told + _each(master, key, numbers, partial(_pass_on, master))


def _numbers(master: Master, key: str, command: Command) -> tuple[tuple[int, ...], list[Told]]:
    """Which letters are meant; for all of them, those that he has been shown when he wrote."""
    if not command.everything:
        return command.numbers, []
    found = _once(master, key, lambda: _shown(master))
    return tuple(found["letters"]), [found] if found["later"] or not found["letters"] else []


def _shown(master: Master) -> Told:
    waiting = list(seen.held(master.sight))
    shown = [letter for letter in waiting if _was_shown(master, letter)]
    numbers = [numbering.number(letter) for letter in shown]
    return {"said": "all", "letters": numbers, "later": len(waiting) - len(shown)}


def _was_shown(master: Master, letter: Letter) -> bool:
    """Whether a letter had left for him before he wrote; where no mail goes to him, whether it was there."""
    corresponds = Correspondent.objects.filter(game=master.game, person=master.person, until=None).exists()
    if not corresponds:
        return letter.written <= master.received
    sent = Departure.objects.filter(person=master.person, once=f"held:{letter.pk}", sent__lte=master.received)
    return sent.exists()


def _letter(master: Master, number: int) -> Letter:
    found = numbering.find(master.sight, number)
    if found is None:
        raise Refused("no_letter", letter=number)
    return found


def _pass_on(master: Master, number: int) -> Told:
    writing.pass_on(_letter(master, number), timezone.now())
    return {"said": "passed", "letter": number}


def _give_back(master: Master, key: str, command: Command) -> list[Told]:
    def one(number: int) -> Told:
        writing.give_back(_letter(master, number), _told(master, command.text))
        return {"said": "returned", "letter": number}

    return _each(master, key, command.numbers, one)


# dates


def _check_phase(master: Master, game: Game) -> None:
    """He means the phase that was open when he wrote, or that this mail has opened itself."""
    if any(told.get("said") == "published" for told in master.ledger.deeds().values()):
        return
    other = master.phase and master.phase != game.phase
    if game.state in RUNNING and (other or (game.opened is not None and game.opened > master.received)):
        raise Refused("other_phase", phase=game.phase)


def _remind(master: Master, key: str, _command: Command) -> list[Told]:
    def deed() -> Told:
        game = master.fresh
        _check_phase(master, game)
        powers = timing.remind(game, game.number, hand=master.hand, now=timezone.now())
        return {"said": "reminded", "powers": list(powers)}

    return [_once(master, key, deed)]


def _extend(master: Master, key: str, command: Command) -> list[Told]:
    def deed() -> Told:
        now, game = timezone.now(), master.fresh
        _check_phase(master, game)
        until = _until(command, max(game.due or now, now), now)
        if game.due is not None and until <= game.due:
            raise Refused("earlier", due=game.due.isoformat())
        timing.extend(game, until, game.due, hand=master.hand, now=now)
        return {"said": "extended", "due": until.isoformat()}

    return [_once(master, key, deed)]


def _until(command: Command, begins: datetime, now: datetime) -> datetime:
    """A date that was written, or so long after `begins`; raises Refused and Unfit."""
    until = _dated(command, begins, now)
    if until > now + FURTHEST:
        raise Refused("too_far")
    return until


def _dated(command: Command, begins: datetime, now: datetime) -> datetime:
    if not command.text:
        raise Refused("undated")
    if not command.until:
        try:
            return begins + min(typed.length(command.text), 2 * FURTHEST)
        except errors.Unfit:
            pass
    return moments.moment(command.text, now, frame.zone())


def _pause(master: Master, key: str, _command: Command) -> list[Told]:
    def deed() -> Told:
        timing.pause(master.game, hand=master.hand, now=timezone.now())
        return {"said": "paused"}

    return [_once(master, key, deed)]


def _resume(master: Master, key: str, command: Command) -> list[Told]:
    def deed() -> Told:
        now = timezone.now()
        until = _until(command, now, now) if command.text else None
        game = timing.resume(master.game, until, hand=master.hand, now=now)
        return {"said": "resumed", "due": game.due.isoformat() if game.due else ""}

    return [_once(master, key, deed)]


# the phase


def _publish(master: Master, key: str, command: Command) -> list[Told]:
    """Judging is no part of a transaction: what was begun is written first, then what came of it."""
    begun = _once(master, key, lambda: _begin(master, command))
    if "refused" in begun:
        return [begun]
    known = master.ledger.known(f"{key}.done")
    if known is None:
        told = _judged(master, begun)
        known = _once(master, f"{key}.done", lambda: told)
    return [known]


def _begin(master: Master, command: Command) -> Told:
    now, game = timezone.now(), master.fresh
    if game.state not in RUNNING:
        raise Refused("not_playing")
    _check_phase(master, game)
    if unread.until(game, now) is not None:
        raise Refused("on_its_way")
    missing = timing.missing(game)
    if missing and not command.anyway:
        raise Refused("missing", powers=list(missing))
    if missing and game.opened is not None and game.opened > master.received - JUST_OPENED:
        raise Refused("just_opened", powers=list(missing))
    return {"said": "publishing", "number": game.number, "phase": game.phase}


def _judged(master: Master, begun: Told) -> Told:
    number = int(begun["number"])
    try:
        timing.adjudicate(master.game, number, hand=master.hand, now=timezone.now())
    except Unanswered:
        return {"refused": "unjudged"}
    except NotDone as refused:
        if refused.code != "moved" or not _is_published(master, number):
            return {"refused": refused.code}
    return {"said": "published", "phase": begun["phase"]}


def _is_published(master: Master, number: int) -> bool:
    """Whether his own hand has published a phase: this mail, before it was broken off."""
    return Revision.objects.filter(game=master.game, number=number, current=True, by=master.person).exists()


def _gazette(master: Master, key: str, command: Command) -> list[Told]:
    def deed() -> Told:
        last = last_published(master.game)
        if last is None:
            raise Refused("not_begun")
        directing.publish(master.game, last.number, _told(master, command.text), hand=master.hand)
        return {"said": "gazette", "phase": last.phase}

    return [_once(master, key, deed)]


def _grant(master: Master, key: str, command: Command) -> list[Told]:
    return _each(master, key, command.powers, partial(_let_in, master))


def _let_in(master: Master, power: str) -> Told:
    """The last orders of a power that came too late."""
    found = [one for one in granting.late(master.fresh) if one.mailbox.power == power]
    if not found:
        raise Refused("no_late", power=power)
    try:
        granting.grant(found[-1], master.person)
    except granting.NotGranted as refused:
        raise Refused("not_granted", why=refused.code) from None
    except inbox.NotTaken:
        raise Refused("moved") from None
    return {"said": "granted", "power": power}


Deed = Callable[[Master, str, Command], list[Told]]
DEEDS: Mapping[Act, Deed] = {
    Act.DELIVER: _deliver,
    Act.RETURN: _give_back,
    Act.STATUS: _nothing,
    Act.REMIND: _remind,
    Act.EXTEND: _extend,
    Act.PAUSE: _pause,
    Act.RESUME: _resume,
    Act.PUBLISH: _publish,
    Act.GRANT: _grant,
    Act.GAZETTE: _gazette,
    Act.HELP: _nothing,
}
