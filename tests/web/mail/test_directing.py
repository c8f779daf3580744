"""A game master runs a real game from his mail program: each command does what the desk’s button does."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talleyrand.web.games import game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.deadlines.date_texts import WEEKDAYS
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState, Gazette, PhaseRevision
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.gm import gm_mail
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import MessageClass, ParsedEmail
from talleyrand.web.mail.subscriptions import subscribing, subscription_sweep
from talleyrand.web.press.models import Message, MessageState
from tests.web.cast import ASSISTANT, MASTER, PLAYERS, person
from tests.web.games.acting import DAY, HOUR, all_hand_in, fresh, hand_in, people_told
from tests.web.mail.correspondents import correspond
from tests.web.mail.masters import answered, arrived, desk_of, directed, hold, led, safe, said, taken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def states(game: Game) -> list[str]:
    return list(
        Message.objects.filter(conversation__game=game).order_by("pk").values_list("state", flat=True)
    )


def ready(game: Game, *, but: tuple[str, ...] = ()) -> None:
    all_hand_in(game, but=but, at=timezone.now())


# letters


def test_letters_passed_and_returned() -> None:
    game = led()
    for text in ("Un", "Deux", "Trois", "Quatre"):
        hold(game, text)
    result = directed(game, "passez les lettres 1 et 3\nrendez 2 : pas de menaces\nhors du jeu\n")
    assert states(game) == [
        MessageState.DELIVERED,
        MessageState.RETURNED,
        MessageState.DELIVERED,
        MessageState.HELD,
    ]
    assert Message.objects.get(text="Deux").return_reason == "pas de menaces hors du jeu"
    assert result.outcome == MailOutcome.DONE
    told = said(result)
    assert "| passez les lettres 1 et 3 Message 1 : transmis. Message 3 : transmis." in told
    assert "Message 2 : renvoyé avec votre motif." in told
    assert "1 message en attente" in told


def test_all_letters() -> None:
    game = led()
    hold(game)
    hold(game)
    assert directed(game, "passez tout").outcome == MailOutcome.DONE
    assert states(game) == [MessageState.DELIVERED, MessageState.DELIVERED]
    assert "Aucun message en attente" in said(directed(game, "passez tout"))


def test_all_are_those_that_were_there_when_he_wrote() -> None:
    game = led()
    hold(game)
    late = hold(game)
    Message.objects.filter(pk=late.pk).update(written_at=timezone.now() + HOUR)
    result = directed(game, "passez tout")
    assert states(game) == [MessageState.DELIVERED, MessageState.HELD]
    assert "message n’a pas été transmis : il ne vous avait pas été" in said(result)


def test_several_that_came_since_are_counted() -> None:
    game = led()
    later = [hold(game).pk for _ in range(3)][1:]
    Message.objects.filter(pk__in=later).update(written_at=timezone.now() + HOUR)
    result = directed(game, "passez tout")
    assert states(game) == [MessageState.DELIVERED, MessageState.HELD, MessageState.HELD]
    assert "2 messages n’ont pas été transmis : ils ne vous avaient pas été" in said(result)


def test_all_are_those_that_were_sent_to_him() -> None:
    """A letter that waits since his last mails is none that he has read."""
    game = led()
    subscribing.subscribe(game, person(MASTER))
    first, second = hold(game), hold(game)
    for letter, sent in ((first, timezone.now() - HOUR), (second, None)):
        OutboundEmail.objects.create(
            person=person(MASTER),
            game=game,
            kind="held",
            idempotency_key=f"held:{letter.pk}",
            subject="",
            text="",
            sent_at=sent,
        )
    directed(game, "passez tout")
    assert states(game) == [MessageState.DELIVERED, MessageState.HELD]
    directed(game, "passez 2")
    assert states(game) == [MessageState.DELIVERED, MessageState.DELIVERED]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("passez 9", "Il n’y a pas de message 9."),
        ("passez 0", "Il n’y a pas de message 0."),
        ("passez 2", "Ce message a déjà été transmis"),
        ("rendez 2 : trop tard", "Ce message a déjà été transmis"),
        ("rendez 1", "Dites pourquoi vous renvoyez ce message : son auteur lira"),
        (f"rendez 1 : {'x' * 1999}{'y' * 10}", "Le motif est trop long"),
        ("passez 3", "Il n’y a pas de message 3."),
    ],
)
def test_letters_that_stay(text: str, told: str) -> None:
    """None of the game master’s own letters has to be passed on either."""
    game = led()
    hold(game)
    hold(game)
    hold(game, writer=MASTER, to="FRANCE")
    directed(game, "passez 2")
    result = directed(game, text)
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert told in said(result)
    assert states(game) == [MessageState.HELD, MessageState.DELIVERED, MessageState.DELIVERED]


# dates


def test_extended_by_a_length() -> None:
    game = led()
    assert game.deadline is not None
    result = directed(game, "prolongez 24 h")
    assert fresh(game).deadline == game.deadline + DAY
    assert result.outcome == MailOutcome.DONE
    assert "Nouvelle échéance : " in said(result)
    assert people_told(game, "extended") == {*PLAYERS.values(), MASTER, ASSISTANT, "Oscar"}


def test_extended_until_a_date_in_his_zone() -> None:
    game = led()
    on = (timezone.now() + timedelta(days=10)).date()
    directed(game, f"prolongez jusqu’au {on:%d/%m/%Y} à 20 h 30")
    due = fresh(game).deadline
    assert due is not None
    assert due.date() == on
    assert str(due.astimezone(ZoneInfo("Europe/Paris")).time()) == "20:30:00"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prolongez", "dites de combien"),
        ("prolongez jusqu’à la saint-glinglin", "Indiquez une durée"),
        ("prolongez 0 h", "Aucun changement : ce n’est pas après l’échéance actuelle"),
        ("prolongez 999999 jours", "à plus d’un an"),
        ("prolongez jusqu’au 13 mars 2020 20 h", "Cette date est passée"),
        ("prolongez jusqu’au 13 mars 2900 20 h", "à plus d’un an"),
        ("prolongez jusqu’au 13/13 20 h", "Indiquez une durée"),
        (
            "prolongez jusqu’à demain 0:00",
            "0 h est ambigu : écrivez 24 h pour la fin de la journée ",
        ),
        ("reprise", "La partie n’est pas en pause : elle est en cours."),
    ],
)
def test_dates_that_stand(text: str, told: str) -> None:
    game = led()
    result = directed(game, text)
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert told in said(result)
    assert fresh(game).deadline == game.deadline


def test_an_earlier_date_is_no_extension() -> None:
    game = led()
    tomorrow = timezone.localtime() + timedelta(hours=30)
    result = directed(game, f"prolongez jusqu’au {tomorrow:%d/%m/%Y %H:%M}")
    assert "Aucun changement : ce n’est pas après l’échéance actuelle" in said(result)
    assert fresh(game).deadline == game.deadline


def test_a_date_of_another_weekday() -> None:
    game = led()
    on = timezone.localtime() + timedelta(days=5)
    names = ("mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lundi")
    result = directed(game, f"prolongez jusqu’au {names[on.weekday()]} {on:%d/%m/%Y} 20:00")
    assert "Le jour de la semaine ne correspond pas à la date" in said(result)
    assert fresh(game).deadline == game.deadline


def test_paused_and_resumed() -> None:
    game = led()
    assert directed(game, "pause").outcome == MailOutcome.DONE
    assert fresh(game).state == GameState.PAUSED
    again = directed(game, "Mettez la partie en pause")
    assert again.outcome == MailOutcome.PARTLY_DONE
    assert "La partie est déjà en pause." in said(again)
    assert "La partie est en pause : reprenez-la d’abord." in said(directed(game, "prolongez 24 h"))
    result = directed(game, "reprise")
    assert result.outcome == MailOutcome.DONE
    assert fresh(game).state == GameState.PLAYING
    directed(game, "pause\nreprise jusqu’au 3 jours")
    assert fresh(game).state == GameState.PAUSED
    directed(game, "reprise 3 jours")
    due = fresh(game).deadline
    assert due is not None
    assert abs(due - timezone.now() - 3 * DAY) < HOUR


def test_reminded() -> None:
    game = led()
    hand_in(game, "FRANCE", at=timezone.now())
    result = directed(game, "rappelez les retardataires")
    assert people_told(game, "missing") == set(PLAYERS.values()) - {"Flora"}
    assert "Rappel envoyé : Autriche" in said(result)
    again = directed(game, "rappelez")
    assert "moins de six heures" in said(again)


# the phase


def test_published_when_every_sheet_is_there() -> None:
    game = led()
    ready(game)
    result = directed(game, "publiez")
    assert (fresh(game).phase_number, result.outcome) == (2, MailOutcome.DONE)
    revision = PhaseRevision.objects.get(game=game, phase_number=1, is_current=True)
    assert revision.published_by == person(MASTER)
    assert "Phase résolue : Printemps 1901" in said(result)
    assert "AUTOMNE 1901" in said(result)


def test_not_published_without_those_who_are_missing() -> None:
    game = led()
    ready(game, but=("FRANCE",))
    result = directed(game, "publiez")
    assert "il manque des ordres (France)" in said(result)
    assert fresh(game).phase_number == 1
    assert directed(game, "publiez quand même").outcome == MailOutcome.DONE
    assert fresh(game).phase_number == 2
    assert PhaseRevision.objects.get(game=game, phase_number=1, is_current=True).powers_without_orders == [
        "FRANCE"
    ]


def test_a_phase_just_opened_is_not_published_by_mistake() -> None:
    """The mail was written for the phase before it, which the clock has played meanwhile."""
    game = led()
    Game.objects.filter(pk=game.pk).update(phase_opened_at=timezone.now() - HOUR / 2)
    result = directed(game, "publiez quand même")
    assert "). Par courriel, elle ne peut être résolue sans eux (" in said(result)
    assert fresh(game).phase_number == 1


def test_no_mail_advises_what_would_be_refused() -> None:
    """ "Anyway" is offered, with its hour, where it will be taken; the check that failed is named."""
    game = led()
    opened = timezone.now() - HOUR / 2
    Game.objects.filter(pk=game.pk).update(phase_opened_at=opened)
    refused = said(directed(game, "publiez"))
    assert "elle vient de s’ouvrir et il manque des ordres" in refused
    hour = (opened + HOUR).astimezone(ZoneInfo("Europe/Paris"))
    assert f"à partir du {WEEKDAYS['fr'][hour.weekday()]} {hour.day}" in refused
    assert directed(game, "publiez quand même", received=opened + 2 * HOUR).outcome == MailOutcome.DONE
    assert fresh(game).phase_number == 2


@pytest.mark.parametrize("text", ["publiez", "publiez quand même", "prolongez 24 h", "rappelez"])
def test_a_mail_that_was_on_its_way_when_the_phase_opened(text: str) -> None:
    game = led()
    ready(game)
    written = timezone.now() - timedelta(minutes=5)
    phase_adjudication.adjudicate_phase(fresh(game), 1, timezone.now())
    due = fresh(game).deadline
    result = directed(game, text, received=written)
    assert "la phase en cours est maintenant Automne 1901" in said(result)
    assert (fresh(game).phase_number, fresh(game).deadline) == (2, due)


def test_an_answer_to_a_mail_of_another_phase() -> None:
    """Our subjects name the phase that a mail was about."""
    game = led()
    ready(game)
    result = directed(game, "publiez", subject=f"Re: [{game.name} · Automne 1901, mouvements] fait")
    assert "Aucun changement : la phase en cours est maintenant" in said(result)
    assert fresh(game).phase_number == 1
    subject = f"RE: TR: [{game.name} · Spring 1901, movement] done"
    assert directed(game, "publiez", subject=subject).outcome == MailOutcome.DONE


def test_not_published_while_orders_are_on_their_way() -> None:
    game = led()
    ready(game)
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond("Flora"), "FRANCE")
    inbound_storage.store_email(b"Subject: x\r\n\r\nA Par - Bur", [box], "", timezone.now())
    result = directed(game, "publiez")
    assert "un courriel d’ordres vient d’arriver" in said(result)
    assert fresh(game).phase_number == 1


def test_not_published_when_nothing_is_open() -> None:
    game = led()
    game_lifecycle.abandon_game(game, "Fini", timezone.now(), role=GameRole.GAME_MASTER, by=person(MASTER))
    for text in ("publiez", "prolongez 24 h", "pause", "rappelez"):
        assert directed(game, text).outcome == MailOutcome.PARTLY_DONE


def test_before_the_game_begins() -> None:
    game = led(begun=False)
    result = directed(game, "état\npubliez\nrappelez\npause\ngazette : Bientôt")
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert not Gazette.objects.exists()


def test_what_follows_a_publication_is_for_the_next_phase() -> None:
    game = led()
    ready(game)
    result = directed(game, "publiez\nprolongez 24 h\npubliez\npubliez quand même")
    assert fresh(game).phase_number == 2
    assert fresh(game).log.filter(kind="redated", phase_number=2).count() == 1
    assert "il manque des ordres" in said(result)
    assert "). Par courriel, elle ne peut être résolue sans eux (" in said(result)


def test_a_gazette() -> None:
    game = led()
    ready(game)
    result = directed(game, "publiez\ngazette : Paix à Paris.\n\npassez tout\nMaëlle")
    assert result.outcome == MailOutcome.DONE
    gazette = Gazette.objects.get()
    assert (gazette.phase_number, gazette.text) == (1, "Paix à Paris.\n\npassez tout\nMaëlle")
    assert "| gazette :" in said(result)
    assert "Gazette publiée : Printemps 1901" in said(result)


@pytest.mark.parametrize("text", ["gazette :", "gazette : \n \n", f"gazette : {'x' * 20_001}"])
def test_no_gazette(text: str) -> None:
    game = led()
    assert directed(game, text).outcome == MailOutcome.PARTLY_DONE
    assert not Gazette.objects.exists()


def late_orders(game: Game, text: str = "A Par - Bur\nF Bre - Man", power: str = "FRANCE") -> InboundDelivery:
    """Orders that come by mail after the deadline, while the game waits."""
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond(PLAYERS[power]), power)
    data = f"From: x@y.fr\r\nSubject: ordres\r\nMessage-ID: <{text[:9]}@y>\r\n\r\n{text}\r\n".encode()
    message = inbound_storage.store_email(data, [box], "", timezone.now())
    assert inbound_processing.process_due_mail(timezone.now()) == 1
    arrival = message.arrivals.get()
    assert arrival.outcome == MailOutcome.LATE, arrival.outcome
    return arrival


def overdue() -> Game:
    game = led(absent="wait")
    ready(game, but=("FRANCE", "ITALY"))
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - HOUR, next_check_at=None)
    return fresh(game)


def test_late_orders_let_in() -> None:
    game = overdue()
    late_orders(game)
    last = late_orders(game, "A Par - Pic")
    assert people_told(game, "late_orders") == {MASTER}
    status = said(directed(game, "état"))
    assert "Ordres en retard reçus par courriel : France." in status
    assert "Pour les accepter, répondez par exemple « acceptez France »." in status
    result = directed(game, "grâce à la France et à l’Italie")
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A Par - Pic"]
    assert "Ordres en retard acceptés : France." in said(result)
    assert "Pas d’ordres en retard par courriel en attente pour cette phase : Italie." in said(result)
    last.refresh_from_db()
    assert last.outcome == MailOutcome.GRANTED
    assert deadline_actions.powers_missing_orders(fresh(game)) == ("ITALY",)


# what is said


def test_standing_and_help() -> None:
    game = led()
    hand_in(game, "FRANCE", at=timezone.now())
    status = directed(game, "état")
    assert status.outcome == MailOutcome.DONE
    assert "- France : envoyés" in said(status) or "France" in said(status)
    assert "Commandes disponibles".upper() not in said(status)
    assert "COMMANDES DISPONIBLES" in said(directed(game, "aide"))


def test_nothing_understood() -> None:
    game = led()
    result = directed(game, "Bonjour,\n\npasez 3\n\nMaëlle")
    assert result.outcome == MailOutcome.NOT_UNDERSTOOD
    told = said(result)
    assert "Aucune commande dans votre courriel : rien n’a été fait" in told
    assert "| pasez 3 Vouliez-vous dire « transmettez 3 et 5 » ?" in told
    assert "COMMANDES DISPONIBLES" in told


def test_prose_does_no_harm() -> None:
    game = led()
    hold(game)
    result = directed(game, "Bonjour,\nj’ai tout lu.\npassez 1\nBien à vous,\nMaëlle")
    assert (result.outcome, states(game)) == (MailOutcome.DONE, [MessageState.DELIVERED])
    assert "| Bonjour," in said(result)


def test_each_line_by_itself() -> None:
    """One that is refused undoes no other."""
    game = led()
    hold(game)
    result = directed(game, "passez 9\nprolongez hier\npassez 1\npubliez\npause\n")
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert states(game) == [MessageState.DELIVERED]
    assert fresh(game).state == GameState.PAUSED


def test_too_many_commands() -> None:
    game = led()
    result = directed(game, "passez 1\n" * 100)
    assert "Pas fait : trop de choses pour un seul courriel. Renvoyez" in said(result)
    assert len(result.facts["deeds"]) == 60


@pytest.mark.long
def test_too_many_letters() -> None:
    game = led()
    result = directed(game, "passez 1 à 150\npassez 151 à 250\npause")
    assert "Pas fait : trop de choses pour un seul courriel. Renvoyez" in said(result)
    assert (len(result.facts["deeds"]), fresh(game).state) == (150, GameState.PLAYING)


def test_in_english() -> None:
    game = led()
    master = person(MASTER)
    master.language, master.time_zone = "en", "America/New_York"
    master.save()
    hold(game)
    result = directed(game, "pass 1\nextend 2 days\nfoo")
    told = said(result)
    assert "Message 1: forwarded." in told
    assert "New York" in told
    assert result.answer is not None
    assert result.answer.subject == "[La table ronde · Spring 1901, movement] done"


def test_answers_hold_no_line_that_would_be_done_again() -> None:
    """An answer that comes back unmarked and uncut asks for nothing."""
    game = led()
    hold(game)
    result = directed(game, "passez 1\npasez 2\naide\npublie\nprolongez")
    assert result.answer is not None
    done = fresh(game).version
    arrival = arrived(game, "x")
    gm_mail.process_gm_mail(arrival, ParsedEmail(MessageClass.PERSONAL, text=result.answer.text))
    assert InboundDelivery.objects.get(pk=arrival.pk).facts == {}
    assert fresh(game).version == done


# whose desk it is


def test_the_whole_way() -> None:
    game = led()
    hold(game)
    arrival, answer = answered(game, "passez 1")
    assert (arrival.outcome, states(game)) == (MailOutcome.DONE, [MessageState.DELIVERED])
    assert arrival.facts["deeds"]["0.1"] == {"said": "passed", "letter": 1}
    assert (answer.person, answer.power, answer.reply_mailbox) == (person(MASTER), "@", desk_of(game))
    assert answer.subject == "[La table ronde · Printemps 1901, mouvements] fait"
    assert all(len(line) <= 72 for line in answer.text.splitlines())


def test_the_same_mail_again() -> None:
    game = led()
    answered(game, "prolongez 24 h", key="once")
    due = fresh(game).deadline
    second = arrived(game, "prolongez 24 h", key="once")
    inbound_processing.process_due_mail(timezone.now())
    second.refresh_from_db()
    assert second.outcome == MailOutcome.REPEATED
    assert fresh(game).deadline == due
    assert taken(second).outcome == MailOutcome.DONE  # even if it came to the desk
    assert fresh(game).deadline == due


def test_the_same_words_another_day_are_another_mail() -> None:
    game = led()
    assert game.deadline is not None
    directed(game, "prolongez 24 h", key="one")
    directed(game, "prolongez 24 h", key="two")
    assert fresh(game).deadline == game.deadline + 2 * DAY


def test_no_longer_game_master() -> None:
    game = led()
    hold(game)
    arrival = arrived(game, "passez 1\npause")
    GameMembership.objects.filter(game=game, person=person(MASTER)).update(role=GameRole.ASSISTANT)
    result = taken(arrival)
    assert result.outcome == MailOutcome.NOT_YOURS
    assert states(game) == [MessageState.HELD]
    assert fresh(game).state == GameState.PLAYING
    assert "rien n’a été fait" in said(result)
    assert "France" not in said(result)


@pytest.mark.parametrize("name", [ASSISTANT, "Flora", "Oscar", "Sylvain"])
def test_nobody_else_has_a_desk_by_mail(name: str) -> None:
    game = led()
    hold(game)
    correspond(name)
    result = directed(game, "passez 1\npubliez quand même\npause\naide", name=name)
    assert result.outcome == MailOutcome.NOT_YOURS
    assert states(game) == [MessageState.HELD]
    assert (fresh(game).phase_number, fresh(game).state) == (1, GameState.PLAYING)


def test_an_assistant_is_given_none() -> None:
    game = led()
    subscribing.subscribe(game, correspond(ASSISTANT))
    subscribing.subscribe(game, correspond("Flora"))
    subscription_sweep.queue_due_mail(timezone.now())
    boxes = Mailbox.objects.filter(purpose=MailboxPurpose.DESK)
    assert {box.person.name for box in boxes if box.person} <= {MASTER}


LINES = st.sampled_from(
    [
        "passez tout",
        "rendez 1 :",
        "pause",
        "reprise",
        "prolongez",
        "gazette :",
        "publiez",
        "grâce France",
        "\x00",
    ]
)


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(text=st.text(max_size=400) | st.lists(LINES, max_size=9).map("\n".join), subject=st.text(max_size=60))
def test_any_text_is_an_outcome(text: str, subject: str) -> None:
    game = Game.objects.filter(name="La table ronde").first() or led()
    arrival = arrived(game, "x")
    result = safe(
        gm_mail.process_gm_mail(arrival, ParsedEmail(MessageClass.PERSONAL, text=text, subject=subject))
    )
    assert result.outcome in (MailOutcome.DONE, MailOutcome.PARTLY_DONE, MailOutcome.NOT_UNDERSTOOD)
    assert result.answer is not None
    result.answer.text.encode()


def test_what_a_game_master_says_to_others_gives_no_address_away() -> None:
    """Whoever has the address of the desk leads the game."""
    game = led()
    all_hand_in(game)
    desk = mailboxes.mailbox_address(desk_of(game))
    directed(
        game, f"publiez\ngazette : Écrivez-moi.\nVotre arbitre, {desk.upper()}\n\nMaëlle\n06 12 34 56 78"
    )
    assert Gazette.objects.get().text == "Écrivez-moi.\nVotre arbitre, […]\n\nMaëlle"
    letter = hold(game)
    directed(game, f"rendez 1 : écrivez à {desk}\ntél. 06 12 34 56 78")
    letter.refresh_from_db()
    assert letter.return_reason == "écrivez à […] tél. 06 12 34 56 78"
