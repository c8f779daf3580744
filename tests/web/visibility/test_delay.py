"""A game shown late: what happened since is nowhere on the site for onlookers until its end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.games import first_phase, game_lifecycle, game_log, phase_adjudication
from talleyrand.web.games.delayed_games import delayed_game
from talleyrand.web.games.endings import end_proposals
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.models import DelayedGame, Game, Gazette, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from talleyrand.web.webhooks.models import Webhook
from tests.web import cast
from tests.web.api.asking import program
from tests.web.built_once import built_once
from tests.web.visibility import calls, places
from tests.web.visibility.scene import Scene, _mails, _programs
from tests.web.visibility.test_matrix import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
OLD, NEW, WORD = "zz-spring-order", "zz-autumn-order", "zz-word-to-all"
LATE = [NEW, WORD, "zz-gazette", "zz-reason", "1902", "S1902M"]
LISTS = ("/", "/parties/?show=watch", "/parties/?show=seats", "/notifications/", "/compte/donnees/")
DRAWN = (".png", ".pdf", ".apng")
ONLOOKERS = ("", cast.STRANGER, cast.OBSERVER, "Sylvie")


@built_once
def late_scene(**terms: Any) -> Scene:
    """Spring 1902 is open; onlookers see that of autumn 1901, or what the terms say."""
    scene = Scene(cast.table(begun=False, log_open=True, submissions_shown=True, **terms))
    scene.game = first_phase.open_first_phase(scene.game, scene.now)
    for number, mark in ((1, OLD), (2, NEW)):
        scene.hand_in("FRANCE", mark, number=number)
        phase_adjudication.adjudicate_phase(scene.fresh(), number, scene.now)
    scene.now = timezone.now()
    scene.write("Gaspard", "GERMANY", Recipients(ConversationKind.ALL), WORD)
    if not Webhook.objects.exists():  # each of several games has the same people
        _programs(scene)
        _mails(scene)
    Gazette.objects.create(game=scene.game, phase_number=2, text="zz-gazette")
    game_log.add_log_entry(scene.fresh(), "overridden", phase="F1901M", reason="zz-reason")
    _left(scene.game)
    return scene


def _left(game: Game) -> None:
    """Sylvie has played, and plays no more."""
    cast.member(game, "Sylvie", "player")
    game.memberships.filter(person=cast.person("Sylvie")).update(left_at=timezone.now())


def aged(game: Game, **hours: float) -> None:
    """The results of a phase came out so many hours ago."""
    for name, ago in hours.items():
        number = int(name.removeprefix("phase"))
        moment = timezone.now() - timedelta(hours=ago)
        PhaseRevision.objects.filter(game=game, phase_number=number).update(published_at=moment)


def _is_of(game: Game, path: str) -> bool:
    return game.key in path and not path.endswith(".ics")  # that is Flora’s own


def leaks(scene: Scene, who: str, words: list[str]) -> dict[str, list[str]]:
    """Which of these words somebody finds where."""
    client = cast.client_of(who) if who else Client()
    paths = [*LISTS, *(path for path in places.every(scene.fresh()) if _is_of(scene.game, path))]
    texts = {path: read(client, path) for path in paths if not path.endswith(DRAWN)}
    if who:
        asking = program(who)
        for line in calls.lines():
            for path in calls.addresses(line, scene.fresh()) if line.method == "GET" else ():
                if "{key}" in line.path or "/games" in path or "/calendar" in path:
                    answer = asking.get(path)
                    texts[f"API {path}"] = answer.content.decode() if answer.status_code == 200 else ""
    found = {path: [word for word in words if word in text] for path, text in texts.items()}
    assert any(OLD in text for text in texts.values()), "what is old enough is shown"
    return {path: words for path, words in found.items() if words}


@pytest.mark.parametrize("who", ONLOOKERS)
def test_onlookers_find_nothing_new_anywhere(who: str, settings: Any) -> None:
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**9, 60))
    scene = late_scene(delay_phases=1)
    assert scene.fresh().phase == "S1902M"
    assert leaks(scene, who, LATE) == {}


@pytest.mark.parametrize("who", ["Flora", cast.MASTER, cast.ASSISTANT])
def test_whoever_plays_or_leads_sees_all_at_once(who: str) -> None:
    scene = late_scene(delay_phases=1)
    page = cast.client_of(who).get(f"/parties/{scene.game.key}/2/").text
    assert NEW in page
    assert "Les spectateurs voient" not in page


def test_a_delay_in_hours() -> None:
    scene = late_scene(delay_hours=24)
    aged(scene.game, phase0=60, phase1=30, phase2=23)
    assert leaks(scene, "", LATE) == {}
    aged(scene.game, phase2=25)
    page = Client().get(f"/parties/{scene.game.key}/2/").text
    assert NEW in page
    letters = "".join(Client().get(path).text for path in places.every(scene.fresh()) if "/messages/" in path)
    assert WORD not in letters, "the phase is open to all, what is written in it not yet"


def seen_at(game: Game, now: datetime) -> tuple[int, str]:
    seen = delayed_game(Game.objects.get(pk=game.pk), now)
    return seen.phase_number, seen.phase


def test_both_delays_and_their_moments() -> None:
    game = late_scene(delay_phases=1, delay_hours=24).game
    aged(game, phase0=100, phase1=50, phase2=30)
    now = timezone.now()
    assert seen_at(game, now) == (2, "F1901M")
    aged(game, phase1=23)
    assert seen_at(game, now) == (1, "S1901M")
    assert seen_at(game, now + timedelta(hours=2)) == (2, "F1901M")
    wide = late_scene(delay_phases=20).game
    assert seen_at(wide, now) == (1, "S1901M")


def test_a_phase_taken_back_and_corrected_shows_nothing_sooner() -> None:
    """A correction is news too: what was written since stays hidden."""
    game = late_scene(delay_phases=1).game
    before = delayed_game(Game.objects.get(pk=game.pk), timezone.now()).seen_until
    first = game.revisions.get(phase_number=1, is_current=True)
    PhaseRevision.objects.filter(pk=first.pk).update(is_current=False, withdrawn_at=timezone.now())
    first.pk, first.revision, first.kind = None, 2, "edit"
    first.save()
    seen = delayed_game(Game.objects.get(pk=game.pk), timezone.now())
    assert (seen.phase_number, seen.seen_until) == (2, before)


def test_at_the_end_everything_is_open() -> None:
    scene = late_scene(delay_phases=2, delay_hours=72)
    game_lifecycle.end_game(scene.fresh(), {"kind": "over", "powers": []}, scene.now)
    assert NEW in Client().get(f"/parties/{scene.game.key}/2/").text
    assert WORD in "".join(
        Client().get(path).text for path in places.every(scene.fresh()) if "/messages/" in path
    )


def test_onlookers_are_told_nothing_of_it_and_cannot_save_it() -> None:
    scene = late_scene(delay_phases=1)
    told = Notification.objects.filter(person=cast.person(cast.OBSERVER))
    assert list(told.values_list("kind", flat=True)) == []
    assert Notification.objects.filter(person=cast.person("Flora"), kind="published").count() == 2
    seen = GameViewer(scene.fresh(), None).game
    assert isinstance(seen, DelayedGame)
    with pytest.raises(TypeError):
        seen.save()


def test_whoever_takes_a_free_seat_sees_all_from_then_on() -> None:
    scene = late_scene(delay_phases=1)
    membership_actions.leave_game(scene.game, cast.person("Edmond"))
    guest = cast.client_of(cast.STRANGER)
    assert NEW not in guest.get(f"/parties/{scene.game.key}/").text
    joined: Any = guest.post(reverse("games:enter", args=[scene.game.key]), {"power": "ENGLAND"})
    assert joined.status_code == 302, joined.text
    assert NEW in guest.get(f"/parties/{scene.game.key}/2/").text


def test_votes_are_not_told_and_not_denied(settings: Any) -> None:
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**9, 60))  # tests share an address
    scene = late_scene(delay_phases=1)
    now, power = timezone.now(), "FRANCE"
    end_proposals.propose_end(scene.fresh(), power, 3, "now", now)
    page = Client().get(reverse("games:end", args=[scene.game.key])).text
    assert "une fois qu’elle est finie" in page
    assert "Aucune proposition" not in page
    assert "propose" not in Client().get(f"/parties/{scene.game.key}/").text
    told = program(cast.STRANGER).get(f"/games/{scene.game.key}/proposals")
    assert told.json().get("items") == [], told.content


def test_onlookers_come_and_go() -> None:
    """What they do is done to the game, not to the one that they see."""
    scene = late_scene(delay_phases=1)
    guest = cast.client_of(cast.STRANGER)
    mine = scene.game.memberships.filter(person=cast.person(cast.STRANGER), left_at=None)
    guest.post(reverse("games:enter", args=[scene.game.key]), {"role": "observer"})
    assert mine.exists()
    assert guest.post(reverse("games:table_leave", args=[scene.game.key])).status_code == 302
    assert not mine.exists()
    copy = guest.post(reverse("games:copy", args=[scene.game.key, 2]), {"submission": "s" * 22})
    assert copy.status_code == 302
    assert scene.fresh().phase_number == 3
