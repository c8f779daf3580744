"""The desk through a round of 27 people; what it shows, what it warns of, what two people at once do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import translation

from talleyrand import scoring
from talleyrand.tournament import acts, byes
from talleyrand.tournament.acts.people_acts import ChangePerson
from talleyrand.tournament.acts.result_acts import EnterResult
from talleyrand.tournament.model import EventPerson, RoundState
from talleyrand.web.common import network
from talleyrand.web.games.models import GameState
from talleyrand.web.tournaments import access_tokens, event_journal, tournament_creation
from talleyrand.web.tournaments.desk import act_descriptions, regulations_form
from talleyrand.web.tournaments.models import JournalEntry, TournamentMembership
from tests.web import cast
from tests.web.tournaments import scene
from tests.web.tournaments.desk import stages
from tests.web.tournaments.desk.button import centres, corrected, person_form
from tests.web.tournaments.desk.buttons import BUTTONS
from tests.web.tournaments.desk.director import Desk, hidden, refusal

pytestmark = pytest.mark.django_db
At = Callable[[str], Desk]
PAGES = sorted({(button.page, button.args) for button in BUTTONS} | {("desk_log", ()), ("desk_staff", ())})


def test_a_round_of_twenty_seven_people() -> None:
    desk = Desk(scene.tournament(27))
    desk.press("desk_round", 1, press="all_there")
    desk.press("desk_round", 1, round=1, press="left?person=27")
    desk.press("desk_round", 1, press="walk_in", name="Walter Ouin", submission="w")
    page = desk.get("desk_numbers", 1)
    resting = re.findall(r'name="resting" value="(\d+)" checked', page.content.decode())
    assert len(resting) == 27 - 21
    drawn = {"choice": hidden(page, "choice"), "lot": "1", "resting": resting, "submission": "d"}
    shown = desk.press("desk_numbers", 1, press="draw", **drawn).content.decode()
    assert "Tirage au sort de qui ne joue pas, parmi" in shown
    assert {str(who) for who in desk.event.rounds[1].resting} == set(resting)
    locked = desk.event.rounds[1].boards[1].seats["FRANCE"].person
    desk.press("desk_draw", 1, round=1, press="seat_locked?board=1&power=FRANCE&locked=1")
    desk.press("desk_draw", 1, press="redo", lot="9", submission="r")
    assert desk.event.rounds[1].boards[1].seats["FRANCE"].person == locked
    desk.press("desk_draw", 1, press="published?round=1")
    for board in desk.event.rounds[1].boards:
        desk.press("desk_board", 1, board, press="result_corrected", **centres(desk.event, board=board))
    desk.press("desk", press="round_closed?round=1")
    assert desk.event.rounds[1].state is RoundState.CLOSED
    assert "Ouvrir le pointage de la ronde 2" in desk.get("desk").content.decode()


def test_what_a_final_asks_of_one_round_is_said_of_one(at: At) -> None:
    text = at("opened").get("desk_numbers", 1).content.decode()
    assert "Tables des rondes 1, 2" in text
    assert "Tables de la ronde 2" in text


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("page", "args"), PAGES, ids=str)
def test_every_page_at_every_moment_in_both_languages(
    at: At, page: str, args: tuple[int, ...], full: bool
) -> None:
    for stage in tuple(stages.STAGES) if full else ("planned", "entered"):
        desk = at(stage)
        language = "en" if stage in ("drafted", "entered") else "fr"
        with translation.override(language):
            answer = desk.get(page, *args)
        absent = page == "desk_board" and stage in ("planned", "opened")
        assert answer.status_code == (404 if absent else 200), stage


def test_what_is_done_is_said_with_the_way_back(at: At) -> None:
    desk = at("opened")
    told = desk.press("desk_round", 1, round=1, press="arrived?person=15").content.decode()
    entry = desk.made.entries.latest("number")
    assert "Présence pointée à la ronde 1\u00a0: Océane Baudry." in told
    assert f'href="{desk.address("desk_entry", entry.number)}"' in told
    assert "Océane Baudry" in desk.get("desk_entry", entry.number).content.decode()


def test_the_same_press_of_many_phones_is_done_once(at: At) -> None:
    desk = at("opened")
    for _phone in range(3):
        desk.press("desk_round", 1, press="walk_in", name="Théo", submission="same")
    assert [one.name for one in desk.event.people.values()].count("Théo") == 1


def test_a_swap_of_people_who_sit_elsewhere_by_now_is_refused(at: At) -> None:
    desk = at("drafted")
    first, second = re.findall(r'name="pick" value="([^"]+)"', desk.get("desk_draw", 1).content.decode())[
        :8:7
    ]
    desk.press("desk_draw", 1, round=1, press="swap", pick=[first, second])
    now = desk.event
    late = desk.post("desk_draw", 1, round=1, press="swap", pick=[first, second])
    assert late.status_code == 409
    assert desk.event == now
    shown = re.findall(r'name="pick" value="([^"]+)"', late.content.decode())[:8:7]
    desk.press("desk_draw", 1, round=1, press="swap", pick=shown)
    assert desk.event != now


def test_the_rounds_of_a_line_make_its_total(at: At) -> None:
    desk = at("closed")
    lines = re.findall(
        r"<tr><td class=\"number\">.*?</tr>", desk.get("desk_scores").content.decode(), re.DOTALL
    )
    assert lines
    for line in lines:
        one = re.findall(r"class=\"desk-entry\"><span[^>]*>1\.</span> ([\d,]+)", line)
        assert [float(figure.replace(",", ".")) for figure in one] == pytest.approx(
            [float(re.findall(r"<strong>([\d,]+)", line)[0].replace(",", "."))], abs=0.001
        )


def test_an_event_that_is_over_asks_for_no_round_more(at: At) -> None:
    desk = at("closed")
    assert "Ouvrir le pointage de la ronde 2" in desk.get("desk").content.decode()
    desk.press("desk_scores", press="finished?over=1")
    assert "Ouvrir le pointage" not in desk.get("desk").content.decode()


def test_a_correction_is_shown_before_it_is_saved(at: At) -> None:
    desk = at("closed")
    before, typed = desk.event, corrected(desk.event)
    shown = desk.post("desk_board", 1, 1, **{**typed, "sure": ""})
    assert shown.status_code == 200
    assert desk.event == before
    text = shown.content.decode()
    assert "Effet de ce changement" in text
    austria = before.rounds[1].boards[1].seats["AUSTRIA"].person
    assert before.people[austria or 0].name in text.partition('id="effect"')[2].partition("</table>")[0]
    assert 'name="result.centres.TURKEY" value="5"' in text
    assert not re.search(r"<td>(\S+) → \1</td>", text)  # what stays is told once
    desk.press("desk_board", 1, 1, **typed)
    result = desk.event.rounds[1].boards[1].result
    assert result
    assert result.centres["TURKEY"] == 5


@pytest.mark.long
def test_the_result_of_a_game_of_the_site_is_taken_from_it(at: At) -> None:
    desk, game = at("playing"), cast.table()
    desk.press("desk_board", 1, 1, press="board_changed", round=1, board=1, game=game.key)
    assert desk.post("desk_board", 1, 1, press="taken").status_code == 409
    told = dict(stages.result(desk.event, 1).centres)
    game.state = GameState.ENDED
    game.result = {"kind": "agreed", "phase": "F1905R", "powers": ["AUSTRIA"], "centres": told}
    game.save()
    assert "Reprendre le résultat de la partie sur ce site" in desk.get("desk_board", 1, 1).content.decode()
    desk.press("desk_board", 1, 1, press="taken")
    result = desk.event.rounds[1].boards[1].result
    assert result
    assert (dict(result.centres), result.year, result.confirmed) == (told, 1905, "desk")


def test_centres_that_do_not_add_up_come_back_as_typed(at: At) -> None:
    desk = at("playing")
    typed = {**centres(desk.event), "result.centres.FRANCE": "17", "result.reached.TURKEY": "Nulle Part"}
    refused = desk.post("desk_board", 1, 1, press="result_corrected", **typed)
    assert refused.status_code == 409
    assert "Nulle Part" in refusal(refused)
    typed["result.reached.TURKEY"] = "Picardie"
    refused = desk.post("desk_board", 1, 1, press="result_corrected", **typed)
    assert "34" in refusal(refused)
    assert 'name="result.centres.FRANCE" id="centres-FRANCE" value="17"' in (refused.content.decode())
    assert "Picardie" in refused.content.decode()


def test_two_who_change_one_person_do_not_overwrite_each_other(at: At) -> None:
    desk = at("planned")
    page = desk.get("desk_person", 2)
    kept = hidden(page, "seen", "person.name")
    event_journal.perform_acts(
        desk.made, [ChangePerson(2, EventPerson("Bastien Quéré", town="Dijon"))], event_journal.JournalActor()
    )
    refused = desk.post("desk_person", 2, **person_form(desk.event), seen=kept)
    assert refused.status_code == 409
    assert "entre-temps" in refusal(refused)
    assert 'value="Nantes"' in refused.content.decode()
    assert desk.event.people[2].town == "Dijon"
    fresh = hidden(refused, "seen", "person.name")
    desk.press("desk_person", 2, **person_form(desk.event), seen=fresh)
    assert desk.event.people[2].club == "Nantes"


@pytest.mark.parametrize(
    "seen",
    ["people.items=x", "__class__.__mro__=x", "rounds.1.state=x", "people." + "9" * 5000 + "=", "=", "x"],
)
def test_a_forged_mark_is_somebody_else_s_change(at: At, seen: str) -> None:
    desk = at("planned")
    answer = desk.post("desk_person", 2, **person_form(desk.event), seen=seen)
    assert answer.status_code == (302 if seen == "=" else 409)


def test_what_changes_elsewhere_does_not_refuse_a_form(at: At) -> None:
    desk = at("opened")
    kept = hidden(desk.get("desk_person", 2), "seen", "person.name")
    desk.press("desk_round", 1, round=1, press="arrived?person=15")
    desk.press("desk_person", 2, **person_form(desk.event), seen=kept)


def test_an_old_page_does_not_confirm_another_result(at: At) -> None:
    desk = at("entered")
    page = desk.get("desk_board", 1, 1)
    kept = hidden(page, "digest")
    other = stages.result(desk.event, 1)
    changed = {**other.centres, "AUSTRIA": 5, "TURKEY": 5}
    by = str(desk.event.rounds[1].boards[1].seats["FRANCE"].person)
    seen = acts.result_acts.result_digest(other)
    event_journal.perform_acts(
        desk.made,
        [EnterResult(1, 1, type(other)(changed, year=1906), by, seen)],
        event_journal.JournalActor(),
    )
    refused = desk.post(
        "desk_board", 1, 1, press="result_confirmed", round=1, board=1, by="desk", digest=kept
    )
    assert refused.status_code == 409
    result = desk.event.rounds[1].boards[1].result
    assert result
    assert not result.confirmed


def test_a_vote_of_a_table_from_asking_to_the_last_ballot(at: At) -> None:
    desk = at("playing")
    button = next(one for one in BUTTONS if one.name == "ask for the end")
    desk.press("desk_board", 1, 1, **button.fields(desk.event))
    vote: dict[str, Any] = {"round": 1, "board": 1, "vote": 1}
    assert "Table 1\u00a0: vote de fin de partie" in desk.get("desk").content.decode()
    desk.press("desk_board", 1, 1, press="vote_opened", **vote)
    for power in ("AUSTRIA", "ENGLAND", "GERMANY", "RUSSIA", "TURKEY"):
        desk.press("desk_board", 1, 1, press=f"vote_cast?power={power}&yes=1", **vote)
    assert "adoptée" in desk.get("desk_board", 1, 1).content.decode()
    refused = desk.post("desk_board", 1, 1, press="vote_cast?power=ITALY&yes=0", **vote)
    assert refused.status_code == 409


def test_a_fall_of_a_board_is_drawn_again_around_the_others(at: At) -> None:
    desk = at("playing")
    others = desk.event.rounds[1].boards[2]
    desk.press("desk_board", 1, 1, press="board_dropped?board=1", round=1)
    desk.press("desk_boards", 1, press="stood_down?person=16&why=late&asked=0", round=1)
    page = desk.get("desk_numbers", 1)
    resting = re.findall(r'name="resting" value="(\d+)" checked', page.content.decode())
    drawn = {"choice": hidden(page, "choice"), "resting": resting, "lot": "1"}
    desk.press("desk_numbers", 1, press="draw", **drawn)
    assert desk.event.rounds[1].state is RoundState.PLAYING
    assert len(desk.event.rounds[1].boards) == 2
    assert desk.event.rounds[1].boards[2] == others


def test_a_phone_is_released(at: At) -> None:
    desk = at("planned")
    held = access_tokens.token_of(desk.made, 2)
    assert held.token in desk.get("desk_person", 2).content.decode()
    desk.press("desk_person", 2, press="release")
    assert not desk.made.passes.filter(token=held.token).exists()


def test_the_phone_of_an_entry_follows_it_into_the_other(at: At) -> None:
    desk = at("planned")
    held = access_tokens.token_of(desk.made, 17)
    held.account = cast.person("Flora")
    held.save()
    desk.press("desk_people", press="merged?person=5&other=17")
    desk.made.refresh_from_db()
    assert access_tokens.person_of_account(desk.made, held.account) == 5


@pytest.mark.long
def test_a_latecomer_takes_one_of_the_two_boards_of_the_organiser(db: None) -> None:
    desk = Desk(tournament_creation.create_tournament(stages.planned(), scene.director()))
    desk.press("desk", press="round_opened?round=1")
    for who in range(1, 14):
        desk.press("desk_round", 1, round=1, press=f"arrived?person={who}")
    page = desk.get("desk_numbers", 1)
    assert "personne joue sur deux tables" in page.content.decode()
    desk.press("desk_numbers", 1, press="draw", choice=hidden(page, "choice"), lot="1", twice="1")
    desk.press("desk_draw", 1, press="published?round=1")
    late = desk.get("desk_boards", 1).content.decode()
    seat = re.search(r'<option value="(\d \w+)">[^<]*Agathe', late)
    assert seat
    desk.press("desk_boards", 1, press="late", person="16", seat=seat.group(1), missed="2")
    board, power = seat.group(1).split()
    taken = desk.event.rounds[1].boards[int(board)].seats[power]
    assert (taken.person, taken.missed) == (16, 2)
    refused = desk.post("desk_boards", 1, press="late", person="15", seat=seat.group(1), missed="2")
    assert refused.status_code == 409


@pytest.mark.long
def test_a_final_is_decided_and_its_table_drawn_first(db: None) -> None:
    desk = Desk(tournament_creation.create_tournament(stages.before_the_final(), scene.director()))
    desk.press("desk_numbers", 4, round="4", press="final_decided?held=1")
    first, second, *_others = byes.choose_finalists(desk.event, 4, "any").people
    desk.press("desk_teams", press=f"kept_apart?first={first}&second={second}")
    page = desk.get("desk_numbers", 4)
    assert "À la table finale" in page.content.decode()
    away = re.findall(r'name="resting" value="(\d+)" checked', page.content.decode())
    drawn = {"choice": hidden(page, "choice"), "lot": "1", "resting": away}
    refused = desk.post("desk_numbers", 4, press="draw", **drawn)  # both of a pair apart have qualified
    assert refused.status_code == 409
    assert "personnes séparées" in refusal(refused)
    desk.press("desk_numbers", 4, press="draw", **drawn, dropped="apart")
    boards = desk.event.rounds[4].boards
    assert [board.final for board in boards.values()] == [True, False]
    assert "finale" in desk.get("desk_draw", 4).content.decode()
    desk.press("desk_draw", 4, press="redo", lot="2", dropped="apart")
    assert set(_people(desk, 1)) == {seat.person for seat in boards[1].seats.values()}


def _people(desk: Desk, board: int) -> list[int | None]:
    return [seat.person for seat in desk.event.rounds[4].boards[board].seats.values()]


def test_who_works_at_the_desk(at: At) -> None:
    desk = at("planned")
    cast.person(cast.ASSISTANT)
    desk.press("desk_staff", press="assistant", name=cast.ASSISTANT.upper())
    helper = Desk(desk.made, cast.ASSISTANT)
    assert helper.get("desk").status_code == 200
    helper.post("desk_staff", press="director", name=cast.ASSISTANT)
    own = TournamentMembership.objects.get(tournament=desk.made, account__name=cast.MASTER)
    for press in (f"leave?{own.pk}", "assistant"):
        desk.press("desk_staff", press=press, name=cast.MASTER)
        assert desk.get("desk").status_code == 200
    assert "Aucun compte" in desk.press("desk_staff", press="assistant", name="Personne\0").content.decode()
    assert not TournamentMembership.objects.filter(account__name=cast.ASSISTANT, role="director").exists()


def test_listed_is_the_director_s(helping: At) -> None:
    desk = helping("planned")
    desk.press("desk_settings", press="listed?yes")
    desk.made.refresh_from_db()
    assert not desk.made.is_listed


@pytest.mark.parametrize(
    "table", ["late = ", "late = 2026-07-03", "late = 'x'", "system = 'nothing'", "a" * 30_000]
)
def test_regulations_that_cannot_be_read_come_back_as_typed(at: At, table: str) -> None:
    desk = at("planned")
    refused = desk.post("desk_settings", press="regulated", preset="own", table=table, look="1")
    assert refused.status_code == 409
    assert refusal(refused)
    assert desk.event == stages.planned()


def test_a_scoring_system_is_chosen_from_a_list_and_all_else_stays(at: At) -> None:
    desk = at("planned")
    page = desk.get("desk_settings").content.decode()
    for name in scoring.names():
        assert scoring.load(name).title["fr"] in page
        assert f'name="system" value="{name}"' in page
    sure = {"press": "scored", "look": "1", "sure": "1"}
    for system, regulations in (
        ("dixie", {"extends": "anjou_feu", "system": "dixie"}),
        ("baf", "anjou_feu"),  # what the preset says by itself
    ):
        desk.press("desk_settings", **sure, system=system)
        assert desk.event.regulations == regulations
    table = "extends = 'anjou_feu'\nlate = 12\n[system]\n[[system.parts]]\nkind = 'centres'\nper = 1"
    desk.press("desk_settings", press="regulated", preset="own", table=table, look="1", sure="1")
    assert "un barème écrit dans le règlement personnalisé" in desk.get("desk_settings").content.decode()
    desk.press("desk_settings", **sure, system="namur")
    assert desk.event.regulations == {"extends": "anjou_feu", "late": 12, "system": "namur"}
    before = desk.event
    for wrong in ("", "luck", "Баф", "own", "a" * 30_000, "../baf"):
        assert refusal(desk.post("desk_settings", **sure, system=wrong))
        assert desk.event == before


def test_worlddipcon_says_which_system_it_takes_and_why(at: At) -> None:
    page = at("planned").get("desk_settings").content.decode()
    assert "Le WorldDipCon n’a pas de barème à lui" in page


def test_regulations_as_toml_are_read_as_they_were() -> None:
    table = {
        "extends": "anjou_feu",
        "late": 12,
        "rounds": [{"coefficient": "1", "teams": True, "hours": {"spring": 900}}],
        "prizes": {"mon-prix": {"kind": "vote", "title": {"fr": "L’éloquent « vrai »"}}},
        "automatic": ["TURKEY"],
    }
    assert regulations_form.regulations_from_toml("\n".join(regulations_form.table_as_toml(table))) == table


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_act_has_its_sentence(at: At, language: str) -> None:
    known = {code.partition(".")[0] for code in act_descriptions.ACT_SENTENCES}
    assert set(acts.ACTS_BY_KIND) <= known
    desk = at("closed")
    with translation.override(language):
        for button in BUTTONS:
            kind = str(button.fields(stages.STAGES[button.stage]())["press"]).partition("?")[0]
            if kind in acts.ACTS_BY_KIND:
                assert "%(" not in str(act_descriptions.ACT_SENTENCES.get(kind, "")) % _Blank()
        assert (
            act_descriptions.entry_description(
                JournalEntry(acts=[{"kind": "of another edition"}]), desk.event
            )
            == "of another edition"
        )


class _Blank(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name


def test_the_log_tells_who_and_what_and_what_was_taken_back(at: At) -> None:
    desk = at("opened")
    desk.press("desk_round", 1, round=1, press="arrived?person=15")
    number = desk.made.entries.latest("number").number
    desk.press("desk_entry", number, press=f"undo?entry={number}")
    log = desk.get("desk_log").content.decode()
    assert "Annulé, n°" in log
    assert cast.MASTER in log
    back = desk.made.entries.latest("number").number
    desk.press("desk_entry", back, press=f"undo?entry={back}")
    assert 15 in desk.event.rounds[1].present


def test_an_assistant_does_not_take_back_what_the_director_did_again(helping: At) -> None:
    desk = helping("planned")
    other = Desk(desk.made)
    other.press("desk_settings", press="renamed", name="Autre")
    for _time in range(2):
        number = desk.made.entries.latest("number").number
        other.press("desk_log", press=f"undo?entry={number}")
    assert desk.event.name == "Autre"
    number = desk.made.entries.latest("number").number
    assert desk.post("desk_log", press=f"undo?entry={number}").status_code == 403
    assert desk.event.name == "Autre"


def test_an_assistant_does_not_take_back_what_the_director_alone_does(helping: At) -> None:
    desk = helping("planned")
    Desk(desk.made).press("desk_settings", press="renamed", name="Autre")
    number = desk.made.entries.latest("number").number
    assert "undo?entry" not in desk.get("desk_entry", number).content.decode()
    assert desk.post("desk_entry", number, press=f"undo?entry={number}").status_code == 403
    assert desk.event.name == "Autre"


def test_a_page_asks_the_database_as_little_for_210_people(
    django_assert_max_num_queries: Callable[[int], Any],
) -> None:
    event = stages.through(
        tournament_creation.event_from_preset("Grand", "anjou_feu"),
        [acts.people_acts.AddPeople(tuple(EventPerson(f"Joueur {at}", rounds=(1,)) for at in range(210)))],
    )
    desk = Desk(tournament_creation.create_tournament(event, scene.director()))
    for page, args in (("desk_people", ()), ("desk_round", (1,)), ("desk", ())):
        with django_assert_max_num_queries(12):
            assert desk.get(page, *args).status_code == 200


def test_the_link_of_somebody_leads_a_phone_to_the_laptop(at: At, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(network, "lan_addresses", lambda: ("192.168.1.20",))
    settings.LAN, settings.SITE_URL, settings.ALLOWED_PORTS = True, "", {8000}
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    desk = at("opened")
    page = desk.browser.get(desk.address("desk_person", 3), headers={"host": "127.0.0.1:8000"})
    assert "http://192.168.1.20:8000/tournois/" in page.content.decode()


@pytest.mark.parametrize("resting", ["\0", "FRANCE", "9" * 4000])
def test_a_box_that_the_form_never_had_is_refused(at: At, resting: str) -> None:
    desk = at("playing")
    page = desk.get("desk_numbers", 1)
    fields = {"press": "draw", "choice": hidden(page, "choice"), "lot": "1", "resting": resting}
    assert desk.post("desk_numbers", 1, **fields).status_code == 409


def test_a_walk_in_who_sounds_like_somebody_is_asked_whether_it_is_another() -> None:
    desk = Desk(scene.tournament(27))
    for page, more in (("desk_round", (1,)), ("desk_people", ())):
        typed = {"press": "walk_in", "name": "ORIOL Agathe", "submission": page}
        answer = desk.post(page, *more, **typed)
        assert refusal(answer).startswith("Un nom semblable est déjà dans la liste\u00a0: Agathe Oriol")
        assert 'value="ORIOL Agathe"' in answer.content.decode()
        desk.press(page, *more, **typed, another="1")
    assert len(desk.event.people) == 29


def test_whether_there_is_a_final_is_not_said_before_it_is_known(at: At) -> None:
    text = at("opened").get("desk_numbers", 1).content.decode()
    assert "On le saura au tirage de la ronde 2." in text


def test_what_rests_on_the_seats_is_in_one_part_with_them(at: At) -> None:
    text = at("drafted").get("desk_draw", 1).content.decode()
    part = text.index('id="draft" data-part')
    assert (
        part
        < text.index('id="seats"')
        < text.index('name="seen"')
        < text.index("Qualité du tirage des tables")
    )
    assert text[part:].count("data-part") == 1  # it comes anew as a whole


def late_at(desk: Desk, seat: str, **typed: str) -> Any:
    return desk.post("desk_boards", 1, press="late", seat=seat, **{"missed": "", "submission": "l", **typed})


@pytest.mark.long
def test_seasons_missed_are_those_of_the_clock_when_the_form_is_sent() -> None:
    desk = Desk(scene.tournament(27))
    desk.press("desk_round", 1, press="all_there")
    for who in (*range(13, 20), *range(20, 28)):
        desk.press("desk_round", 1, round=1, press=f"left?person={who}")
    page = desk.get("desk_numbers", 1)
    desk.press("desk_numbers", 1, press="draw", choice=hidden(page, "choice"), lot="1", submission="d")
    desk.press("desk_draw", 1, press="published?round=1")
    for _season in range(3):
        desk.press("desk_boards", 1, round=1, press="clock_turned?by=1")
    seated = desk.event.rounds[1].boards[1].seats
    mate = next(seat.person for seat in seated.values() if seat.person)
    desk.press("desk_teams", press="apart", first=str(mate), second="26")
    refused = late_at(desk, "1 TURKEY", person="26")
    assert "ne sont jamais placés à la même table. Choisissez d’autres" in refusal(refused)
    assert late_at(desk, "1 TURKEY", person="27").status_code == 302
    assert desk.event.rounds[1].boards[1].seats["TURKEY"].missed == 3
    power = next(code for code, seat in seated.items() if seat.person == mate)
    going = {"press": "relieve", "power": power, "person": "25", "seasons": "", "submission": "r"}
    for nobody in ("9" * 5_000, "²", "-1", "Irène"):
        assert desk.post("desk_board", 1, 1, **{**going, "person": nobody}).status_code == 409
    assert 'size="4" value="9"' in desk.get("desk_board", 1, 1).content.decode()  # of twelve, to 1906
    desk.press("desk_board", 1, 1, **going)
    assert desk.event.rounds[1].boards[1].seats[power].reliefs[0].seasons == 9


def test_a_final_is_decided_as_soon_as_it_is_known_and_told_to_all(at: At) -> None:
    desk = at("closed")
    page = desk.get("desk_numbers", 2).content.decode()
    assert 'value="final_decided?held=1"' in page
    assert 'name="round" value="4"' in page
    told = "La ronde 4 a une table finale de 7 joueurs."
    assert told not in desk.get("welcome").content.decode()
    desk.press("desk_numbers", 2, round=4, press="final_decided?held=1")
    assert told in desk.get("welcome").content.decode()
    desk.press("desk_numbers", 2, round=4, press="final_decided?held=0")
    assert "Il n’y a pas de table finale." in desk.get("welcome").content.decode()


def test_a_draw_that_is_over_asks_for_nothing(at: At) -> None:
    assert "desk-next" in at("drafted").get("desk_draw", 1).content.decode()
    assert "desk-next" not in at("closed").get("desk_draw", 1).content.decode()


def test_the_last_director_whose_account_is_open_stays(at: At) -> None:
    desk = at("planned")
    mine = desk.made.memberships.get()
    closed = cast.person(cast.ASSISTANT)
    desk.press("desk_staff", press="director", name=cast.ASSISTANT)
    assert desk.made.memberships.filter(account=closed, role="director").exists()
    closed.is_active = False
    closed.save()
    desk.press("desk_staff", press=f"leave?{mine.pk}")
    assert desk.made.memberships.filter(pk=mine.pk).exists()
