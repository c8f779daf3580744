"""Ending a game by agreement and signing in, without ever opening the site: commands in a player's mail."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.endings import agreed_end, end_proposals
from talleyrand.web.games.game_settings import DrawRule
from talleyrand.web.games.models import (
    EndProposal,
    EndProposalBallot,
    Game,
    GameState,
    OrderSet,
    PowerAssignment,
)
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.games.unread_email_orders import wait_for_orders
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.mailed_orders import command_actions, order_mail, player_commands
from talleyrand.web.mail.mailed_orders.player_commands import PlayerAction, PlayerCommand
from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import MessageClass, ParsedEmail
from talleyrand.web.notifications.models import Notification
from talleyrand.web.notifications.notification_sentences import notification_sentence
from tests.web.cast import PLAYERS, client_of, person, table
from tests.web.games.acting import HOUR, fresh
from tests.web.games.phases import SLOW, second_phase

from .collected import flowing, last, settled, sweep
from .orders import arrival, own_address, sent, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
OTHERS = [power for power in PLAYERS if power != "FRANCE"]
NAMES = command_actions.power_names(variants.load("classic"))


def game(**terms: Any) -> Game:
    return table(**{"rhythm": SLOW, **terms})


def state(one: Game) -> str:
    return str(EndProposal.objects.filter(game=one).latest("pk").state)


def text(result: ProcessingResult) -> str:
    assert result.answer is not None
    return flowing(result.answer.text)


def opened_at(one: Game, hours: int) -> Any:
    found = fresh(one).phase_opened_at
    assert found is not None
    return found + hours * HOUR


def test_a_game_ends_in_a_draw_by_mail_alone() -> None:
    one = game()
    result = sent(one, "Je propose la nulle.\n\nCordialement")
    assert result.outcome == MailOutcome.ANSWERED
    assert "FIN DE PARTIE PROPOSÉE" in text(result)
    for power in OTHERS[:-1]:
        answered = sent(one, "vote oui France", power=power, at=opened_at(one, 2))
        assert "Votre vote : oui." in text(answered)
    assert state(one) == "voting"
    sent(one, "Oui", power=OTHERS[-1], at=opened_at(one, 3))
    ended = fresh(one)
    assert (ended.state, ended.result["kind"]) == (GameState.ENDED, "draw")  # type: ignore[index]


def test_orders_and_a_vote_in_one_mail_both_count() -> None:
    one = game()
    sent(one, "propose a draw")
    result = sent(one, "F Tri - Alb\nvote no\nA Vie - Tri", power="AUSTRIA", at=opened_at(one, 2))
    assert result.outcome == MailOutcome.TAKEN
    assert result.answer is not None
    assert "sans effet" not in result.answer.subject
    assert OrderSet.objects.get(game=one, power="AUSTRIA").lines == ["F Tri - Alb", "A Vie - Tri"]
    assert EndProposalBallot.objects.get().choice == "no"
    assert "A Vienne" in text(result)


@pytest.mark.parametrize(
    ("commands", "said"),
    [("veto", "(1 commande sans effet)"), ("vote yes\nvote no", "(2 commandes sans effet)")],
)
def test_the_subject_of_a_receipt_says_that_a_command_was_refused(commands: str, said: str) -> None:
    one = game()
    sent(one, "propose a draw")
    result = sent(one, f"F Tri - Alb\n{commands}", power="AUSTRIA", at=opened_at(one, 2))
    assert result.outcome == MailOutcome.TAKEN
    assert result.answer is not None
    assert result.answer.subject.replace("\u00a0", " ").endswith(f"ordres reçus (nº 1) {said}")
    assert not EndProposalBallot.objects.exists()


def test_the_ballot_stays_secret() -> None:
    """Neither what is kept with the mail, nor what the game master or anybody is sent, tells who said no."""
    one = game()
    sent(one, "proposer la nulle")
    row = arrival(one, "ITALY", opened_at(one, 2))
    result = take(row, "vote non France")
    assert "non" not in str(result.facts)
    assert "no" not in {str(fact.get("choice")) for fact in result.facts["deeds"].values()}
    told = text(sent(one, "vote oui", power="TURKEY", at=opened_at(one, 3)))
    assert "Votre vote" in told
    assert "non" not in told.replace("sans réponse", "").split("Doivent accepter")[0].split()
    for power in OTHERS:
        sent(one, "vote oui" if power != "ITALY" else "vote non", power=power, at=opened_at(one, 4))
    assert state(one) == "refused"
    assert fresh(one).state == GameState.PLAYING


def test_the_same_mail_read_again_votes_once_and_does_not_undo_a_later_answer() -> None:
    one = game()
    sent(one, "propose a draw")
    row = arrival(one, "ITALY", opened_at(one, 2))
    take(row, "vote yes")
    proposal = EndProposal.objects.get()
    end_proposals.answer_end_proposal(one, proposal.pk, "ITALY", "no", opened_at(one, 3))
    take(row, "vote yes")
    assert EndProposalBallot.objects.get().choice == "no"
    late = text(sent(one, "vote yes", power="ITALY", at=opened_at(one, 2) + timedelta(minutes=1)))
    assert "Vous avez répondu depuis" in late
    assert EndProposalBallot.objects.get().choice == "no"


def test_an_answer_counts_for_the_proposal_it_was_written_for() -> None:
    one = game()
    sent(one, "propose a draw", at=opened_at(one, 1))
    sent(one, "withdraw my proposal", at=opened_at(one, 2))
    assert state(one) == "lapsed"
    sent(one, "propose a draw", power="ITALY", at=opened_at(one, 3))
    for line in ("vote yes", "vote yes France"):
        sent(one, line, power="TURKEY", at=opened_at(one, 4))
    assert not EndProposalBallot.objects.exists()
    before = sent(one, "vote yes Italy", power="TURKEY", at=opened_at(one, 2))
    assert not EndProposalBallot.objects.exists()
    assert "Rien n’a été fait" in text(before)
    other_phase = "Re: [La table ronde · Automne 1901, mouvements] fin"
    sent(one, "vote yes Italy", other_phase, power="TURKEY", at=opened_at(one, 4))
    assert not EndProposalBallot.objects.exists()
    sent(one, "vote yes Italy", power="TURKEY", at=opened_at(one, 4))
    assert EndProposalBallot.objects.get().choice == "yes"


def test_a_command_under_the_heading_of_another_phase_or_power_is_none() -> None:
    one = game()
    sent(one, "propose a draw")
    for heading in ("Automne 1901", "Autriche :", "AUTUMN 1902"):
        told = text(sent(one, f"{heading}\nvote oui France", power="ITALY", at=opened_at(one, 2)))
        assert "vous votez" not in told
        assert not EndProposalBallot.objects.exists()
    sent(one, "Printemps 1901\nItalie :\nvote oui France", power="ITALY", at=opened_at(one, 2))
    assert EndProposalBallot.objects.get().choice == "yes"


def test_orders_that_are_refused_beside_a_vote_are_told() -> None:
    one = game()
    sent(one, "propose a draw")
    sent(one, "A Vie - Tri", power="AUSTRIA", at=opened_at(one, 2))
    told = text(sent(one, "vote oui France\nA Xyz - Bud", power="AUSTRIA", at=opened_at(one, 3)))
    assert "vous votez oui" in told
    assert "Xyz" in told
    told = text(sent(one, "vote oui France\nprêt", power="ITALY", at=opened_at(one, 3)))
    assert "vous votez oui" in told
    assert flowing(order_texts.orders_refusal_text(OrdersRefusal("nothing"))) in told
    told = text(sent(one, "vote oui France\n\nÀ bientôt", power="ITALY", at=opened_at(one, 4)))
    assert "ordre" not in told.partition("Pour répondre")[0]


def test_of_opposite_answers_in_one_mail_none_counts() -> None:
    one = game()
    sent(one, "propose a draw")
    told = text(sent(one, "vote oui France\nvote non France", power="ITALY", at=opened_at(one, 2)))
    assert "contient des réponses opposées" in told
    assert not EndProposalBallot.objects.exists()


def test_an_answer_after_the_hour_is_none_though_its_silence_waits_for_a_mail() -> None:
    one = game()
    sent(one, "propose a draw")
    due = EndProposal.objects.get().answers_due_at
    assert due is not None
    wait_for_orders(one, "mail", due - timedelta(seconds=5), due)
    told = text(sent(one, "vote yes France", power="ITALY", at=due + timedelta(seconds=10)))
    assert "Le délai pour répondre à cette proposition est écoulé" in told
    assert (state(one), EndProposalBallot.objects.exists()) == ("voting", False)
    sent(one, "vote yes France", power="ITALY", at=due - timedelta(seconds=5))
    assert EndProposalBallot.objects.get().choice == "yes"


def reply_to(one: Game, told: str, written: str, power: str, at: Any) -> ProcessingResult:
    """An answer to a mail of ours with that text."""
    player = person(PLAYERS[power])
    ours = OutboundEmail.objects.create(
        person=player, kind="answer", idempotency_key=told[:160], subject="", text=told
    )
    mail = ParsedEmail(
        MessageClass.PERSONAL,
        text=written,
        addresses=(own_address(player),),
        in_reply_to=f"<{ours.message_token}@example.org>",
    )
    return order_mail.process_orders(arrival(one, power, at), mail)


def test_a_yes_to_something_else_is_no_vote() -> None:
    one = game()
    sent(one, "propose a draw")
    receipt = sent(one, "A Ven - Tyr", power="ITALY", at=opened_at(one, 2))
    assert receipt.answer is not None
    to_receipt = reply_to(one, receipt.answer.text, "Oui", "ITALY", opened_at(one, 3))
    assert (to_receipt.outcome, EndProposalBallot.objects.exists()) == (MailOutcome.NO_ORDERS, False)
    assert to_receipt.answer is not None
    to_question = reply_to(one, to_receipt.answer.text, "Oui", "ITALY", opened_at(one, 4))
    assert to_question.outcome == MailOutcome.ANSWERED
    assert EndProposalBallot.objects.get().choice == "yes"


def test_a_last_yes_read_again_after_the_game_has_ended_is_still_a_vote() -> None:
    one = game()
    sent(one, "propose a draw")
    for power in OTHERS[:-1]:
        sent(one, "vote oui France", power=power, at=opened_at(one, 2))
    row = arrival(one, OTHERS[-1], opened_at(one, 3))
    first = take(row, "Oui")
    assert fresh(one).state == GameState.ENDED
    again = take(row, "Oui")
    assert (again.outcome, text(again)) == (first.outcome, text(first))


def test_an_answer_after_the_last_one_is_told_what_came_of_the_vote() -> None:
    one = game()
    sent(one, "propose a draw")
    for power in OTHERS:
        sent(one, "vote non France", power=power, at=opened_at(one, 2))
    assert state(one) == "refused"
    for line in ("vote oui", "vote oui France"):
        told = text(sent(one, line, power="ITALY", at=opened_at(one, 3)))
        assert "La proposition est close (France ; Printemps 1901, mouvements). Pas d’unanimité" in told
        assert "Pas d’ordres reçus de vous pour cette phase (Printemps 1901, mouvements). L’échéance" in told
        assert "La partie a avancé" not in told
    unknown = text(sent(one, "vote oui Turquie", power="ITALY", at=opened_at(one, 3)))
    assert "La partie a avancé" in unknown
    assert "Pas d’ordres reçus" in unknown
    assert "La proposition est close" not in unknown


def test_an_answer_after_the_end_of_the_game_is_told_its_result() -> None:
    one = game()
    sent(one, "propose a draw")
    for power in OTHERS:
        sent(one, "oui", power=power, at=opened_at(one, 2))
    told = text(sent(one, "vote non France", power="ITALY", at=opened_at(one, 3)))
    assert "La partie est finie. Partage" in told
    assert "Pas d’ordres" not in told


@pytest.mark.long
def test_whoever_plays_two_powers_is_told_which_answers() -> None:
    one = settled()
    PowerAssignment.objects.filter(seat__game=one, seat__power="TURKEY").update(person=person("Irène"))
    sent(one, "proposer la nulle")
    sweep()
    told = flowing(last("Irène").text)
    for name in ("Italie", "Turquie"):
        assert f"{name} : pour répondre, envoyez une de ces lignes à l’adresse de ses ordres" in told
    answered = text(sent(one, "vote oui France", power="TURKEY", name="Irène", at=opened_at(one, 2)))
    assert answered.count("vote oui France") == 1
    assert EndProposalBallot.objects.get().power == "TURKEY"


def test_a_veto_by_mail_and_what_is_asked_at_each_stage() -> None:
    one = second_phase(draw=DrawRule.VETO_THEN_VOTE)
    unsaid = sent(one, "propose la fin").answer
    assert unsaid is not None
    said = [line.lstrip("| ") for line in unsaid.text.splitlines() if line.startswith("|")]
    assert said == ["propose la nulle, ajustements", "propose la nulle, automne"]
    sent(one, said[0])
    proposal = EndProposal.objects.get()
    assert proposal.counted_position == "last_adjustments"
    told = text(sent(one, "oui", power="ITALY", at=opened_at(one, 2)))
    assert "pas de veto France" in told
    assert "pas ce qui est demandé" in told
    assert not EndProposalBallot.objects.exists()
    sent(one, "pas de veto", power="ITALY", at=opened_at(one, 2))
    assert EndProposalBallot.objects.get().choice == "pass"
    sent(one, "Veto", power="RUSSIA", at=opened_at(one, 3))
    assert state(one) == "vetoed"
    (closed,) = Notification.objects.filter(kind="proposal_closed", person=person("Flora"))
    assert notification_sentence(closed.kind, closed.facts).endswith("a reçu un veto (la Russie).")


def test_a_position_that_cannot_count_now_is_not_asked_for_again() -> None:
    one = game()
    assert "Écrivez « propose la nulle » seul." in text(sent(one, "propose la nulle, automne"))
    assert not EndProposal.objects.exists()


def test_whoever_does_not_play_the_power_any_more_has_no_say() -> None:
    one = game()
    sent(one, "propose a draw")
    row = arrival(one, "ITALY", opened_at(one, 2))
    PowerAssignment.objects.filter(seat__game=one, seat__power="ITALY").update(ended_at=opened_at(one, 1))
    assert take(row, "vote yes").outcome == MailOutcome.NOT_YOURS
    assert not EndProposalBallot.objects.exists()


def test_a_proposal_reaches_everybody_with_the_lines_to_answer() -> None:
    one = settled()
    sent(one, "proposer la nulle")
    sweep()
    mail = last("Irène")
    assert "| vote oui France" in mail.text
    assert "sur le site ; on ne vote pas" not in mail.text
    quoted = "vote oui France\n\n" + "\n".join(f"> {line}" for line in mail.text.splitlines())
    assert sent(one, quoted, power="ITALY", at=opened_at(one, 2)).outcome == MailOutcome.ANSWERED


def test_a_time_of_silence_waits_for_a_mail_that_is_not_read_yet() -> None:
    one = game()
    sent(one, "propose a draw")
    due = EndProposal.objects.get().answers_due_at
    assert due is not None
    wait_for_orders(one, "mail", due - timedelta(seconds=5), due)
    agreed_end.settle_due_proposals(due)
    assert state(one) == "voting"
    agreed_end.settle_due_proposals(due + timedelta(minutes=3))
    assert state(one) == "refused"


def test_a_link_by_mail_signs_in_once() -> None:
    one = game()
    told = text(sent(one, "lien"))
    path = re.search(r"https://jeu\.example\.org(/\S+)", told)
    assert path is not None
    client = Client()
    page = client.get(path[1])
    assert (page.status_code, "Flora" in page.content.decode()) == (200, True)
    assert "_auth_user_id" not in client.session
    assert client.post(path[1]).status_code == 302
    assert client.session["_auth_user_id"] == str(person("Flora").pk)
    assert Client().get(path[1]).status_code == 404
    first, second = (re.search(r"org(/\S+)", text(sent(one, "link"))) for _ in range(2))
    assert first is not None
    assert second is not None
    assert (Client().get(first[1]).status_code, Client().get(second[1]).status_code) == (404, 200)
    signed_in = client_of("Irène")
    signed_in.post(second[1])
    assert signed_in.session["_auth_user_id"] == str(person("Flora").pk)


def test_a_mailed_link_is_no_way_round_a_new_password_nor_shown_to_administrators() -> None:
    path = re.search(r"org(/\S+)", text(sent(game(), "lien")))
    assert path is not None
    Person.objects.filter(pk=person("Irène").pk).update(is_administrator=True)
    assert "Nouveau compte" not in client_of("Irène").get(reverse("accounts:links")).content.decode()
    flora = person("Flora")
    flora.set_password("un autre mot de passe")
    flora.save()
    assert Client().get(path[1]).status_code == 404


def test_a_site_without_an_address_gives_no_link() -> None:
    with override_settings(SITE_URL=""):
        assert "Pas de lien" in text(sent(game(), "lien"))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Je propose la nulle !", PlayerCommand(PlayerAction.PROPOSE)),
        ("propose a draw", PlayerCommand(PlayerAction.PROPOSE)),
        ("I propose to end the game", PlayerCommand(PlayerAction.PROPOSE)),
        ("Proposer la fin : automne", PlayerCommand(PlayerAction.PROPOSE, counts="autumn_disorder")),
        ("je retire ma proposition", PlayerCommand(PlayerAction.WITHDRAW)),
        ("Je vote oui à la France", PlayerCommand(PlayerAction.YES, "FRANCE")),
        ("vote NO on Austria's proposal", PlayerCommand(PlayerAction.NO, "AUSTRIA")),
        ("vote no Austria", PlayerCommand(PlayerAction.NO, "AUSTRIA")),
        ("- Veto Italie", PlayerCommand(PlayerAction.VETO, "ITALY")),
        ("pas de veto", PlayerCommand(PlayerAction.PASS)),
        ("je vote oui si la Russie se calme", None),
        ("vote oui Ruritanie", None),
        ("| vote oui France", None),
        ("> vote oui France", None),
        ("retire A Par", None),
        ("A Par - Bur", None),
        ("send me a link", PlayerCommand(PlayerAction.LINK)),
        ("", None),
    ],
)
def test_lines_that_are_commands(line: str, command: PlayerCommand | None) -> None:
    assert player_commands.parse_command(line, NAMES) == command


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(written: str) -> None:
    commands, rest = player_commands.split_commands(written, NAMES)
    assert commands or rest.split() == written.split() or not rest
