"""A site with a game in each state of its life, and the browsers’ tickets of those who look at it.

To be run as a process of its own, the site's settings in its environment: it prints what `told` gives.
"""

from __future__ import annotations

import copy
import json
from datetime import date, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.test import Client
from django.test.utils import setup_test_environment
from django.urls import reverse
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import first_phase, game_lifecycle, power_assignments
from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.endings import end_proposals, game_results
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import game_actions, phase_corrections, seat_actions
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    last_published_revision,
)
from talleyrand.web.games.game_settings import Anonymity, GameSettings, PressSetting
from talleyrand.web.games.lobby import absences, game_creation, invitations, membership_actions
from talleyrand.web.games.models import Game, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.invitations import email_invitations
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.notifications import signed_topics, topic_versions
from talleyrand.web.press import message_actions, press_rules
from talleyrand.web.press.message_actions import HoldReason
from talleyrand.web.press.models import Message
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from talleyrand.web.webhooks import webhook_actions, webhook_events
from talleyrand.web.webhooks.models import Webhook
from tests.e2e import company_scene, rooms_scene, round_tables
from tests.web import cast
from tests.web.accounts import doors, soft_key
from tests.web.games import playing

ADMINISTRATOR, WITHOUT_PASSWORD, FORGETFUL = "Adèle", "Noël", "Odile"
SIGNED_IN = (
    "Flora",
    "Gaspard",
    "Edmond",
    "Maëlle",
    "Armand",
    "Sylvain",
    company_scene.BANNED,
    ADMINISTRATOR,
    WITHOUT_PASSWORD,
)
PASSWORD = "un mot de passe assez long"  # the cast's
PAIR = Recipients(ConversationKind.PAIR, ("FRANCE", "GERMANY"))


def told() -> dict[str, Any]:
    """Everything that a test needs to find its way about."""
    games = {"running": _running(), "gathering": _gathering(), "resting": _resting(), "ended": _ended()}
    _people()
    post = _post(games["running"], games["gathering"])
    rooms, company = rooms_scene.told(), company_scene.told(games["running"])
    tables = round_tables.told()
    return {
        "company": company,
        "round_tables": tables,
        "rooms": rooms,
        "hook": _hook(games["running"]).key,
        "mailbox": mailboxes.mailbox_alias(post),
        "keys": {name: game.key for name, game in games.items()},
        "tickets": {**_tickets(company["seasoned"]), "Joueur": rooms["ticket"], **tables["tickets"]},
        **_addresses(games["running"], games["gathering"]),
    }


def _hook(game: Game) -> Webhook:
    """Flora’s program: it has heard of one thing, and answered nonsense to another."""
    now = timezone.now()
    wanted = webhook_actions.WebhookRequest(
        "https://example.org/talleyrand", ("published", "letter"), game.key, "Mon robot"
    )
    hook, _fresh = webhook_actions.add_webhook(cast.person("Flora"), wanted, "a form", now)
    for number, (kind, status) in enumerate({"published": 204, "letter": 500}.items()):
        call = webhook_events.new_call(hook, kind, kind, "", "{}", now)
        call.attempted_at, call.attempts, call.status_code = now, 1 + number, status
        call.outcome, call.response_text = ("", "Internal Server Error") if number else ("delivered", "")
        call.save()
    return hook


def hand() -> GameMasterActor:
    return GameMasterActor(cast.person(cast.MASTER), GameRole.GAME_MASTER)


# games


def _begun(**terms: Any) -> Game:
    game = first_phase.open_first_phase(cast.table(begun=False, **terms), timezone.now())
    playing.played(game)
    return game


def _running() -> Game:
    """Spring is published and corrected, autumn open; people wait, write, propose and are away."""
    game = _begun()
    game_actions.publish_gazette(
        game, 1, "Le printemps fut calme.\n\nLa France s’installe en Espagne.", hand=hand()
    )
    _write(game)
    _correct(game)
    _sheets(game)
    seat_actions.replace_player(
        game,
        "TURKEY",
        cast.person("Sacha"),
        seat_actions.seat_player_mark(game.seats.get(power="TURKEY")),
        stand_in=True,
        hand=hand(),
        now=timezone.now(),
    )
    with transaction.atomic():
        power_assignments.end_assignment(game, "ITALY")
    _announce(game)
    end_proposals.propose_end(_fresh(game), "ENGLAND", game.phase_number, "now", timezone.now())
    return _fresh(game)


def _fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def _write(game: Game) -> None:
    """Letters to one, to all and to the game master; one waits for him, one was returned."""
    _letter(game, "Flora", "FRANCE", PAIR, "Bonjour,\n\nLaissons la Bourgogne vide, voulez-vous ?")
    _letter(game, "Gaspard", "GERMANY", PAIR, "Volontiers, si vous restez hors de Belgique.")
    _letter(game, "Gaspard", "GERMANY", Recipients(ConversationKind.ALL), "L’Allemagne ne veut que la paix.")
    _letter(
        game,
        "Flora",
        "FRANCE",
        Recipients(ConversationKind.MASTER, ("FRANCE",)),
        "Quand dois-je rendre mes ordres ?",
    )
    game.settings_json = {**game.settings_json, "press": str(PressSetting.HELD)}
    game.save(update_fields=["settings_json"])
    _letter(game, "Flora", "FRANCE", PAIR, "Je vous laisse la Belgique.", HoldReason("name", "Flora"))
    returned = _letter(game, "Flora", "FRANCE", PAIR, "Je suis Flora.")
    message_actions.return_message(returned, "Les noms restent secrets jusqu’à la fin.")


def _letter(game: Game, who: str, power: str, to: Recipients, text: str, *doubts: HoldReason) -> Message:
    written = message_actions.MessageDraft(text, power, text, hold_reasons=doubts)
    return message_actions.send_message(_fresh(game), cast.person(who), to, written, timezone.now())


def _correct(game: Game) -> None:
    """An Italian army is taken off the board."""
    last = last_published_revision(game)
    assert last is not None
    assert last.next_situation is not None
    after = copy.deepcopy(last.next_situation)
    after["units"]["ITALY"].pop()
    phase_corrections.edit_position(
        game,
        ExpectedRevision.from_revision(last),
        after,
        "Une armée de trop.",
        hand=hand(),
        now=timezone.now(),
    )


def _sheets(game: Game) -> None:
    """France has handed in twice, Germany prepares, Austria has finished."""
    flora = playing.Window(game, "Flora")
    gaspard, agathe = (playing.Window(game, *who) for who in (("Gaspard", "GERMANY"), ("Agathe", "AUSTRIA")))
    answers = [
        flora.act("hand_in", ["A Bou - Mun"], number=2, submission="first"),
        flora.act("hand_in", ["A Bou - Bel", "F AtM - Por", "A Esp H"], number=2, submission="second"),
        gaspard.draft({"sheet": "A Mun - Ruh"}, number=2),
        agathe.act("final", ["A Gal - Var"], number=2),
    ]
    assert {one.status_code for one in answers} == {200}


def _announce(game: Game) -> None:
    first = date.today() + timedelta(days=30)  # noqa: DTZ011 any day to come
    away = absences.absence_period(str(first), str(first + timedelta(days=3)), "Europe/Paris")
    absences.announce_absence(game, cast.person("Flora"), *away)


def _gathering() -> Game:
    """Two players have come, with wishes; there are links for a player and an observer."""
    plan = game_creation.GamePlan(
        "Tous les lundis", "classic", "anjou_feu", GameSettings(), is_listed=True, role=GameRole.GAME_MASTER
    )
    game = game_creation.create_game(plan, cast.person(cast.MASTER), "gathering")
    for name in ("Flora", "Gaspard"):
        membership_actions.join_game(game, cast.person(name), wishes=("FRANCE", "TURKEY"))
    for role in (GameRole.PLAYER, GameRole.OBSERVER, GameRole.ASSISTANT):
        invitations.create_invitation(game, cast.person(cast.MASTER), role)
    invitations.revoke_invitation(
        game, cast.person(cast.MASTER), invitations.open_invitations(game).get(role="assistant").pk
    )
    return game


def _resting() -> Game:
    """A game among friends, without a game master, paused."""
    terms = GameSettings(anonymity=Anonymity.OPEN)
    plan = game_creation.GamePlan(
        "Entre amis", "trio", "anjou_feu", terms, is_listed=True, role=GameRole.PLAYER
    )
    game = game_creation.create_game(plan, cast.person("Flora"), "resting")
    for name, power in zip(("Flora", "Gaspard", "Edmond"), variants.load("trio").board.powers, strict=True):
        if name != "Flora":
            membership_actions.join_game(game, cast.person(name))
        power_assignments.assign_power(game, power, cast.person(name))
    first_phase.open_first_phase(game, timezone.now())
    return game_lifecycle.pause_game(_fresh(game), timezone.now())


def _ended() -> Game:
    """Three powers have agreed to share the game."""
    game = _begun()
    _letter(game, "Flora", "FRANCE", PAIR, "Partageons.")
    situation = GameHistory(game).situation(game.phase_number)
    assert situation is not None
    definition = variants.load(game.variant).definition
    result = game_results.make_result("draw", definition, situation, ["ENGLAND", "FRANCE", "TURKEY"])
    game_actions.gm_end_game(game, result, hand=hand(), now=timezone.now())
    return _fresh(game)


# people


def _people() -> None:
    administrator = cast.person(ADMINISTRATOR)
    administrator.is_administrator = True
    administrator.save()
    person = cast.person(WITHOUT_PASSWORD)
    person.set_unusable_password()
    person.save()
    for name in ("Flora", FORGETFUL):
        _with_address(cast.person(name))


def _with_address(person: Person) -> None:
    from allauth.account.models import EmailAddress

    person.email = f"{person.pk}@exemple.org"
    person.save(update_fields=["email"])
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)


# play by post


def _post(game: Game, gathered: Game) -> Mailbox:
    """Flora and the game master play by post; mails came, left and failed, people are invited."""
    for name in ("Flora", cast.MASTER):
        subscribing.subscribe(game, cast.person(name))
    mailbox = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, cast.person("Flora"), "FRANCE")
    late = {"power": "FRANCE", "number": game.phase_number, "phase": game.phase, "lines": ["A Bou - Mun"]}
    known: dict[str, dict[str, Any]] = {MailOutcome.TAKEN: {"receipt": 2}, MailOutcome.LATE: late}
    for outcome in (MailOutcome.TAKEN, MailOutcome.LATE, MailOutcome.FAULT, ""):
        message = InboundEmail.objects.create(raw_bytes=b"", received_at=timezone.now())
        facts = known.get(outcome, {})
        told: dict[str, Any] = {
            "outcome": outcome,
            "facts": facts,
            "processed_at": timezone.now() if outcome else None,
        }
        InboundDelivery.objects.create(email=message, mailbox=mailbox, content_digest=message.key, **told)
    ends: list[dict[str, Any]] = [{"sent_at": timezone.now()}, {"attempts": 1}, {"drop_reason": "refused"}]
    for number, more in enumerate(ends):
        words = {
            "kind": "report",
            "idempotency_key": str(number),
            "subject": f"{game.name} : printemps 1901",
            "text": "",
        }
        OutboundEmail.objects.create(person=cast.person("Flora"), game=game, **words, **more)
    cast.member(gathered, ADMINISTRATOR, GameRole.GAME_MASTER)
    sight = GameViewer(gathered, cast.person(ADMINISTRATOR))
    email_invitations.send_invitations(
        sight, "paule@exemple.org\noscar@exemple.org", "fr", "invitations", timezone.now()
    )
    return mailbox


def _tickets(seasoned: str) -> dict[str, str]:
    """The sessions of those who are signed in, of one who has just typed a password, of one who has asked for
    a code, and of one who plays in a league.
    """
    clients = {name: cast.client_of(name) for name in SIGNED_IN}
    clients["seasoned"] = cast.client_of(seasoned)
    known, coded = Client(), Client()
    known.post(reverse("account_login"), {"login": "Flora", "password": PASSWORD})
    coded.post(reverse("account_request_login_code"), {"email": cast.person(FORGETFUL).email})
    clients |= {"known": known, "coded": coded, **_keyed()}
    return {name: client.cookies["sessionid"].value for name, client in clients.items()}


def _keyed() -> dict[str, Client]:
    """Somebody who has a passkey and has just typed his password again; and one between two steps."""
    Person.objects.create_user("Clovis", doors.PASSWORD)
    keyed, stepping = soft_key.browser(), soft_key.browser()
    doors.sign_in(keyed, "Clovis")
    soft_key.add(keyed, soft_key.SoftKey())
    doors.sign_in(stepping, "Clovis")
    return {"keyed": keyed, "stepping": stepping}


def _addresses(game: Game, gathered: Game) -> dict[str, Any]:
    """What stands in addresses of which there is more than one, or which are secret."""
    pair, master = (
        game.rooms.get(participants_key=members) for members in (PAIR.participants_key, "FRANCE+@")
    )
    links = {one.role: one.token for one in gathered.invitations.all()}
    return {
        "room": pair.key,
        "master_room": master.key,
        "open_room": game.rooms.get(participants_key=press_rules.EVERYBODY).key,
        "letter": Message.objects.get(conversation=pair, state="held").key,
        "receipt": game.sheets.filter(power="FRANCE").latest("receipt_number").receipt_number,
        "invitations": links,
        "topics": signed_topics.sign_topics([topic_versions.game_topic(game.key)]),
        "calendar": calendar_feed.feed_token(cast.person("Flora")),
        "passkey": Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN).pk,
        **_secrets(),
    }


def _secrets() -> dict[str, Any]:
    """Links out of mails, and those that an administrator makes."""
    from allauth.account.forms import default_token_generator
    from allauth.account.models import EmailAddress, EmailConfirmationHMAC
    from allauth.account.utils import user_pk_to_url_str

    from talleyrand.web.accounts import one_time_links

    person = cast.person(FORGETFUL)
    fresh = EmailAddress.objects.create(user=person, email="autre@exemple.org")
    by = cast.person(ADMINISTRATOR)
    return {
        "confirmation": EmailConfirmationHMAC(fresh).key,
        "reset": [user_pk_to_url_str(person), default_token_generator.make_token(person)],
        "links": {
            "account": one_time_links.make_link("account", "account", by=by, remark="Le cousin de Roman"),
            "password": one_time_links.make_link(
                "password", "password", by=by, person=cast.person("Sylvain")
            ),
        },
    }


def main() -> None:
    setup_test_environment()  # mail stays here
    print(json.dumps(told()))
