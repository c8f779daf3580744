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
from talleyrand.web.boards import display_names
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.lobby import game_settings_texts
from talleyrand.web.games.models import Game, GameRole, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.game_status_text import GameStatusText, game_page_url
from talleyrand.web.mail.mailed_orders.order_parsing import subject_tag
from talleyrand.web.mail.models import Mailbox, MailSubscription
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.outbound.email_queue import reader_locale
from talleyrand.web.mail.text_layout import bullet, heading, join_parts, prose, protected, title, unbroken
from talleyrand.web.press import press_rules, press_texts

MASTER, EVERYBODY = press_rules.GAME_MASTER, press_rules.EVERYBODY


def is_subscribed(game: Game, person: Person) -> bool:
    """Whether everything of a game is sent to somebody."""
    return MailSubscription.objects.filter(game=game, person=person, ended_at=None).exists()


def subscribe(game: Game, person: Person) -> MailSubscription:
    """Send him everything of a game from now on; asked twice, it is one correspondence.

    The next sweep sends the mail to begin with, once there is something to play.
    """
    open_now = MailSubscription.objects.filter(game=game, person=person, ended_at=None)
    found = open_now.first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return MailSubscription.objects.create(game=game, person=person)
    except IntegrityError:  # another process was quicker
        return open_now.get()


def unsubscribe(game: Game, person: Person) -> bool:
    """Send him nothing of it any more; whether anything was sent to him before. His addresses stay open."""
    found = MailSubscription.objects.filter(game=game, person=person, ended_at=None)
    return bool(found.update(ended_at=timezone.now()))


@dataclass(frozen=True)
class MailDraft:
    """A mail to a correspondent as it will leave; `power`: see `departing.queue`."""

    kind: str
    idempotency_key: str
    subject: str
    text: str
    power: str
    mailbox: Mailbox | None

    def queue(self, correspondent: MailSubscription) -> bool:
        """Put it into the outbox, inside a transaction; False where it is there, or he has no address."""
        game = correspondent.game
        return email_queue.queue_email(
            correspondent.person,
            self.kind,
            self.idempotency_key,
            self.subject,
            self.text,
            game=game,
            power=self.power,
            mailbox=self.mailbox,
            sender=game.name,
            thread=f"game:{game.key}",
        )


def welcome_mail(correspondent: MailSubscription, power: str) -> MailDraft:
    """The mail to begin with: for a power, for the game master ("@"), or for who only reads ("").

    Whoever plays a power again after a stand-in has another one.
    """
    with reader_locale(correspondent.person):
        guide = WelcomeMail(correspondent, power)
        key = welcome_key(correspondent, power)
        return MailDraft("welcome", key, guide.subject, guide.text(), power, guide.own)


def welcome_key(correspondent: MailSubscription, power: str) -> str:
    """What the mail to begin with is known by: another one when the power has changed hands."""
    seat = PowerAssignment.objects.filter(seat__game=correspondent.game_id, seat__power=power)
    newest = seat.order_by("-pk").values_list("pk", flat=True).first()
    return f"welcome:{correspondent.pk}:{power}:{newest or 0}"


@dataclass
class WelcomeMail:
    """The mail to begin with, in the language and the zone in use. `power`: see `welcome_mail`."""

    subscription: MailSubscription
    power: str

    @property
    def game(self) -> Game:
        return self.subscription.game

    @property
    def person(self) -> Person:
        return self.subscription.person

    @cached_property
    def standing(self) -> GameStatusText:
        return GameStatusText(self.game)

    @cached_property
    def sight(self) -> GameViewer:
        return GameViewer(self.game, self.person)

    @cached_property
    def own(self) -> Mailbox | None:
        """Where an answer to this mail goes: to the orders, or to the desk."""
        return mailboxes.reply_mailbox(self.game, self.person, self.power)

    @property
    def subject(self) -> str:
        return f"{subject_tag(self.game)} {self._title()}"

    def _title(self) -> str:
        if not self.power:
            return _("Results by email")
        if self.power == MASTER:
            return _("You run this game by email")
        return _("You play %(power)s by email") % {"power": self.standing.power_with_article(self.power)}

    def text(self) -> str:
        """Everything, as it may be printed."""
        return join_parts(
            [
                title(self._title()),
                self._beginning(),
                *self._orders(),
                *self._letters(),
                *self._dates(),
                heading(_("Units")) + self.standing.units(),
                heading(_("Centres")) + self.standing.centres(),
                [*heading(_("How to stop")), *self._stopping()],
            ]
        )

    # what it is

    def _beginning(self) -> list[str]:
        told = [_("Keep or print this email.")]
        if self.power:
            told.append(_("Keep the addresses in it private: anyone who has them can act in your name."))
        if self.power not in ("", MASTER) and not self.sight.may_see_players:
            told.append(
                _("The other players know you only as your power; our emails never tell them who you are.")
            )
        return [*self._role(), *prose(" ".join(told))]

    def _role(self) -> list[str]:
        words = {"game": self.game.name}
        if not self.power:
            told = _("You get the results of the game “%(game)s” by email.")
        elif self.power == MASTER:
            told = _("You run the game “%(game)s”, and can do so by email.")
        else:
            words["power"] = self.standing.power_with_article(self.power)
            told = _("You play %(power)s in the game “%(game)s”, and can do so by email.")
        return prose(told % words)

    # orders

    def _orders(self) -> Iterator[list[str]]:
        if self.power == MASTER and self.own is not None:
            yield [
                *heading(_("Your desk")),
                *unbroken(mailboxes.mailbox_address(self.own)),
                *prose(
                    _(
                        "Send commands to this address, one per line: “help” lists them, "
                        "“status” shows who has submitted orders."
                    )
                ),
            ]
        if self.power in ("", MASTER) or self.own is None:
            yield self._phase()
            return
        yield [*self._phase(), *self.standing.tasks(self.power)]
        yield [*heading(_("Your orders")), *unbroken(mailboxes.mailbox_address(self.own)), *self._writing()]
        yield self._example()

    def _phase(self) -> list[str]:
        return (
            [*heading(self.standing.phase), *prose(self.standing.deadline())] if self.standing.phase else []
        )

    def _writing(self) -> Iterator[str]:
        yield from bullet(_("Write to this address, one order per line, in French or English."))
        yield from bullet(_("Or reply to this email or to one with results: write above the quoted text."))
        yield from bullet(_("A reply tells you what was understood and what was not."))
        yield from bullet(
            _("The last orders you send before the deadline count; they replace all earlier ones.")
        )

    def _example(self) -> list[str]:
        lines = self.standing.example(self.power)
        return (
            [*prose(_("For example:")), *(line for one in lines for line in protected(one))] if lines else []
        )

    # letters

    def _letters(self) -> Iterator[list[str]]:
        if not self.power:
            return
        rooms = {
            one: mailboxes.conversation_address(self.game, self.person, self.power, one)
            for one in self._rooms()
        }
        if self.power != MASTER:
            yield [*heading(_("Your messages")), *self._moods()]
        else:
            yield [
                *heading(_("Your messages")),
                *prose(_("To write to one power, or to everyone:")),
            ]
        width = max((len(self._named(one)) for one in rooms), default=0)
        yield [f"{self._named(one).ljust(width)}  {address}" for one, address in rooms.items()]
        if self.power != MASTER and len(rooms) > 2:
            yield prose(
                _(
                    "Put several powers in one email (To and Cc) to send them one shared "
                    "message. Only your text is forwarded, never your name or address: don’t "
                    "sign with your name."
                )
            )

    def _moods(self) -> Iterator[str]:
        for sentence in press_texts.mode_texts(press_rules.press_situation(self.game)):
            yield from bullet(sentence)

    def _rooms(self) -> Iterator[str]:
        """Whom one may ever write to in this game, as far as its terms say."""
        press = PressSetting.FULL if self.power == MASTER else self.game.settings.press
        if press in (PressSetting.FULL, PressSetting.HELD):
            mine = {self.power, *self.sight.orderable_powers}
            yield from (one for one in self.game.seats.values_list("power", flat=True) if one not in mine)
        if press != PressSetting.NONE:
            yield EVERYBODY
        if self.power != MASTER and press_rules.press_situation(self.game).has_game_master:
            yield MASTER

    def _named(self, room: str) -> str:
        if room == EVERYBODY:
            return pgettext("recipients", "Everyone")
        return pgettext("signature", "Game master") if room == MASTER else self.standing.power(room)

    # the rules of the game

    def _dates(self) -> Iterator[list[str]]:
        if self.power:
            agreed = game_settings_texts.deadline_sentences(self.game)
            book = display_names.rulebook_title(self.game.rulebook)
            judged = _("Rulebook: %(book)s.") % {"book": book}
            late = _(
                "What counts is when your email reaches us. If it is late, it is kept, and "
                "the GM can accept it until the phase is resolved."
            )
            lost = _("What counts is when your email reaches us; late orders don’t count.")
            counted = late if press_rules.press_situation(self.game).has_game_master else lost
            told = [line for one in (*agreed, counted, judged) for line in bullet(one)]
            yield [*heading(_("Deadlines and late orders")), *told]

    def _stopping(self) -> Iterator[str]:
        place = game_page_url(self.game, "mail:post")
        if place:
            yield from prose(_("On this page you can stop playing by email or get new addresses:"))
            yield from unbroken(place)
        else:
            yield from prose(_("On the site you can stop playing by email or get new addresses."))


def subscribed_powers(sight: GameViewer) -> tuple[str, ...]:
    """For what somebody corresponds: his powers, his desk ("@"), or to read alone ("")."""
    if sight.role == GameRole.PLAYER:
        return sight.orderable_powers
    return (MASTER,) if sight.is_game_master else ("",)
