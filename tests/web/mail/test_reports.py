"""What the mails of a played 1901 say, in both languages."""

from __future__ import annotations

import pytest
from django.utils import timezone, translation

from talleyrand import variants
from talleyrand.web.boards import picture
from talleyrand.web.games import inbox, referee, running
from talleyrand.web.games.desk import directing, revising, seating
from talleyrand.web.games.desk.acts import Ground, Hand, last_published
from talleyrand.web.games.models import Game, Role, State
from talleyrand.web.games.story import Story
from talleyrand.web.mail.correspondence import reports
from talleyrand.web.mail.layout import WIDTH
from talleyrand.web.mail.orders import sheets
from tests.web.cast import MASTER, person
from tests.web.mail.collected import (
    SPRING,
    by_post,
    english,
    flowing,
    fresh,
    last,
    play,
    settled,
    sweep,
    unmarked,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def master() -> Hand:
    return Hand(person(MASTER), Role.MASTER)


def ground(game: Game) -> Ground:
    found = last_published(fresh(game))
    assert found is not None
    return Ground.of(found)


@pytest.fixture
def played() -> Game:
    """Spring 1901 is published and mailed; Flora reads English in London."""
    game = settled()
    english("Flora")
    play(game, SPRING)
    sweep()
    return fresh(game)


def test_a_report_tells_every_order_with_what_became_of_it(played: Game) -> None:
    texts = {"fr": last("Gaspard").text, "en": last("Flora").text}
    revision = played.revisions.get(number=1, current=True)
    assert revision.answer is not None
    for language, text in texts.items():
        flat = flowing(text)
        with translation.override(language):
            for entry in revision.answer["orders"]:
                if entry["order"] and not entry["error"]:
                    label = picture.order_label(variants.load("classic"), entry["order"], "")
                    assert label in flat, (language, label)


def test_reports_say_verdict_reason_and_position(played: Game) -> None:
    text = flowing(last("Gaspard").text)
    assert "A Munich - Bourgogne : repoussée" in text
    assert "Rebond : A Paris " in text
    assert "France (3) : A Bourgogne, A Marseille, F Atlantique" in text
    assert "AUTOMNE 1901, MOUVEMENTS" in text
    assert "Vous jouez l’Allemagne." in text
    assert "Armée Munich" in text
    assert "heure de Paris" in text
    read = last("Flora").text
    assert "| A Munich - Burgundy: bounces" in read
    assert "London time" in read


def test_subjects_name_the_game_and_the_open_phase(played: Game) -> None:
    mail = last("Gaspard")
    phases = "[La table ronde · Automne 1901, mouvements] Printemps 1901, mouvements"
    assert flowing(mail.subject) == f"{phases} : résultats"
    assert sheets.tagged_phase(mail.subject, variants.load("classic")) == played.phase


def test_nothing_of_a_report_is_read_as_an_order_and_prose_is_narrow(played: Game) -> None:
    for name in ("Gaspard", "Flora", MASTER):
        text = last(name).text
        assert [line for line in text.splitlines() if len(line) > WIDTH and "://" not in line] == []
        found = sheets.read("\n".join(unmarked(text)), Story(played).question(played.number) or {}, "GERMANY")
        assert not found.is_sheet


def test_a_line_that_is_no_order_is_never_repeated() -> None:
    game = settled()
    line = "Gaspard Lenoir, 06 12 34 56 78"
    play(game, {**SPRING, "GERMANY": ["A Mun - Bou", line, "A Ber - Gaspardville"]})
    for mail in sweep():
        assert "Gaspard" not in mail.text
        assert "06 12" not in mail.text
    assert "Une ligne qui n’a pas été comprise" in last("Flora").text


def test_retreats_builds_and_removals_are_told_to_whom_they_concern() -> None:
    game = settled()
    english("Flora")
    play(game, {**SPRING, "RUSSIA": ["F Seb - mer Noire"], "TURKEY": ["A Con - Bul"]})
    autumn = {
        "AUSTRIA": ["A Ser - Bul", "F Alb - Gre"],
        "RUSSIA": ["F mer Noire S A Ser - Bul"],
        "TURKEY": ["A Bul H"],
        "FRANCE": ["A Mar - Esp", "F AtM - Por"],
        "ITALY": ["A Tyr - Tri"],
    }
    play(game, autumn)
    sweep()
    assert fresh(game).phase == "F1901R"
    theirs = flowing(last("Théa").text)
    assert "Armée Bulgarie : peut se retirer vers" in theirs
    assert "DÉLOGÉES" in theirs
    assert "vous n’avez rien à ordonner" in flowing(last("Gaspard").text).lower()
    play(game, {"TURKEY": ["A Bul R Rou"]})
    sweep()
    assert fresh(game).phase == "W1901A"
    assert "You may build 2 units. Free home centres: Brest, Marseilles, Paris" in flowing(last("Flora").text)
    assert "LE DÉCOMPTE" in last("Gaspard").text


def test_a_unit_without_an_order_is_told_in_one_line() -> None:
    game = settled()
    play(game, {**SPRING, "FRANCE": ["A Par H"]})
    sweep()
    text = last("Gaspard").text.replace("\u00a0", " ")
    assert "| A Paris tient\n" in text
    assert "| Armée Marseille : tient, sans ordre\n" in text
    assert "reste sur place" not in text


def test_whoever_is_taken_off_a_power_is_told_so() -> None:
    game = settled()
    seating.vacate(
        game, "FRANCE", seating.mark(game.seats.get(power="FRANCE")), hand=master(), now=timezone.now()
    )
    sweep()
    assert "Vous ne jouez plus la France" in flowing(last("Flora").text)
    assert "Vous ne jouez plus" not in flowing(last("Gaspard").text)


def test_the_gazette_comes_with_its_words(played: Game) -> None:
    directing.publish(played, 1, "Un printemps calme.", hand=master())
    sweep()
    mail = last("Gaspard")
    assert "LA GAZETTE\nUn printemps calme." in mail.text
    assert mail.text.count("printemps calme") == 1


def test_a_phase_taken_back_counts_no_more_and_comes_again(played: Game) -> None:
    revising.take_back(played, ground(played), hand=master(), now=timezone.now())
    sweep()
    mail = last("Gaspard")
    assert "est revenu sur : Printemps 1901, mouvements" in flowing(mail.text)
    assert "PRINTEMPS 1901, MOUVEMENTS" in mail.text
    referee.adjudicate(fresh(played), 1, timezone.now())
    sweep()
    assert "résultats corrigés" in last("Gaspard").subject
    assert "remplace ce que vous en aviez" in flowing(last("Gaspard").text)


def test_a_correction_says_plainly_what_changed(played: Game) -> None:
    revision = played.revisions.get(number=1, current=True)
    assert revision.after is not None
    units = {**revision.after["units"], "GERMANY": ["A BER", "A BUR"]}
    after = {**revision.after, "units": units, "dislodged": {}}
    units["FRANCE"] = [one for one in revision.after["units"]["FRANCE"] if one != "A BUR"]
    revising.edit(played, ground(played), after, "J’avais mal lu.", hand=master(), now=timezone.now())
    sweep()
    text = flowing(last("Gaspard").text)
    assert "Motif : J’avais mal lu." in text
    assert "Allemagne, a maintenant une unité : A Berlin, A Bourgogne" in text
    assert "France, n’a plus d’unité : A Bourgogne" in text
    assert "corrigés" in last("Gaspard").subject


def test_another_beginning_is_told_with_its_position() -> None:
    game = settled()
    start = game.revisions.get(number=0)
    assert start.after is not None
    after = {**start.after, "units": {**start.after["units"], "FRANCE": ["A PAR"]}}
    revising.edit(game, Ground.of(start), after, "Une armée de moins.", hand=master(), now=timezone.now())
    sweep()
    text = flowing(last("Gaspard").text)
    assert "Une armée de moins." in text
    assert "France (1) : A Paris" in text


@pytest.mark.parametrize("anonymity", ["until_end", "open"])
def test_the_end_tells_the_result_and_who_played(anonymity: str) -> None:
    game = settled(anonymity=anonymity)
    play(game, SPRING)
    mail = next(mail for mail in sweep() if mail.person == person("Gaspard"))
    assert "Flora" not in mail.text
    result = {"kind": "solo", "powers": ["FRANCE"], "centres": {"FRANCE": 18}, "units": {"FRANCE": 17}}
    running.close(fresh(game), result, timezone.now())
    sweep()
    text = flowing(last("Gaspard").text)
    assert "LA PARTIE EST FINIE" in text.upper()
    assert "France : centres 18, unités 17" in text
    assert "- France : Flora" in text


def test_the_desk_says_who_has_handed_in_and_nothing_of_it(played: Game) -> None:
    now = timezone.now()
    inbox.hand_in(played, "FRANCE", ["A Bou H"], number=2, key="f", origin="text", at=now)
    told = "\n".join(reports.desk(fresh(played), 2)).replace("\u00a0", " ")
    assert "- France : remis" in told
    assert "- Autriche : pas encore d’ordres" in told
    assert "Manquent : Autriche, Angleterre, Allemagne" in told
    assert "2 lettres vous attendent." in told
    assert "Bou" not in told


@pytest.mark.parametrize("state", [State.GATHERING, State.ENDED, State.ABANDONED])
def test_a_desk_without_an_open_phase_says_so(state: str) -> None:
    game = by_post()
    Game.objects.filter(pk=game.pk).update(state=state)
    assert "La partie" in "\n".join(reports.desk(fresh(game)))


def test_lots_and_gazettes_of_a_phase_stand_in_its_report(played: Game) -> None:
    directing.publish(played, 1, "Mots du meneur.", hand=master())
    told = "\n".join(line for part in reports.phase(fresh(played), 1) for line in part)
    assert "Mots du meneur." in told
    assert reports.phase(fresh(played), 2) == []
