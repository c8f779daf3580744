"""What is hard to take back is asked by mail first, with its effect in words, and done once confirmed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import phase_adjudication, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    last_published_revision,
)
from talleyrand.web.games.models import Game, GameRole, GameState, PhaseRevision
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.gm import gm_plans
from talleyrand.web.mail.gm.gm_commands import GmAction
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import EmailInvitation, InboundDelivery, MailboxPurpose
from tests.web.built_once import built_once
from tests.web.cast import MASTER, STRANGER, person
from tests.web.games.acting import DAY, HOUR, fresh, hand_in, people_told, told
from tests.web.mail.masters import answered, arrived, directed, led, raw, said, taken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

MISREAD = "corrigez F BRE - MAO : ordre mal lu"
SINCE = timedelta(minutes=5)


@built_once
def second_phase() -> Game:
    """The first phase was published, without most; England has sent orders for the second."""
    game = led()
    hand_in(game, "FRANCE", ["F BRE H", "A PAR - BUR"], at=timezone.now())
    hand_in(game, "ENGLAND", ["F LON - ENG"], at=timezone.now())
    answered(game, "publiez quand même")
    Game.objects.filter(pk=game.pk).update(phase_opened_at=timezone.now() - SINCE)
    hand_in(game, "ENGLAND", ["F ENG - MAO"], at=timezone.now())
    return fresh(game)


def plain(text: str) -> str:
    """With the blanks before French signs as others."""
    return " ".join(text.split())


def code_in(text: str) -> str:
    found = re.findall(r"^\|   (?:oui|yes) (\w{5})$", text, re.MULTILINE)
    assert len(found) == 1, text
    return str(found[0])


def code(result: ProcessingResult) -> str:
    assert result.answer is not None
    return code_in(result.answer.text)


def units(game: Game, power: str) -> list[str]:
    situation = GameHistory(fresh(game)).situation(fresh(game).phase_number)
    assert situation is not None
    return sorted(situation["units"][power])


# every one of them


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        (MISREAD, "France, F Brest - Atlantique moyen : se déplace (avant : tient)."),
        ("revenez en arrière", "Ordres de la phase en cours déjà reçus : Angleterre."),
        ("remplacez la France par Oscar", "Flora ne joue plus cette puissance : France."),
        ("remplacez la France par zoe_x@exemple.fr", "Une invitation part par courriel à zoe_x@exemple.fr"),
        ("fixez l’échéance à demain 20:00", "L’échéance devient "),
        ("terminez la partie : France et Italie", "Gagnent ou partagent : France et Italie."),
        ("abandonnez la partie : trop peu de joueurs", "Chacun lit pourquoi : « trop peu de joueurs »"),
    ],
)
def test_asked_first(text: str, effect: str) -> None:
    """Nothing at all has changed until the yes, which is good once; a no leaves everything as it is."""
    game = second_phase()
    before = fresh(game)
    result = directed(game, text)
    assert result.answer is not None
    assert result.answer.subject.endswith("à confirmer")
    assert "Rien n’est encore fait. Si vous confirmez :" in said(result)
    assert plain(effect) in plain(said(result))
    left = fresh(game)
    assert (left.version, left.deadline, left.state) == (before.version, before.deadline, before.state)
    declined = directed(game, f"non {code(directed(game, text))}")
    assert "rien n’a été fait" in said(declined)
    assert fresh(game).version == before.version
    assert directed(game, f"Oui {code(result)}.").outcome == MailOutcome.DONE
    assert fresh(game).version > before.version
    again = directed(game, f"oui {code(result)}")
    assert "cette question a déjà eu sa réponse" in said(again)


def test_asked_in_english_too() -> None:
    game = second_phase()
    person_of = person(MASTER)
    person_of.language = "en"
    person_of.save()
    result = directed(game, "correct F BRE - MAO: misread")
    assert "France, F Brest - Mid-Atlantic Ocean: moves (before: holds)." in said(result)
    assert "Some orders already received would no longer fit: England." not in said(result)
    assert directed(game, f"yes {code(result)}").outcome == MailOutcome.DONE
    assert units(game, "FRANCE") == ["A BUR", "A MAR", "F MAO"]


# what they do


def test_a_misread_order() -> None:
    """The phase is judged anew with it, its reasons too; undone, what was sent counts again."""
    game = second_phase()
    result = directed(game, "corrigez l’ordre F BRE - MAO : ordre mal lu")
    assert result.outcome == MailOutcome.PARTLY_DONE
    directed(game, f"oui {code(directed(game, MISREAD))}")
    revision = last_published_revision(game)
    assert revision is not None
    assert (revision.kind, revision.revision, revision.reason) == ("override", 2, "ordre mal lu")
    assert sorted(revision.order_lines["FRANCE"]) == ["A PAR - BUR", "F BRE - MAO"]
    assert units(game, "FRANCE") == ["A BUR", "A MAR", "F MAO"]
    assert people_told(game, "corrected")
    phase_corrections.restore_adjudication(
        fresh(game),
        ExpectedRevision.from_revision(revision),
        hand=GameMasterActor(person(MASTER), GameRole.GAME_MASTER),
        now=timezone.now(),
    )
    restored = last_published_revision(game)
    assert restored is not None
    assert restored.order_lines["FRANCE"] == ["F BRE H", "A PAR - BUR"]
    assert units(game, "FRANCE") == ["A BUR", "A MAR", "F BRE"]


def test_an_order_of_somebody_who_was_missing() -> None:
    game = second_phase()
    directed(game, f"oui {code(directed(game, 'corrigez A Mun - Kiel : arrivé par la poste'))}")
    revision = last_published_revision(game)
    assert revision is not None
    assert revision.order_lines["GERMANY"] == ["A MUN - KIE"]
    assert "GERMANY" not in revision.powers_without_orders
    missed = dict(game.seats.values_list("power", "missed_phases"))
    assert (missed["GERMANY"], missed["ITALY"]) == (0, 1)
    assert "A MUN" in units(game, "GERMANY")  # a fleet holds in Kiel


def test_a_misread_build() -> None:
    """Of an army in the place of a fleet: the one instead of the other."""
    game = led()
    orders = (["F BRE - MAO", "A MAR - SPA"], ["F MAO - POR"], ["A BRE B", "A MAR B"])
    for number, lines in enumerate(orders, start=1):
        hand_in(game, "FRANCE", lines, at=timezone.now())
        phase_adjudication.adjudicate_phase(fresh(game), number, timezone.now())
    asked = directed(game, "corrigez F BRE B : mal lu")
    assert plain("Brest, unité : Flotte Brest, France (avant : Armée Brest") in plain(said(asked))
    directed(game, f"oui {code(asked)}")
    assert units(game, "FRANCE") == ["A MAR", "A PAR", "A SPA", "F BRE", "F POR"]


def test_orders_that_no_longer_fit_are_told() -> None:
    game = second_phase()
    result = directed(game, "correct F BRE - ENG: mal lu")
    assert "Des ordres déjà reçus ne conviendraient plus : Angleterre." in plain(said(result))


@pytest.mark.parametrize(
    ("text", "told_why"),
    [
        ("corrigez F BRE - MAO", "donnez un motif"),
        ("corrigez F BRE - MUN : x", "F Brest ne peut pas atteindre Munich"),
        ("corrigez F BRE H : x", "c’était déjà l’ordre donné"),
        ("corrigez A PAR - : x", "Pas compris"),
        ("corrigez F XYZ - MAO : x", "Pas compris"),
        ("revenez à l’automne 1907", "on ne peut revenir qu’à la dernière phase résolue, Printemps 1901"),
        ("remplacez la France par Personne", "Aucun compte ne porte ce nom"),
        (f"remplacez la France par {MASTER}", "a vu le bureau"),
        ("remplacez la France par Flora", "c’est déjà"),
        ("remplacez la France par zoe@", "ce n’est pas une adresse"),
        ("remplacez la France par a@exemple.fr, b@exemple.fr", "donnez une seule adresse"),
        ("fixez l’échéance", "dites de combien"),
        ("fixez l’échéance au 13 mars 2020 20 h", "Cette date est passée"),
        ("abandonnez la partie", "donnez un motif"),
        ("oui", "aucune question n’attend cette réponse"),
        ("oui bcdfg", "aucune question n’attend cette réponse"),
    ],
)
def test_refused_without_a_question(text: str, told_why: str) -> None:
    game = second_phase()
    before = fresh(game).version
    result = directed(game, text)
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert told_why in said(result)
    assert "oui" not in said(result).partition("AUTOMNE")[0].replace(text, "").split()
    assert fresh(game).version == before


def test_rolled_back() -> None:
    game = second_phase()
    directed(game, f"oui {code(directed(game, 'revenez au printemps 1901'))}")
    assert (fresh(game).phase_number, fresh(game).phase) == (1, "S1901M")
    assert people_told(game, "taken_back")


def test_a_player_by_name() -> None:
    game = second_phase()
    person(STRANGER)
    directed(game, f"oui {code(directed(game, f'remplacez la France par {STRANGER}'))}")
    assert power_assignments.player_of(game, "FRANCE") == person(STRANGER).pk
    assert people_told(game, "given") == {STRANGER}


@pytest.mark.long
def test_a_player_by_address() -> None:
    """Whoever has the address plays the power that was named, and no other that is free, once it says yes."""
    game = second_phase()
    directed(game, f"oui {code(directed(game, 'remplacez l’Autriche par abc@exemple.fr'))}")
    directed(game, f"oui {code(directed(game, 'remplacez la France par Zoe.X@exemple.fr'))}")
    assert power_assignments.unplayed_powers(game) == ("AUSTRIA", "FRANCE")
    offer = EmailInvitation.objects.get(mailbox__target="zoe.x@exemple.fr")
    inbound_storage.store_email(
        b"From: zoe.x@exemple.fr\r\nSubject: Re\r\n\r\noui", [offer.mailbox], "", timezone.now()
    )
    inbound_processing.process_due_mail(timezone.now())
    offer.refresh_from_db()
    assert offer.person is not None
    assert power_assignments.player_of(game, "FRANCE") == offer.person.pk
    assert power_assignments.unplayed_powers(game) == ("AUSTRIA",)


def test_an_account_is_not_told_by_its_address() -> None:
    game = second_phase()
    known, unknown = (
        said(directed(game, f"remplacez la France par {one}@exemple.fr")).replace(one, "…")
        for one in ("oscar", "inconnu")
    )
    hidden = [re.sub(r"oui \w{5}|\d+\sh\s\d+", "", one) for one in (known, unknown)]  # nor the minute
    assert hidden[0] == hidden[1]


def test_the_game_ended_and_abandoned() -> None:
    game = second_phase()
    directed(game, f"oui {code(directed(game, 'terminez la partie : l’Angleterre, la France'))}")
    assert fresh(game).state == GameState.ENDED
    assert (fresh(game).result or {})["powers"] == ["ENGLAND", "FRANCE"]


def test_the_game_abandoned() -> None:
    game = second_phase()
    directed(game, f"oui {code(directed(game, 'abandon the game: no time'))}")
    assert fresh(game).state == GameState.ABANDONED


def test_deadlines() -> None:
    """A later one is set at once; a nearer one, or one within hours of now, is asked first."""
    game = second_phase()
    before = game.deadline
    assert before is not None
    later = before + 5 * DAY
    assert directed(game, f"fixez l’échéance au {later:%d/%m/%Y} 20:00").outcome == MailOutcome.DONE
    due = fresh(game).deadline
    assert due is not None
    assert due > before
    nearer = directed(game, f"fixez l’échéance au {timezone.localtime() + 30 * HOUR:%d/%m/%Y %H:%M}")
    assert fresh(game).deadline == due
    directed(game, f"oui {code(nearer)}")
    assert abs((fresh(game).deadline or due) - timezone.now() - 30 * HOUR) < HOUR
    directed(game, "pause")
    asked = directed(game, "reprise 20 minutes")
    assert fresh(game).state == GameState.PAUSED
    directed(game, f"oui {code(asked)}")
    assert abs((fresh(game).deadline or due) - timezone.now() - HOUR / 3) < HOUR / 6


# which question


def test_a_yes_alone() -> None:
    """It answers the mail that it answers; without that, the only question there is."""
    game = second_phase()
    answered(game, MISREAD)
    _arrival, other = answered(game, "revenez en arrière")
    unsure = directed(game, "oui")
    assert "plusieurs questions attendent une réponse" in said(unsure)
    reply = raw("Oui\n").replace(b"Subject:", f"In-Reply-To: <{other.message_token}@x>\nSubject:".encode())
    assert directed(game, reply).outcome == MailOutcome.DONE
    assert fresh(game).phase_number == 1


@pytest.mark.parametrize("answers", ["non {0}\noui", "oui\nnon", "oui {0}\nnon {0}", "oui\noui {1}"])
def test_several_answers_of_one_mail(answers: str) -> None:
    """Each needs a question of its own by its code; else none of them counts."""
    game = second_phase()
    asked = [code(directed(game, one)) for one in ("revenez en arrière", "abandonnez la partie : bof")]
    before = fresh(game).version
    result = directed(game, answers.format(*asked))
    assert said(result).count("votre courriel donne plusieurs réponses") == 2
    assert fresh(game).version == before
    directed(game, f"non {asked[1]}\noui {asked[0]}\noui {asked[0]}")
    assert (fresh(game).phase_number, fresh(game).state) == (1, GameState.PLAYING)


def test_a_question_of_a_mail_that_failed_and_came_again() -> None:
    """It is one question, and good once."""
    game = second_phase()
    first = arrived(game, "revenez en arrière", key="same")
    asked = code(taken(first))
    InboundDelivery.objects.filter(pk=first.pk).update(outcome=MailOutcome.FAULT)
    again, answer = answered(game, "revenez en arrière", key="same")
    assert code_in(answer.text) == asked
    assert again.facts
    assert directed(game, f"oui {asked}").outcome == MailOutcome.DONE
    assert "cette question a déjà eu sa réponse" in said(directed(game, f"oui {asked}"))


def test_a_yes_to_another_mail_of_ours() -> None:
    game = second_phase()
    answered(game, "revenez en arrière")
    _arrival, other = answered(game, "état")
    reply = raw("oui\n").replace(b"Subject:", f"In-Reply-To: <{other.message_token}@x>\nSubject:".encode())
    assert "aucune question n’attend cette réponse" in said(directed(game, reply))
    assert fresh(game).phase_number == 2
    assert directed(game, "oui").outcome == MailOutcome.DONE


def test_no_yes_beside_its_own_question() -> None:
    game = second_phase()
    result = directed(game, "revenez en arrière\noui")
    assert "aucune question n’attend cette réponse" in said(result)
    assert fresh(game).phase_number == 2


def test_no_yes_of_another_game() -> None:
    game, other = second_phase(), led(patience=3)
    asked = code(directed(game, "revenez en arrière"))
    assert "aucune question n’attend cette réponse" in said(directed(other, f"oui {asked}"))
    assert fresh(game).phase_number == 2


def test_a_question_ends_after_two_days() -> None:
    game = second_phase()
    asked = code(directed(game, "revenez en arrière", received=timezone.now() - timedelta(hours=49)))
    result = directed(game, f"oui {asked}")
    assert "cette question date de plus de deux jours" in said(result)
    assert fresh(game).phase_number == 2


# what has changed since


def test_a_changed_game_asks_again() -> None:
    game = second_phase()
    asked = code(directed(game, "revenez en arrière"))
    hand_in(game, "ITALY", ["A VEN - TYR"], at=timezone.now())
    result = directed(game, f"oui {asked}")
    assert fresh(game).phase_number == 2
    assert "La partie a changé depuis cette question." in said(result)
    assert "Angleterre et Italie" in said(result)
    assert "cette question a déjà eu sa réponse" in said(directed(game, f"oui {asked}"))
    assert directed(game, f"oui {code(result)}").outcome == MailOutcome.DONE
    assert fresh(game).phase_number == 1


def test_another_has_taken_the_name_since() -> None:
    game = second_phase()
    known = person(STRANGER)
    asked = code(directed(game, f"remplacez la France par {STRANGER}"))
    known.name = "Zébulon"
    known.save()
    person(STRANGER)
    assert "La partie a changé depuis cette question." in said(directed(game, f"oui {asked}"))
    assert power_assignments.player_of(game, "FRANCE") == person("Flora").pk


@pytest.mark.long
def test_a_phase_published_since() -> None:
    game = second_phase()
    asked = [
        code(directed(game, one)) for one in (MISREAD, "revenez en arrière", "terminez la partie : Italie")
    ]
    Game.objects.filter(pk=game.pk).update(phase_opened_at=timezone.now() - DAY)
    directed(game, "publiez quand même")
    results = [directed(game, f"oui {one}") for one in asked]
    assert fresh(game).phase_number == 3
    assert fresh(game).state == GameState.PLAYING
    assert not PhaseRevision.objects.filter(game=game, kind="override").exists()
    assert all(
        "La partie a changé" in said(one) or "Aucun changement" in said(one) or "Pas" in said(one)
        for one in results
    )


def test_another_act_in_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between what is shown again and what is done, the game's version counts."""
    game = second_phase()
    asked = code(directed(game, "revenez en arrière"))
    plan = gm_plans.PLANS[GmAction.ROLL_BACK]

    def and_orders_come(*args: Any) -> gm_plans.PlannedAction:
        planned = plan(*args)
        hand_in(game, "ITALY", ["A VEN - TYR"], at=timezone.now())
        return planned

    monkeypatch.setattr(gm_plans, "PLANS", {**gm_plans.PLANS, GmAction.ROLL_BACK: and_orders_come})
    assert "la partie a avancé entre-temps" in said(directed(game, f"oui {asked}"))
    assert fresh(game).phase_number == 2


def test_a_crash_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Done and not written is not done; read again, it is done once."""
    game = second_phase()
    arrival = arrived(game, f"oui {code(directed(game, 'revenez en arrière'))}")
    roll_back = phase_corrections.roll_back_phase

    def and_die(*args: Any, **more: Any) -> None:
        roll_back(*args, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(phase_corrections, "roll_back_phase", and_die)
    with pytest.raises(KeyboardInterrupt):
        taken(arrival)
    assert fresh(game).phase_number == 2
    monkeypatch.undo()
    assert [taken(arrival).outcome for _time in range(2)] == [MailOutcome.DONE] * 2
    assert fresh(game).phase_number == 1
    assert len(set(told(game, "taken_back"))) == len(people_told(game, "taken_back"))


def test_a_new_address_of_the_desk_answers_old_questions() -> None:
    game = second_phase()
    asked = code(directed(game, "revenez en arrière"))
    mailboxes.renew_mailbox(mailboxes.get_mailbox(MailboxPurpose.DESK, game, person(MASTER), "@"))
    assert directed(game, f"oui {asked}").outcome == MailOutcome.DONE
