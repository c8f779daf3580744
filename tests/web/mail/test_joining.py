"""A person who never opens the site is invited by mail, answers by mail, and plays."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import parseaddr
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import opening, seats
from talleyrand.web.games.models import Game, Invitation, Membership, Role, Seat, State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.table import gathering
from talleyrand.web.games.terms import Terms
from talleyrand.web.mail import addressing
from talleyrand.web.mail.correspondence import corresponding
from talleyrand.web.mail.guests import answering, inviting, joining
from talleyrand.web.mail.guests.answering import Reply, Said
from talleyrand.web.mail.incoming import arriving, sorting
from talleyrand.web.mail.models import Arrival, Departure, Mailbox, Message, Offer, Unwilling
from talleyrand.web.mail.outcomes import Outcome, Result
from talleyrand.web.mail.outgoing import sending
from talleyrand.web.mail.reading import Mail, Nature
from tests.web.cast import MASTER, person
from tests.web.mail.correspondents import correspond
from tests.web.mail.office import Office, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
GUEST = "paule.durand@exemple-paule.fr"


def gathered(*, master: bool = True, listed: bool = False, variant: str = "classic", **terms: Any) -> Game:
    """A game that gathers its players."""
    maker = correspond(MASTER)
    game = Game.objects.create(
        name="La table ronde",
        variant=variant,
        rulebook="anjou_feu",
        listed=listed,
        creator=maker,
        kept_terms=Terms(**terms).kept(),
    )
    for power in variants.load(variant).board.powers:
        Seat.objects.create(game=game, power=power)
    Membership.objects.create(game=game, person=maker, role=Role.MASTER if master else Role.PLAYER)
    return game


def invited(game: Game, *addresses: str, language: str = "fr") -> list[Offer]:
    """Invitations to some, the one guest without others."""
    typed = addresses or (GUEST,)
    before = set(Offer.objects.values_list("pk", flat=True))
    inviting.invite(sight(game), "\n".join(typed), language, f"form-{len(before)}", timezone.now())
    return list(Offer.objects.exclude(pk__in=before))


def sight(game: Game) -> Sight:
    return Sight(game, person(MASTER))


def arrive(offer: Offer, same: str = "one") -> Arrival:
    message = Message.objects.create(data=b"", received=timezone.now())
    box = Mailbox.objects.get(pk=offer.mailbox_id)
    return Arrival.objects.create(message=message, mailbox=box, same=same)


def answer(offer: Offer, text: str, same: str = "one") -> Result:
    return joining.take(arrive(offer, same), Mail(Nature.PERSONAL, text=text))


def told() -> list[Departure]:
    """What was written back."""
    return list(Departure.objects.filter(kind=joining.KIND))


def guest() -> Person:
    found = EmailAddress.objects.get(email=GUEST).user
    assert isinstance(found, Person)
    return found


# yes


def test_the_wishes_that_were_understood_are_told() -> None:
    [offer] = invited(gathered())
    answer(offer, "oui\nvœux : Turquie, Prusse, Italie")
    [letter] = told()
    said = " ".join(letter.text.split())
    assert "Vos vœux sont notés : Turquie, Italie." in said
    assert "s’appelle : Prusse." in said


def test_yes_takes_the_seat() -> None:
    game = gathered()
    [offer] = invited(game)
    result = answer(offer, "Oui\n")
    assert result.outcome == Outcome.JOINED
    assert result.answer is None
    person = guest()
    assert person.name.startswith("Correspondant ")
    assert not person.has_usable_password()
    assert (person.language, person.zone) == ("fr", "Europe/Paris")
    assert EmailAddress.objects.get(user=person).verified
    assert EmailAddress.objects.get(user=person).primary
    assert Membership.objects.get(game=game, person=person).role == Role.PLAYER
    assert corresponding.is_correspondent(game, person)
    [letter] = told()
    assert letter.address == GUEST
    assert "Vous êtes à la table de La table ronde" in letter.text
    assert person.name in letter.text
    assert "/mot-de-passe/" in letter.text
    assert max(map(len, letter.text.splitlines())) <= 76


def test_with_a_name_and_wishes() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui, avec plaisir !\nNom : Le cuisinier\nVœux : l’Italie, france, Bourgogne\n")
    assert guest().name == "Le cuisinier"
    assert Membership.objects.get(game=game, person=guest()).wishes == ["ITALY", "FRANCE"]
    assert "ne s’appelle : Bourgogne." in plain(told()[0].text)


def test_in_english() -> None:
    [offer] = invited(gathered(), language="en")
    assert answer(offer, "Yes!\nname: Paul\nwishes: Turkey").outcome == Outcome.JOINED
    assert (guest().name, guest().language) == ("Paul", "en")
    assert "You are at the table of La table ronde, as a player." in plain(told()[0].text)


@pytest.mark.parametrize(
    "name", ["Maëlle", "maelle1l" * 9, "x", "admin", "<b>", "Pau\u202ele", "12", "\u0420\u0430ul"]
)
def test_a_name_that_cannot_be(name: str) -> None:
    if name == "Maëlle":
        assert person(MASTER).name == name
    [offer] = invited(gathered())
    assert answer(offer, f"oui\nnom : {name}").outcome == Outcome.JOINED
    assert guest().name.startswith("Correspondant ")
    assert "n’a pas pu être le vôtre" in plain(told()[0].text)


def test_a_second_correspondent_has_another_name() -> None:
    game = gathered()
    for offer in invited(game, "a@exemple.fr", "b@exemple.fr"):
        answer(offer, "oui")
    assert Person.objects.filter(name__startswith="Correspondant ").count() == 2


def test_the_address_of_an_account_brings_that_account() -> None:
    known = correspond("Flora", GUEST)
    game = gathered()
    [offer] = invited(game)
    count = Person.objects.count()
    assert answer(offer, "oui\nnom : Autre").outcome == Outcome.JOINED
    assert Person.objects.count() == count
    assert Membership.objects.filter(game=game, person=known, role=Role.PLAYER).exists()
    assert "avec le compte que cette adresse a déjà ici : Flora" in plain(told()[0].text)


def test_an_address_that_was_never_confirmed_is_nobodys() -> None:
    EmailAddress.objects.create(user=person("Flora"), email=GUEST, verified=False, primary=True)
    [offer] = invited(gathered())
    answer(offer, "oui")
    found = EmailAddress.objects.get(email=GUEST, verified=True).user
    assert found != person("Flora")


def test_the_same_mail_twice_is_one_seat_and_one_answer() -> None:
    game = gathered()
    [offer] = invited(game)
    arrival, mail = arrive(offer), Mail(Nature.PERSONAL, text="oui")
    first, second = joining.take(arrival, mail), joining.take(arrival, mail)
    assert first == second
    assert len(told()) == 1
    assert game.memberships.filter(role=Role.PLAYER).count() == 1


def test_another_yes_changes_nothing_and_says_so() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    result = answer(offer, "oui", "two")
    assert (result.outcome, result.facts) == (Outcome.NOT_JOINED, {"code": "already"})
    assert "déjà à cette table" in told()[1].text
    assert game.memberships.filter(role=Role.PLAYER).count() == 1


def test_whoever_came_by_the_page_before_is_told_so_each_time_the_mail_is_read() -> None:
    game = gathered(listed=True)
    gathering.join(game, correspond("Flora", GUEST))
    [offer] = invited(game)
    arrival, mail = arrive(offer), Mail(Nature.PERSONAL, text="oui")
    first, second = joining.take(arrival, mail), joining.take(arrival, mail)
    assert first == second == Result(Outcome.NOT_JOINED, {"code": "already"})
    assert len(told()) == 1
    assert Offer.objects.get().answer == inviting.JOINED


def test_answers_to_one_invitation_come_to_an_end() -> None:
    [offer] = invited(gathered())
    for number in range(20):
        answer(offer, "peut-être", f"mail-{number}")
    assert len(told()) == joining.MOST_ANSWERS


def test_the_last_seat_begins_a_game_without_game_master() -> None:
    game = gathered(master=False, variant="trio", press="public")
    offers = invited(game, "a@exemple.fr", "b@exemple.fr")
    for offer in offers:
        answer(offer, "oui")
    assert Game.objects.get(pk=game.pk).state == State.PLAYING
    assert len(seats.players(game)) == 3


# what the page of the table refuses


def full(game: Game) -> None:
    for number in range(game.seats.count()):
        Membership.objects.create(game=game, person=person(f"Joueur {number}"), role=Role.PLAYER)


def over(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=State.ABANDONED)


def begun(game: Game) -> None:
    """It has begun, every seat taken."""
    for power in seats.holders(game):
        someone = person(f"Joueur {power}")
        Membership.objects.create(game=game, person=someone, role=Role.PLAYER)
        seats.give(game, power, someone)
    opening.begin(game, timezone.now())


def held_another(game: Game) -> None:
    """Whose address it is has played Russia, and left."""
    begun(game)
    owner = person("Roman")
    EmailAddress.objects.create(user=owner, email=GUEST, verified=True, primary=True)
    Membership.objects.create(game=game, person=owner, role=Role.PLAYER)
    seats.give(Game.objects.get(), "RUSSIA", owner)
    gathering.leave(Game.objects.get(), owner)
    seats.give(Game.objects.get(), "RUSSIA", person("Renaud"))
    seats.vacate(Game.objects.get(), "ITALY")


def test_who_has_played_another_power_does_not_come_by_mail() -> None:
    game = gathered()
    [offer] = invited(game)
    held_another(game)
    result = answer(offer, "oui\nvœux : Italie")
    assert (result.outcome, result.facts) == (Outcome.NOT_JOINED, {"code": "held_other"})
    assert "vous en connaissez les secrets" in plain(" ".join(told()[0].text.split()))
    assert seats.vacant(Game.objects.get()) == ("ITALY",)


def two_free(game: Game) -> None:
    begun(game)
    for power in ("ITALY", "TURKEY"):
        seats.vacate(game, power)


@pytest.mark.parametrize(
    ("meanwhile", "code", "words"),
    [
        (full, "full", "Toutes les places"),
        (over, "over", "finie"),
        (begun, "begun", "a commencé"),
        (two_free, "seat", "Sont libres : Italie, Turquie."),
    ],
)
def test_refused_as_by_the_page(meanwhile: Callable[[Game], None], code: str, words: str) -> None:
    game = gathered()
    [offer] = invited(game)
    meanwhile(game)
    result = answer(offer, "oui")
    assert (result.outcome, result.facts) == (Outcome.NOT_JOINED, {"code": code})
    assert words in plain(told()[0].text)
    assert not EmailAddress.objects.filter(email=GUEST).exists()
    assert not Invitation.objects.filter(revoked=None).exists()
    assert Offer.objects.get().answer == ""


def test_an_invitation_to_a_game_under_way_names_the_free_powers() -> None:
    game = gathered()
    two_free(game)
    invited(Game.objects.get())
    text = plain(" ".join(Departure.objects.get(kind=inviting.KIND).text.split()))
    assert "Elle est en cours (Printemps 1901, mouvements). On cherche qui joue : Italie, Turquie." in text


def test_a_free_seat_of_a_game_that_has_begun() -> None:
    game = gathered()
    [offer] = invited(game)
    two_free(game)
    answer(offer, "oui")
    assert answer(offer, "oui\nvœux : Russie, Turquie", "two").outcome == Outcome.JOINED
    assert seats.powers_of(game, guest()) == ("TURKEY",)


def test_whoever_was_sent_away_does_not_come_back_by_the_old_invitation() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    gathering.remove(game, Membership.objects.get(person=guest()).pk, person(MASTER))
    result = answer(offer, "oui", "two")
    assert result.facts == {"code": "revoked"}
    assert not Membership.objects.filter(person=guest(), left=None).exists()
    [again] = invited(game)
    assert answer(again, "oui", "three").outcome == Outcome.JOINED


def test_a_site_by_invitation_takes_those_its_administrator_invites(settings: Any) -> None:
    game = gathered()
    [offer] = invited(game)
    settings.SIGNUP = "invitation"
    assert answer(offer, "oui").facts == {"code": "links"}
    assert "n’ouvre de comptes qu’à ceux" in plain(told()[0].text)
    Person.objects.filter(name=MASTER).update(is_administrator=True)
    assert answer(offer, "oui", "two").outcome == Outcome.JOINED


def test_an_account_that_is_closed_stays_out() -> None:
    known = correspond("Flora", GUEST)
    Person.objects.filter(pk=known.pk).update(is_active=False)
    [offer] = invited(gathered())
    assert answer(offer, "oui").outcome == Outcome.NOT_JOINED


def test_a_withdrawn_invitation_opens_nothing() -> None:
    game = gathered()
    [offer] = invited(game)
    arrival = arrive(offer)
    inviting.withdraw(game, person(MASTER), offer.pk, timezone.now())
    result = joining.take(arrival, Mail(Nature.PERSONAL, text="oui"))
    assert (result.outcome, told()) == (Outcome.NOT_JOINED, [])


def test_a_game_that_is_gone_takes_its_invitations_along() -> None:
    game = gathered()
    invited(game)
    game.delete()
    assert not Mailbox.objects.exists()
    assert not Offer.objects.exists()


# no


@pytest.mark.parametrize("text", ["non", "Non merci.", "No, thank you", "Bonjour,\n\nnon", " NON !"])
def test_no_is_remembered_and_not_answered(text: str) -> None:
    game = gathered()
    [offer] = invited(game)
    result = answer(offer, text)
    assert result.outcome == Outcome.NOT_JOINED
    assert told() == []
    assert Mailbox.objects.get(pk=offer.mailbox_id).revoked is not None
    with pytest.raises(inviting.NotInvited):
        invited(game)
    assert GUEST not in repr(list(Unwilling.objects.values()))


def test_no_ends_the_invitations_to_other_games_too() -> None:
    first, second = gathered(), gathered()
    [offer] = invited(first)
    [other] = invited(second)
    answer(offer, "non")
    other.refresh_from_db()
    assert other.answer == inviting.DECLINED
    assert not Departure.objects.filter(sent=None, dropped="").exists()


def test_no_after_yes_leaves_the_seat() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    assert answer(offer, "non", "two").facts == {"code": "already"}
    assert Membership.objects.filter(game=game, person=guest(), left=None).exists()
    assert not Unwilling.objects.exists()


def test_no_of_somebody_who_has_left_is_a_no() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    gathering.leave(game, guest())
    assert answer(offer, "non", "two").facts == {"code": inviting.DECLINED}
    assert Unwilling.objects.exists()


# neither


@pytest.mark.parametrize(
    "text",
    ["", " \n\n", "peut-être", "ouille", "nonobstant", "1", "\x00oui?".replace("oui", "si"), "😀" * 5000],
)
def test_neither_yes_nor_no(text: str) -> None:
    [offer] = invited(gathered())
    assert answer(offer, text).outcome == Outcome.NOT_UNDERSTOOD
    assert "Répondez oui" in told()[0].text
    assert not EmailAddress.objects.filter(email=GUEST).exists()


CLASSIC = variants.load("classic")


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("OUI", Reply(Said.YES)),
        ("  « Oui. »", Reply(Said.YES)),
        ("Bonjour, oui volontiers", Reply(Said.YES)),
        ("Bonjour Maëlle,\n\nYes please", Reply(Said.YES)),
        ("Bonjour,\nje ne sais pas\noui", Reply(Said.NEITHER)),
        ("Nom : Paul\noui", Reply(Said.YES, "Paul")),
        ("nom : Paul\nvœux : Italie\n\nOui.", Reply(Said.YES, "Paul", ("ITALY",))),
        ("Nom : Oui", Reply(Said.NEITHER, "Oui")),
        ("Bonjour,\nD’accord !", Reply(Said.YES)),
        ("Count me in", Reply(Said.YES)),
        ("OK, mais qui êtes-vous ?", Reply(Said.NEITHER)),
        ("oui\nnom=Paul\nNOM : Jean", Reply(Said.YES, "Jean")),
        ("oui\nvoeux : France; Italie / France", Reply(Said.YES, "", ("FRANCE", "ITALY"))),
        ("oui\nwish: Turkey", Reply(Said.YES, "", ("TURKEY",))),
        ("oui\nvœux : ", Reply(Said.YES)),
        ("oui\n" + "vœux : " + "x, " * 9999, Reply(Said.YES, "", (), ("x",))),
        ("oui\n" + "bla\n" * 9999 + "nom : Paul", Reply(Said.YES)),
    ],
)
def test_an_answer_read(text: str, reply: Reply) -> None:
    assert answering.read(text, CLASSIC) == reply


# afterwards


def test_the_site_gives_a_password_to_who_wants_one(client: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    [offer] = invited(gathered())
    answer(offer, "oui")
    place = next(word for word in told()[0].text.split() if "/mot-de-passe/" in word)
    client.post(place.partition("jeu.example.org")[2], {"email": GUEST})
    assert [one.to for one in outbox.outbox] == [[GUEST]]
    assert guest().name in outbox.outbox[0].body


def test_somebody_with_the_same_address_in_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account that another process made meanwhile is the one that comes."""
    [offer] = invited(gathered())
    save = Person.save
    known: list[Person] = []

    def overtaken(self: Person, *args: Any, **kwargs: Any) -> None:
        if not known and self.email == GUEST:
            known.append(self)
            raise IntegrityError
        save(self, *args, **kwargs)

    monkeypatch.setattr(Person, "save", overtaken)
    assert answer(offer, "oui").outcome == Outcome.JOINED
    assert EmailAddress.objects.filter(email=GUEST, verified=True).count() == 1


def test_from_the_invitation_to_the_welcome_by_real_mail(office: Office) -> None:
    """What leaves is answered as a mail program does, with all of it quoted, and the answer leaves too."""
    game = gathered()
    invited(game)
    sending.send_due(timezone.now())
    [invitation] = office.to(GUEST)
    assert MASTER not in invitation.data.decode("ascii")
    back = parseaddr(str(invitation.mail["From"]))[1]
    quoted = "".join(f"> {line}\n" for line in invitation.text.splitlines())
    text = f"Oui, avec plaisir.\nnom : Paule\n\nLe 3 mars 2026 à 10:12, La table ronde a écrit :\n{quoted}"
    raw = written([back], text, sender="une.autre@exemple.fr", subject="Re: Invitation")
    arriving.keep(raw, [addressing.known(back)], "une.autre@exemple.fr", timezone.now())
    sorting.sort_due(timezone.now())
    assert guest().name == "Paule"
    assert Membership.objects.get(game=game, person=guest()).wishes == []
    sending.send_due(timezone.now())
    assert "Vous êtes à la table" in office.to(GUEST)[1].text
    assert len(office.to(GUEST)) == 2


@pytest.mark.parametrize("text", ["oui", "non"])
def test_an_answer_in_an_automatic_mail_is_none(office: Office, text: str) -> None:
    game = gathered()
    [offer] = invited(game)
    back = addressing.address(Mailbox.objects.get(pk=offer.mailbox_id))
    raw = written([back], text, sender=GUEST, auto_submitted="auto-replied", subject="Absence")
    arriving.keep(raw, [addressing.known(back)], GUEST, timezone.now())
    sorting.sort_due(timezone.now())
    assert Arrival.objects.get().outcome == Outcome.AUTOMATIC
    assert Offer.objects.get().answer == ""
    assert told() == []
    assert office.items == []


def plain(text: str) -> str:
    """A mail on one line, with plain spaces."""
    return " ".join(text.replace("\u00a0", " ").replace("\u202f", " ").split())
