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
from talleyrand.web.games import first_phase, power_assignments
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameSeat, GameState, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.invitations import email_invitations, joining_by_mail
from talleyrand.web.mail.invitations.email_invitations import InvitationReply, ReplyAnswer
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import (
    EmailInvitation,
    InboundDelivery,
    InboundEmail,
    Mailbox,
    OutboundEmail,
    UnsubscribedAddress,
)
from talleyrand.web.mail.outbound import email_sending
from talleyrand.web.mail.parsing import MessageClass, ParsedEmail
from talleyrand.web.mail.subscriptions import subscribing
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
        is_listed=listed,
        creator=maker,
        settings_json=GameSettings(**terms).as_json(),
    )
    for power in variants.load(variant).board.powers:
        GameSeat.objects.create(game=game, power=power)
    GameMembership.objects.create(
        game=game, person=maker, role=GameRole.GAME_MASTER if master else GameRole.PLAYER
    )
    return game


def invited(game: Game, *addresses: str, language: str = "fr") -> list[EmailInvitation]:
    """Invitations to some, the one guest without others."""
    typed = addresses or (GUEST,)
    before = set(EmailInvitation.objects.values_list("pk", flat=True))
    email_invitations.send_invitations(
        sight(game), "\n".join(typed), language, f"form-{len(before)}", timezone.now()
    )
    return list(EmailInvitation.objects.exclude(pk__in=before))


def sight(game: Game) -> GameViewer:
    return GameViewer(game, person(MASTER))


def arrive(offer: EmailInvitation, same: str = "one") -> InboundDelivery:
    message = InboundEmail.objects.create(raw_bytes=b"", received_at=timezone.now())
    box = Mailbox.objects.get(pk=offer.mailbox_id)
    return InboundDelivery.objects.create(email=message, mailbox=box, content_digest=same)


def answer(offer: EmailInvitation, text: str, same: str = "one") -> ProcessingResult:
    return joining_by_mail.process_reply(arrive(offer, same), ParsedEmail(MessageClass.PERSONAL, text=text))


def told() -> list[OutboundEmail]:
    """What was written back."""
    return list(OutboundEmail.objects.filter(kind=joining_by_mail.KIND))


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
    assert "Préférences enregistrées : Turquie, Italie." in said
    assert "Puissances inconnues : Prusse." in said


def test_yes_takes_the_seat() -> None:
    game = gathered()
    [offer] = invited(game)
    result = answer(offer, "Oui\n")
    assert result.outcome == MailOutcome.JOINED
    assert result.answer is None
    person = guest()
    assert person.name.startswith("Incognito ")
    assert not person.has_usable_password()
    assert (person.language, person.time_zone) == ("fr", "Europe/Paris")
    assert EmailAddress.objects.get(user=person).verified
    assert EmailAddress.objects.get(user=person).primary
    assert GameMembership.objects.get(game=game, person=person).role == GameRole.PLAYER
    assert subscribing.is_subscribed(game, person)
    [letter] = told()
    assert letter.address == GUEST
    assert "Vous avez rejoint la partie La table ronde" in letter.text
    assert person.name in letter.text
    assert "/mot-de-passe/" in letter.text
    assert max(map(len, letter.text.splitlines())) <= 76


def test_with_a_name_and_wishes() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui, avec plaisir !\nNom : Le cuisinier\nVœux : l’Italie, france, Bourgogne\n")
    assert guest().name == "Le cuisinier"
    assert GameMembership.objects.get(game=game, person=guest()).preferences == ["ITALY", "FRANCE"]
    assert "Puissances inconnues : Bourgogne." in plain(told()[0].text)


def test_in_english() -> None:
    [offer] = invited(gathered(), language="en")
    assert answer(offer, "Yes!\nname: Paul\nwishes: Turkey").outcome == MailOutcome.JOINED
    assert (guest().name, guest().language) == ("Paul", "en")
    assert "You have joined the game La table ronde as a player." in plain(told()[0].text)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name", ["Maëlle", "maelle1l" * 9, "x", "admin", "<b>", "Pau\u202ele", "12", "\u0420\u0430ul"]
)
def test_a_name_that_cannot_be(name: str) -> None:
    if name == "Maëlle":
        assert person(MASTER).name == name
    [offer] = invited(gathered())
    assert answer(offer, f"oui\nnom : {name}").outcome == MailOutcome.JOINED
    assert guest().name.startswith("Incognito ")
    assert "n’a pas été accepté" in plain(told()[0].text)


def test_a_second_correspondent_has_another_name() -> None:
    game = gathered()
    for offer in invited(game, "a@exemple.fr", "b@exemple.fr"):
        answer(offer, "oui")
    assert Person.objects.filter(name__startswith="Incognito ").count() == 2


def test_the_address_of_an_account_brings_that_account() -> None:
    known = correspond("Flora", GUEST)
    game = gathered()
    [offer] = invited(game)
    count = Person.objects.count()
    assert answer(offer, "oui\nnom : Autre").outcome == MailOutcome.JOINED
    assert Person.objects.count() == count
    assert GameMembership.objects.filter(game=game, person=known, role=GameRole.PLAYER).exists()
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
    arrival, mail = arrive(offer), ParsedEmail(MessageClass.PERSONAL, text="oui")
    first, second = joining_by_mail.process_reply(arrival, mail), joining_by_mail.process_reply(arrival, mail)
    assert first == second
    assert len(told()) == 1
    assert game.memberships.filter(role=GameRole.PLAYER).count() == 1


def test_another_yes_changes_nothing_and_says_so() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    result = answer(offer, "oui", "two")
    assert (result.outcome, result.facts) == (MailOutcome.NOT_JOINED, {"code": "already"})
    assert "Vous participez déjà à cette partie" in told()[1].text
    assert game.memberships.filter(role=GameRole.PLAYER).count() == 1


@pytest.mark.parametrize("text", ["préférences : Italie, Prusse", "oui\nvœux : Italie, Prusse"])
def test_wishes_that_come_later_are_kept_until_the_game_begins(text: str) -> None:
    """The first answer says how; once the game has begun, nothing is changed, and that is said."""
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    assert "préférences : Autriche, Angleterre" in told()[0].text.replace("\u00a0", " ")
    answer(offer, text, "two")
    assert game.memberships.get(role=GameRole.PLAYER).preferences == ["ITALY"]
    said = " ".join(told()[1].text.split())
    assert "Préférences enregistrées : Italie. Puissances inconnues : Prusse." in said
    Game.objects.filter(pk=game.pk).update(state=GameState.PLAYING)
    answer(EmailInvitation.objects.get(pk=offer.pk), "préférences : Turquie", "three")
    assert game.memberships.get(role=GameRole.PLAYER).preferences == ["ITALY"]
    assert "Rien n’a été changé" in told()[2].text


def test_the_clock_of_the_game_is_that_of_whoever_has_no_account() -> None:
    """Else the deadlines of an English game come in the time of Paris."""
    game = gathered(rhythm={"zone": "Europe/London", "hours": 48})
    [offer] = invited(game)
    answer(offer, "oui")
    assert guest().time_zone == "Europe/London"


def test_whoever_came_by_the_page_before_is_told_so_each_time_the_mail_is_read() -> None:
    game = gathered(listed=True)
    membership_actions.join_game(game, correspond("Flora", GUEST))
    [offer] = invited(game)
    arrival, mail = arrive(offer), ParsedEmail(MessageClass.PERSONAL, text="oui")
    first, second = joining_by_mail.process_reply(arrival, mail), joining_by_mail.process_reply(arrival, mail)
    assert first == second == ProcessingResult(MailOutcome.NOT_JOINED, {"code": "already"})
    assert len(told()) == 1
    assert EmailInvitation.objects.get().answer == email_invitations.JOINED


def test_answers_to_one_invitation_come_to_an_end() -> None:
    [offer] = invited(gathered())
    for number in range(20):
        answer(offer, "peut-être", f"mail-{number}")
    assert len(told()) == joining_by_mail.MOST_ANSWERS


def test_the_last_seat_begins_a_game_without_game_master() -> None:
    game = gathered(master=False, variant="trio", press="public")
    offers = invited(game, "a@exemple.fr", "b@exemple.fr")
    for offer in offers:
        answer(offer, "oui")
    assert Game.objects.get(pk=game.pk).state == GameState.PLAYING
    assert len(power_assignments.player_ids(game)) == 3


# what the page of the table refuses


def full(game: Game) -> None:
    for number in range(game.seats.count()):
        GameMembership.objects.create(game=game, person=person(f"Joueur {number}"), role=GameRole.PLAYER)


def over(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.ABANDONED)


def begun(game: Game) -> None:
    """It has begun, every seat taken."""
    for power in power_assignments.players_by_power(game):
        someone = person(f"Joueur {power}")
        GameMembership.objects.create(game=game, person=someone, role=GameRole.PLAYER)
        power_assignments.assign_power(game, power, someone)
    first_phase.open_first_phase(game, timezone.now())


def held_another(game: Game) -> None:
    """Whose address it is has played Russia, and left."""
    begun(game)
    owner = person("Roman")
    EmailAddress.objects.create(user=owner, email=GUEST, verified=True, primary=True)
    GameMembership.objects.create(game=game, person=owner, role=GameRole.PLAYER)
    power_assignments.assign_power(Game.objects.get(), "RUSSIA", owner)
    membership_actions.leave_game(Game.objects.get(), owner)
    power_assignments.assign_power(Game.objects.get(), "RUSSIA", person("Renaud"))
    power_assignments.end_assignment(Game.objects.get(), "ITALY")


def test_who_has_played_another_power_does_not_come_by_mail() -> None:
    game = gathered()
    [offer] = invited(game)
    held_another(game)
    result = answer(offer, "oui\nvœux : Italie")
    assert (result.outcome, result.facts) == (MailOutcome.NOT_JOINED, {"code": "held_other"})
    assert "Vous avez joué une autre puissance dans cette partie et en" in plain(
        " ".join(told()[0].text.split())
    )
    assert power_assignments.unplayed_powers(Game.objects.get()) == ("ITALY",)


def two_free(game: Game) -> None:
    begun(game)
    for power in ("ITALY", "TURKEY"):
        power_assignments.end_assignment(game, power)


@pytest.mark.parametrize(
    ("meanwhile", "code", "words"),
    [
        (full, "full", "Cette partie est complète"),
        (over, "over", "finie"),
        (begun, "begun", "a commencé"),
        (two_free, "seat", "Places libres : Italie, Turquie."),
    ],
)
def test_refused_as_by_the_page(meanwhile: Callable[[Game], None], code: str, words: str) -> None:
    game = gathered()
    [offer] = invited(game)
    meanwhile(game)
    result = answer(offer, "oui")
    assert (result.outcome, result.facts) == (MailOutcome.NOT_JOINED, {"code": code})
    assert words in plain(told()[0].text)
    assert not EmailAddress.objects.filter(email=GUEST).exists()
    assert not Invitation.objects.filter(revoked_at=None).exists()
    assert EmailInvitation.objects.get().answer == ""


def test_an_invitation_to_a_game_under_way_names_the_free_powers() -> None:
    game = gathered()
    two_free(game)
    invited(Game.objects.get())
    text = plain(" ".join(OutboundEmail.objects.get(kind=email_invitations.KIND).text.split()))
    assert "La partie est en cours (Printemps 1901, mouvements)" in text
    assert "et cherche un joueur pour : Italie, Turquie." in text


def test_a_free_seat_of_a_game_that_has_begun() -> None:
    game = gathered()
    [offer] = invited(game)
    two_free(game)
    answer(offer, "oui")
    assert answer(offer, "oui\nvœux : Russie, Turquie", "two").outcome == MailOutcome.JOINED
    assert power_assignments.powers_played_by(game, guest()) == ("TURKEY",)


def test_whoever_was_sent_away_does_not_come_back_by_the_old_invitation() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    membership_actions.remove_member(game, GameMembership.objects.get(person=guest()).pk, person(MASTER))
    result = answer(offer, "oui", "two")
    assert result.facts == {"code": "revoked"}
    assert not GameMembership.objects.filter(person=guest(), left_at=None).exists()
    [again] = invited(game)
    assert answer(again, "oui", "three").outcome == MailOutcome.JOINED


def test_a_site_by_invitation_takes_those_its_administrator_invites(settings: Any) -> None:
    game = gathered()
    [offer] = invited(game)
    settings.SIGNUP = "invitation"
    assert answer(offer, "oui").facts == {"code": "links"}
    assert "Sur ce site, seules les personnes invitées par un" in plain(told()[0].text)
    Person.objects.filter(name=MASTER).update(is_administrator=True)
    assert answer(offer, "oui", "two").outcome == MailOutcome.JOINED


def test_an_account_that_is_closed_stays_out() -> None:
    known = correspond("Flora", GUEST)
    Person.objects.filter(pk=known.pk).update(is_active=False)
    [offer] = invited(gathered())
    assert answer(offer, "oui").outcome == MailOutcome.NOT_JOINED


def test_a_withdrawn_invitation_opens_nothing() -> None:
    game = gathered()
    [offer] = invited(game)
    arrival = arrive(offer)
    email_invitations.withdraw_invitation(game, person(MASTER), offer.pk, timezone.now())
    result = joining_by_mail.process_reply(arrival, ParsedEmail(MessageClass.PERSONAL, text="oui"))
    assert (result.outcome, told()) == (MailOutcome.NOT_JOINED, [])


def test_a_game_that_is_gone_takes_its_invitations_along() -> None:
    game = gathered()
    invited(game)
    game.delete()
    assert not Mailbox.objects.exists()
    assert not EmailInvitation.objects.exists()


# no


@pytest.mark.parametrize("text", ["non", "Non merci.", "No, thank you", "Bonjour,\n\nnon", " NON !"])
def test_no_is_remembered_and_not_answered(text: str) -> None:
    game = gathered()
    [offer] = invited(game)
    result = answer(offer, text)
    assert result.outcome == MailOutcome.NOT_JOINED
    assert told() == []
    assert Mailbox.objects.get(pk=offer.mailbox_id).revoked_at is not None
    with pytest.raises(email_invitations.NotInvited):
        invited(game)
    assert GUEST not in repr(list(UnsubscribedAddress.objects.values()))


def test_no_ends_the_invitations_to_other_games_too() -> None:
    first, second = gathered(), gathered()
    [offer] = invited(first)
    [other] = invited(second)
    answer(offer, "non")
    other.refresh_from_db()
    assert other.answer == email_invitations.DECLINED
    assert not OutboundEmail.objects.filter(sent_at=None, drop_reason="").exists()


def test_no_after_yes_leaves_the_seat() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    assert answer(offer, "non", "two").facts == {"code": "already"}
    assert GameMembership.objects.filter(game=game, person=guest(), left_at=None).exists()
    assert not UnsubscribedAddress.objects.exists()


def test_no_of_somebody_who_has_left_is_a_no() -> None:
    game = gathered()
    [offer] = invited(game)
    answer(offer, "oui")
    membership_actions.leave_game(game, guest())
    assert answer(offer, "non", "two").facts == {"code": email_invitations.DECLINED}
    assert UnsubscribedAddress.objects.exists()


# neither


@pytest.mark.parametrize(
    "text",
    ["", " \n\n", "peut-être", "ouille", "nonobstant", "1", "\x00oui?".replace("oui", "si"), "😀" * 5000],
)
def test_neither_yes_nor_no(text: str) -> None:
    [offer] = invited(gathered())
    assert answer(offer, text).outcome == MailOutcome.NOT_UNDERSTOOD
    assert "Répondez oui" in told()[0].text
    assert not EmailAddress.objects.filter(email=GUEST).exists()


CLASSIC = variants.load("classic")


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("OUI", InvitationReply(ReplyAnswer.YES)),
        ("  « Oui. »", InvitationReply(ReplyAnswer.YES)),
        ("Bonjour, oui volontiers", InvitationReply(ReplyAnswer.YES)),
        ("Bonjour Maëlle,\n\nYes please", InvitationReply(ReplyAnswer.YES)),
        ("Bonjour,\nje ne sais pas\noui", InvitationReply(ReplyAnswer.NEITHER)),
        ("Nom : Paul\noui", InvitationReply(ReplyAnswer.YES, "Paul")),
        ("nom : Paul\nvœux : Italie\n\nOui.", InvitationReply(ReplyAnswer.YES, "Paul", ("ITALY",))),
        ("Nom : Oui", InvitationReply(ReplyAnswer.NEITHER, "Oui")),
        ("Bonjour,\nD’accord !", InvitationReply(ReplyAnswer.YES)),
        ("Count me in", InvitationReply(ReplyAnswer.YES)),
        ("OK, mais qui êtes-vous ?", InvitationReply(ReplyAnswer.NEITHER)),
        ("oui\nnom=Paul\nNOM : Jean", InvitationReply(ReplyAnswer.YES, "Jean")),
        ("oui\nvoeux : France; Italie / France", InvitationReply(ReplyAnswer.YES, "", ("FRANCE", "ITALY"))),
        (
            "oui\nPréférences : France; Italie / France",
            InvitationReply(ReplyAnswer.YES, "", ("FRANCE", "ITALY")),
        ),
        ("oui\npréférence : Turquie", InvitationReply(ReplyAnswer.YES, "", ("TURKEY",))),
        ("oui\npreferences = Turquie", InvitationReply(ReplyAnswer.YES, "", ("TURKEY",))),
        ("yes\nPREFERENCES: Turkey, Italy", InvitationReply(ReplyAnswer.YES, "", ("TURKEY", "ITALY"))),
        ("preference: Turkey\nyes", InvitationReply(ReplyAnswer.YES, "", ("TURKEY",))),
        ("oui\nwish: Turkey", InvitationReply(ReplyAnswer.YES, "", ("TURKEY",))),
        ("oui\nvœux : ", InvitationReply(ReplyAnswer.YES)),
        ("oui\n" + "vœux : " + "x, " * 9999, InvitationReply(ReplyAnswer.YES, "", (), ("x",))),
        ("oui\n" + "bla\n" * 9999 + "nom : Paul", InvitationReply(ReplyAnswer.YES)),
    ],
)
def test_an_answer_read(text: str, reply: InvitationReply) -> None:
    assert email_invitations.parse_reply(text, CLASSIC) == reply


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
    assert answer(offer, "oui").outcome == MailOutcome.JOINED
    assert EmailAddress.objects.filter(email=GUEST, verified=True).count() == 1


def test_from_the_invitation_to_the_welcome_by_real_mail(office: Office) -> None:
    """What leaves is answered as a mail program does, with all of it quoted, and the answer leaves too."""
    game = gathered()
    invited(game)
    email_sending.send_due_emails(timezone.now())
    [invitation] = office.to(GUEST)
    assert MASTER not in invitation.data.decode("ascii")
    back = parseaddr(str(invitation.mail["From"]))[1]
    quoted = "".join(f"> {line}\n" for line in invitation.text.splitlines())
    text = f"Oui, avec plaisir.\nnom : Paule\n\nLe 3 mars 2026 à 10:12, La table ronde a écrit :\n{quoted}"
    raw = written([back], text, sender="une.autre@exemple.fr", subject="Re: Invitation")
    inbound_storage.store_email(raw, [mailboxes.find_mailbox(back)], "une.autre@exemple.fr", timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    assert guest().name == "Paule"
    assert GameMembership.objects.get(game=game, person=guest()).preferences == []
    email_sending.send_due_emails(timezone.now())
    assert "Vous avez rejoint la partie" in office.to(GUEST)[1].text
    assert len(office.to(GUEST)) == 2


@pytest.mark.parametrize("text", ["oui", "non"])
def test_an_answer_in_an_automatic_mail_is_none(office: Office, text: str) -> None:
    game = gathered()
    [offer] = invited(game)
    back = mailboxes.mailbox_address(Mailbox.objects.get(pk=offer.mailbox_id))
    raw = written([back], text, sender=GUEST, auto_submitted="auto-replied", subject="Absence")
    inbound_storage.store_email(raw, [mailboxes.find_mailbox(back)], GUEST, timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    assert InboundDelivery.objects.get().outcome == MailOutcome.AUTOMATIC
    assert EmailInvitation.objects.get().answer == ""
    assert told() == []
    assert office.items == []


def plain(text: str) -> str:
    """A mail on one line, with plain spaces."""
    return " ".join(text.replace("\u00a0", " ").replace("\u202f", " ").split())
