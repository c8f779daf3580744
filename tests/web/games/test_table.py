"""Gathering, joining, leaving, beginning, seats that become free: what happens at a table."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import phase_deadlines, power_assignments
from talleyrand.web.games.game_settings import Anonymity, GameSettings, MissingOrdersRule, PressSetting
from talleyrand.web.games.lobby import game_creation, membership_actions, power_draw
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameSeat, GameState, Invitation
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, person, table
from tests.web.games.tables import SIX, at, fill, link, made, refused, roles, words

pytestmark = pytest.mark.django_db


# doors


@pytest.mark.parametrize(
    ("role", "sentence"),
    [("player", "dès que toutes les places sont prises"), ("master", "Le MJ lance la partie")],
)
def test_the_door_tells_when_the_game_begins(client: Client, role: str, sentence: str) -> None:
    game = made(part=role)
    assert sentence in words(client.get(at(game, "rejoindre/")))
    assert client_of("Roman").post(at(game, "rejoindre/")).status_code == 302
    assert sentence in words(client_of("Roman").get(at(game)))


def test_the_door_tells_the_terms_before_one_says_yes(client: Client) -> None:
    game = made(press=PressSetting.NONE, listed=False)
    page = client.get(link(game))
    told = words(page)
    assert page.status_code == 200
    assert "Pas de messages entre puissances." in told
    assert "Anjou Feu" in told
    assert "joueur" in told
    assert "Agathe" not in told


def test_a_visitor_signs_in_and_comes_back(client: Client) -> None:
    game = made()
    door = link(game)
    assert f"?next={door}" in words(client.get(door))
    answer = client.post(door)
    assert answer.status_code == 302
    assert "next=" in answer["Location"]
    assert roles(game) == {"Agathe": GameRole.PLAYER}


@pytest.mark.parametrize("role", GameRole.values)
def test_a_link_for_each_role(role: str) -> None:
    game = made()
    answer = client_of("Roman").post(link(game, role))
    assert answer.status_code == 302
    assert roles(game)["Roman"] == role


def test_a_link_for_one_person_is_used_up() -> None:
    game = made()
    door = link(game, is_single_use=True)
    assert client_of("Roman").post(door).status_code == 302
    answer = client_of("Théa").post(door)
    assert answer.status_code == 410
    assert "déjà servi" in words(answer)
    assert client_of("Théa").get(door).status_code == 410
    # who used it himself comes back to the table
    assert "déjà dans cette partie" in words(client_of("Roman").get(door))


def test_a_link_for_many_serves_many_and_can_be_withdrawn() -> None:
    game = made()
    door = link(game)
    for name in ("Roman", "Théa"):
        assert client_of(name).post(door).status_code == 302
    mine = client_of("Agathe")
    answer = mine.post(at(game, "invite/withdraw/"), {"link": Invitation.objects.get().pk})
    assert answer.status_code == 302
    assert mine.post(at(game, "invite/withdraw/"), {"link": Invitation.objects.get().pk}).status_code == 302
    assert client_of("Irène").post(door).status_code == 410
    assert set(roles(game)) == {"Agathe", "Roman", "Théa"}


def test_a_link_for_a_power_gives_it() -> None:
    game = made()
    assert client_of("Roman").post(link(game, power="RUSSIA", is_single_use=True)).status_code == 302
    assert power_assignments.players_by_power(game)["RUSSIA"] == person("Roman").pk
    answer = client_of("Théa").post(link(game, power="RUSSIA", is_single_use=True))
    refused(answer, "Quelqu’un vient de prendre cette place")
    assert "Théa" not in roles(game)
    client_of("Agathe").post(at(game, "start/"), {"how": "lot"})
    assert power_assignments.players_by_power(game)["RUSSIA"] == person("Roman").pk
    assert power_assignments.powers_played_by(game, person("Agathe")) != ("RUSSIA",)


def test_a_link_that_is_nobodys_does_not_exist(client: Client) -> None:
    assert client.get("/parties/invitation/nothing/").status_code == 404
    assert client.post("/parties/invitation/nothing/").status_code == 404


def test_a_listed_game_needs_no_link() -> None:
    game = made()
    assert client_of("Roman").post(at(game, "rejoindre/")).status_code == 302
    assert roles(game)["Roman"] == GameRole.PLAYER
    assert client_of("Oscar").post(at(game, "rejoindre/"), {"role": "observer"}).status_code == 302
    assert roles(game)["Oscar"] == GameRole.OBSERVER
    # no role is taken that nobody gave
    assert client_of("Armand").post(at(game, "rejoindre/"), {"role": "master"}).status_code == 302
    assert roles(game)["Armand"] == GameRole.PLAYER


def test_before_the_draw_nobody_takes_a_power_that_no_link_gives() -> None:
    game = made()
    answers = [
        client_of("Flora").post(at(game, "rejoindre/"), {"power": "FRANCE"}),
        client_of("Roman").post(link(game), {"power": "TURKEY"}),
        client_of("Théa").post(link(game, power="ITALY"), {"power": "RUSSIA"}),
    ]
    assert [one.status_code for one in answers] == [302] * 3
    held = {power for power, holder in power_assignments.players_by_power(game).items() if holder}
    assert held == {"ITALY"}


def test_an_unlisted_game_does_not_exist_for_strangers(client: Client) -> None:
    game = made(listed=False)
    for visitor in (client, client_of(STRANGER)):
        for path in ("", "rejoindre/", "journal/"):
            assert visitor.get(at(game, path)).status_code == 404
        assert visitor.post(at(game, "rejoindre/")).status_code == 404


def test_twice_the_same_is_once() -> None:
    game = made()
    roman = client_of("Roman")
    for _ in range(2):
        assert roman.post(at(game, "rejoindre/")).status_code == 302
    assert GameMembership.objects.filter(game=game, person=person("Roman")).count() == 1


def test_the_game_is_full() -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    fill(game, list(PLAYERS.values()))
    assert game.state == GameState.GATHERING
    told = words(client_of(STRANGER).get(at(game, "rejoindre/")))
    assert "Cette partie est complète" in told
    refused(client_of(STRANGER).post(at(game, "rejoindre/")), "Cette partie est complète")
    # an observer still comes in
    assert client_of(STRANGER).post(link(game, GameRole.OBSERVER)).status_code == 302


def test_the_game_has_begun_or_is_over() -> None:
    game = table()
    refused(client_of(STRANGER).post(link(game)), "aucune place n’est libre")
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED)
    refused(client_of(STRANGER).post(link(game)), "Cette partie est finie")


# wishes, draw, beginning


def test_the_last_seat_begins_a_game_without_game_master() -> None:
    game = made()
    fill(game, SIX[:-1])
    answer = client_of("Théa").post(at(game, "rejoindre/"), {"wish-1": "TURKEY", "wish-2": "TURKEY"})
    assert answer.status_code == 302
    game.refresh_from_db()
    assert (game.state, game.phase_number) == (GameState.PLAYING, 1)
    assert sorted(power_assignments.player_ids(game)) == sorted(person(name).pk for name in PLAYERS.values())
    assert power_assignments.powers_played_by(game, person("Théa")) == ("TURKEY",)
    kinds = Notification.objects.filter(person=person("Théa")).values_list("kind", flat=True)
    assert {"begun", "given"} <= set(kinds)


def test_the_last_seat_does_not_begin_a_game_with_a_game_master() -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    fill(game, list(PLAYERS.values()))
    game.refresh_from_db()
    assert game.state == GameState.GATHERING


def test_the_draw_in_the_log_can_be_made_again() -> None:
    game = made()
    fill(game, ["Roman", "Théa", "Irène"])
    membership_actions.set_preferences(game, person("Irène"), ["MARS", "ITALY", "ITALY", "FRANCE"])
    assert client_of("Agathe").post(at(game, "start/"), {"how": "lot"}).status_code == 302
    told = game.log.get(kind="lots").facts
    assert game.log.get(kind="drawn").facts == {"seed": told["seed"], "players": 4}
    assert told["seed"] == power_draw.power_draw_seed(game.seed) != game.seed
    wishes = {int(number): several for number, several in told["wishes"].items()}
    assert wishes == {4: ["ITALY", "FRANCE"]}
    powers = list(power_assignments.players_by_power(game))
    again = power_draw.draw_powers(told["seed"], (1, 2, 3, 4), powers, wishes)
    assert {str(number): power for number, power in again.power_by_player.items()} == told["given"]
    assert power_assignments.powers_played_by(game, person("Irène")) == ("ITALY",)
    assert again.power_by_player[1] == power_assignments.powers_played_by(game, person("Agathe"))[0]


@pytest.mark.long
@pytest.mark.parametrize("board", ["classic", "sandad", "trio"])
def test_every_board_begins_when_its_table_is_full(board: str) -> None:
    plan = GamePlan("Autre plateau", board, "anjou_feu", GameSettings(), is_listed=True, role=GameRole.PLAYER)
    game = game_creation.create_game(plan, person("Agathe"), "")
    names = list(PLAYERS.values())[1 : game.seats.count()]
    fill(game, names[:-1])
    client_of(names[-1]).post(at(game, "rejoindre/"))
    game.refresh_from_db()
    assert (game.state, game.phase_number) == (GameState.PLAYING, 1)
    assert power_assignments.unplayed_powers(game) == ()
    assert client_of(names[-1]).get(at(game)).status_code == 200
    client_of(names[-1]).post(at(game, "leave/"))
    assert client_of(STRANGER).get(at(game, "rejoindre/")).status_code == 200
    assert client_of(STRANGER).post(at(game, "rejoindre/")).status_code == 302


def test_powers_without_a_player_are_in_disorder_and_free() -> None:
    game = made()
    fill(game, ["Roman"])
    client_of("Agathe").post(at(game, "start/"))
    assert len(power_assignments.unplayed_powers(game)) == 5
    assert set(
        GameSeat.objects.filter(game=game, in_civil_disorder=True).values_list("power", flat=True)
    ) == set(power_assignments.unplayed_powers(game))
    assert (
        client_of("Théa")
        .post(at(game, "rejoindre/"), {"power": power_assignments.unplayed_powers(game)[0]})
        .status_code
        == 302
    )
    assert len(power_assignments.unplayed_powers(game)) == 4


def test_the_game_master_gives_several_powers_by_hand() -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    fill(game, ["Edmond", "Agathe"])
    pks = dict(game.memberships.values_list("person__name", "pk"))
    first = {"ENGLAND": "Edmond", "FRANCE": "Edmond", "RUSSIA": "Edmond"}
    second = dict.fromkeys(("AUSTRIA", "GERMANY", "TURKEY"), "Agathe")
    given = {f"give-{power}": str(pks[name]) for power, name in {**first, **second}.items()}
    assert client_of(MASTER).post(at(game, "start/"), {"how": "hand", **given}).status_code == 302
    assert power_assignments.powers_played_by(game, person("Edmond")) == ("ENGLAND", "FRANCE", "RUSSIA")
    assert power_assignments.unplayed_powers(game) == ("ITALY",)
    assert game.log.filter(kind="assigned").exists()
    assert not game.log.filter(kind="drawn").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Chaque joueur doit avoir au moins une puissance"),
        ({"FRANCE": "Edmond"}, "Chaque joueur doit avoir au moins une puissance"),
        ({"FRANCE": "Maëlle", "ITALY": "Agathe", "RUSSIA": "Edmond"}, "a quitté la partie"),
        ({"FRANCE": "99999", "ITALY": "Agathe", "RUSSIA": "Edmond"}, "a quitté la partie"),
        ({"FRANCE": "²", "ITALY": "Agathe", "RUSSIA": "Edmond"}, "a quitté la partie"),
    ],
)
def test_what_is_wrong_by_hand_comes_back_filled_in(given: dict[str, str], said: str) -> None:
    game = made(MASTER, GameRole.GAME_MASTER)
    fill(game, ["Edmond", "Agathe"])
    pks = {name: str(pk) for name, pk in game.memberships.values_list("person__name", "pk")}
    sent = {f"give-{power}": pks.get(who, who) for power, who in given.items()}
    answer = client_of(MASTER).post(at(game, "start/"), {"how": "hand", **sent})
    refused(answer, said)
    if "FRANCE" in given and given["FRANCE"] == "Edmond":
        assert f'<option value="{pks["Edmond"]}" selected>Edmond' in words(answer)
    game.refresh_from_db()
    assert game.state == GameState.GATHERING
    assert not power_assignments.player_ids(game)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("names", "shares", "out"),
    [
        (["Agathe", "Roman", "Théa"], {"ENGLAND+GERMANY+AUSTRIA", "RUSSIA+ITALY", "FRANCE+TURKEY"}, set()),
        (["Agathe", "Roman", "Théa", "Flora"], {"ENGLAND", "AUSTRIA+FRANCE", "GERMANY+TURKEY"}, set()),
        (list(PLAYERS.values())[:5], {"ENGLAND", "RUSSIA", "TURKEY"}, {"ITALY", "GERMANY"}),
        (list(PLAYERS.values())[:6], {"ENGLAND", "GERMANY", "TURKEY"}, {"ITALY"}),
    ],
)
def test_fewer_players_draw_the_shares_of_the_classic_rules(
    names: list[str], shares: set[str], out: set[str]
) -> None:
    game = made()
    fill(game, names[1:])
    membership_actions.set_preferences(game, person(names[-1]), ["TURKEY"])
    page = words(client_of("Agathe").get(at(game)))
    assert f"selon les règles classiques à {len(names)} joueurs" in page
    assert client_of("Agathe").post(at(game, "start/"), {"how": "shares"}).status_code == 302
    given = game.log.get(kind="lots").facts["given"]
    assert shares <= set(given.values())
    assert set(power_assignments.unplayed_powers(game)) == out
    assert "TURKEY" in power_assignments.powers_played_by(game, person(names[-1]))
    for number, name in enumerate(names, 1):
        assert set(power_assignments.powers_played_by(game, person(name))) == set(
            given[str(number)].split("+")
        )


def test_no_shares_where_the_rules_print_none() -> None:
    game = made()
    fill(game, ["Roman"])
    assert "Tirer les puissances selon les règles classiques à" not in words(
        client_of("Agathe").get(at(game))
    )
    refused(
        client_of("Agathe").post(at(game, "start/"), {"how": "shares"}),
        "Les règles classiques ne prévoient pas de répartition des",
    )


def test_only_who_gathers_begins() -> None:
    game = made()
    fill(game, ["Roman"])
    assert client_of("Roman").post(at(game, "start/")).status_code == 404
    # whoever plays gives no powers by hand, the maker of the game either
    assert client_of("Agathe").post(at(game, "start/"), {"how": "hand"}).status_code == 404
    assert client_of("Agathe").post(at(game, "start/")).status_code == 302
    refused_again = client_of("Agathe").post(at(game, "start/"))
    assert refused_again.status_code == 404


@pytest.mark.long
def test_two_are_needed_and_a_game_master_where_agreed() -> None:
    game = made()
    refused(client_of("Agathe").post(at(game, "start/")), "Il faut au moins deux joueurs")
    for terms in ({"press": PressSetting.HELD}, {"absent": MissingOrdersRule.WAIT}, {"rhythm": {"hours": 0}}):
        led = made("Edmond", **terms)
        fill(led, ["Roman"])
        refused(
            client_of("Edmond").post(at(led, "start/")),
            "Ces réglages demandent un MJ : invitez-en d’abord un par un",
        )


# absences


@pytest.mark.long
def test_an_absence_is_announced_and_withdrawn() -> None:
    game = table(anonymity=Anonymity.UNTIL_END)
    soon, later = (timezone.now() + timedelta(days=days) for days in (10, 12))
    sent = {"since": f"{soon:%Y-%m-%d}", "until": f"{later:%Y-%m-%d}"}
    assert client_of("Flora").post(at(game, "absence/"), sent).status_code == 302
    kept = game.absences.get()
    assert kept.ends_at - kept.starts_at in (timedelta(days=3), timedelta(days=3, hours=1))
    told = words(client_of("Roman").get(at(game)))
    assert "Un joueur" in told
    assert "Flora" not in told
    assert "Flora" in words(client_of(MASTER).get(at(game)))
    answer = client_of("Roman").post(at(game, "absence/withdraw/"), {"absence": kept.pk})
    refused(answer, "Cette absence est passée")
    assert client_of("Flora").post(at(game, "absence/withdraw/"), {"absence": kept.pk}).status_code == 302
    refused(client_of("Flora").post(at(game, "absence/withdraw/"), {"absence": kept.pk}), "déjà retirée")


def test_an_absence_does_not_tell_where_somebody_lives() -> None:
    game = table()
    Person.objects.filter(pk=person("Flora").pk).update(time_zone="America/New_York")
    soon = timezone.now() + timedelta(days=10)
    sent = {"since": f"{soon:%Y-%m-%d}", "until": f"{soon:%Y-%m-%d}"}
    assert client_of("Flora").post(at(game, "absence/"), sent).status_code == 302
    since = game.absences.get().starts_at.astimezone(
        ZoneInfo(phase_deadlines.deadline_settings_of(game).time_zone)
    )
    assert (since.hour, since.minute) == (0, 0)


ABSENCES = [
    ({}, "Indiquez le premier et le dernier jour, par exemple"),
    ({"since": "demain", "until": "mardi"}, "Indiquez le premier et le dernier jour, par exemple"),
    ({"since": "2031-02-30", "until": "2031-03-01"}, "Indiquez le premier et le dernier jour, par exemple"),
    ({"since": "9999-12-31", "until": "9999-12-31"}, "Indiquez le premier et le dernier jour, par exemple"),
    ({"since": "0001-01-01", "until": "2031-01-01"}, "Indiquez le premier et le dernier jour, par exemple"),
    ({"since": "2020-01-01", "until": "2020-01-03"}, "déjà passé"),
    ({"since": "2031-01-03", "until": "2031-01-01"}, "Le dernier jour ne peut pas précéder le premier"),
    ({"since": "2026-12-01", "until": "2027-11-01"}, "C’est plus d’absence que cette partie n’en permet"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("sent", "said"), ABSENCES)
def test_absences_that_cannot_be(sent: dict[str, str], said: str) -> None:
    game = table()
    answer = client_of("Flora").post(at(game, "absence/"), sent)
    refused(answer, said)
    assert game.absences.count() == 0
    if sent:
        assert f'value="{sent["since"]}"' in words(answer)


@pytest.mark.long
def test_absences_add_up_to_what_was_agreed() -> None:
    game = table(absence_days=4)
    flora = client_of("Flora")

    def days(first: int, last: int) -> dict[str, str]:
        now = timezone.now()
        return {
            "since": f"{now + timedelta(days=first):%Y-%m-%d}",
            "until": f"{now + timedelta(days=last):%Y-%m-%d}",
        }

    assert flora.post(at(game, "absence/"), days(10, 11)).status_code == 302
    refused(flora.post(at(game, "absence/"), days(11, 12)), "déjà annoncé une absence")
    refused(
        flora.post(at(game, "absence/"), days(20, 22)), "C’est plus d’absence que cette partie n’en permet"
    )
    assert flora.post(at(game, "absence/"), days(20, 21)).status_code == 302
    nothing = table(absence_days=0)
    refused(flora.post(at(nothing, "absence/"), days(10, 11)), "ne décalent pas")


# pauses, abandoning


def test_with_a_game_master_a_pause_is_asked_of_him() -> None:
    game = table()
    assert client_of("Flora").post(at(game, "pause/")).status_code == 302
    refused(client_of("Flora").post(at(game, "pause/")), "Vous l’avez déjà demandé")
    game.refresh_from_db()
    assert game.state == GameState.PLAYING
    assert Notification.objects.filter(person=person(MASTER), kind="pause_asked").count() == 1
    refused(client_of("Flora").post(at(game, "resume/")), "La partie n’est pas en pause")


@pytest.mark.long
def test_without_one_it_takes_all_to_rest_and_one_to_go_on() -> None:
    game = table()
    GameMembership.objects.filter(game=game, role__in=[GameRole.GAME_MASTER, GameRole.ASSISTANT]).delete()
    # nobody waits for one who has not been heard of for long
    GameSeat.objects.filter(game=game, power="AUSTRIA").update(in_civil_disorder=True)
    for name in list(PLAYERS.values())[1:]:
        game.refresh_from_db()
        assert game.state == GameState.PLAYING
        assert client_of(name).post(at(game, "pause/")).status_code == 302
    game.refresh_from_db()
    assert (game.state, game.deadline) == (GameState.PAUSED, None)
    assert client_of("Théa").post(at(game, "resume/")).status_code == 302
    game.refresh_from_db()
    assert game.state == GameState.PLAYING
    assert client_of("Théa").post(at(game, "pause/")).status_code == 302


@pytest.mark.long
def test_abandoning_needs_a_reason() -> None:
    waiting = table(begun=False)
    for reason in ("", "   ", "\x00"):
        refused(client_of(MASTER).post(at(waiting, "abandon/"), {"reason": reason}), "Donnez un motif")
    assert client_of(MASTER).post(at(waiting, "abandon/"), {"reason": "Trop peu."}).status_code == 302
    waiting.refresh_from_db()
    assert waiting.state == GameState.ABANDONED
    game = table()
    for name in ("Flora", ASSISTANT, OBSERVER):
        assert client_of(name).post(at(game, "abandon/"), {"reason": "assez"}).status_code == 404
    # one that is played ends at the desk, which first says what that does
    desk = f"/parties/{game.key}/desk/end/"
    refused(client_of(MASTER).post(at(game, "abandon/"), {"reason": "Trop d’absents."}), "a changé")
    assert f'action="{desk}"' in client_of(MASTER).get(at(game)).text
    sent = {"action": "abandon", "reason": "Trop d’absents."}
    assert "Abandonner la partie" in client_of(MASTER).post(desk, sent).text
    client_of(MASTER).post(desk, {**sent, "confirmed": "1"})
    game.refresh_from_db()
    assert (game.state, game.deadline, game.next_check_at) == (GameState.ABANDONED, None, None)
    assert "Trop d’absents." in words(client_of("Flora").get(at(game)))
    told = Notification.objects.filter(kind="ended", person=person("Flora")).order_by("pk")
    assert [one.facts["reason"] for one in told] == ["Trop peu.", "Trop d’absents."]
    assert (game.result or {})["centres"]["FRANCE"] == 3
    refused(client_of(MASTER).post(at(game, "abandon/"), {"reason": "encore"}), "Cette partie est finie")


# bad requests

POSTS = [
    "preferences/",
    "leave/",
    "resign/",
    "remove/",
    "start/",
    "invite/",
    "invite/withdraw/",
    "absence/",
    "absence/withdraw/",
    "pause/",
    "resume/",
    "abandon/",
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("path", POSTS)
def test_what_one_may_not_do_does_not_exist(client: Client, path: str) -> None:
    game = table()
    assert client_of(STRANGER).post(at(game, path), {"reason": "x"}).status_code == 404
    assert client.post(at(game, path)).status_code == 302  # to sign in
    assert client_of("Flora").get(at(game, path)).status_code == 405
    assert client.post(f"/parties/rien/infos/{path}").status_code == 404
    hidden = table()
    Game.objects.filter(pk=hidden.pk).update(is_listed=False)
    assert client_of(STRANGER).post(at(hidden, path)).status_code == 404


@pytest.mark.parametrize("path", POSTS)
def test_no_form_without_its_token(path: str) -> None:
    game = table()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person(MASTER), backend="django.contrib.auth.backends.ModelBackend")
    assert strict.post(at(game, path), {"reason": "x"}).status_code == 403


LINKS = [
    ({}, "Ce rôle n’existe pas"),
    ({"role": "king"}, "Ce rôle n’existe pas"),
    ({"role": "player", "power": "MARS"}, "Cette puissance n’existe pas dans cette partie"),
]


@pytest.mark.parametrize(("sent", "said"), LINKS)
def test_links_that_cannot_be(sent: dict[str, str], said: str) -> None:
    game = made(anonymity=Anonymity.OPEN)
    refused(client_of("Agathe").post(at(game, "invite/"), sent), said)
    assert not game.invitations.exists()


def test_links_are_shown_to_who_gathers_alone() -> None:
    game = made(anonymity=Anonymity.OPEN)
    fill(game, ["Roman"])
    assert client_of("Agathe").post(at(game, "invite/"), {"role": "player", "once": "yes"}).status_code == 302
    token = game.invitations.get().token
    assert game.invitations.get().is_single_use
    assert token in words(client_of("Agathe").get(at(game)))
    assert token not in words(client_of("Roman").get(at(game)))
    assert client_of("Roman").post(at(game, "invite/"), {"role": "master"}).status_code == 404


def test_who_made_a_game_and_plays_has_no_rights_later() -> None:
    game = made()
    fill(game, ["Roman"])
    client_of(MASTER).post(link(game, GameRole.GAME_MASTER))
    client_of("Agathe").post(at(game, "start/"))
    game.refresh_from_db()
    sight = GameViewer(game, person("Agathe"))
    assert not sight.is_host
    assert not sight.may_invite
    for path in ("abandon/", "remove/", "start/", "invite/"):
        assert client_of("Agathe").post(at(game, path), {"reason": "x", "role": "master"}).status_code == 404
