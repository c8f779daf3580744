"""Who plays a game from his mail program, and the mail that tells him all he needs for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.games.models import Game, Role, Tenure
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table import agreement
from talleyrand.web.games.terms import Press
from talleyrand.web.mail import addressing
from talleyrand.web.mail.layout import heading, joined, marked, point, prose, title, whole
from talleyrand.web.mail.models import Correspondent, Mailbox
from talleyrand.web.mail.orders.sheets import tag
from talleyrand.web.mail.outgoing import departing
from talleyrand.web.mail.outgoing.departing import speaking
from talleyrand.web.mail.standing import Standing, link
from talleyrand.web.press import rules, sentences
from talleyrand.web.press import standing as letters

MASTER, EVERYBODY = rules.MASTER, rules.EVERYBODY


def is_correspondent(game: Game, person: Person) -> bool:
    """Whether everything of a game is sent to somebody."""
    return Correspondent.objects.filter(game=game, person=person, until=None).exists()


def begin(game: Game, person: Person) -> Correspondent:
    """Send him everything of a game from now on; asked twice, it is one correspondence.

    The next sweep sends the mail to begin with, once there is something to play.
    """
    open_now = Correspondent.objects.filter(game=game, person=person, until=None)
    found = open_now.first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return Correspondent.objects.create(game=game, person=person)
    except IntegrityError:  # another process was quicker
        return open_now.get()


def end(game: Game, person: Person) -> bool:
    """Send him nothing of it any more; whether anything was sent to him before. His addresses stay open."""
    found = Correspondent.objects.filter(game=game, person=person, until=None)
    return bool(found.update(until=timezone.now()))


@dataclass(frozen=True)
class Post:
    """A mail to a correspondent as it will leave; `power`: see `departing.queue`."""

    kind: str
    once: str
    subject: str
    text: str
    power: str
    mailbox: Mailbox | None

    def queue(self, correspondent: Correspondent) -> bool:
        """Put it into the outbox, inside a transaction; False where it is there, or he has no address."""
        game = correspondent.game
        return departing.queue(
            correspondent.person,
            self.kind,
            self.once,
            self.subject,
            self.text,
            game=game,
            power=self.power,
            mailbox=self.mailbox,
            sender=game.name,
            thread=f"game:{game.key}",
        )


def welcome(correspondent: Correspondent, power: str) -> Post:
    """The mail to begin with: for a power, for the game master ("@"), or for who only reads ("").

    Whoever plays a power again after a stand-in has another one.
    """
    with speaking(correspondent.person):
        guide = Guide(correspondent, power)
        key = once(correspondent, power)
        return Post("welcome", key, guide.subject, guide.text(), power, guide.own)


def once(correspondent: Correspondent, power: str) -> str:
    """What the mail to begin with is known by: another one when the power has changed hands."""
    seat = Tenure.objects.filter(seat__game=correspondent.game_id, seat__power=power)
    newest = seat.order_by("-pk").values_list("pk", flat=True).first()
    return f"welcome:{correspondent.pk}:{power}:{newest or 0}"


@dataclass
class Guide:
    """The mail to begin with, in the language and the zone in use. `power`: see `welcome`."""

    correspondent: Correspondent
    power: str

    @property
    def game(self) -> Game:
        return self.correspondent.game

    @property
    def person(self) -> Person:
        return self.correspondent.person

    @cached_property
    def standing(self) -> Standing:
        return Standing(self.game)

    @cached_property
    def sight(self) -> Sight:
        return Sight(self.game, self.person)

    @cached_property
    def own(self) -> Mailbox | None:
        """Where an answer to this mail goes: to the orders, or to the desk."""
        return addressing.own(self.game, self.person, self.power)

    @property
    def subject(self) -> str:
        return f"{tag(self.game)} {self._title()}"

    def _title(self) -> str:
        if not self.power:
            return _("The reports by post")
        if self.power == MASTER:
            return _("You lead the game by post")
        return _("You play %(power)s by post") % {"power": self.standing.the(self.power)}

    def text(self) -> str:
        """Everything, as it may be printed."""
        return joined(
            [
                title(self._title()),
                self._beginning(),
                *self._orders(),
                *self._letters(),
                *self._dates(),
                heading(_("The units")) + self.standing.units(),
                heading(_("The centres")) + self.standing.centres(),
                [*heading(_("Stopping")), *self._stopping()],
            ]
        )

    # what it is

    def _beginning(self) -> list[str]:
        told = [_("Keep this mail, or print it.")]
        if self.power:
            told.append(
                _("The addresses in it are yours alone: whoever has them can act in your name. Tell nobody.")
            )
        if self.power not in ("", MASTER) and not self.sight.knows_people:
            told.append(_("The other players know you as your power, and never learn who you are by mail."))
        return [*self._role(), *prose(" ".join(told))]

    def _role(self) -> list[str]:
        words = {"game": self.game.name}
        if not self.power:
            told = _("The reports of the game “%(game)s” come to you by mail.")
        elif self.power == MASTER:
            told = _("You lead the game “%(game)s”, and may do so from your mail program alone.")
        else:
            words["power"] = self.standing.the(self.power)
            told = _("You play %(power)s in the game “%(game)s”, and may do so from your mail program alone.")
        return prose(told % words)

    # orders

    def _orders(self) -> Iterator[list[str]]:
        if self.power == MASTER and self.own is not None:
            yield [
                *heading(_("Your desk")),
                *whole(addressing.address(self.own)),
                *prose(
                    _(
                        "Write a word on a line of its own to this address. “Help” alone brings all that you "
                        "can say there; “status” says who has handed in."
                    )
                ),
            ]
        if self.power in ("", MASTER) or self.own is None:
            yield self._phase()
            return
        yield [*self._phase(), *self.standing.tasks(self.power)]
        yield [*heading(_("Your orders")), *whole(addressing.address(self.own)), *self._writing()]
        yield self._example()

    def _phase(self) -> list[str]:
        return (
            [*heading(self.standing.phase), *prose(self.standing.deadline())] if self.standing.phase else []
        )

    def _writing(self) -> Iterator[str]:
        yield from point(_("Write to this address, one order a line, in French or in English."))
        yield from point(_("Or answer this mail, or a report: write above what your program quotes."))
        yield from point(_("An answer says what was understood of it, and what was not."))
        yield from point(_("Your last mail before the deadline counts, as a whole; it replaces the others."))

    def _example(self) -> list[str]:
        lines = self.standing.example(self.power)
        return [*prose(_("For instance:")), *(line for one in lines for line in marked(one))] if lines else []

    # letters

    def _letters(self) -> Iterator[list[str]]:
        if not self.power:
            return
        rooms = {one: addressing.room(self.game, self.person, self.power, one) for one in self._rooms()}
        if self.power != MASTER:
            yield [*heading(_("Your letters")), *self._moods()]
        else:
            yield [
                *heading(_("Your letters")),
                *prose(_("One power, or everybody, reads what you write to:")),
            ]
        width = max((len(self._named(one)) for one in rooms), default=0)
        yield [f"{self._named(one).ljust(width)}  {address}" for one, address in rooms.items()]
        if self.power != MASTER and len(rooms) > 2:
            yield prose(
                _(
                    "Several powers in one mail (To and Cc) read one letter together. Your words are passed "
                    "on, and nothing else: no name, no address. Do not sign with your name."
                )
            )

    def _moods(self) -> Iterator[str]:
        for sentence in sentences.moods(letters.moment(self.game)):
            yield from point(sentence)

    def _rooms(self) -> Iterator[str]:
        """Whom one may ever write to in this game, as far as its terms say."""
        press = Press.FULL if self.power == MASTER else self.game.terms.press
        if press in (Press.FULL, Press.HELD):
            mine = {self.power, *self.sight.acting}
            yield from (one for one in self.game.seats.values_list("power", flat=True) if one not in mine)
        if press != Press.NONE:
            yield EVERYBODY
        if self.power != MASTER and letters.moment(self.game).mastered:
            yield MASTER

    def _named(self, room: str) -> str:
        if room == EVERYBODY:
            return pgettext("recipients", "Everybody")
        return pgettext("signature", "Game master") if room == MASTER else self.standing.power(room)

    # the rules of the game

    def _dates(self) -> Iterator[list[str]]:
        if self.power:
            agreed = agreement.lateness(self.game)
            book = wording.book_title(self.game.rulebook)
            judged = _("The judge follows the rulebook “%(book)s”.") % {"book": book}
            late = _(
                "The hour at which a mail reaches us counts. One that comes too late is kept: the game "
                "master may let it count until the phase is played."
            )
            lost = _("The hour at which a mail reaches us counts; what comes too late does not.")
            counted = late if letters.moment(self.game).mastered else lost
            told = [line for one in (*agreed, counted, judged) for line in point(one)]
            yield [*heading(_("Deadlines, and orders that are late")), *told]

    def _stopping(self) -> Iterator[str]:
        place = link(self.game, "mail:post")
        if place:
            yield from prose(
                _("On this page you choose not to play by post any more, or have new addresses:")
            )
            yield from whole(place)
        else:
            yield from prose(_("On the site you choose not to play by post any more, or have new addresses."))


def powers(sight: Sight) -> tuple[str, ...]:
    """For what somebody corresponds: his powers, his desk ("@"), or to read alone ("")."""
    if sight.role == Role.PLAYER:
        return sight.acting
    return (MASTER,) if sight.is_master else ("",)
