"""Inviting by mail: the page, what it refuses, what leaves, and who reads whose address."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, Membership, Role, Seat, State
from talleyrand.web.games.terms import Anonymity, Terms
from talleyrand.web.mail import addressing
from talleyrand.web.mail.guests import inviting, joining
from talleyrand.web.mail.models import Arrival, Departure, Door, Mailbox, Message, Offer
from talleyrand.web.mail.reading import Mail, Nature
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, STRANGER, client_of, member, person, table
from tests.web.mail.correspondents import address_of, correspond

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
GUEST, OTHER = "paule@exemple-paule.fr", "oscar@exemple-oscar.fr"


def gathered(name: str = "La table ronde", *, role: str = Role.MASTER, **terms: Any) -> Game:
    """A game that gathers its players; Flora has come already."""
    maker = correspond(MASTER)
    game = Game.objects.create(
        name=name,
        variant="classic",
        rulebook="anjou_feu",
        creator=maker,
        kept_terms=Terms(**terms).kept(),
    )
    for power in variants.load("classic").board.powers:
        Seat.objects.create(game=game, power=power)
    member(game, MASTER, role)
    correspond("Flora")
    member(game, "Flora", Role.PLAYER)
    return game


def path(game: Game, more: str = "") -> str:
    return f"/parties/{game.key}/courrier/invitations/{more}"


def read(answer: Any) -> str:
    return unescape(answer.content.decode()).replace("\u00a0", " ").replace("\u202f", " ")


def invite(game: Game, *lines: str, who: str = MASTER, **more: str) -> Any:
    sent = {"addresses": "\r\n".join(lines), "language": "fr", "submission": f"form-{'-'.join(lines)}"[:60]}
    return client_of(who).post(path(game), {**sent, **more}, follow=True)


def mails() -> list[Departure]:
    return list(Departure.objects.filter(kind=inviting.KIND))


def answered(game: Game, text: str, address: str = GUEST) -> None:
    """The guest’s answer has come."""
    box = Mailbox.objects.get(door=Door.JOIN, game=game, to=address)
    message = Message.objects.create(data=b"", received=timezone.now())
    arrival = Arrival.objects.create(message=message, mailbox=box, same=text)
    joining.take(arrival, Mail(Nature.PERSONAL, text=text))


# what leaves


def test_each_address_is_written_to_once() -> None:
    game = gathered()
    text = read(invite(game, GUEST.upper(), f" Oscar <{OTHER}>, ", ""))
    assert "2 invitations partent." in text
    assert [(one.person, one.address, one.game) for one in mails()] == [
        (None, GUEST, game),
        (None, OTHER, game),
    ]
    boxes = [one.mailbox for one in mails()]
    assert [addressing.known(addressing.address(box)) for box in boxes if box] == boxes


def test_what_an_invitation_says() -> None:
    invite(gathered(anonymity=Anonymity.OPEN, press="held"), GUEST)
    [letter] = mails()
    text = " ".join(letter.text.replace("\u00a0", " ").split())
    assert letter.subject.replace("\u00a0", " ") == "Invitation à une partie de Diplomatie : La table ronde"
    for wanted in (
        "Le maître de jeu, Maëlle, vous invite à une partie de Diplomatie par courriel : La table ronde.",
        "Plateau : Diplomacy, 7 puissances et 34 centres.",
        "Lettres : par le maître de jeu",
        "répondez à ce courriel par un seul mot : oui",
        "vœux : Autriche, Angleterre",
        "répondez : non. Personne ne pourra plus vous inviter",
        "https://jeu.example.org/vie-privee/",
    ):
        assert wanted in text, wanted
    assert address_of(MASTER) not in letter.text
    assert max(map(len, letter.text.splitlines())) <= 72
    assert not [line for line in letter.text.splitlines() if line.startswith("|")]


@pytest.mark.parametrize(
    ("role", "who"), [(Role.MASTER, "Le maître de jeu"), (Role.PLAYER, "La personne qui")]
)
def test_no_name_where_names_are_secret(role: str, who: str) -> None:
    invite(gathered(role=role), GUEST)
    [letter] = mails()
    assert f"{who} " in letter.text
    assert MASTER not in letter.text + letter.subject + letter.sender


def test_in_the_language_that_was_chosen() -> None:
    invite(gathered(), GUEST, language="en")
    [letter] = mails()
    assert "invites you to a game of Diplomacy by mail" in letter.text
    assert Offer.objects.get().language == "en"


def test_an_inviter_whose_name_is_an_address_is_not_named() -> None:
    """Strangers read it, under our name: nobody must lead them elsewhere by how he is called."""
    game = gathered(anonymity=Anonymity.OPEN, press="held")
    Person.objects.filter(name=MASTER).update(name="www.Gratis-Paris.example")
    client = Client()
    client.force_login(Person.objects.get(name="www.Gratis-Paris.example"))
    client.post(path(game), {"addresses": GUEST, "language": "fr", "submission": "form"})
    (mail,) = mails()
    assert "Gratis" not in f"{mail.subject} {mail.sender} {mail.text}"


@pytest.mark.parametrize(
    "name", ["Gagnez sur www.exemple.fr", "http://exemple.fr/?a", "Écrivez à x@y.fr", "exemple.com"]
)
def test_a_name_that_holds_an_address_is_not_passed_on(name: str) -> None:
    invite(gathered(name), GUEST)
    [letter] = mails()
    assert name not in letter.text + letter.subject + letter.sender
    assert letter.subject.endswith("Diplomacy")
    assert letter.sender == "Diplomacy"


# what is refused


TABLE = {
    "nothing": ([""], "au moins une adresse"),
    "blanks": (["  ", "\t,;"], "au moins une adresse"),
    "no address": (["Paule"], "Paule : ce n’est pas une adresse"),
    "half an address": (["paule@"], "ce n’est pas une adresse"),
    "two on a line": ([f"{GUEST} {OTHER}"], "ce n’est pas une adresse"),
    "accents": (["pâule@exemple.fr"], "ce n’est pas une adresse"),
    "headers": (["a@b.fr%0aBcc:x@y.fr"], "ce n’est pas une adresse"),
    "long": ([f"{'a' * 260}@exemple.fr"], "plus long que toute adresse"),
    "twice": ([GUEST, GUEST.upper()], "deux fois dans la liste"),
    "oneself": ([address_of(MASTER)], "votre propre adresse"),
    "a page of text": (["x" * 20_001], "trop de texte"),
    "thirty-one": ([f"a{number}@exemple.fr" for number in range(31)], "30 invitations au plus"),
}


@pytest.mark.parametrize("case", TABLE)
def test_refused_with_the_reason_and_nothing_lost(case: str) -> None:
    lines, words = TABLE[case]
    game = gathered()
    answer = invite(game, *lines)
    assert answer.status_code == 409
    text = read(answer)
    assert words in text
    assert lines[0].strip()[:200] in text
    assert not Offer.objects.exists()
    assert not mails()


def test_a_list_between_commas_leaves_nobody_out() -> None:
    """As an address book gives it."""
    typed = f'"Durand, Paule" <{GUEST}>, {OTHER}; <tiers@exemple.fr>,'
    assert "3 invitations partent." in read(invite(gathered(), typed))
    assert {letter.address for letter in mails()} == {GUEST, OTHER, "tiers@exemple.fr"}


def test_what_stands_behind_a_comma_is_not_lost() -> None:
    assert "Paule : ce n’est pas une adresse" in read(invite(gathered(), f"{GUEST}, Paule"))
    assert not mails()


def test_one_wrong_line_holds_all_back() -> None:
    answer = invite(gathered(), GUEST, "rien")
    assert "rien : ce n’est pas" in read(answer)
    assert GUEST in read(answer)
    assert not mails()


def test_nul_is_no_sign_of_an_address() -> None:
    assert invite(gathered(), "pau\x00le@exemple.fr").status_code == 200
    assert Offer.objects.get().mailbox.to == "paule@exemple.fr"


def test_an_address_of_ours_is_not_written_to() -> None:
    game = gathered()
    box = addressing.mailbox(Door.DESK, game, person(MASTER), "@")
    assert "une adresse de ce site" in read(invite(game, addressing.address(box)))


def test_invited_already() -> None:
    game = gathered()
    invite(game, GUEST)
    assert "déjà invitée" in read(invite(game, GUEST, submission="another-form-again"))
    assert len(mails()) == 1


def test_the_same_form_twice_writes_once() -> None:
    game = gathered()
    for _time in range(2):
        answer = invite(game, GUEST, submission="the-same-form-sent-twice")
        assert answer.status_code == 200
    assert len(mails()) == 1


def test_who_declined_is_not_written_to_again_from_any_game() -> None:
    invite(gathered(), GUEST)
    answered(Game.objects.get(), "non")
    assert "ne veut pas être invité" in read(invite(gathered("Une autre"), GUEST))
    assert len(mails()) == 1


def test_fifty_a_day() -> None:
    for number in range(2):
        game = gathered(f"Partie {number}")
        invite(game, *[f"a{number}-{one}@exemple.fr" for one in range(25)])
    game = gathered("Une de trop")
    assert "50 invitations par jour" in read(invite(game, GUEST))
    Offer.objects.update(made=timezone.now() - timedelta(days=1, minutes=1))
    assert invite(game, GUEST).status_code == 200


def test_a_full_game_invites_nobody() -> None:
    game = gathered()
    for number in range(6):
        member(game, f"Joueur {number}", Role.PLAYER)
    assert "Toutes les places" in read(invite(game, GUEST))


def test_where_only_the_administrator_makes_accounts(settings: Any) -> None:
    settings.SIGNUP = "invitation"
    game = gathered()
    page = read(client_of(MASTER).get(path(game)))
    assert "seul l’administrateur ouvre des comptes" in page
    assert "<textarea" not in page
    assert invite(game, GUEST).status_code == 409
    Person.objects.filter(name=MASTER).update(is_administrator=True)
    assert invite(game, GUEST).status_code == 200
    assert len(mails()) == 1


@pytest.mark.parametrize("language", ["", "de", "fr\x00", "x" * 9999])
def test_a_language_that_the_site_does_not_speak(language: str) -> None:
    invite(gathered(), GUEST, language=language)
    assert Offer.objects.get().language == "fr"


# what came of it


def test_the_state_of_each() -> None:
    game = gathered()
    invite(game, GUEST, OTHER, "tiers@exemple.fr", "quart@exemple.fr", "quint@exemple.fr")
    answered(game, "oui\nnom : Paule")
    answered(game, "non", OTHER)
    Departure.objects.filter(address="tiers@exemple.fr").update(dropped="refused", refusal="550 zz-refusal")
    Departure.objects.filter(address="quart@exemple.fr").update(sent=timezone.now())
    text = read(client_of(MASTER).get(path(game)))
    for state in (
        "est à la table : Paule",
        "a refusé",
        "n’a pas pu être remis",
        "pas encore de réponse",
        "attend de partir",
    ):
        assert text.count(state) == 1, state
    assert "zz-refusal" not in text


def test_no_name_for_who_may_not_know_the_players() -> None:
    game = gathered(role=Role.PLAYER)
    invite(game, GUEST)
    answered(game, "oui\nnom : Paule")
    text = read(client_of(MASTER).get(path(game)))
    assert "est à la table" in text
    assert "Paule" not in text


def test_withdrawn() -> None:
    game = gathered()
    invite(game, GUEST)
    offer = Offer.objects.get()
    for _time in range(2):
        client_of(MASTER).post(path(game, "retirer/"), {"offer": offer.pk})
    offer.refresh_from_db()
    assert offer.answer == inviting.WITHDRAWN
    assert mails()[0].dropped == inviting.WITHDRAWN
    assert Mailbox.objects.get(pk=offer.mailbox_id).revoked is not None
    assert invite(game, GUEST, submission="once-more-after-that").status_code == 200
    assert len(mails()) == 2


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "9" * 40, "\u0661"])
def test_no_such_invitation(number: str) -> None:
    game = gathered()
    invite(game, GUEST)
    assert client_of(MASTER).post(path(game, "retirer/"), {"offer": number}).status_code == 302
    assert Offer.objects.get().answer == ""


def test_only_ones_own_is_withdrawn() -> None:
    game = gathered()
    invite(game, GUEST)
    member(game, "Marc", Role.MASTER)
    client_of("Marc").post(path(game, "retirer/"), {"offer": Offer.objects.get().pk})
    assert Offer.objects.get().answer == ""
    assert GUEST not in read(client_of("Marc").get(path(game)))


# who may


@pytest.mark.parametrize("who", ["", "Flora", ASSISTANT, OBSERVER, STRANGER])
def test_only_who_gathers_the_players_has_this_page(who: str) -> None:
    game = gathered()
    member(game, ASSISTANT, Role.ASSISTANT)
    member(game, OBSERVER, Role.OBSERVER)
    client = client_of(who) if who else Client()
    assert client.get(path(game)).status_code == 404
    assert client.post(path(game), {"addresses": GUEST}).status_code == 404
    assert client.post(path(game, "retirer/"), {"offer": "1"}).status_code == 404
    assert not Offer.objects.exists()


def test_nobody_is_invited_once_the_game_is_over() -> None:
    game = gathered()
    Game.objects.update(state=State.ABANDONED)
    assert client_of(MASTER).get(path(game)).status_code == 404


def test_where_no_mail_arrives_there_is_no_such_page(settings: Any) -> None:
    game = gathered()
    settings.HAS_POST = False
    assert client_of(MASTER).get(path(game)).status_code == 404
    assert "invitations/" not in read(client_of(MASTER).get(f"/parties/{game.key}/table/"))


def test_the_addresses_typed_are_on_no_other_page() -> None:
    game = table()
    correspond(MASTER)
    with_seat = game.seats.get(power="ITALY")
    with_seat.tenures.all().delete()
    Membership.objects.filter(person=person("Irène")).delete()
    invite(game, GUEST)
    for who in ("Flora", ASSISTANT, OBSERVER, STRANGER, MASTER):
        for more in ("", "table/", "table/journal/", "lettres/", "courrier/"):
            assert GUEST not in read(client_of(who).get(f"/parties/{game.key}/{more}"))
    assert GUEST in read(client_of(MASTER).get(path(game)))
