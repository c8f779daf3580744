"""Letters sent and read through the pages."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameSeat, GameState
from talleyrand.web.notifications.models import Notification, TopicVersion
from talleyrand.web.press import message_actions, message_visibility, press_rules
from talleyrand.web.press.models import Conversation, Message, MessageState, ReadMark
from tests.web.cast import MASTER, OBSERVER, PLAYERS, client_of, deal, person, table
from tests.web.press.post import SCRIPT, address, form, opening, reply, room, see, send, texts

pytestmark = pytest.mark.django_db
MOVED = (302, 303)


@pytest.fixture
def game(db: None) -> Game:
    return table()


def test_a_letter_arrives(game: Game) -> None:
    answer = send(game, "Flora", "ENGLAND", "La Manche reste vide, <b>promis</b>.")
    found = room(game, "ENGLAND+FRANCE")
    assert answer.status_code in MOVED
    assert answer["Location"] == address(game, f"{found.key}/#write")
    page = see(game, "Edmond", f"{found.key}/").content.decode()
    assert "La Manche reste vide, &lt;b&gt;promis&lt;/b&gt;." in page
    assert "<b>promis</b>" not in page
    assert "Printemps 1901" in page
    letter = found.letters.get()
    assert (letter.signature, letter.author_power, letter.state, letter.phase_number, letter.phase) == (
        "FRANCE",
        "FRANCE",
        MessageState.DELIVERED,
        1,
        "S1901M",
    )
    reply(found, "Edmond", "D’accord.")
    assert [one.signature for one in found.letters.all()] == ["FRANCE", "ENGLAND"]
    assert Conversation.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "to", "members"),
    [
        ("Flora", ["*"], "*"),
        ("Flora", ["@"], "FRANCE+@"),
        ("Flora", ["TURKEY", "AUSTRIA"], "AUSTRIA+FRANCE+TURKEY"),
        (MASTER, ["*"], "*"),
        (MASTER, ["FRANCE"], "FRANCE+@"),
    ],
)
def test_rooms(game: Game, name: str, to: list[str], members: str) -> None:
    assert send(game, name, to).status_code in MOVED
    assert room(game, members).letters.count() == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "to", [[], ["FRANCE"], ["ENGLAND", "ENGLAND"], ["PRUSSIA"], ["ENGLAND", "@"], ["*", "@"], ["?"]]
)
def test_what_is_no_room(game: Game, to: list[str]) -> None:
    for answer in (
        client_of("Flora").get(opening(game, *to, sign="FRANCE")),
        client_of("Flora").post(opening(game, *to, sign="FRANCE"), form("Bonjour")),
    ):
        assert answer.status_code == 400
        assert 'role="alert"' in answer.content.decode()
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Le message est vide"),
        ("\u200b \n", "Le message est vide"),
        ("\x00", "Le message est vide"),
        ("x" * 20_001, "caractères au plus. Envoyez-le en deux fois"),
        ("x" * 100_000, "caractères au plus. Envoyez-le en deux fois"),
        ("abc\ufffd", "caractères abîmés"),
    ],
)
def test_a_text_that_is_no_letter_comes_back(game: Game, text: str, sentence: str) -> None:
    answer = send(game, "Flora", "ENGLAND", text)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert sentence in page
    assert text.strip("\x00\u200b \n") in page
    by_script = client_of("Flora").post(opening(game, "ENGLAND"), form(text), headers=SCRIPT)
    assert by_script.status_code == 409
    assert sentence in by_script.json()["message"]
    assert not Conversation.objects.exists()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"text=caf%e9&submission=0123456789abcdef", "application/x-www-form-urlencoded", 409),
        (
            b"text=bonjour&submission=0123456789abcdef",
            "application/x-www-form-urlencoded; charset=utf-16",
            400,
        ),
        (b"text=%ff%fe&submission=0123456789abcdef", "application/x-www-form-urlencoded", 409),
        (b'{"text": "bonjour"}', "application/json", 409),
        (b"text=bonjour", "application/x-www-form-urlencoded", 409),
        (b"text=bonjour&submission=court", "application/x-www-form-urlencoded", 409),
        (b"\x00\x01\x02", "application/octet-stream", 409),
        (b"", "multipart/form-data; boundary=x", 409),
    ],
)
def test_what_is_no_form_writes_nothing(game: Game, body: bytes, kind: str, status: int) -> None:
    answer = client_of("Flora").post(opening(game, "ENGLAND"), body, content_type=kind)
    assert answer.status_code == status
    assert not Message.objects.exists()


def test_the_same_form_twice_is_one_letter(game: Game) -> None:
    client, sent = client_of("Flora"), form("Une seule fois")
    answers = [client.post(opening(game, "ENGLAND"), sent, headers=SCRIPT).json() for _ in range(3)]
    assert texts(game) == ["Une seule fois"]
    assert len({answer["room"] for answer in answers}) == 1
    # with another text it is another letter; somebody else’s form of that name is his own
    client.post(opening(game, "ENGLAND"), {**sent, "text": "Encore"})
    client_of("Edmond").post(opening(game, "FRANCE"), sent)
    assert texts(game) == ["Une seule fois", "Encore", "Une seule fois"]


def test_a_letter_acknowledged_late_is_not_refused(game: Game) -> None:
    client, sent = client_of("Flora"), form("Avant la fin")
    client.post(opening(game, "ENGLAND"), sent)
    Game.objects.update(state=GameState.ENDED, phase="")
    assert client.post(opening(game, "ENGLAND"), sent).status_code in MOVED
    assert client.post(opening(game, "ENGLAND"), form("Après")).status_code == 409
    assert texts(game) == ["Avant la fin"]


def test_a_flood_is_stopped_and_loses_nothing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_actions, "MOST", 3)
    for number in range(3):
        send(game, "Flora", "ENGLAND", f"Lettre {number}")
    answer = send(game, "Flora", "GERMANY", "La quatrième")
    assert answer.status_code == 409
    assert "La quatrième" in answer.content.decode()
    assert send(game, "Edmond", "FRANCE", "D’un autre").status_code in MOVED
    assert "La quatrième" not in texts(game)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("terms", "phase", "members", "status"),
    [
        ({"press": "full"}, "S1901M", "ENGLAND+FRANCE", 302),
        ({"press": "public"}, "S1901M", "ENGLAND+FRANCE", 409),
        ({"press": "public"}, "S1901M", "*", 302),
        ({"press": "none"}, "S1901M", "ENGLAND+FRANCE", 409),
        ({"press": "none"}, "S1901M", "*", 409),
        ({"press": "none"}, "S1901M", "FRANCE+@", 302),
        ({"press": "full", "press_between": False}, "S1901R", "ENGLAND+FRANCE", 409),
        ({"press": "full", "press_between": False}, "W1901A", "*", 409),
        ({"press": "full", "press_between": False}, "W1901A", "FRANCE+@", 302),
    ],
)
def test_an_old_room_opens_no_way_round_the_rules(
    db: None, terms: dict[str, Any], phase: str, members: str, status: int
) -> None:
    """The room is there from a time when it was allowed; its own address asks the rules too."""
    game = table()
    send(game, "Flora", {"*": "*", "FRANCE+@": "@"}.get(members, "ENGLAND"), "Avant")
    Game.objects.update(settings_json=table(**terms).settings_json, phase=phase)
    found = room(game, members)
    assert reply(found, "Flora", "Prochaine étape").status_code == status
    page = see(game, "Flora", f"{found.key}/").content.decode()
    assert ('name="text"' in page) == (status == 302)
    assert "Avant" in page


def test_several_powers_choose_their_signature(game: Game) -> None:
    deal(game, "ITALY", "Flora")
    page = client_of("Flora").get(opening(game, "ENGLAND", sign="FRANCE")).content.decode()
    assert "La signature" not in page
    assert send(game, "Flora", "ENGLAND").status_code == 400  # not said which
    assert send(game, "Flora", "ENGLAND", writer="ITALY").status_code in MOVED
    assert send(game, "Flora", "ENGLAND", writer="TURKEY").status_code == 400
    assert room(game, "ENGLAND+ITALY").letters.get().signature == "ITALY"
    found = room(game, "ENGLAND+ITALY")
    assert reply(found, "Flora", writer="FRANCE").status_code == 409  # France is not in it
    assert send(game, "Flora", "*", writer="FRANCE").status_code in MOVED
    assert send(game, "Flora", ["ITALY"], writer="FRANCE").status_code == 409  # to oneself
    assert send(game, "Flora", ["ITALY", "ENGLAND"], writer="FRANCE").status_code in MOVED


def test_of_several_powers_one_is_shown_at_a_time(game: Game) -> None:
    """Each has its own rooms and its own list of whom to write to; what waits for the other is counted."""
    deal(game, "ITALY", "Flora")
    send(game, "Edmond", "FRANCE", "zzfrancezz")
    send(game, "Edmond", "ITALY", "zzitalyzz")
    send(game, "Edmond", "*", "zzeverybodyzz")
    french, italian = (see(game, "Flora", f"?as={power}").content.decode() for power in ("FRANCE", "ITALY"))
    for page, mine, other in ((french, "zzfrancezz", "zzitalyzz"), (italian, "zzitalyzz", "zzfrancezz")):
        assert mine in page
        assert other not in page
        assert "zzeverybodyzz" in page
        assert links(page, 'class="openings"', "</ul>") == [
            "Maître de jeu",
            "Autriche",
            "Allemagne",
            "Russie",
            "Turquie",
        ]
        assert page.count('class="badge">1') == 4  # two rooms and, in the list of powers, both
    for odd in ("", "PRUSSIA", "%00", "GERMANY"):  # nothing that one plays: the first that one may order
        assert "zzfrancezz" in see(game, "Flora", f"?as={odd}").content.decode()
    found = room(game, "ENGLAND+ITALY")
    page = see(game, "Flora", f"{found.key}/?as=FRANCE").content.decode()
    assert page.partition('aria-current="true"')[2].partition("</a>")[0].endswith("Italie")
    assert "Angleterre, Italie" in page


def links(page: str, first: str, last: str) -> list[str]:
    """The words of the links in a part of a page."""
    part = page.partition(first)[2].partition(last)[0]
    return [" ".join(re.sub("<.*?>", "", one).split()) for one in re.findall("(?s)<a .*?</a>", part)]


def test_a_room_shows_the_way_to_the_others_with_what_is_unread(game: Game) -> None:
    send(game, "Edmond", ["FRANCE", "GERMANY"], "À trois")
    send(game, "Edmond", "FRANCE", "À deux")
    page = see(game, "Flora", f"{room(game, 'ENGLAND+FRANCE').key}/").content.decode()
    names = links(page, 'class="room-tabs"', "</nav>")
    assert names[:3] == ["Tous", "Maître de jeu", "Autriche"]
    assert len(names) == 9  # everybody, the game master, the six others and the group
    assert [one for one in names if "nouveau" in one] == ["Angleterre, Allemagne 1 nouveau message"]
    assert "Printemps 1901, mouvements" in page


def test_a_page_alone_is_a_part_of_the_page(game: Game) -> None:
    """Without the frame, read all the same; whoever may not open it gets what the page would give."""
    send(game, "Edmond", "FRANCE", "À deux")
    path = f"{room(game, 'ENGLAND+FRANCE').key}/"
    for one in ("", path, "nouvelle/", "nouvelle/?to=GERMANY", "?q=deux"):
        part = client_of("Flora").get(address(game, one), headers={"X-Alone": "1"})
        assert part["Vary"].count("X-Alone") == 1
        text = part.content.decode()
        assert "<html" not in text
        assert "game-head" not in text
        assert text.count('class="letters-page"') == 1
    assert see(game, "Flora", "unread.json").json()["unread"] == 0
    assert client_of("Gaspard").get(address(game, path), headers={"X-Alone": "1"}).status_code == 404


def test_an_eliminated_power(game: Game) -> None:
    start = game.revisions.get(phase_number=0)
    assert start.next_situation is not None
    for name in ("units", "centers"):
        start.next_situation[name].pop("FRANCE")
    start.save()
    assert "éliminée" in send(game, "Flora", "ENGLAND").content.decode()
    assert send(game, "Flora", "*").status_code in MOVED
    assert send(game, "Flora", "@").status_code in MOVED
    assert send(game, "Edmond", "FRANCE").status_code in MOVED
    assert Message.objects.count() == 3


def test_a_vacant_power_finds_its_letters_later(game: Game) -> None:
    power_assignments.end_assignment(game, "ITALY")
    send(game, "Flora", "ITALY", "À qui viendra")
    found = room(game, "FRANCE+ITALY")
    assert (
        "La personne qui prendra la place verra les messages"
        in see(game, "Flora", f"{found.key}/").content.decode()
    )
    assert reply(found, "Irène").status_code == 404
    power_assignments.assign_power(game, "ITALY", person("Sylvain"))
    GameMembership.objects.create(game=game, person=person("Sylvain"), role="player")
    assert "À qui viendra" in see(game, "Sylvain", f"{found.key}/").content.decode()


def test_a_power_in_disorder_still_writes(game: Game) -> None:
    GameSeat.objects.filter(power="FRANCE").update(in_civil_disorder=True)
    assert send(game, "Flora", "ENGLAND").status_code in MOVED


@pytest.mark.long
def test_unread_letters_and_marks_are_ones_own(game: Game) -> None:
    for number in range(3):
        send(game, "Flora", ["ENGLAND", "GERMANY"], f"Lettre {number}")
    found = room(game, "ENGLAND+FRANCE+GERMANY")
    unread = {
        name: see(game, name, "unread.json").json()["unread"] for name in ("Flora", "Edmond", "Gaspard")
    }
    assert unread == {"Flora": 0, "Edmond": 3, "Gaspard": 3}
    before = see(game, "Flora", f"{found.key}/").content
    page = see(game, "Edmond", f"{found.key}/").content.decode()
    assert page.count('class="letter new"') == 3
    assert see(game, "Edmond", "unread.json").json()["unread"] == 0
    assert see(game, "Gaspard", "unread.json").json()["unread"] == 3
    assert ReadMark.objects.filter(person=person("Edmond")).count() == 1
    # nobody sees that it was read: the writer’s page is the same but for what every page has anew
    assert strip(see(game, "Flora", f"{found.key}/").content) == strip(before)
    send(game, "Flora", ["ENGLAND", "GERMANY"], "Message 3")
    assert see(game, "Edmond", "unread.json").json()["unread"] == 1
    assert "nouveau message" in see(game, "Edmond").content.decode()


def strip(page: bytes) -> str:
    """A page without what is random in each: tokens against forgery, keys of forms, versions of topics."""
    return re.sub(r'(value|data-topics|nonce|data-due)="[^"]*"', "", page.decode())


def test_looking_beforehand_reads_nothing(game: Game) -> None:
    send(game, "Flora", "ENGLAND")
    found = room(game, "ENGLAND+FRANCE")
    client_of("Edmond").get(address(game, f"{found.key}/"), headers={"Sec-Purpose": "prefetch"})
    client_of("Edmond").head(address(game, f"{found.key}/"))
    assert see(game, "Edmond", "unread.json").json()["unread"] == 1


def test_marks_never_go_back(game: Game) -> None:
    send(game, "Flora", "ENGLAND")
    found, late = room(game, "ENGLAND+FRANCE"), timezone.now()
    assert message_visibility.mark_read(person("Edmond"), found, late)
    assert not message_visibility.mark_read(person("Edmond"), found, found.letters.get().delivered_at or late)
    assert message_visibility.read_until(person("Edmond"), found) == late


def test_letters_keep_their_order_where_the_clock_goes_back(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Première")
    found = room(game, "ENGLAND+FRANCE")
    Message.objects.update(delivered_at=timezone.now() + timedelta(hours=1))
    reply(found, "Edmond", "Deuxième")
    page = see(game, "Edmond", f"{found.key}/").content.decode()
    assert page.index("Première") < page.index("Deuxième")


def notices(name: str) -> list[str]:
    return list(
        Notification.objects.filter(person=person(name)).order_by("id").values_list("kind", flat=True)
    )


def test_one_notice_a_room_until_it_is_read(game: Game) -> None:
    for number in range(3):
        send(game, "Flora", "ENGLAND", f"Lettre {number}")
    assert notices("Edmond") == ["letter"]
    found = room(game, "ENGLAND+FRANCE")
    told = Notification.objects.get(person=person("Edmond"))
    assert told.path == address(game, f"{found.key}/")
    assert told.facts == {"game": game.name, "variant": "classic", "power": "FRANCE", "room": told.path}
    see(game, "Edmond", f"{found.key}/")
    assert Notification.objects.get(person=person("Edmond")).read_at is not None
    reply(found, "Flora", "Encore")
    assert notices("Edmond") == ["letter", "letter"]
    assert [name for name in (*PLAYERS.values(), MASTER, OBSERVER) if notices(name)] == ["Edmond"]


@pytest.mark.django_db(transaction=True)
def test_only_those_concerned_see_their_counter_move() -> None:
    game = table()

    def versions() -> dict[str, int]:
        return dict(TopicVersion.objects.values_list("topic", "version"))

    def moved(before: dict[str, int]) -> set[str]:
        now = versions()
        return {topic for topic in now if now[topic] != before.get(topic, 0)}

    before = versions()
    send(game, "Flora", "ENGLAND")
    assert moved(before) == {f"person:{person(name).pk}" for name in ("Flora", "Edmond", MASTER)}
    before = versions()
    send(game, "Flora", "*")
    expected = {f"person:{person(name).pk}" for name in (*PLAYERS.values(), MASTER)}
    assert moved(before) == {*expected, f"game:{game.key}"}


def test_the_path_of_a_notice_tells_no_language(game: Game) -> None:
    english = (
        opening(game, "ENGLAND")
        .replace("/parties/", "/en/games/")
        .replace("/messages/nouvelle/", "/messages/new/")
    )
    assert client_of("Flora").post(english, form("Hello")).status_code in MOVED
    assert Notification.objects.get().path.startswith("/parties/")


@pytest.mark.long
def test_a_declaration_hides_its_writer(db: None) -> None:
    game = table(declarations=True)
    assert send(game, "Flora", "*", "La Russie ment.", unsigned="1").status_code in MOVED
    found = room(game, "*")
    assert found.letters.get().signature == "?"
    for name, known in (("Edmond", False), (OBSERVER, False), (MASTER, True), ("Flora", True)):
        page = see(game, name, f"{found.key}/").content.decode()
        assert "La Russie ment." in page
        assert ("Sans signature (France)" in page) == known
    assert send(game, "Flora", "ENGLAND", "Secret", unsigned="1").status_code == 409
    assert send(table(), "Flora", "*", "Pas ici", unsigned="1").status_code == 409
    assert Notification.objects.filter(person=person("Edmond")).get().facts["power"] == "?"


@pytest.mark.long
def test_search_finds_ones_own_alone(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Évidemment, la Manche !")
    assert "la Manche" in see(game, "Edmond", "?q=evidemment").content.decode()
    assert "la Manche" not in see(game, "Gaspard", "?q=evidemment").content.decode()
    for odd in ("%00", "%ff", "%25", "'%3B--", "x" * 5000, "%F0%9F%98%80"):
        assert see(game, "Edmond", f"?q={odd}").status_code == 200


def test_as_a_text(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Une ligne\nAutriche, 2026-01-01 10:00\n-- Fin --")
    text = see(game, "Edmond", "letters.txt").content.decode()
    assert "\nFrance, " in text
    assert "\n    Autriche, 2026-01-01 10:00\n    -- Fin --" in text
    found = room(game, "ENGLAND+FRANCE")
    one = see(game, "Flora", f"{found.key}/letters.txt")
    assert one["Content-Type"] == "text/plain; charset=utf-8"
    assert "Une ligne" in one.content.decode()
    assert see(game, "Gaspard", f"{found.key}/letters.txt").status_code == 404
    assert "Une ligne" not in see(game, "Gaspard", "letters.txt").content.decode()


def test_a_long_room_shows_its_end_first(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talleyrand.web.press.conversation_pages.MOST_SHOWN", 3)
    for number in range(5):
        send(game, "Flora", "ENGLAND", f"Message no {number}")
    found = room(game, "ENGLAND+FRANCE")
    page = see(game, "Flora", f"{found.key}/").content.decode()
    assert "Message no 1" not in page
    assert "2 messages plus anciens" in page
    for path in (f"{found.key}/?all=1", f"{found.key}/imprimer/"):
        assert "Message no 0" in see(game, "Flora", path).content.decode()


@pytest.mark.long
def test_pages_in_both_languages_and_for_each_role(game: Game) -> None:
    send(game, "Flora", "ENGLAND")
    send(game, "Flora", "*")
    for name in ("Flora", MASTER, OBSERVER, "Armand", "Sylvain"):
        for path in ("", "nouvelle/", f"{room(game, '*').key}/", f"{room(game, '*').key}/imprimer/"):
            assert see(game, name, path).status_code == 200, (name, path)
    english = client_of("Flora").get(f"/en/games/{game.key}/messages/").content.decode()
    assert "Full press: write to one power, to several or to everyone" in english
    assert press_rules.GAME_MASTER not in re.sub(
        r"%40|@(media|charset)", "", english.split("<main")[1].split("</main")[0]
    )


def test_forms_need_their_token_and_changes_their_post(game: Game) -> None:
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("Flora"), backend="django.contrib.auth.backends.ModelBackend")
    assert strict.post(opening(game, "ENGLAND"), form("Bonjour")).status_code == 403
    send(game, "Flora", "ENGLAND")
    key = Message.objects.get().key
    for path in ("en-attente/tous/", f"en-attente/{key}/transmettre/", f"en-attente/{key}/renvoyer/"):
        assert see(game, MASTER, path).status_code == 405


def test_ones_orders_are_copied_into_a_letter(game: Game) -> None:
    GameSeat.objects.filter(power="FRANCE").update(
        draft_orders=["A PAR - BUR", "F BRE - MAO"], draft_phase_number=1
    )
    GameSeat.objects.filter(power="GERMANY").update(draft_orders=["A MUN - RUH"], draft_phase_number=1)
    page = client_of("Flora").get(opening(game, "GERMANY") + "&orders=1").content.decode()
    assert "A PAR - BUR\nF BRE - MAO</textarea>" in page
    assert "A MUN - RUH" not in page
    send(game, "Flora", "GERMANY")
    key = room(game, "FRANCE+GERMANY").key
    assert "A MUN - RUH</textarea>" in see(game, "Gaspard", f"{key}/?orders=1").content.decode()
    for name in (MASTER, OBSERVER, "Edmond"):
        assert "A PAR" not in see(game, name, f"{key}/?orders=1").content.decode()
    GameSeat.objects.update(draft_phase_number=0)  # of a phase that is over
    assert "A PAR" not in see(game, "Flora", f"{key}/?orders=1").content.decode()
