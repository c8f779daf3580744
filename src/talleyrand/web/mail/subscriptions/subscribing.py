"""Who plays a game from his mail program, and the mail that tells him all he needs for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import pgettext

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.game_settings import DrawRule, PressSetting
from talleyrand.web.games.lobby import game_settings_texts
from talleyrand.web.games.models import Game, GameRole, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.game_status_text import GameStatusText, game_page_url
from talleyrand.web.mail.mail_templates import SubjectAndText, render_mail
from talleyrand.web.mail.mailed_orders.order_parsing import game_tag
from talleyrand.web.mail.models import Mailbox, MailSubscription
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.outbound.email_queue import reader_locale
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
    """A mail to a correspondent as it will leave; `power`: see `email_queue.queue_email`."""

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
        return MailDraft("welcome", key, *guide.written(), power, guide.own)


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

    def written(self) -> SubjectAndText:
        """Everything, as it may be printed."""
        is_player = self.power not in ("", MASTER)
        situation = press_rules.press_situation(self.game)
        return render_mail(
            "welcome",
            tag=game_tag(self.game),
            game=self.game.name,
            standing=self.standing,
            reads_only=not self.power,
            is_master=self.power == MASTER,
            is_player=is_player,
            power=self.standing.power_with_article(self.power) if is_player else "",
            may_see_players=self.sight.may_see_players,
            own_address=mailboxes.mailbox_address(self.own) if self.own is not None else "",
            tasks=self.standing.tasks(self.power) if is_player else (),
            example=self.standing.example(self.power) if is_player else (),
            rooms=self._rooms() if self.power else (),
            press_terms=press_texts.mode_texts(situation),
            has_game_master=situation.has_game_master,
            deadline_terms=game_settings_texts.deadline_sentences(self.game),
            book=display_names.rulebook_title(self.game.rulebook),
            may_agree=self.game.settings.draw is not DrawRule.NEVER,
            post_page=game_page_url(self.game, "mail:post"),
        )

    def _rooms(self) -> list[str]:
        """Whom one may write to, each with its address."""
        rooms = {
            self._room_name(one): mailboxes.conversation_address(self.game, self.person, self.power, one)
            for one in self._recipients()
        }
        width = max(map(len, rooms), default=0)
        return [f"{name.ljust(width)}  {address}" for name, address in rooms.items()]

    def _recipients(self) -> Iterator[str]:
        """Whom one may ever write to in this game, as far as its terms say."""
        press = PressSetting.FULL if self.power == MASTER else self.game.settings.press
        if press in (PressSetting.FULL, PressSetting.HELD):
            mine = {self.power, *self.sight.orderable_powers}
            yield from (one for one in self.game.seats.values_list("power", flat=True) if one not in mine)
        if press != PressSetting.NONE:
            yield EVERYBODY
        if self.power != MASTER and press_rules.press_situation(self.game).has_game_master:
            yield MASTER

    def _room_name(self, room: str) -> str:
        if room == EVERYBODY:
            return pgettext("recipients", "Everyone")
        return pgettext("signature", "Game master") if room == MASTER else self.standing.power(room)


def subscribed_powers(sight: GameViewer) -> tuple[str, ...]:
    """For what somebody corresponds: his powers, his desk ("@"), or to read alone ("")."""
    if sight.role == GameRole.PLAYER:
        return sight.orderable_powers
    return (MASTER,) if sight.is_game_master else ("",)
