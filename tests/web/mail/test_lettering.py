"""A mail at the address of a letter: to whom it goes, what of it, and what its writer is answered."""

from __future__ import annotations

import re
from time import process_time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameState
from talleyrand.web.mail import anonymity_filter, comparable_text, mailboxes
from talleyrand.web.mail.conversations import message_mail
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.parsing import LeftOut, MessageClass, ParsedEmail
from talleyrand.web.mail.parsing.parsed_email import LeftOutKind
from talleyrand.web.press.message_actions import MOST
from talleyrand.web.press.models import Message, MessageState
from tests.web.cast import MASTER, PLAYERS, deal, person, table
from tests.web.mail.correspondents import DOMAIN, address_of, correspond
from tests.web.mail.office import written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
NAMED = re.compile(r"\b(?:flora|kerbrat)\b")


@pytest.fixture
def game(db: None) -> Game:
    for name in (*PLAYERS.values(), MASTER):
        correspond(name)
    return table()


def box(game: Game, power: str, to: str) -> Mailbox:
    name = MASTER if power == "@" else PLAYERS[power]
    return mailboxes.get_mailbox(MailboxPurpose.MESSAGE, game, person(name), power, to)


def arrival(mailbox: Mailbox, same: str = "") -> InboundDelivery:
    message = InboundEmail.objects.create(raw_bytes=b"", received_at=timezone.now())
    return InboundDelivery.objects.create(email=message, mailbox=mailbox, content_digest=same or message.key)


def mail(text: str = "Paix ?", *boxes: Mailbox, **more: Any) -> ParsedEmail:
    header = {"names": ("Flora Kerbrat",), "addresses": (address_of("Flora"),)}
    to = tuple(mailboxes.mailbox_address(one) for one in boxes)
    return ParsedEmail(MessageClass.PERSONAL, text, **{"recipients": to, **header, **more})


def take(mailbox: Mailbox, one: ParsedEmail, same: str = "") -> ProcessingResult:
    """As `sorting` asks."""
    assert mailbox.person is not None
    with email_queue.reader_locale(mailbox.person):
        return message_mail.process_message(arrival(mailbox, same), one)


def send(game: Game, text: str, to: str = "ENGLAND", **more: Any) -> ProcessingResult:
    """Flora writes as France."""
    mailbox = box(game, "FRANCE", to)
    return take(mailbox, mail(text, mailbox, **more))


def said(result: ProcessingResult) -> str:
    """The answer, with plain blanks, on one line."""
    assert result.answer is not None
    return " ".join(f"{result.answer.subject}\n{result.answer.text}".split())


def only() -> Message:
    return Message.objects.select_related("conversation").get()


# to whom


ROOMS = [
    ("FRANCE", ["ENGLAND"], "ENGLAND+FRANCE", "à l’Angleterre"),
    ("FRANCE", ["ENGLAND", "ITALY"], "ENGLAND+FRANCE+ITALY", "à l’Angleterre et à l’Italie"),
    ("FRANCE", ["ITALY", "ENGLAND"], "ENGLAND+FRANCE+ITALY", "à l’Angleterre et à l’Italie"),
    ("FRANCE", ["ENGLAND+ITALY"], "ENGLAND+FRANCE+ITALY", "à l’Angleterre et à l’Italie"),
    ("FRANCE", ["ENGLAND+ITALY", "ITALY", "TURKEY"], "ENGLAND+FRANCE+ITALY+TURKEY", "à la Turquie"),
    ("FRANCE", ["*"], "*", "à tous"),
    ("FRANCE", ["@"], "FRANCE+@", "au maître de jeu"),
    ("@", ["FRANCE"], "FRANCE+@", "à la France"),
    ("@", ["*"], "*", "à tous"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("power", "to", "members", "named"), ROOMS)
def test_the_room_is_that_of_all_addresses(
    game: Game, power: str, to: list[str], members: str, named: str
) -> None:
    boxes = [box(game, power, one) for one in to]
    result = take(boxes[0], mail("Paix ?", *boxes, names=(), addresses=()))
    assert result.outcome == MailOutcome.SENT
    letter = only()
    assert (letter.conversation.participants_key, letter.signature, letter.text, letter.state) == (
        members, power, "Paix ?", MessageState.DELIVERED,
    )  # fmt: skip
    assert named in said(result)
    assert "a été envoyé" in said(result)
    is_shared = members == "*" or members.replace("+@", "").count("+") > 1
    assert ("Une réponse à ce courriel ira aussi à" in said(result)) == is_shared
    assert "commence ainsi\xa0: «\xa0Paix ?\xa0»".replace("\xa0", " ") in said(result).replace("\xa0", " ")


def test_a_mail_to_several_is_one_letter_and_one_answer(game: Game) -> None:
    """Whichever copy comes first, and whatever comes in between."""
    boxes = [box(game, "FRANCE", one) for one in ("ENGLAND", "ITALY")]
    first, second = (take(one, mail("Paix ?", *boxes), same="x") for one in boxes)
    assert (first.outcome, second.outcome) == (MailOutcome.SENT, MailOutcome.SENT)
    assert (first.answer is None, second.answer is None) == (False, True)
    assert only().conversation.participants_key == "ENGLAND+FRANCE+ITALY"
    again = message_mail.process_message(
        InboundDelivery.objects.get(mailbox=boxes[0]), mail("Paix ?", *boxes)
    )
    assert again.answer is not None
    assert Message.objects.count() == 1


SHEET = "A Par - Bur\nF Bre - MAO\nA Mar S A Par - Bur"


@pytest.mark.parametrize("text", [SHEET, f"Voici mes ordres :\n{SHEET}"])
@pytest.mark.parametrize("to", ["ENGLAND", "*", "@"])
def test_orders_alone_are_no_letter(game: Game, to: str, text: str) -> None:
    """Somebody has answered the wrong mail: nobody reads his plans, and he learns that they do not count."""
    result = send(game, text, to)
    assert (result.outcome, result.facts["code"]) == (MailOutcome.REFUSED, "orders")
    assert not Message.objects.exists()
    orders = mailboxes.mailbox_address(
        mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
    )
    assert orders in said(result)
    assert "n’a pas été envoyé" in said(result)


@pytest.mark.parametrize("text", [f"Je vous propose :\n{SHEET}", "A Lon - Nth\nF Edi - Nrg", "A Par - Bur ?"])
def test_words_about_orders_are_a_letter(game: Game, text: str) -> None:
    assert send(game, text).outcome == MailOutcome.SENT


def test_a_copy_that_is_not_named_is_a_letter_of_its_own(game: Game) -> None:
    """Bcc: Italy reads what England does, and England never learns of it."""
    england, italy = (box(game, "FRANCE", one) for one in ("ENGLAND", "ITALY"))
    for one in (england, italy):
        assert take(one, mail("Paix ?", england), same="x").answer is not None
    assert {letter.conversation.participants_key for letter in Message.objects.all()} == {
        "ENGLAND+FRANCE",
        "FRANCE+ITALY",
    }


STRAYS = [
    ("ENGLAND", "ITALY", False),  # somebody else’s
    ("FRANCE", "@", False),
    ("FRANCE", "ITALY", True),  # one’s own, and revoked
]


@pytest.mark.parametrize(("power", "to", "revoked"), STRAYS)
def test_an_address_that_is_not_ones_own_is_told_and_ignored(
    game: Game, power: str, to: str, revoked: bool
) -> None:
    england, stray = box(game, "FRANCE", "ENGLAND"), box(game, power, to)
    if revoked:
        mailboxes.renew_mailbox(stray)
    elif power == "FRANCE":
        stray = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
    others = ("quelqu.un@example.net", "jamais@jeu.example.org")
    result = take(
        england,
        mail("Paix ?", england, recipients=(*map(mailboxes.mailbox_address, (england, stray)), *others)),
    )
    assert (result.outcome, result.facts["ignored"]) == (MailOutcome.SENT, 1)
    assert "a été ignorée" in said(result)
    assert only().conversation.participants_key == "ENGLAND+FRANCE"


def test_of_another_game_or_power_is_not_ones_own(game: Game) -> None:
    other = table()
    deal(game, "ITALY", "Flora")
    england = box(game, "FRANCE", "ENGLAND")
    elsewhere = box(other, "FRANCE", "GERMANY")
    as_italy = mailboxes.get_mailbox(MailboxPurpose.MESSAGE, game, person("Flora"), "ITALY", "TURKEY")
    result = take(england, mail("Paix ?", england, elsewhere, as_italy))
    assert (only().conversation.participants_key, result.facts["ignored"]) == ("ENGLAND+FRANCE", 2)


@pytest.mark.parametrize("to", [("ENGLAND", "*"), ("ENGLAND", "@"), ("*", "@")])
def test_mixed_recipients(game: Game, to: tuple[str, str]) -> None:
    boxes = [box(game, "FRANCE", one) for one in to]
    result = take(boxes[0], mail("Paix ?", *boxes))
    assert (result.outcome, result.facts["code"]) == (MailOutcome.REFUSED, "mixed")
    assert "Choisissez soit des puissances, soit tous, soit le maître" in said(result) or "à la fois" in said(
        result
    )
    assert not Message.objects.exists()


# whether


def playing(**changed: Any) -> Any:
    def change(game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(**changed)
        game.refresh_from_db()

    return change


def agreed(**terms: Any) -> Any:
    return lambda game: playing(settings_json={**game.settings_json, **terms})(game)


def replaced(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"))


def lent(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"), stand_in=True)


def left(game: Game) -> None:
    GameMembership.objects.filter(game=game, person=person("Flora")).update(left_at=timezone.now())


REFUSALS = [
    (agreed(press="none"), MailOutcome.REFUSED, "none"),
    (agreed(press="public"), MailOutcome.REFUSED, "public"),
    (playing(state=GameState.ENDED, phase=""), MailOutcome.REFUSED, "over"),
    (replaced, MailOutcome.NOT_YOURS, "seatless"),
    (lent, MailOutcome.NOT_YOURS, "lent"),
    (left, MailOutcome.NOT_YOURS, "watching"),
]


@pytest.mark.parametrize(("change", "outcome", "code"), REFUSALS)
def test_what_the_rules_refuse(game: Game, change: Any, outcome: MailOutcome, code: str) -> None:
    change(game)
    result = send(game, "Paix ?")
    assert (result.outcome, result.facts["code"]) == (outcome, code)
    assert "n’a pas été envoyé" in said(result)
    assert ("Printemps 1901" in said(result)) == (code not in ("watching", "over"))
    assert not Message.objects.exists()


def test_between_the_phases(game: Game) -> None:
    agreed(press_between=False)(game)
    Game.objects.update(phase="S1901R")
    assert send(game, "Paix ?").facts["code"] == "between"


@pytest.mark.parametrize("change", [replaced, lent, left])
def test_orders_of_somebody_who_plays_no_more_are_a_letter_like_others(game: Game, change: Any) -> None:
    """He has no address for orders any more, and an answer that concerns a power would never reach him."""
    change(game)
    assert send(game, "A Par - Bur\nF Bre - MAO").outcome == MailOutcome.NOT_YOURS
    assert not Mailbox.objects.filter(purpose=MailboxPurpose.ORDERS).exists()


@pytest.mark.long
def test_a_flood(game: Game) -> None:
    for number in range(MOST):
        assert send(game, f"Lettre {number}").outcome == MailOutcome.SENT
    assert send(game, "Une de trop").facts["code"] == "flood"
    assert Message.objects.count() == MOST


def test_unfit(game: Game) -> None:
    assert send(game, "x" * 20_001).outcome == MailOutcome.UNFIT
    assert send(game, "Pa\ufffdx").outcome == MailOutcome.UNFIT
    for empty in ("", "  \n", "\u200b"):
        result = send(game, empty, left_out=(LeftOut(LeftOutKind.QUOTE),))
        assert result.outcome == MailOutcome.EMPTY
        assert "texte cité" in said(result)
    assert send(game, "Flora").outcome == MailOutcome.EMPTY
    assert "«\xa0Flora\xa0»".replace("\xa0", " ") in said(send(game, "Flora")).replace("\xa0", " ")


def test_a_box_without_a_person_or_a_game(game: Game) -> None:
    mailbox = box(game, "FRANCE", "ENGLAND")
    Mailbox.objects.update(person=None)
    mailbox.refresh_from_db()
    assert message_mail.process_message(arrival(mailbox), mail()) == ProcessingResult(MailOutcome.NOT_YOURS)


# what of it


def test_a_signature_is_cut_and_told(game: Game) -> None:
    result = send(game, "Paix ?\n\nAmitiés,\nFlora Kerbrat\n06 12 34 56 78")
    assert only().text == "Paix ?\n\nAmitiés,"
    assert "« Flora Kerbrat 06 12 34 56 78 »" in said(result).replace("\xa0", " ")


def test_what_names_its_writer_waits_for_the_master(game: Game) -> None:
    result = send(game, "Flora te le promet, ou flora.kerbrat@exemple-flora.fr ?")
    assert result.outcome == MailOutcome.HELD
    assert result.facts["traces"] == ["name", "address"]
    letter = only()
    assert letter.state == MessageState.HELD
    assert letter.hold_reasons == [["name", "Flora"], ["address", "flora.kerbrat@exemple-flora.fr"]]
    assert "Il nomme son auteur : « Flora »." in said(result).replace("\xa0", " ")
    assert "le MJ décide s’il le transmet" in said(result)


def test_where_nobody_can_decide_it_comes_back(game: Game) -> None:
    GameMembership.objects.filter(role="master").update(left_at=timezone.now())
    result = send(game, "Flora te le promet.")
    assert (result.outcome, result.facts["code"]) == (MailOutcome.NAMES_WRITER, "names_writer")
    assert "Il nomme son auteur : « Flora »." in said(result).replace("\xa0", " ")
    assert not Message.objects.exists()


def test_names_in_an_open_game(game: Game) -> None:
    agreed(anonymity="open")(game)
    assert send(game, "Flora te le promet.\n\nFlora").outcome == MailOutcome.SENT
    assert only().text == "Flora te le promet.\n\nFlora"
    assert send(game, "Écris à flora.kerbrat@exemple-flora.fr vite").outcome == MailOutcome.HELD


def test_what_is_known_of_its_writer(game: Game) -> None:
    """Account, headers, every address on file; the words of other people tell nothing of him."""
    EmailAddress.objects.create(user=person("Flora"), email="tournesol@exemple-autre.fr", verified=False)
    for text in (
        "Ici Tournesol.",
        "Ici Kerbrat.",
        "Ici Flora.",
        "Ici Fanchon.",
        "Vois exemple-autre.fr/moi ici",
    ):
        found = send(
            game, f"{text}\nVoilà.", names=("Fanchon",), addresses=("x@example.net", "kerbrat@example.net")
        )
        assert found.outcome == MailOutcome.HELD, text
    assert send(game, "Edmond, Vasseur et Irène sont loin.").outcome == MailOutcome.SENT


def test_the_master_says_of_himself_what_he_likes(game: Game) -> None:
    for to in ("FRANCE", "*"):
        mailbox = box(game, "@", to)
        one = mail("Appelez Maëlle Quéméner au 06 12 34 56 78.", mailbox, names=("Maëlle Quéméner",))
        assert take(mailbox, one).outcome == MailOutcome.SENT
    assert send(game, "Ici Flora, absente demain.", "@").outcome == MailOutcome.SENT


def test_our_addresses_never_pass(game: Game) -> None:
    mailbox = box(game, "FRANCE", "ENGLAND")
    mine = mailboxes.mailbox_address(
        mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
    )
    text = f"Voici : {mine} et {mine.upper()} et site@{DOMAIN} et https://{DOMAIN}/calendrier/abc.ics"
    result = take(mailbox, mail(text, mailbox))
    hidden = anonymity_filter.HIDDEN
    assert only().text == f"Voici : {hidden} et {hidden} et {hidden} et {hidden}"
    assert result.outcome == MailOutcome.SENT
    assert "une adresse de ce site (remplacée par […]) : toute personne" in said(result)


LEFT = [
    (LeftOut(LeftOutKind.PICTURE, "plan.jpg"), "l’image plan.jpg"),
    (LeftOut(LeftOutKind.PICTURE), "une image"),
    (LeftOut(LeftOutKind.DOCUMENT, "alliance\r\nBcc: x.odt"), "le document alliance Bcc: x.odt"),
    (LeftOut(LeftOutKind.CARD, "Flora.vcf"), "votre carte de visite"),
    (LeftOut(LeftOutKind.OTHER, "x" * 99), "le fichier " + "x" * 60),
    (LeftOut(LeftOutKind.REMOTE), "du contenu à charger ailleurs"),
    (LeftOut(LeftOutKind.QUOTE), "le texte cité"),
    (LeftOut(LeftOutKind.FORWARD), "le texte transféré"),
    (LeftOut(LeftOutKind.SIGNATURE), "la signature"),
    (LeftOut(LeftOutKind.CLIENT), "votre logiciel"),
    (LeftOut(LeftOutKind.ADVERT), "votre logiciel"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("left", "told"), LEFT)
def test_what_was_left_out_is_told(game: Game, left: LeftOut, told: str) -> None:
    result = send(game, "Paix ?", left_out=(left, left))
    assert said(result).count(told) == 1
    assert only().text == "Paix ?"


SUBJECTS = [
    ("Paix sur le Rhin", "Paix sur le Rhin\n\nVoici."),
    ("Re: Paix sur le Rhin", "Voici."),
    ("RE : [La table ronde] Lettre", "Voici."),
    ("Tr: Paix", "Voici."),
    ("Fwd: Paix", "Voici."),
    ("[La table ronde · Printemps 1901, mouvements] Lettre de la France", "Voici."),
    ("La table ronde", "Voici."),
    ("(no subject)", "Voici."),
    ("<sans objet>", "Voici."),
    ("", "Voici."),
    ("Voici", "Voici."),
    ("x" * 121, "Voici."),
    ("Un mot de Flora", "Voici."),
    (f"De site@{DOMAIN}", "Voici."),
    ("Pa\ufffdx", "Voici."),
    ("Rendez-vous", "Rendez-vous\n\nVoici."),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("subject", "text"), SUBJECTS)
def test_a_subject_of_ones_own_is_the_first_line(game: Game, subject: str, text: str) -> None:
    result = send(game, "Voici.", subject=subject)
    assert (result.outcome, only().text) == (MailOutcome.SENT, text)
    assert ("l’objet, qui révélerait qui vous êtes" in said(result)) == (
        "Flora" in subject or DOMAIN in subject
    )


def test_held_games(game: Game) -> None:
    agreed(press="held")(game)
    result = send(game, "Paix ?")
    assert (result.outcome, only().state) == (MailOutcome.HELD, MessageState.HELD)
    assert "Il le transmettra, ou vous le renverra avec un motif" in said(result)
    assert send(game, "Je serai absente.", "@").outcome == MailOutcome.SENT


def test_the_same_mail_after_a_crash_is_the_same_letter(game: Game) -> None:
    mailbox = box(game, "FRANCE", "ENGLAND")
    one = arrival(mailbox)
    results = [message_mail.process_message(one, mail("Paix ?", mailbox)) for _ in range(3)]
    assert results[0] == results[1] == results[2]
    assert Message.objects.count() == 1
    agreed(press="none")(game)
    assert message_mail.process_message(one, mail("Paix ?", mailbox)).outcome == MailOutcome.SENT


def test_the_reader_is_answered_in_his_language(game: Game) -> None:
    flora = person("Flora")
    flora.language = "en"
    flora.save()
    told = said(send(game, "Peace?", left_out=(LeftOut(LeftOutKind.QUOTE),)))
    assert "Your message to England was sent" in told
    assert "the text you quoted" in told


# the whole way


def test_raw_mails_go_the_whole_way(game: Game) -> None:
    """Kept, read, sorted and answered, to the address on file alone."""
    boxes = [box(game, "FRANCE", one) for one in ("ENGLAND", "ITALY")]
    to = [mailboxes.mailbox_address(one) for one in boxes]
    raw = written(to, "Paix ?\r\n\r\n-- \r\nFlora\r\n", sender="autre@example.net", subject="Un pacte")
    for _ in range(2):
        inbound_storage.store_email(raw, boxes, "autre@example.net", timezone.now())
        inbound_processing.process_due_mail(timezone.now())
    outcomes = list(InboundDelivery.objects.order_by("pk").values_list("outcome", flat=True))
    assert outcomes == [MailOutcome.SENT, MailOutcome.SENT, MailOutcome.REPEATED, MailOutcome.REPEATED]
    assert only().text == "Un pacte\n\nPaix ?"
    answer = OutboundEmail.objects.get()
    assert (answer.person, answer.address) == (person("Flora"), "")
    assert answer.reply_mailbox == box(
        game, "FRANCE", "ENGLAND+ITALY"
    )  # whoever answers it writes to both again
    assert "à l’Angleterre et à l’Italie" in answer.subject


PIECES = st.sampled_from(
    [
        "Paix",
        "Flora",
        "Kerbrat",
        f"@{DOMAIN}",
        "\n",
        " ",
        "+33612345678",
        "-- ",
        "<",
        ">",
        "http://",
        "\u00ad",
        "é",
        "|",
    ]
)


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    text=st.lists(PIECES | st.text(max_size=8) | st.just("ADDRESS"), max_size=12).map("".join),
    subject=st.text(max_size=30) | PIECES,
    names=st.lists(st.text(max_size=12), max_size=2),
)
def test_any_text_has_an_outcome_and_no_address_of_ours_passes(
    game: Game, text: str, subject: str, names: list[str]
) -> None:
    Message.objects.all().delete()
    mailbox = box(game, "FRANCE", "ENGLAND")
    mine = mailboxes.mailbox_address(mailbox)
    one = mail(text.replace("ADDRESS", mine), mailbox, subject=subject, names=tuple(names))
    result = take(mailbox, one)
    assert result.outcome in {
        MailOutcome.SENT, MailOutcome.HELD, MailOutcome.EMPTY, MailOutcome.UNFIT, MailOutcome.REFUSED,
    }  # fmt: skip
    assert result.answer is not None
    for letter in Message.objects.all():
        told = comparable_text.comparable(letter.text)
        assert f"@{DOMAIN}" not in told
        assert mine.partition("@")[0] not in told
        assert letter.state == MessageState.HELD or not NAMED.search(told)


@pytest.mark.parametrize("unit", ["a", "@a.", "a@", "https://a/", "ordres-", "a.", "@jeu."])
def test_our_addresses_are_sought_in_no_time(unit: str) -> None:
    begun = process_time()
    anonymity_filter.hide_our_addresses(unit * (20_000 // len(unit)), mailboxes.our_address_pattern())
    assert process_time() - begun < 2
