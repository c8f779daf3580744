"""A game with a secret in each place where one may hide, at each moment of its life."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from talleyrand.web.games import (
    deadline_clock,
    first_phase,
    game_lifecycle,
    game_log,
    order_queries,
    order_submission,
    phase_adjudication,
    power_assignments,
)
from talleyrand.web.games.game_master import seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.lobby import membership_actions as table
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole, Gazette, Invitation
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import EmailInvitation, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.press import message_actions, press_rules
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from talleyrand.web.webhooks.models import Webhook
from tests.web import cast
from tests.web.built_once import built_once

# Who looks: Roman had Russia before Renaud, Sacha stands in for Théa in Turkey, Irène had Italy and asks for
# England, whose seat is free; the computer plays Italy.
WHO = {
    "visitor": "",
    "stranger": cast.STRANGER,
    "observer": cast.OBSERVER,
    "assistant": cast.ASSISTANT,
    "master": cast.MASTER,
    "france": "Flora",
    "germany": "Gaspard",
    "replaced": "Roman",
    "russia": "Renaud",
    "stood_in": "Théa",
    "stand_in": "Sacha",
    "held_another": "Irène",
    "administrator": "Adèle",
}
MOMENTS = ("gathering", "open", "paused", "revealed", "ended", "abandoned")

# What is secret, by the mark that betrays it.
MARKS = {
    "published_sheet": "zz-published-france",
    "open_sheet": "zz-open-france",
    "open_draft": "zz-draft-germany",
    "stand_in_draft": "zz-draft-turkey",
    "former_draft": "zz-draft-roman",
    "former_sheet": "zz-sheet-roman",
    "free_sheet": "zz-sheet-edmond",
    "computer_sheet": "zz-sheet-computer",
    "letter": "zz-letter-france-germany",
    "letter_russia": "zz-letter-france-russia",
    "letter_england": "zz-letter-france-england",
    "letter_master": "zz-letter-france-master",
    "held_letter": "zz-letter-held",
    "returned_letter": "zz-letter-returned",
    "public_letter": "zz-letter-public",
    "gazette": "zz-gazette",
    "invitation": "zz-invitation-token-0001",
    "masters_log": "zz-trouble",
    "offered": "zz-offered@exemple.fr",
    "mail_to_france": "zz-mail-to-france",
    "mail_for_russia": "zz-mail-for-russia",
    "absence": " mai 2093",
}


@dataclass
class Scene:
    """A game at a moment; `refused` is what was answered to whoever asked for a second power."""

    game: Game
    now: datetime = field(default_factory=timezone.now)
    refused: list[str] = field(default_factory=list)

    def client(self, who: str) -> Client:
        return cast.client_of(WHO[who]) if WHO[who] else Client()

    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)

    def hand_in(self, power: str, *lines: str, number: int) -> None:
        key = f"{power}-{number}-{len(lines)}-a-long-key"
        by = cast.person(cast.PLAYERS[power])
        order_submission.submit_orders(
            self.fresh(), power, lines, number=number, key=key, origin="text", at=self.now, by=by
        )

    def draft(self, power: str, *lines: str) -> None:
        game = self.fresh()
        order_submission.change_draft(
            game, power, game.phase_number, lambda _question, _draft: {power: list(lines)}, self.now
        )

    def write(self, who: str, writer: str, to: Recipients, text: str) -> Any:
        written = message_actions.MessageDraft(text, writer, f"submission-{text}")
        return message_actions.send_message(self.fresh(), cast.person(who), to, written, self.now)


@built_once
def gathering() -> Scene:
    """Before the start: seats are given, nothing has been played."""
    scene = Scene(cast.table(begun=False))
    deadline_clock.record_heartbeat(scene.now)
    _administrator()
    _programs(scene)
    Invitation.objects.create(game=scene.game, token=MARKS["invitation"], role=GameRole.OBSERVER)
    mailbox = Mailbox.objects.create(
        purpose=MailboxPurpose.INVITATION, game=scene.game, target=MARKS["offered"]
    )
    EmailInvitation.objects.create(
        mailbox=mailbox, invited_by=cast.person(cast.MASTER), language="fr", submission_id=""
    )
    return scene


def _administrator() -> None:
    administrator = cast.person(WHO["administrator"])
    administrator.is_administrator = True
    administrator.save()


def _programs(scene: Scene) -> None:
    """Everybody has a program that hears all news; nothing leaves."""
    for name in filter(None, WHO.values()):
        address = "https://example.org/talleyrand"
        Webhook.objects.create(
            person=cast.person(name), address=address, submission_id="a form", created_at=scene.now
        )


@built_once
def opened(**terms: Any) -> Scene:
    """Autumn 1901 is open; spring is published; letters were written, people replaced."""
    scene = gathering()
    scene.game = first_phase.open_first_phase(scene.game, scene.now)
    scene.hand_in("FRANCE", "A Par-Bur", MARKS["published_sheet"], number=1)
    phase_adjudication.adjudicate_phase(scene.fresh(), 1, scene.now)
    _letters(scene)
    _mails(scene)
    _seats(scene)
    scene.hand_in("FRANCE", "A Mar-Pie", MARKS["open_sheet"], number=2)
    scene.draft("GERMANY", "A Mun-Tyr", MARKS["open_draft"])
    scene.draft("TURKEY", MARKS["stand_in_draft"])
    _away(scene)
    Gazette.objects.create(game=scene.game, phase_number=1, text=MARKS["gazette"])
    game_log.add_log_entry(
        scene.fresh(), "overridden", shown=False, phase="S1901M", reason=MARKS["masters_log"]
    )
    return scene


def _away(scene: Scene) -> None:
    """Flora will be away in May of 2093; one absence was announced, another taken back."""
    since, until = (datetime(2093, 5, day, 12, tzinfo=UTC) for day in (7, 9))
    scene.game.absences.create(person=cast.person("Flora"), starts_at=since, ends_at=until)
    game, flora = scene.fresh(), cast.person("Flora")
    for kind in ("absence", "absence_withdrawn"):
        game_log.add_log_entry(game, kind, by=flora, since=since.isoformat(), until=until.isoformat())


def _letters(scene: Scene) -> None:
    pair = Recipients(ConversationKind.PAIR, ("FRANCE", "GERMANY"))
    scene.write("Flora", "FRANCE", pair, MARKS["letter"])
    for power, mark in (("RUSSIA", "letter_russia"), ("ENGLAND", "letter_england")):
        to = Recipients(ConversationKind.PAIR, tuple(sorted(("FRANCE", power))))
        scene.write("Flora", "FRANCE", to, MARKS[mark])
    scene.write("Flora", "FRANCE", Recipients(ConversationKind.MASTER, ("FRANCE",)), MARKS["letter_master"])
    scene.write("Gaspard", "GERMANY", Recipients(ConversationKind.ALL), MARKS["public_letter"])
    _hold(scene, PressSetting.HELD)
    scene.write("Flora", "FRANCE", pair, MARKS["held_letter"])
    returned = scene.write("Flora", "FRANCE", pair, MARKS["returned_letter"])
    message_actions.return_message(returned, "zz")
    _hold(scene, PressSetting.FULL)


def _mails(scene: Scene) -> None:
    """Some play by post: France was sent a mail, one for Russia waits while its player is replaced."""
    for name in ("Flora", "Roman", "Théa", cast.MASTER):
        subscribing.subscribe(scene.game, cast.person(name))
    mailboxes.get_mailbox(MailboxPurpose.ORDERS, scene.game, cast.person("Flora"), "FRANCE")
    _mail(scene, "Flora", "FRANCE", MARKS["mail_to_france"], sent_at=scene.now)
    _mail(scene, "Roman", "RUSSIA", MARKS["mail_for_russia"])


def _mail(scene: Scene, name: str, power: str, words: str, **more: Any) -> None:
    kept = {"kind": "report", "idempotency_key": words, "subject": words, "text": words, "power": power}
    OutboundEmail.objects.create(person=cast.person(name), game=scene.game, **kept, **more)


def _hold(scene: Scene, press: PressSetting) -> None:
    game = scene.fresh()
    game.settings_json = {**game.settings_json, "press": str(press)}
    game.save(update_fields=["settings_json"])


def _seats(scene: Scene) -> None:
    scene.hand_in("RUSSIA", MARKS["former_sheet"], number=2)
    scene.hand_in("ENGLAND", MARKS["free_sheet"], number=2)
    scene.draft("RUSSIA", MARKS["former_draft"])
    for name in ("Edmond", "Irène"):
        table.leave_game(scene.game, cast.person(name))
    _computer(scene)
    game = scene.fresh()
    roman = game.memberships.get(person=cast.person("Roman"), left_at=None)
    roman.left_at = scene.now
    roman.save()
    for name in ("Renaud", "Sacha"):
        cast.member(game, name, GameRole.PLAYER)
    power_assignments.assign_power(game, "RUSSIA", cast.person("Renaud"))
    power_assignments.assign_power(game, "TURKEY", cast.person("Sacha"), stand_in=True)


def _computer(scene: Scene) -> None:
    """The computer has Italy's seat, and has answered."""
    game = scene.fresh()
    power_assignments.assign_bot(game, ["ITALY"], "values:normal")
    sent: dict[str, Any] = {"number": 2, "key": "computer", "origin": order_queries.BOT, "at": scene.now}
    order_submission.submit_orders(game, "ITALY", [MARKS["computer_sheet"]], **sent, final=True)


def paused() -> Scene:
    scene = opened()
    game_lifecycle.pause_game(scene.fresh(), scene.now)
    return scene


def revealed() -> Scene:
    """The game master has said who plays what."""
    scene = opened()
    Game.objects.filter(pk=scene.game.pk).update(powers_revealed_at=scene.now)
    return scene


def ended() -> Scene:
    scene = opened()
    game = scene.fresh()
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, scene.now + timedelta(minutes=1))
    return scene


def abandoned() -> Scene:
    scene = opened()
    Game.objects.filter(pk=scene.game.pk).update(
        state="abandoned", ended_at=scene.now, deadline=None, next_check_at=None
    )
    return scene


def _asks(scene: Scene) -> Scene:
    """Whoever has held a power asks for another by every door; nothing must come of it."""
    game, person = scene.fresh(), cast.person(WHO["held_another"])
    hand = GameMasterActor(cast.person(cast.MASTER), GameRole.GAME_MASTER)

    def give(power: str, *, stand_in: bool) -> object:
        mark = seat_actions.seat_player_mark(game.seats.get(power=power))
        return seat_actions.replace_player(
            game, power, person, mark, stand_in=stand_in, hand=hand, now=scene.now
        )

    doors: tuple[Callable[[], object], ...] = (
        lambda: table.join_game(game, person, power="ENGLAND"),
        lambda: table.join_game(
            game, person, invitation=game.invitations.create(power="ENGLAND", is_single_use=True)
        ),
        lambda: give("ENGLAND", stand_in=False),
        lambda: give("TURKEY", stand_in=True),
    )
    for knock in doors:
        try:
            knock()
        except (LobbyRefusal, GameMasterRefusal) as refused:
            scene.refused.append(refused.code)
    game.invitations.filter(power="ENGLAND").delete()
    return scene


AT: dict[str, Callable[[], Scene]] = {
    "gathering": lambda: _asks(gathering()),
    "open": lambda: _asks(opened()),
    "paused": lambda: _asks(paused()),
    "revealed": lambda: _asks(revealed()),
    "ended": lambda: _asks(ended()),
    "abandoned": lambda: _asks(abandoned()),
}
NAMES = ("Agathe", "Edmond", "Flora", "Gaspard", "Irène", "Roman", "Théa", "Renaud", "Sacha")
NOBODY = press_rules.UNSIGNED
