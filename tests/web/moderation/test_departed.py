"""Deleting one's account ends neither a ban nor a report; both are kept without a name, and not for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct import bans
from talleyrand.web.conduct.models import DepartedAccount, Measure, ModerationEntry, Report
from talleyrand.web.games.models import Game
from talleyrand.web.moderation.moderation_actions import ModerationAct, ModerationRefusal, act_on
from talleyrand.web.monitoring import retention
from talleyrand.web.notifications.models import Notification
from tests.web.cast import client_of, person, table
from tests.web.games.tables import words
from tests.web.moderation.reporting import DESK, act, moderator, reported
from tests.web.moderation.test_desk import OWN, REASON, ban

pytestmark = pytest.mark.django_db
ADDRESS = "roman@exemple.fr"


@pytest.fixture
def game(db: None) -> Game:
    made = table()
    confirmed(person("Roman"), ADDRESS)
    return made


def confirmed(somebody: Person, address: str) -> None:
    row = EmailAddress.objects.create(user=somebody, email=address, verified=False, primary=True)
    row.verified = True
    row.save()


def leave() -> None:
    personal_data.delete_account(person("Roman"))


def test_a_ban_goes_on_for_whoever_comes_back(game: Game) -> None:
    ban(days=30)
    ends = Measure.objects.get().ends_at
    assert "ne prend pas fin" in words(client_of("Roman").get("/compte/suppression/"))
    leave()
    assert not Measure.objects.exists()
    assert ADDRESS not in str(list(DepartedAccount.objects.values()))
    assert "Roman" not in str(list(DepartedAccount.objects.values()))
    confirmed(person("Nadia"), "nadia@exemple.fr")
    assert bans.running_ban(person("Nadia")) is None
    confirmed(person("Romain"), "ROMAN@exemple.fr")
    again = bans.running_ban(person("Romain"))
    assert again is not None
    assert (again.ends_at, again.reason) == (ends, REASON)
    assert REASON in words(client_of("Romain").get(OWN))
    assert Notification.objects.filter(person=person("Romain"), kind="banned").count() == 1
    assert "Romain" in words(moderator().get(f"{DESK}journal/"))
    assert ModerationEntry.objects.get(kind="returned").by is None
    assert not DepartedAccount.objects.exists()


def test_an_open_report_waits_under_a_pseudonym(game: Game) -> None:
    found = reported(game)
    leave()
    found.refresh_from_db()
    page, desk = words(moderator().get(f"{DESK}{found.key}/")), words(moderator().get(DESK))
    for text in (page, desk):
        assert found.pseudonym in text
        assert "Roman" not in text
    confirmed(person("Romain"), ADDRESS)
    found.refresh_from_db()
    assert (found.accused, found.pseudonym, found.unnamed_at) == (person("Romain"), "", None)
    assert act(found, "ban", REASON, days="7").status_code == 302
    assert bans.running_ban(person("Romain"))


def test_one_that_stays_away_is_closed(game: Game) -> None:
    found = reported(game)
    leave()
    for _twice in range(2):
        assert act(found, "dismiss").status_code == 302
    found.refresh_from_db()
    assert (found.outcome, found.entries.count()) == ("dismissed", 1)
    assert "compte supprimé" in words(moderator().get(f"{DESK}journal/"))
    assert "compte supprimé" in words(moderator().get(f"{DESK}{found.key}/"))


@pytest.mark.parametrize("kind", ["ban", "warn", "note", "x"])
def test_a_page_of_before_closes_nothing(game: Game, kind: str) -> None:
    found = reported(game)
    leave()
    answer = act(found, kind, REASON, days="7")
    assert answer.status_code == 409
    assert "supprimé entre-temps" in words(answer)
    found.refresh_from_db()
    assert (found.outcome, found.entries.count()) == ("", 0)


def test_whoever_is_gone_when_the_moderator_acts_is_nobody(game: Game) -> None:
    roman, flora = person("Roman"), person("Flora")
    Person.objects.get(pk=roman.pk).delete()
    with pytest.raises(ModerationRefusal) as refused:
        act_on(roman, ModerationAct("ban", REASON, 7), flora)
    assert refused.value.code == "gone"


def test_whoever_was_neither_banned_nor_reported_leaves_nothing(game: Game) -> None:
    leave()
    assert not DepartedAccount.objects.exists()
    assert "ne prend pas fin" not in words(client_of("Flora").get("/compte/suppression/"))


def test_whoever_is_reported_does_not_learn_it_from_leaving(game: Game) -> None:
    before = client_of("Roman").get("/compte/suppression/").content.count(b"<li")
    reported(game)
    assert client_of("Roman").get("/compte/suppression/").content.count(b"<li") == before


def test_it_is_gone_after_its_time(game: Game) -> None:
    reported(game)
    leave()
    now = timezone.now()
    retention.prune(now + timedelta(days=179))
    assert (Report.objects.count(), DepartedAccount.objects.count()) == (1, 1)
    retention.prune(now + timedelta(days=181))
    assert (Report.objects.count(), DepartedAccount.objects.count()) == (0, 0)
    ban_of_a_year = person("Théa")
    confirmed(ban_of_a_year, "thea@exemple.fr")
    ban("Théa", days=365)
    personal_data.delete_account(ban_of_a_year)
    retention.prune(now + timedelta(days=300))
    assert DepartedAccount.objects.count() == 1
    retention.prune(now + timedelta(days=367))
    assert not DepartedAccount.objects.exists()
