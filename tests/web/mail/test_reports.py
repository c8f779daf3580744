"""What the mails of a played 1901 say, in both languages."""

from __future__ import annotations

import pytest
from django.test import override_settings
from django.utils import timezone, translation

from talleyrand import variants
from talleyrand.web.boards import phase_maps
from talleyrand.web.games import game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import game_actions, phase_corrections, seat_actions
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    last_published_revision,
)
from talleyrand.web.games.models import Game, GameRole, GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mailed_orders import order_parsing
from talleyrand.web.mail.subscriptions import report_texts
from talleyrand.web.mail.text_layout import WIDTH
from tests.web.cast import MASTER, OBSERVER, client_of, person
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


def master() -> GameMasterActor:
    return GameMasterActor(person(MASTER), GameRole.GAME_MASTER)


def ground(game: Game) -> ExpectedRevision:
    found = last_published_revision(fresh(game))
    assert found is not None
    return ExpectedRevision.from_revision(found)


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
    revision = played.revisions.get(phase_number=1, is_current=True)
    assert revision.answer is not None
    for language, text in texts.items():
        flat = flowing(text)
        with translation.override(language):
            for entry in revision.answer["orders"]:
                if entry["order"] and not entry["error"]:
                    label = phase_maps.order_label(variants.load("classic"), entry["order"], "")
                    assert label in flat, (language, label)


def test_reports_say_verdict_reason_and_position(played: Game) -> None:
    text = flowing(last("Gaspard").text)
    assert "A Munich - Bourgogne : rebond" in text
    assert "Rebond : A Paris " in text
    assert "France (3) : A Bourgogne, A Marseille, F Atlantique" in text
    assert "AUTOMNE 1901, MOUVEMENTS" in text
    assert "Vous jouez l’Allemagne." in text
    assert "Armée Munich" in text
    assert "heure de Paris" in text
    read = last("Flora").text
    assert "| A Munich - Burgundy: bounced" in read
    assert "London time" in read


def test_subjects_name_the_game_and_the_open_phase(played: Game) -> None:
    mail = last("Gaspard")
    phases = "[La table ronde · Automne 1901, mouvements] Printemps 1901, mouvements"
    assert flowing(mail.subject) == f"{phases} : résultats"
    assert order_parsing.tagged_phase(mail.subject, variants.load("classic")) == played.phase


def test_nothing_of_a_report_is_read_as_an_order_and_prose_is_narrow(played: Game) -> None:
    for name in ("Gaspard", "Flora", MASTER):
        text = last(name).text
        assert [line for line in text.splitlines() if len(line) > WIDTH and "://" not in line] == []
        found = order_parsing.parse_orders(
            "\n".join(unmarked(text)), GameHistory(played).question(played.phase_number) or {}, "GERMANY"
        )
        assert not found.has_orders


def test_orders_that_the_game_master_enters_are_shown_to_their_player() -> None:
    """Whoever plays by mail alone sees them nowhere else."""
    game = settled()
    sheet = {"submission": "entered", "number": "1", "sheet": "A Par - Bou\nF Bre - Atm\nA Mar - Zut"}
    client_of(MASTER).post(f"/parties/{game.key}/desk/orders/FRANCE/", sheet)
    sweep()
    told = last("Flora").text
    assert "saisi des ordres" in flowing(told)
    for line in ("A Paris - Bourgogne", "F Brest - Atlantique", "A Mar - Zut", "Armée Marseille"):
        assert line in unmarked_lines(told), line
    assert not [one for one in sweep() if "Bourgogne" in one.text and one.person != person("Flora")]


def unmarked_lines(text: str) -> str:
    return " ".join(line.lstrip("| ") for line in text.splitlines())


def test_a_line_that_is_no_order_is_never_repeated() -> None:
    game = settled()
    line = "Gaspard Lenoir, 06 12 34 56 78"
    play(game, {**SPRING, "GERMANY": ["A Mun - Bou", line, "A Ber - Gaspardville"]})
    for mail in sweep():
        assert "Gaspard" not in mail.text
        assert "06 12" not in mail.text
    assert "Ligne non comprise" in last("Flora").text


@pytest.mark.long
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
    assert "Armée Bulgarie : retraite possible vers" in theirs
    assert "DISLOGÉES" in theirs
    nothing = "Aucune de vos unités n’est dislogée : vous n’avez pas d’ordres à donner (Automne 1901, "
    assert nothing in flowing(last("Gaspard").text)
    stuck = GameStatusText(fresh(game))
    stuck.position = {"dislodged": {"ITALY": ["A ROM"]}}
    assert "Vous n’avez pas d’ordres à donner dans la phase en cours" in stuck.why_nothing_to_order("ITALY")
    play(game, {"TURKEY": ["A Bul R Rou"]})
    sweep()
    assert fresh(game).phase == "W1901A"
    assert "You can build 2 units. Free home centres: Brest, Marseilles, Paris" in flowing(last("Flora").text)
    assert "DÉCOMPTE DES CENTRES" in last("Gaspard").text
    Game.objects.filter(pk=game.pk).update(phase="W1901A")
    told = GameStatusText(fresh(game))
    told.position = {"units": {"ITALY": ["A ROM"]}, "centers": {"ITALY": ["ROM"], "FRANCE": ["PAR"]}}
    assert "Vous avez 1 unité pour autant de centres" in told.why_nothing_to_order("ITALY")
    assert "Aucun de vos centres nationaux n’est libre" in told.why_nothing_to_order("FRANCE")
    assert "Vous n’avez plus ni unités ni centres" in told.why_nothing_to_order("TURKEY")
    told.position = {"centers": {"FRANCE": ["PAR"]}, "disorder": ["FRANCE"]}
    assert "désordre civil et ne peut rien construire" in told.why_nothing_to_order("FRANCE")


@pytest.mark.long
@override_settings(SITE_URL="https://jeu.example.org")
def test_a_report_leads_to_the_map_of_its_phase() -> None:
    game = settled()
    english("Flora")
    play(game, SPRING)
    sweep()
    assert f"The map with these orders: https://jeu.example.org/en/games/{game.key}/1/" in flowing(
        last("Flora").text
    )
    for path in (f"/en/games/{game.key}/1/", f"/parties/{game.key}/1/"):
        assert client_of("Flora").get(path).status_code == 200


def test_a_unit_without_an_order_is_told_in_one_line() -> None:
    game = settled()
    play(game, {**SPRING, "FRANCE": ["A Par H"]})
    sweep()
    text = last("Gaspard").text.replace("\u00a0", " ")
    assert "| A Paris tient\n" in text
    assert "| Armée Marseille : tient (sans ordre)\n" in text
    assert "tient : pas d’ordre" not in text


def test_whoever_is_taken_off_a_power_is_told_so() -> None:
    game = settled()
    seat_actions.free_seat(
        game,
        "FRANCE",
        seat_actions.seat_player_mark(game.seats.get(power="FRANCE")),
        hand=master(),
        now=timezone.now(),
    )
    sweep()
    assert "Vous ne jouez plus la France" in flowing(last("Flora").text)
    assert "Vous ne jouez plus" not in flowing(last("Gaspard").text)


def test_the_gazette_comes_with_its_words(played: Game) -> None:
    game_actions.publish_gazette(played, 1, "Un printemps calme.", hand=master())
    sweep()
    mail = last("Gaspard")
    assert "GAZETTE\nUn printemps calme." in mail.text
    assert mail.text.count("printemps calme") == 1


@pytest.mark.long
def test_a_phase_taken_back_counts_no_more_and_comes_again(played: Game) -> None:
    phase_corrections.roll_back_phase(played, ground(played), hand=master(), now=timezone.now())
    sweep()
    mail = last("Gaspard")
    assert "est revenu à : Printemps 1901, mouvements" in flowing(mail.text)
    assert "PRINTEMPS 1901, MOUVEMENTS" in mail.text
    phase_adjudication.adjudicate_phase(fresh(played), 1, timezone.now())
    sweep()
    assert "résultats corrigés" in last("Gaspard").subject
    assert "Nouveaux résultats pour cette phase : ils remplacent les" in flowing(last("Gaspard").text)


@pytest.mark.long
def test_a_correction_says_plainly_what_changed(played: Game) -> None:
    revision = played.revisions.get(phase_number=1, is_current=True)
    assert revision.next_situation is not None
    units = {**revision.next_situation["units"], "GERMANY": ["A BER", "A BUR"]}
    after = {**revision.next_situation, "units": units, "dislodged": {}}
    units["FRANCE"] = [one for one in revision.next_situation["units"]["FRANCE"] if one != "A BUR"]
    phase_corrections.edit_position(
        played, ground(played), after, "J’avais mal lu.", hand=master(), now=timezone.now()
    )
    sweep()
    text = flowing(last("Gaspard").text)
    assert "Motif : J’avais mal lu." in text
    assert "Allemagne, unités en plus : A Berlin, A Bourgogne" in text
    assert "France, unités en moins : A Bourgogne" in text
    assert "corrigés" in last("Gaspard").subject


def test_another_beginning_is_told_with_its_position() -> None:
    game = settled()
    start = game.revisions.get(phase_number=0)
    assert start.next_situation is not None
    after = {**start.next_situation, "units": {**start.next_situation["units"], "FRANCE": ["A PAR"]}}
    phase_corrections.edit_position(
        game,
        ExpectedRevision.from_revision(start),
        after,
        "Une armée de moins.",
        hand=master(),
        now=timezone.now(),
    )
    sweep()
    text = flowing(last("Gaspard").text)
    assert "Une armée de moins." in text
    assert "France (1) : A Paris" in text


@pytest.mark.long
@pytest.mark.parametrize("anonymity", ["until_end", "open"])
def test_the_end_tells_the_result_and_who_played(anonymity: str) -> None:
    game = settled(anonymity=anonymity)
    play(game, SPRING)
    mark = seat_actions.seat_player_mark(game.seats.get(power="ITALY"))
    seat_actions.replace_player(
        fresh(game), "ITALY", person(OBSERVER), mark, hand=master(), now=timezone.now()
    )
    mail = next(mail for mail in sweep() if mail.person == person("Gaspard"))
    assert "Flora" not in mail.text
    result = {"kind": "solo", "powers": ["FRANCE"], "centres": {"FRANCE": 18}, "units": {"FRANCE": 17}}
    game_lifecycle.end_game(fresh(game), result, timezone.now())
    sweep()
    text = flowing(last("Gaspard").text)
    assert "LA PARTIE EST FINIE" in text.upper()
    assert "France : centres 18, unités 17" in text
    assert "- France : Flora" in text
    assert f"- Italie : Irène - Italie : {OBSERVER} - Russie : Roman" in text


TABLES = {
    "fr": ["France : centres 11, unités 10, points 70,428", "Italie : centres 6, unités 6, points 29,572"],
    "en": ["France: centres 11, units 10, points 70.428", "Italy: centres 6, units 6, points 29.572"],
}


@pytest.mark.parametrize("language", TABLES)
def test_the_final_table_tells_points(language: str) -> None:
    game = settled(scoring="manorcon")
    result = {
        "kind": "draw",
        "phase": "F1905M",
        "powers": ["FRANCE", "ITALY"],
        "centres": {"FRANCE": 11, "ITALY": 6},
        "units": {"FRANCE": 10, "ITALY": 6},
    }
    game_lifecycle.end_game(game, result, timezone.now())
    with translation.override(language):
        parts = report_texts.end_report(GameViewer.for_user(fresh(game), person("Gaspard")))
    told = [line.replace("\u00a0", " ").removeprefix("| ") for part in parts for line in part]
    assert [row for row in told if ", points " in row] == TABLES[language]
    lines = " ".join(row.strip() for row in told)
    assert {"fr": "France : 70,428 70,428 – ", "en": "France: 70.428 70.428 – "}[language] in lines


def test_the_desk_says_who_has_handed_in_and_nothing_of_it(played: Game) -> None:
    now = timezone.now()
    order_submission.submit_orders(played, "FRANCE", ["A Bou H"], number=2, key="f", origin="text", at=now)
    told = "\n".join(report_texts.desk_report(fresh(played), 2)).replace("\u00a0", " ")
    assert "- France : envoyés" in told
    assert "- Autriche : pas d’ordres" in told
    assert "Ordres manquants : Autriche, Angleterre, Allemagne" in told
    assert "2 messages en attente de votre décision." in told
    assert "Bou" not in told


@pytest.mark.parametrize("state", [GameState.GATHERING, GameState.ENDED, GameState.ABANDONED])
def test_a_desk_without_an_open_phase_says_so(state: str) -> None:
    game = by_post()
    Game.objects.filter(pk=game.pk).update(state=state)
    assert "La partie" in "\n".join(report_texts.desk_report(fresh(game)))


def test_lots_and_gazettes_of_a_phase_stand_in_its_report(played: Game) -> None:
    game_actions.publish_gazette(played, 1, "Mots du meneur.", hand=master())
    told = "\n".join(line for part in report_texts.phase_report(fresh(played), 1) for line in part)
    assert "Mots du meneur." in told
    assert report_texts.phase_report(fresh(played), 2) == []
