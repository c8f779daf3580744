"""A site with a game in each state of its life, and the browsers’ tickets of those who look at it.

To be run as a process of its own, the site's settings in its environment: it prints what `told` gives.
"""

from __future__ import annotations

import copy
import json
from datetime import date, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.test.utils import setup_test_environment
from django.urls import reverse
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import opening, running, seats
from talleyrand.web.games.deadlines import feed
from talleyrand.web.games.desk import directing, revising, seating
from talleyrand.web.games.desk.acts import Ground, Hand, last_published
from talleyrand.web.games.endings import finishing, proposals
from talleyrand.web.games.models import Game, Role
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.games.table import absences, gathering, invitations, making
from talleyrand.web.games.terms import Anonymity, Press, Terms
from talleyrand.web.mail import addressing
from talleyrand.web.mail.correspondence import corresponding
from talleyrand.web.mail.guests import inviting
from talleyrand.web.mail.models import Arrival, Departure, Door, Mailbox, Message
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.notices import counters, streams
from talleyrand.web.press import rules, writing
from talleyrand.web.press.models import Letter
from talleyrand.web.press.rules import Address, Kind
from talleyrand.web.press.writing import Doubt
from talleyrand.web.webhooks import owning, telling
from talleyrand.web.webhooks.models import Hook
from tests.e2e import rooms_scene
from tests.web import cast
from tests.web.accounts import doors, soft_key
from tests.web.games import playing

ADMINISTRATOR, WITHOUT_PASSWORD, FORGETFUL = "Adèle", "Noël", "Odile"
SIGNED_IN = ("Flora", "Gaspard", "Edmond", "Maëlle", "Armand", "Sylvain", ADMINISTRATOR, WITHOUT_PASSWORD)
PASSWORD = "un mot de passe assez long"  # the cast's
PAIR = Address(Kind.PAIR, ("FRANCE", "GERMANY"))


def told() -> dict[str, Any]:
    """Everything that a test needs to find its way about."""
    call_command("migrate", verbosity=0)
    games = {"running": _running(), "gathering": _gathering(), "resting": _resting(), "ended": _ended()}
    _people()
    post = _post(games["running"], games["gathering"])
    rooms = rooms_scene.told()
    return {
        "rooms": rooms,
        "hook": _hook(games["running"]).key,
        "mailbox": addressing.alias(post),
        "keys": {name: game.key for name, game in games.items()},
        "tickets": {**_tickets(), "Joueur": rooms["ticket"]},
        **_addresses(games["running"], games["gathering"]),
    }


def _hook(game: Game) -> Hook:
    """Flora’s program: it has heard of one thing, and answered nonsense to another."""
    now = timezone.now()
    wanted = owning.Wanted("https://example.org/talleyrand", ("published", "letter"), game.key, "Mon robot")
    hook, _fresh = owning.add(cast.person("Flora"), wanted, "a form", now)
    for number, (kind, status) in enumerate({"published": 204, "letter": 500}.items()):
        call = telling.call(hook, kind, kind, "", "{}", now)
        call.tried, call.tries, call.status = now, 1 + number, status
        call.outcome, call.answer = ("", "Internal Server Error") if number else ("delivered", "")
        call.save()
    return hook


def hand() -> Hand:
    return Hand(cast.person(cast.MASTER), Role.MASTER)


# games


def _begun(**terms: Any) -> Game:
    game = opening.begin(cast.table(begun=False, **terms), timezone.now())
    playing.played(game)
    return game


def _running() -> Game:
    """Spring is published and corrected, autumn open; people wait, write, propose and are away."""
    game = _begun()
    directing.publish(game, 1, "Le printemps fut calme.\n\nLa France s’installe en Espagne.", hand=hand())
    _write(game)
    _correct(game)
    _sheets(game)
    seating.replace(
        game,
        "TURKEY",
        cast.person("Sacha"),
        seating.mark(game.seats.get(power="TURKEY")),
        stand_in=True,
        hand=hand(),
        now=timezone.now(),
    )
    with transaction.atomic():
        seats.vacate(game, "ITALY")
    _announce(game)
    proposals.propose(_fresh(game), "ENGLAND", game.number, "now", timezone.now())
    return _fresh(game)


def _fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def _write(game: Game) -> None:
    """Letters to one, to all and to the game master; one waits for him, one was returned."""
    _letter(game, "Flora", "FRANCE", PAIR, "Bonjour,\n\nLaissons la Bourgogne vide, voulez-vous ?")
    _letter(game, "Gaspard", "GERMANY", PAIR, "Volontiers, si vous restez hors de Belgique.")
    _letter(game, "Gaspard", "GERMANY", Address(Kind.ALL), "L’Allemagne ne veut que la paix.")
    _letter(game, "Flora", "FRANCE", Address(Kind.MASTER, ("FRANCE",)), "Quand dois-je rendre mes ordres ?")
    game.kept_terms = {**game.kept_terms, "press": str(Press.HELD)}
    game.save(update_fields=["kept_terms"])
    _letter(game, "Flora", "FRANCE", PAIR, "Je vous laisse la Belgique.", Doubt("name", "Flora"))
    returned = _letter(game, "Flora", "FRANCE", PAIR, "Je suis Flora.")
    writing.give_back(returned, "Les noms restent secrets jusqu’à la fin.")


def _letter(game: Game, who: str, power: str, to: Address, text: str, *doubts: Doubt) -> Letter:
    written = writing.Written(text, power, text, doubts=doubts)
    return writing.send(_fresh(game), cast.person(who), to, written, timezone.now())


def _correct(game: Game) -> None:
    """An Italian army is taken off the board."""
    last = last_published(game)
    assert last is not None
    assert last.after is not None
    after = copy.deepcopy(last.after)
    after["units"]["ITALY"].pop()
    revising.edit(game, Ground.of(last), after, "Une armée de trop.", hand=hand(), now=timezone.now())


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
    away = absences.period(str(first), str(first + timedelta(days=3)), "Europe/Paris")
    absences.announce(game, cast.person("Flora"), *away)


def _gathering() -> Game:
    """Two players have come, with wishes; there are links for a player and an observer."""
    plan = making.Plan("Tous les lundis", "classic", "anjou_feu", Terms(), listed=True, part=Role.MASTER)
    game = making.create(plan, cast.person(cast.MASTER), "gathering")
    for name in ("Flora", "Gaspard"):
        gathering.join(game, cast.person(name), wishes=("FRANCE", "TURKEY"))
    for role in (Role.PLAYER, Role.OBSERVER, Role.ASSISTANT):
        invitations.invite(game, cast.person(cast.MASTER), role)
    invitations.withdraw(game, cast.person(cast.MASTER), invitations.current(game).get(role="assistant").pk)
    return game


def _resting() -> Game:
    """A game among friends, without a game master, paused."""
    terms = Terms(anonymity=Anonymity.OPEN)
    plan = making.Plan("Entre amis", "trio", "anjou_feu", terms, listed=True, part=Role.PLAYER)
    game = making.create(plan, cast.person("Flora"), "resting")
    for name, power in zip(("Flora", "Gaspard", "Edmond"), variants.load("trio").board.powers, strict=True):
        if name != "Flora":
            gathering.join(game, cast.person(name))
        seats.give(game, power, cast.person(name))
    opening.begin(game, timezone.now())
    return running.pause(_fresh(game), timezone.now())


def _ended() -> Game:
    """Three powers have agreed to share the game."""
    game = _begun()
    _letter(game, "Flora", "FRANCE", PAIR, "Partageons.")
    situation = Story(game).situation(game.number)
    assert situation is not None
    board = variants.load(game.variant).board
    result = finishing.result("draw", game.terms, board, situation, ["ENGLAND", "FRANCE", "TURKEY"])
    directing.end(game, result, hand=hand(), now=timezone.now())
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
        corresponding.begin(game, cast.person(name))
    mailbox = addressing.mailbox(Door.ORDERS, game, cast.person("Flora"), "FRANCE")
    late = {"power": "FRANCE", "number": game.number, "phase": game.phase, "lines": ["A Bou - Mun"]}
    known: dict[str, dict[str, Any]] = {Outcome.TAKEN: {"receipt": 2}, Outcome.LATE: late}
    for outcome in (Outcome.TAKEN, Outcome.LATE, Outcome.FAULT, ""):
        message = Message.objects.create(data=b"", received=timezone.now())
        facts = known.get(outcome, {})
        told: dict[str, Any] = {
            "outcome": outcome,
            "facts": facts,
            "sorted": timezone.now() if outcome else None,
        }
        Arrival.objects.create(message=message, mailbox=mailbox, same=message.key, **told)
    ends: list[dict[str, Any]] = [{"sent": timezone.now()}, {"tries": 1}, {"dropped": "refused"}]
    for number, more in enumerate(ends):
        words = {
            "kind": "report",
            "once": str(number),
            "subject": f"{game.name} : printemps 1901",
            "text": "",
        }
        Departure.objects.create(person=cast.person("Flora"), game=game, **words, **more)
    cast.member(gathered, ADMINISTRATOR, Role.MASTER)
    sight = Sight(gathered, cast.person(ADMINISTRATOR))
    inviting.invite(sight, "paule@exemple.org\noscar@exemple.org", "fr", "invitations", timezone.now())
    return mailbox


def _tickets() -> dict[str, str]:
    """The sessions of those who are signed in, of one who has just typed a password, and of one who has
    asked for a code.
    """
    clients = {name: cast.client_of(name) for name in SIGNED_IN}
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
    pair, master = (game.rooms.get(members=members) for members in (PAIR.members, "FRANCE+@"))
    links = {one.role: one.token for one in gathered.invitations.all()}
    return {
        "room": pair.key,
        "master_room": master.key,
        "open_room": game.rooms.get(members=rules.EVERYBODY).key,
        "letter": Letter.objects.get(room=pair, state="held").key,
        "receipt": game.sheets.filter(power="FRANCE").latest("receipt").receipt,
        "invitations": links,
        "topics": streams.signed([counters.game_topic(game.key)]),
        "calendar": feed.token(cast.person("Flora")),
        "passkey": Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN).pk,
        **_secrets(),
    }


def _secrets() -> dict[str, Any]:
    """Links out of mails, and those that an administrator makes."""
    from allauth.account.forms import default_token_generator
    from allauth.account.models import EmailAddress, EmailConfirmationHMAC
    from allauth.account.utils import user_pk_to_url_str

    from talleyrand.web.accounts import links

    person = cast.person(FORGETFUL)
    fresh = EmailAddress.objects.create(user=person, email="autre@exemple.org")
    by = cast.person(ADMINISTRATOR)
    return {
        "confirmation": EmailConfirmationHMAC(fresh).key,
        "reset": [user_pk_to_url_str(person), default_token_generator.make_token(person)],
        "links": {
            "account": links.make("account", "account", by=by, remark="Le cousin de Roman"),
            "password": links.make("password", "password", by=by, person=cast.person("Sylvain")),
        },
    }


def main() -> None:
    setup_test_environment()  # mail stays here
    print(json.dumps(told()))
