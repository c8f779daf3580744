"""Orders by mail on real games: what is handed in, what is refused, what is answered."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talleyrand import variants
from talleyrand.web.games import deadline_clock, order_submission, power_assignments
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import ExpectedRevision, GameMasterActor
from talleyrand.web.games.models import Game, GameRole, GameState, OrderSet
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.mailed_orders import order_mail, order_parsing
from talleyrand.web.mail.models import MailboxPurpose, OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import LeftOut, LeftOutKind, MessageClass, ParsedEmail
from tests.web.cast import BEGUN, MASTER, client_of, deal, person, table
from tests.web.games.acting import HOUR, SECOND, all_hand_in, due, fresh, hand_in, seat, sweep_at_deadline
from tests.web.games.phases import GRACE, SLOW, first_winter, second_phase

from .correspondents import correspond
from .orders import arrival, box, sent, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

BOOKS = ("anjou_feu", "play_by_mail_001", "asmodee_2006")
SHEET = "Bonjour, voici mes ordres :\n\nA Par - Bur\nF Bre - MAO\nA Mar S A Par - Bur\n\nMerci, à vendredi"
LINES = ["A Par - Bur", "F Bre - MAO", "A Mar S A Par - Bur"]
TAG = "Re: [La table ronde · Printemps 1901, mouvements] Ordres"


def game(book: str = "anjou_feu", **terms: Any) -> Game:
    return table(rulebook=book, **{"rhythm": SLOW, **terms})


def standing(one: Game, power: str = "FRANCE") -> OrderSet | None:
    now = fresh(one)
    return order_submission.counting_order_sets(now, now.phase_number).get(power)


def opened(one: Game) -> datetime:
    found = fresh(one).phase_opened_at
    assert found is not None
    return found


def text(result: ProcessingResult) -> str:
    assert result.answer is not None
    return result.answer.text


# handed in


@pytest.mark.parametrize("book", BOOKS)
def test_a_whole_sheet_is_handed_in_and_told(book: str) -> None:
    one = game(book)
    result = sent(one, SHEET, TAG)
    sheet = standing(one)
    assert result.outcome == MailOutcome.TAKEN
    assert sheet is not None
    assert (sheet.lines, sheet.origin, sheet.submitted_by) == (LINES, "mail", person("Flora"))
    assert sheet.received_at == opened(one) + timedelta(hours=1)
    assert (result.facts["receipt"], result.facts["number"]) == (1, 1)
    told = text(result)
    assert "| A Paris - Bourgogne\n| F Brest - Atlantique moyen" in told
    assert "| Bonjour, voici mes ordres :" in told
    assert "| Merci, à vendredi" in told
    assert sheet.digest[:8] in told.replace("\n", " ")
    assert "Ordres nº\u00a01 reçus le 2 mars à 14:00:00, heure de Paris" in told.replace("\n", " ")


def test_the_subject_says_that_lines_have_no_effect() -> None:
    for bad, told in ((["F Bre - Npa"], "1 ligne"), (["F Bre - Npa", "A Mar - Npa"], "2 lignes")):
        answer = sent(game(), "\n".join(["A Par - Bur", *bad])).answer
        assert answer is not None
        assert answer.subject.replace("\u00a0", " ").endswith(f"ordres reçus (nº 1) ({told} sans effet)")


def test_the_answer_speaks_the_language_of_its_reader() -> None:
    one, flora = game(), person("Flora")
    flora.language, flora.time_zone = "en", "America/New_York"
    flora.save()
    result = sent(one, SHEET)
    assert result.answer is not None
    assert result.answer.subject == "[La table ronde · Spring 1901, movement] France: orders received (v1)"
    told = text(result).replace("\n", " ")
    assert "Orders v1 received on 2 March at 08:00:00, New York time" in told
    assert "| A Paris - Burgundy" in told


def test_what_we_answer_holds_no_order() -> None:
    """Whatever a mail program makes of it: every line that repeats one is marked."""
    one = game()
    answers = [
        text(sent(one, f"{SHEET}\nA Ber - Kie\nItalie :\nA Ven - Tyr\nA Par - Xyzt", TAG)),
        text(sent(one, "Merci")),
        text(sent(one, "A Par - Xyzt")),
        text(sent(one, "aucun ordre")),
        text(sent(one, "Automne 1901\nA Par - Bur")),
        text(sent(one, SHEET, at=due(one) + SECOND)),
    ]
    before = standing(one)
    for answer in answers:
        assert sent(one, answer).outcome == MailOutcome.NO_ORDERS
        assert max(map(len, answer.splitlines())) <= 72
    assert standing(one) == before


@pytest.mark.one_in(4)
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("line", ["A Par", "A Esp", "F Par", "Construit une armée à Brest"])
def test_a_build_that_cannot_be_is_not_confirmed(line: str, book: str) -> None:
    one = first_winter(rulebook=book)
    told = " ".join(text(sent(one, line)).replace("|", " ").split())
    assert "COMPRIS" not in told.replace("NON COMPRIS OU IMPOSSIBLES", "")
    assert "Constructions possibles : A Marseille ou F Marseille." in told
    assert "| A Marseille" in text(sent(one, "A Mar"))


def test_the_site_shows_how_a_sheet_came() -> None:
    one = game()
    sent(one, SHEET)
    flora, master = client_of("Flora"), client_of(MASTER)
    receipt = flora.get(reverse("games:receipt", args=[one.key, 1, "FRANCE", 1])).content.decode()
    assert "heure de Paris, par courriel." in receipt
    assert "par courriel" in flora.get(reverse("games:game", args=[one.key])).content.decode()
    desk = master.get(reverse("games:desk", args=[one.key])).content.decode()
    assert "heure de Paris, par courriel" in desk


def test_a_later_mail_replaces_the_sheet_as_a_whole() -> None:
    one = game()
    sent(one, SHEET)
    result = sent(one, "A Par - Pic")
    sheet = standing(one)
    assert sheet is not None
    assert (sheet.lines, sheet.receipt_number) == (["A Par - Pic"], 2)
    assert "Sans ordre, sur place" in text(result)
    assert seat(one, "FRANCE").draft_orders == ["A Par - Pic"]  # the page shows what counts


def test_badly_written_orders_stay_on_the_sheet() -> None:
    one = game("play_by_mail_001")
    result = sent(one, "A Par - Bur\nF Bre - Mxyzt")
    sheet = standing(one)
    assert sheet is not None
    assert sheet.lines == ["A Par - Bur", "F Bre - Mxyzt"]
    assert "NON COMPRIS OU IMPOSSIBLES\n| F Bre - Mxyzt\n|     Pas compris" in text(result)


def test_a_first_sheet_of_nothing_but_bad_orders_is_one() -> None:
    one = game()
    assert sent(one, "A Par - Mxyzt").outcome == MailOutcome.TAKEN
    assert standing(one) is not None


def test_a_good_sheet_stands_where_nothing_of_the_next_is_understood() -> None:
    one = game()
    sent(one, SHEET)
    result = sent(one, "A Par - Mxyzt")
    sheet = standing(one)
    assert result.outcome == MailOutcome.NO_ORDERS
    assert sheet is not None
    assert sheet.lines == LINES
    assert "| A Par - Mxyzt\n|     Pas compris" in text(result)
    assert "nº\u00a01" in text(result)


@pytest.mark.parametrize("words", ["aucun ordre", "No orders.", "Bonjour,\n\nPas d’ordres\n\nFlora"])
def test_an_explicit_empty_sheet_is_a_sheet(words: str) -> None:
    one = game()
    sent(one, SHEET)
    assert sent(one, words).outcome == MailOutcome.TAKEN
    sheet = standing(one)
    assert sheet is not None
    assert sheet.lines == []


@pytest.mark.parametrize(
    "words", ["", "\n\n", "Merci", "Je réfléchis encore", "> A Par - Pic", "| A Par - Pic"]
)
def test_a_mail_without_orders_changes_nothing(words: str) -> None:
    one = game()
    sent(one, SHEET)
    result = sent(one, words)
    assert result.outcome == MailOutcome.NO_ORDERS
    assert OrderSet.objects.count() == 1
    assert "nº\u00a01" in text(result)
    assert "aucun ordre" in text(result)


def test_orders_in_quotes_or_attached_alone_are_pointed_out() -> None:
    one = game()
    quoted = text(sent(one, "Voilà !", left=(LeftOut(LeftOutKind.QUOTE),)))
    assert "Un texte cité ou transféré n’est jamais lu" in quoted
    attached = text(sent(one, "Voir la pièce jointe", left=(LeftOut(LeftOutKind.DOCUMENT, "ordres.odt"),)))
    assert "(ordres.odt)" in attached
    nameless = text(sent(one, "Voir la pièce jointe", left=(LeftOut(LeftOutKind.DOCUMENT),)))
    assert "Les pièces jointes ne sont pas lues\u00a0: écrivez vos ordres dans le" in nameless
    beside = text(
        sent(one, SHEET, left=(LeftOut(LeftOutKind.DOCUMENT, "ordres.odt"), LeftOut(LeftOutKind.QUOTE)))
    )
    assert "(ordres.odt)" in beside
    assert "cité" not in beside  # whoever answers a mail quotes it


def test_orders_in_the_subject_are_pointed_out() -> None:
    answer = text(sent(game(), "", "A Par - Bur, F Bre - MAO"))
    assert "L’objet n’est pas lu\u00a0: écrivez vos ordres dans le courriel" in answer
    assert "L’objet" not in text(sent(game(), "Merci", TAG))


def test_a_question_is_sent_on_to_the_game_master() -> None:
    one = game()
    master = mailboxes.mailbox_address(
        mailboxes.get_mailbox(MailboxPurpose.MESSAGE, one, person("Flora"), "FRANCE", "@")
    )
    assert master in text(sent(one, "Puis-je avoir un jour de plus ?"))
    assert master not in text(sent(one, SHEET))


def test_what_a_shorter_sheet_no_longer_orders_is_told() -> None:
    one = game()
    sent(one, SHEET)
    answer = text(sent(one, "A Par - Pic"))
    lost = answer.partition("Ils remplacent les ordres nº\u00a01")[2]
    assert "| F Brest - Atlantique moyen" in lost
    assert "A Paris" not in lost.partition("Pour les garder, renvoyez tous vos ordres ensemble")[0].replace(
        "soutient A Paris", ""
    )
    assert "Ils remplacent" not in text(sent(one, SHEET))


# final


def test_final_with_orders_and_alone() -> None:
    one = game()
    assert sent(one, f"{SHEET}\ndéfinitif").facts["final"] is True
    assert seat(one, "FRANCE").is_ready
    sent(one, "A Par - Pic")
    assert not seat(one, "FRANCE").is_ready
    result = sent(one, "Définitif !")
    assert (result.outcome, result.facts["receipt"]) == (MailOutcome.TAKEN, 2)
    assert seat(one, "FRANCE").is_ready
    assert OrderSet.objects.count() == 2
    assert sent(one, "pas définitif").facts["final"] is False
    assert not seat(one, "FRANCE").is_ready


def test_final_without_a_sheet_is_told() -> None:
    result = sent(game(), "final")
    assert result.outcome == MailOutcome.NO_ORDERS
    assert "Envoyez d’abord vos ordres, puis dites que vous êtes prêt" in text(result)


def test_final_too_late_is_told_and_waits_for_nobody() -> None:
    one = game()
    sent(one, SHEET)
    result = sent(one, "final", at=due(one) + SECOND)
    assert result.outcome == MailOutcome.NO_ORDERS
    assert "lines" not in result.facts
    assert not seat(one, "FRANCE").is_ready


# the deadline


@pytest.mark.parametrize(("late", "outcome"), [(0, MailOutcome.TAKEN), (1, MailOutcome.LATE)])
def test_late_begins_with_the_second_after_the_deadline(late: int, outcome: MailOutcome) -> None:
    one = game()
    result = sent(one, f"{SHEET}\nfinal", at=due(one) + timedelta(microseconds=late))
    assert result.outcome == outcome
    assert (standing(one) is not None) == (outcome == MailOutcome.TAKEN)
    if late:
        facts = {"power": "FRANCE", "number": 1, "phase": "S1901M", "lines": LINES, "final": True}
        assert result.facts == facts
        json.dumps(result.facts)
        assert "Ils sont gardés" in text(result)


def test_grace_is_for_those_without_a_sheet() -> None:
    one = game(rhythm=GRACE)
    sent(one, "A Ven - Tyr", power="ITALY")
    after = due(one) + SECOND
    assert sent(one, "A Ven - Pie", power="ITALY", at=after).outcome == MailOutcome.LATE
    assert sent(one, SHEET, at=after).outcome == MailOutcome.TAKEN


def test_a_paused_game_takes_sheets() -> None:
    one = game()
    Game.objects.update(state=GameState.PAUSED, deadline=None)
    result = sent(one, SHEET, at=BEGUN + timedelta(days=300))
    assert result.outcome == MailOutcome.TAKEN
    assert "en pause" in text(result)


# the phase


def test_a_mail_from_before_the_phase_is_for_the_one_before() -> None:
    one = game()
    all_hand_in(one, but=["FRANCE"])
    hand_in(one, "FRANCE")
    late = arrival(one, at=due(one) - SECOND)  # read only when the phase is published
    sweep_at_deadline(one)
    result = take(late, "A Par - Bur")
    assert result.outcome == MailOutcome.OTHER_PHASE
    assert (result.facts["why"], result.facts["number"], result.facts["phase"]) == ("before", 1, "S1901M")
    assert result.facts["lines"] == ["A Par - Bur"]
    assert standing(one) is None
    assert "renvoyez-les" in text(result)


def test_a_mail_between_the_deadline_and_its_publication_is_for_the_phase_before() -> None:
    """The next phase counts from the deadline, though nobody has seen it yet."""
    now = timezone.now()
    one = game()
    Game.objects.update(phase_opened_at=now - timedelta(days=2), deadline=now - timedelta(minutes=1))
    all_hand_in(one)
    deadline_clock.check_due_games(now)
    assert fresh(one).phase == "F1901M"
    assert fresh(one).phase_opened_at == now - timedelta(minutes=1)
    between = sent(one, "A Par - Gas", at=now - timedelta(seconds=30))
    assert (between.outcome, between.facts["why"]) == (MailOutcome.OTHER_PHASE, "before")
    assert sent(one, "A Mar - Spa", at=timezone.now() + SECOND).outcome == MailOutcome.TAKEN


@pytest.mark.parametrize(
    ("subject", "body", "why"),
    [
        (TAG, "A Mar - Spa", "past"),
        ("Ordres printemps 1901", "A Mar - Spa", "past"),
        ("Orders for Spring 1902", "A Mar - Spa", "subject"),
        ("", "Printemps 1901\nA Mar - Spa", "past"),
        ("", "Retraites :\nA Bur - Par", "heading"),
        ("", "Hiver 1901\nF Bre", "heading"),
        ("Re: [La table ronde · Automne 1901, mouvements]", "Printemps 1902\nA Mar - Spa", "heading"),
    ],
)
def test_orders_for_another_phase_are_not_taken(subject: str, body: str, why: str) -> None:
    one = second_phase()
    result = sent(one, body, subject)
    assert (result.outcome, result.facts["why"]) == (MailOutcome.OTHER_PHASE, why)
    assert standing(one) is None
    assert "Automne 1901" in text(result)


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Re: [La table ronde · Automne 1901, mouvements] Ordres", "A Mar - Spa"),
        ("Re: [La table ronde · Autumn 1901, movement] Orders", "A Mar - Spa"),
        (TAG, "Automne 1901\nA Mar - Spa"),  # what was written now says more than what was answered
        (TAG, "F1901M\nA Mar - Spa"),
        ("", "Automne 1901\nA Mar - Spa\nPrintemps 1902\nA Spa - Por"),
        ("Résultats printemps 1901 et ordres automne 1901", "A Mar - Spa"),
    ],
)
def test_orders_for_the_open_phase_are_taken(subject: str, body: str) -> None:
    one = second_phase()
    assert sent(one, body, subject).outcome == MailOutcome.TAKEN
    sheet = standing(one)
    assert sheet is not None
    assert sheet.lines == ["A Mar - Spa"]


def test_a_word_of_thanks_to_an_old_mail_is_no_sheet_for_another_phase() -> None:
    assert sent(second_phase(), "Merci !", TAG).outcome == MailOutcome.NO_ORDERS


def test_whoever_has_nothing_to_order_is_told() -> None:
    one = second_phase()
    situation = {
        "phase": "S1901R",
        "units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]},
        "dislodged": {"GERMANY": [{"unit": "A RUH", "by": "BUR", "convoyed": False}]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    }
    one.revisions.filter(phase_number=1, is_current=True).update(next_situation=situation)
    Game.objects.update(phase="S1901R")
    result = sent(one, "A Bur - Mar")
    assert (result.outcome, result.facts["why"]) == (MailOutcome.OTHER_PHASE, "idle")
    retreat = sent(one, "A Ruh - Hol", power="GERMANY")
    assert retreat.outcome == MailOutcome.TAKEN
    assert "A Ruhr" in text(retreat)


def test_after_a_phase_was_taken_back_older_mails_are_for_another() -> None:
    one = second_phase()
    old = arrival(one, at=opened(one) + SECOND)
    hand = GameMasterActor(person(MASTER), GameRole.GAME_MASTER)
    last = one.revisions.get(phase_number=1, is_current=True)
    phase_corrections.roll_back_phase(
        fresh(one), ExpectedRevision(last.phase_number, last.revision), hand=hand, now=due(one)
    )
    result = take(old, "A Mar - Spa")
    assert result.outcome == MailOutcome.OTHER_PHASE
    assert sent(one, "A Mar - Spa").outcome == MailOutcome.TAKEN


# games that are not played, and powers that are not one's own


def test_games_that_have_not_begun_or_are_over() -> None:
    waiting = table(begun=False)
    assert sent(waiting, SHEET).outcome == MailOutcome.NOT_BEGUN
    one = game()
    for state in (GameState.ENDED, GameState.ABANDONED):
        Game.objects.filter(pk=one.pk).update(state=state)
        assert sent(one, SHEET).outcome == MailOutcome.OVER
    assert not OrderSet.objects.exists()


def test_whoever_was_replaced_orders_no_more_and_learns_nothing() -> None:
    one = game()
    sent(one, SHEET)
    row = arrival(one)
    power_assignments.end_assignment(one, "FRANCE")
    power_assignments.assign_power(one, "FRANCE", person("Sylvain"))
    result = take(row, "A Par - Pic")
    assert result.outcome == MailOutcome.NOT_YOURS
    assert dict(result.facts) == {"power": "FRANCE"}
    for secret in ("nº", "Printemps", "Paris", "Par"):
        assert secret not in text(result)


# twice, and in the wrong order


def test_a_mail_read_twice_is_one_sheet() -> None:
    one = game()
    row = arrival(one)
    first, again = take(row, SHEET), take(row, SHEET)
    assert first == again
    assert OrderSet.objects.count() == 1


def test_a_mail_read_again_after_its_phase_was_published_is_still_a_sheet() -> None:
    """Killed between the sheet and its outcome; meanwhile the clock has published."""
    one = game()
    all_hand_in(one, but=["FRANCE"])
    row = arrival(one)
    take(row, f"{SHEET}\nfinal")
    sweep_at_deadline(one)
    again = take(row, f"{SHEET}\nfinal")
    assert (again.outcome, again.facts["number"], again.facts["receipt"]) == (MailOutcome.TAKEN, 1, 1)
    assert "| A Paris - Bourgogne" in text(again)
    assert OrderSet.objects.filter(power="FRANCE").count() == 1


def test_a_mail_read_again_after_a_later_one_says_which_counts() -> None:
    one = game()
    row = arrival(one)
    take(row, SHEET)
    sent(one, "A Par - Pic")
    assert "Les ordres nº\u00a02 ont été reçus depuis" in text(take(row, SHEET)).replace("\n", " ")
    sheet = standing(one)
    assert sheet is not None
    assert sheet.lines == ["A Par - Pic"]


def test_a_delayed_mail_does_not_undo_a_later_sheet() -> None:
    one = game()
    row = arrival(one, at=opened(one) + SECOND)
    hand_in(one, "FRANCE", ["A Par - Pic"], at=opened(one) + 2 * SECOND)
    assert take(row, SHEET).outcome == MailOutcome.OVERTAKEN
    sheet = standing(one)
    assert sheet is not None
    assert sheet.lines == ["A Par - Pic"]


def test_a_delayed_final_is_not_meant_for_a_later_sheet() -> None:
    one = game()
    sent(one, SHEET)
    row = arrival(one, at=opened(one) + HOUR)
    hand_in(one, "FRANCE", ["A Par - Pic"], at=opened(one) + 2 * HOUR)
    assert take(row, "définitif").outcome == MailOutcome.OVERTAKEN
    assert not seat(one, "FRANCE").is_ready


def test_a_phase_may_be_published_while_a_mail_is_read() -> None:
    one = game()
    all_hand_in(one)
    row = arrival(one)
    orders = order_mail.OrderMail(row, ParsedEmail(MessageClass.PERSONAL, text="A Par - Pic"))
    assert orders.found.orders == ("A Par - Pic",)
    sweep_at_deadline(one)
    result = orders.result()
    assert (result.outcome, result.facts["why"]) == (MailOutcome.OTHER_PHASE, "before")
    assert (result.facts["number"], result.facts["lines"]) == (1, ["A Par - Pic"])


def test_one_mail_for_two_powers_brings_each_its_own() -> None:
    one = game()
    deal(one, "ITALY", "Flora")
    both = "FRANCE\nA Par - Bur\nITALIE\nA Ven - Tyr"
    rows = [arrival(one, power, name="Flora") for power in ("FRANCE", "ITALY")]
    for row in rows:
        row.content_digest = "the same"
        row.save()
        assert take(row, both).outcome == MailOutcome.TAKEN
    found = {power: standing(one, power) for power in ("FRANCE", "ITALY")}
    assert {power: sheet and sheet.lines for power, sheet in found.items()} == {
        "FRANCE": ["A Par - Bur"],
        "ITALY": ["A Ven - Tyr"],
    }


# from bytes to the outbox


REPLY = """From: Flora <flora@exemple.fr>
To: {address}
Subject: Re: {subject}
Message-ID: <{number}@exemple.fr>
Content-Type: text/plain; charset=utf-8

{text}

Le lun. 2 mars 2026, 14:00, La table ronde a écrit :
{quoted}
"""


def test_whoever_answers_our_answers_is_read_and_not_we() -> None:
    one, now = game(), timezone.now()
    correspond("Flora")
    Game.objects.update(phase_opened_at=now - HOUR, deadline=now + HOUR)
    texts = ("A Par - Bur\nA Mar - Spa", "Merci !", "A Mar - Brugundia", "A Par - Pic\ndéfinitif")
    subject, quoted, outcomes = "Ordres", "> A Par - Gas", []
    for number, words in enumerate(texts):
        address = mailboxes.mailbox_address(box(one))
        raw = REPLY.format(address=address, subject=subject, number=number, text=words, quoted=quoted)
        row = inbound_storage.store_email(raw.encode(), [box(one)], "", timezone.now()).arrivals.get()
        inbound_processing.process_due_mail(timezone.now())
        row.refresh_from_db()
        outcomes.append(row.outcome)
        answer = OutboundEmail.objects.order_by("pk").last()
        assert answer is not None
        subject, quoted = answer.subject, "".join(f"> {line}\n" for line in answer.text.splitlines())
    assert outcomes == [MailOutcome.TAKEN, MailOutcome.NO_ORDERS, MailOutcome.NO_ORDERS, MailOutcome.TAKEN]
    assert [sheet.lines for sheet in OrderSet.objects.order_by("pk")] == [
        texts[0].splitlines(),
        ["A Par - Pic"],
    ]
    assert seat(one, "FRANCE").is_ready


# whatever comes


@pytest.mark.parametrize("body", ["A Par - Bur\n" * 500, "x" * 200_000, "A Par - B\ufffdr"])
def test_what_no_sheet_may_hold_is_told(body: str) -> None:
    one = game()
    sent(one, SHEET)
    result = sent(one, body)
    assert result.outcome == MailOutcome.UNFIT
    assert OrderSet.objects.count() == 1
    assert "nº\u00a01" in text(result)


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300), st.text(max_size=80))
def test_any_text_has_a_stated_outcome(body: str, subject: str) -> None:
    one = Game.objects.first() or game()
    result = sent(one, body, subject)
    assert result.outcome in (
        MailOutcome.TAKEN,
        MailOutcome.NO_ORDERS,
        MailOutcome.OTHER_PHASE,
        MailOutcome.UNFIT,
    )
    json.dumps(dict(result.facts)).encode()
    assert result.answer is not None
    assert (result.answer.subject + result.answer.text).encode()
    assert "\x00" not in result.answer.text


def test_the_tag_of_the_answer_is_that_of_the_open_phase() -> None:
    one = second_phase()
    result = sent(one, "A Mar - Spa")
    assert result.answer is not None
    assert order_parsing.tagged_phase(result.answer.subject, variants.load("classic")) == "F1901M"
