"""The rule for dates in a form: what is filled in, refused, shown before it is kept, and shown on pages."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpRequest
from django.template import Context, Template
from django.test import Client
from django.utils import translation
from django.utils.datastructures import MultiValueDict
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.games.deadlines import DeadlineSettings
from talleyrand.web.games.deadlines.deadline_presets import DEADLINE_PRESETS
from talleyrand.web.games.deadlines.deadline_rules import IntervalRule, ManualRule, WeekdayRule
from talleyrand.web.games.deadlines.forms import DeadlineForm, initial_deadline_values
from talleyrand.web.games.deadlines.rest_days import RestDays
from tests.each import each
from tests.web import cast
from tests.web.games.test_deadlines import HOUR, LENGTHS, RESTS, RULES, ZONES

NOW = datetime(2026, 11, 22, 8, 14, tzinfo=UTC)
WEEKLY = DeadlineSettings(WeekdayRule((4,), 1440), IntervalRule(48 * HOUR))


def sent(rhythm: DeadlineSettings = WEEKLY, **changed: Any) -> MultiValueDict[str, str]:
    """What a browser sends for a form that began with a rule, some fields filled in otherwise."""
    told = {**initial_deadline_values(rhythm), **changed}
    fields = {name: value if isinstance(value, (list, tuple)) else [value] for name, value in told.items()}
    return MultiValueDict({f"dates-{name}": [str(one) for one in value] for name, value in fields.items()})


def filled(rhythm: DeadlineSettings = WEEKLY, **changed: Any) -> DeadlineForm:
    return DeadlineForm(sent(rhythm, **changed), rhythm=rhythm, now=NOW)


RHYTHMS = st.builds(
    DeadlineSettings,
    RULES,
    st.one_of(st.none(), RULES, st.just(ManualRule())),
    ZONES,
    st.booleans(),
    LENGTHS,
    LENGTHS,
    LENGTHS,
    LENGTHS,
    RESTS,
)


@pytest.mark.long
@given(RHYTHMS, st.sampled_from(["fr", "en"]))
def test_a_rule_survives_its_form(rhythm: DeadlineSettings, language: str) -> None:
    with translation.override(language):
        form = filled(rhythm)
        if form.is_valid():
            assert form.deadline_settings() == rhythm
        else:
            assert form.non_field_errors(), form.errors


@pytest.mark.parametrize("name", DEADLINE_PRESETS)
def test_usual_paces(name: str) -> None:
    form = filled(pace=name)
    assert form.is_valid(), form.errors
    assert (form.deadline_settings().movement, form.deadline_settings().between) == DEADLINE_PRESETS[name]
    assert initial_deadline_values(form.deadline_settings())["pace"] == name


MINIMA: list[tuple[dict[str, Any], timedelta]] = [
    ({"pace": "friday"}, timedelta(days=2)),
    ({"pace": "daily"}, timedelta(hours=12)),
    ({"pace": "live"}, timedelta(0)),
    ({"pace": "hand"}, timedelta(0)),
    ({"pace": "days", "days": ["1"]}, timedelta(days=2)),
    ({"pace": "days", "days": ["1", "4"]}, timedelta(hours=12)),
    ({"pace": "days", "days": ["4"], "between": "days", "between_days": ["6"]}, timedelta(hours=12)),
    ({"pace": "friday", "minimum": "0 h"}, timedelta(0)),
    ({"pace": "friday", "minimum": "3 jours"}, timedelta(days=3)),
]


@each(("changed", "minimum"), MINIMA)
def test_a_phase_played_early_leaves_the_next_one_time(changed: dict[str, Any], minimum: timedelta) -> None:
    form = filled(**{"minimum": "", **changed})
    assert form.is_valid(), form.errors
    assert form.deadline_settings().minimum == minimum


def test_a_new_game_begins_with_the_usual_rule_in_the_zone_of_its_creator() -> None:
    assert (
        initial_deadline_values(DeadlineSettings(time_zone="America/Toronto"))
        != DeadlineForm(zone="America/Toronto").initial
    )
    assert DeadlineForm(zone="America/Toronto").initial["zone"] == "America/Toronto"
    assert DeadlineForm(zone="Atlantis").initial["zone"] == "Europe/Paris"
    assert DeadlineForm().initial["pace"] == "friday"


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"pace": ""}, "pace", ""),
    ({"pace": "hourly"}, "pace", ""),
    ({"pace": "days", "days": []}, "days", "au moins un jour"),
    ({"pace": "days", "days": ["7"]}, "days", ""),
    ({"pace": "days", "days": ["friday"]}, "days", ""),
    ({"pace": "days", "hour": ""}, "hour", "24"),
    ({"pace": "days", "hour": "0:00"}, "hour", "ambigu"),
    ({"pace": "days", "hour": "25 h"}, "hour", "20"),
    ({"pace": "every", "length": ""}, "length", "1\u00a0minute"),
    ({"pace": "every", "length": "0 h"}, "length", "1\u00a0minute"),
    ({"pace": "every", "length": "-1 h"}, "length", "48"),
    ({"pace": "every", "length": "1000000000 h"}, "length", "48"),
    ({"pace": "every", "length": "999999 semaines"}, "length", "90"),
    ({"pace": "every", "length": "bientôt"}, "length", "48"),
    ({"pace": "every", "length": "9" * 41}, "length", ""),
    ({"pace": "days", "between": "every", "between_length": ""}, "between_length", "1\u00a0minute"),
    ({"pace": "days", "between": "days", "between_days": []}, "between_days", "au moins un jour"),
    ({"pace": "days", "between": "never"}, "between", ""),
    ({"zone": ""}, "zone", ""),
    ({"zone": "Europe/Atlantis"}, "zone", ""),
    ({"zone": "../../etc/passwd"}, "zone", ""),
    ({"early": "perhaps"}, "early", ""),
    ({"grace": "8 jours"}, "grace", "7\u00a0jours"),
    ({"minimum": "31 jours"}, "minimum", "30"),
    ({"first": "91 jours"}, "first", "90"),
    ({"extension": "31 jours"}, "extension", "30"),
    ({"weekdays": ["8"]}, "weekdays", ""),
    ({"months": ["13"]}, "months", ""),
    ({"periods": "en été"}, "periods", "par ligne"),
    ({"periods": "1/1/2026 – 1/1/2036"}, "periods", "un an"),
    ({"periods": "1/1\n" * 21}, "periods", "20\u00a0périodes"),
    ({"periods": "\x00"}, "periods", ""),
    ({"country": "XX"}, "country", ""),
    ({"months": [str(month) for month in range(1, 13)]}, "__all__", "exclusions"),
    ({"weekdays": ["4"]}, "__all__", "exclusions"),
    ({"periods": "1/1 – 31/12"}, "__all__", "exclusions"),
    ({"pace": "every", "periods": "1/3 – 28/2"}, "__all__", "exclusions"),
    ({"pace": "live", "weekdays": ["0", "1", "2", "3", "4", "5", "6"]}, "__all__", "exclusions"),
]


@pytest.mark.long
@each(("changed", "field", "told"), WRONG)
def test_what_is_refused_gets_a_sentence_at_its_field(changed: dict[str, Any], field: str, told: str) -> None:
    form = filled(**changed)
    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert told in " ".join(str(one) for one in form.errors[field])
    for name, value in changed.items():
        if isinstance(value, str):
            assert form[name].value() == value
    with pytest.raises(ValueError, match="not valid"):
        form.deadline_settings()


def test_nothing_and_nonsense_sent() -> None:
    assert not DeadlineForm({}).is_valid()
    assert not DeadlineForm({"dates-pace": "\ud800", "dates-zone": "é" * 10_000}).is_valid()


def page(client: Client, address: str, data: Any, **headers: str) -> str:
    answer = client.post(address, data, headers=headers)
    assert answer.status_code == 200
    return plain(answer.content.decode())


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def test_the_dates_before_they_are_kept(client: Client) -> None:
    told = page(client, "/parties/dates/", dict(sent().lists()), x_talleyrand_part="dates")
    assert "<html" not in told
    assert "Chaque vendredi à 24 h, heure de Paris ; retraites et ajustements sous 48 h" in told
    assert len(re.findall(r"<li>vendredi \d+", told)) == 5
    assert told.count("heure de Paris") == 1
    assert len(re.findall(r"retraites : dimanche \d+", told)) == 5


def test_the_dates_without_scripts(client: Client) -> None:
    told = page(client, "/en/games/dates/", dict(sent().lists()))
    assert "<h1>Upcoming deadlines</h1>" in told
    assert "Every Friday at 24:00, Paris time" in told
    asked = client.get("/en/games/dates/", dict(sent(pace="hand").lists()))
    assert "Without deadlines" in asked.content.decode()


def test_the_dates_of_nonsense(client: Client) -> None:
    told = page(client, "/parties/dates/", dict(sent(pace="days", hour="<script>").lists()))
    assert "Pas encore de dates" in told
    assert "Écrivez une heure" in told
    assert "<script>alert" not in told
    assert client.get("/parties/dates/").status_code == 200
    assert client.post("/parties/dates/", b"\xff\xfe", content_type="text/plain").status_code == 200
    assert client.delete("/parties/dates/").status_code == 405


def test_the_fields_of_the_page_say_what_is_wrong() -> None:
    form = filled(pace="days", hour="25 h", grace="8 jours")
    request = HttpRequest()
    text = Template('{% include "games/deadlines/fields.html" with rhythm=form %}').render(
        Context({"form": form, "request": request})
    )
    assert '<details class="dated-more" open>' in text
    assert 'value="25 h"' in text
    described = re.search(r'name="dates-hour"[^>]*aria-describedby="([^"]+)"', text)
    assert described is not None
    for name in described[1].split():
        assert f'id="{name}"' in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<label for="([^"]+)"', text)) <= set(ids)


def test_details_are_folded_away_while_there_are_none() -> None:
    assert not DeadlineForm().has_details
    assert DeadlineForm(rhythm=DeadlineSettings(grace=HOUR)).has_details
    assert DeadlineForm(rhythm=DeadlineSettings(rest_days=RestDays(months=(8,)))).has_details


@pytest.mark.django_db
def test_a_deadline_on_a_page() -> None:
    game = cast.table(rhythm=WEEKLY.as_json())
    game.deadline = datetime(2026, 11, 27, 23, tzinfo=UTC)
    request = HttpRequest()
    request.user = cast.person("Flora")
    template = Template("{% load deadline_tags %}{% deadline game %}|{% deadline_settings_sentence game %}")
    told = plain(template.render(Context({"game": game, "request": request})))
    assert told.startswith(
        '<time datetime="2026-11-27T23:00:00Z">vendredi 27 novembre 2026 à 24 h, heure de Paris</time>|'
    )
    request.user.time_zone = "America/New_York"
    told = plain(template.render(Context({"game": game, "request": request})))
    assert "vendredi 27 novembre 2026 à 18 h, heure de New York</time> <span" in told
    assert "(vendredi 27 novembre 2026 à 24 h, heure de Paris)" in told
    assert told.endswith("sans attendre l’échéance quand tous sont prêts.")
    game.deadline = None
    assert (
        Template("{% load deadline_tags %}{% deadline game %}{% time_left game %}").render(
            Context({"game": game, "request": request})
        )
        == ""
    )
