"""Rules, dates and lengths of time in words, and words read back."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.games.deadlines import (
    DeadlineSettings,
    InvalidDeadlineSettings,
    date_texts,
    typed_durations,
)
from talleyrand.web.games.deadlines.deadline_rules import IntervalRule, ManualRule, WeekdayRule
from talleyrand.web.games.deadlines.deadline_sentence import deadline_sentence
from talleyrand.web.games.deadlines.reader_dates import date_for_reader
from talleyrand.web.games.deadlines.rest_days import RestDays, RestPeriod
from talleyrand.web.games.deadlines.zone_names import zone_text
from tests.each import each

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FRIDAY = WeekdayRule((4,), 1440)
EVERY_DAY = WeekdayRule((0, 1, 2, 3, 4, 5, 6), 1200)


def plain(text: str) -> str:
    """With the spaces that one types."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


SENTENCES = tomllib.loads(Path(__file__).with_name("deadlines_sentences.toml").read_text("utf-8"))


@each("case", SENTENCES.values())
def test_sentences(case: dict[str, Any]) -> None:
    rhythm = DeadlineSettings.from_json(case["rhythm"])
    assert plain(deadline_sentence(rhythm, "fr")) == case["fr"]
    assert plain(deadline_sentence(rhythm, "en")) == case["en"]


def test_french_typography() -> None:
    told = deadline_sentence(DeadlineSettings.from_json(SENTENCES["weekly"]["rhythm"]), "fr")
    assert "24\u00a0h" in told
    assert "\u202f; " in told
    assert "'" not in told
    assert "\u202f" not in deadline_sentence(DeadlineSettings.from_json(SENTENCES["weekly"]["rhythm"]), "en")


def test_no_two_rules_read_alike() -> None:
    changed = [
        {"between": IntervalRule(HOUR)},
        {"between": ManualRule()},
        {"time_zone": "Europe/London"},
        {"plays_early": False},
        {"grace": HOUR},
        {"first": 9 * DAY},
        {"minimum": 9 * DAY},
        {"extension": 9 * DAY},
        {"rest_days": RestDays(weekdays=(5,))},
        {"rest_days": RestDays(months=(5,))},
        {"rest_days": RestDays(periods=(RestPeriod("05-01", "05-02"),))},
        {"rest_days": RestDays(country="FR")},
    ]
    for language in ("fr", "en"):
        told = {deadline_sentence(DeadlineSettings(FRIDAY, **one), language) for one in changed}  # type: ignore[arg-type]
        assert len(told | {deadline_sentence(DeadlineSettings(FRIDAY), language)}) == len(changed) + 1


SAID: list[tuple[str, str, str, str]] = [
    (
        "2026-11-27 23:00",
        "Europe/Paris",
        "vendredi 27 novembre 2026 à 24 h, heure de Paris",
        "Friday 27 November 2026 at 24:00, Paris time",
    ),
    (
        "2026-11-27 23:01",
        "Europe/Paris",
        "samedi 28 novembre 2026 à 0 h 01, heure de Paris",
        "Saturday 28 November 2026 at 00:01, Paris time",
    ),
    (
        "2026-12-31 23:00",
        "Europe/Paris",
        "jeudi 31 décembre 2026 à 24 h, heure de Paris",
        "Thursday 31 December 2026 at 24:00, Paris time",
    ),
    (
        "2027-05-01 18:30",
        "America/Toronto",
        "samedi 1er mai 2027 à 14 h 30, heure de Toronto et de Montréal",
        "Saturday 1 May 2027 at 14:30, Toronto and Montreal time",
    ),
    (
        "2026-10-25 00:30",
        "Europe/Paris",
        "dimanche 25 octobre 2026 à 2 h 30 (UTC+2), heure de Paris",
        "Sunday 25 October 2026 at 02:30 (UTC+2), Paris time",
    ),
    (
        "2026-10-25 01:30",
        "Europe/Paris",
        "dimanche 25 octobre 2026 à 2 h 30 (UTC+1), heure de Paris",
        "Sunday 25 October 2026 at 02:30 (UTC+1), Paris time",
    ),
    (
        "2026-04-04 15:15",
        "Australia/Lord_Howe",
        "dimanche 5 avril 2026 à 1 h 45 (UTC+10:30), heure de Lord Howe",
        "Sunday 5 April 2026 at 01:45 (UTC+10:30), Lord Howe time",
    ),
    (
        "2026-07-01 12:00",
        "Europe/Atlantis",
        "mercredi 1er juillet 2026 à 12 h, temps universel",
        "Wednesday 1 July 2026 at 12:00, universal time",
    ),
]


@each(("moment", "zone", "french", "english"), SAID)
def test_dates_in_words(moment: str, zone: str, french: str, english: str) -> None:
    found = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert plain(date_texts.date_text_with_zone(found, zone, "fr")) == french
    assert plain(date_texts.date_text_with_zone(found, zone, "en")) == english


LEFT: list[tuple[timedelta, str, str]] = [
    (timedelta(0), "l’échéance est passée", "the deadline has passed"),
    (-DAY, "l’échéance est passée", "the deadline has passed"),
    (timedelta(seconds=59), "moins d’une minute", "less than a minute left"),
    (timedelta(seconds=60), "encore une minute", "one minute left"),
    (timedelta(minutes=59, seconds=59), "encore 59 minutes", "59 minutes left"),
    (HOUR, "encore une heure", "one hour left"),
    (3 * DAY + 4 * HOUR + timedelta(minutes=5), "encore 3 jours et 4 h", "3 days and 4 hours left"),
    (DAY + timedelta(minutes=5), "encore un jour", "one day left"),
    (timedelta(hours=2, minutes=1), "encore 2 h et une minute", "2 hours and one minute left"),
]


@each(("left", "french", "english"), LEFT)
def test_time_left(left: timedelta, french: str, english: str) -> None:
    assert plain(date_texts.time_left_text(left, "fr")) == french
    assert plain(date_texts.time_left_text(left, "en")) == english


ZONES = [
    ("Europe/Paris", "heure de Paris", "Paris time"),
    ("Europe/Athens", "heure d’Athènes", "Athens time"),
    ("Africa/Cairo", "heure du Caire", "Cairo time"),
    ("Asia/Omsk", "heure d’Omsk", "Omsk time"),
    ("UTC", "temps universel", "universal time"),
]


@pytest.mark.parametrize(("name", "french", "english"), ZONES)
def test_names_of_zones(name: str, french: str, english: str) -> None:
    assert (zone_text(name, "fr"), zone_text(name, "en")) == (french, english)


def test_the_game_s_zone_is_told_where_its_clocks_differ() -> None:
    due = datetime(2026, 11, 27, 23, 0, tzinfo=UTC)
    abroad = date_for_reader(due, "Europe/Paris", "America/New_York", "fr")
    assert abroad.iso == "2026-11-27T23:00:00Z"
    assert plain(abroad.text) == "vendredi 27 novembre 2026 à 18 h, heure de New York"
    assert plain(abroad.game_zone_text) == "vendredi 27 novembre 2026 à 24 h, heure de Paris"
    assert date_for_reader(due, "Europe/Paris", "Europe/Brussels", "fr").game_zone_text == ""
    assert date_for_reader(due, "Europe/Paris", "Nowhere/At_All", "fr") == date_for_reader(
        due, "Europe/Paris", "Europe/Paris", "fr"
    )


LENGTHS = {
    "48 h": 48 * HOUR,
    "48h": 48 * HOUR,
    " 3 JOURS ": 3 * DAY,
    "3 j": 3 * DAY,
    "2 h 30": 2.5 * HOUR,
    "2h30": 2.5 * HOUR,
    "2 heures et 30 minutes": 2.5 * HOUR,
    "2 hours and 30 minutes": 2.5 * HOUR,
    "1 day, 6 hours": 30 * HOUR,
    "15 min": HOUR / 4,
    "une heure": HOUR,
    "an hour": HOUR,
    "une semaine": 7 * DAY,
    "48\u00a0h": 48 * HOUR,
    "": timedelta(0),
    "0 h": timedelta(0),
}


@each(("text", "length"), LENGTHS.items())
def test_lengths_typed(text: str, length: timedelta) -> None:
    assert typed_durations.parse_duration(text) == length


HOURS = {
    "24 h": 1440,
    "24:00": 1440,
    "minuit": 1440,
    "20h30": 1230,
    "20 h 30": 1230,
    "20:30": 1230,
    "20.30": 1230,
    "20": 1200,
    "8 pm": 1200,
    "12 am": "which_midnight",
    "0 h": "which_midnight",
    "00:00": "which_midnight",
    "0:01": 1,
    "25 h": "not_an_hour",
    "24:01": "not_an_hour",
    "20:60": "not_an_hour",
    "13 pm": "not_an_hour",
    "0 am": "not_an_hour",
    "-1": "not_an_hour",
    "soon": "not_an_hour",
    "": "not_an_hour",
    "999999999": "not_an_hour",
}


@each(("text", "outcome"), HOURS.items())
def test_hours_typed(text: str, outcome: int | str) -> None:
    if isinstance(outcome, int):
        assert typed_durations.parse_hour(text) == outcome
        return
    with pytest.raises(InvalidDeadlineSettings) as refused:
        typed_durations.parse_hour(text)
    assert refused.value.code == outcome


PERIODS = {
    "20/12 – 3/1": ("12-20", "01-03"),
    "20/12-3/1": None,
    "du 20 décembre au 3 janvier": ("12-20", "01-03"),
    "from 20 December to 3 January": ("12-20", "01-03"),
    "20 déc. - 3 janv.": ("12-20", "01-03"),
    "20/12/2026 – 3/1/2027": ("2026-12-20", "2027-01-03"),
    "2026-12-20 – 2027-01-03": ("2026-12-20", "2027-01-03"),
    "1er mai": ("05-01", "05-01"),
    "29/2": ("02-29", "02-29"),
    "30/2": None,
    "20/13": None,
    "12/20 – 1/3": None,
    "20/12/2026 – 3/1": None,
    "1/1 – 2/1 – 3/1": None,
    "en été": None,
    "j": None,
    "10^9": None,
}


@each(("text", "ends"), PERIODS.items())
def test_periods_typed(text: str, ends: tuple[str, str] | None) -> None:
    if ends:
        assert typed_durations.parse_rest_periods(text) == (RestPeriod(*ends),)
        return
    with pytest.raises(InvalidDeadlineSettings) as refused:
        typed_durations.parse_rest_periods(text)
    assert refused.value.code == "period"


def test_periods_one_a_line() -> None:
    assert typed_durations.parse_rest_periods("\n 1/8 – 15/8 \n\n1er mai\r\n") == (
        RestPeriod("08-01", "08-15"),
        RestPeriod("05-01", "05-01"),
    )
    with pytest.raises(InvalidDeadlineSettings):
        typed_durations.parse_rest_periods("1/1\n" * 21)


@given(st.integers(1, 90 * 1440), st.sampled_from(["fr", "en"]), st.sampled_from([2, 4]))
def test_a_length_told_is_a_length_typed(minutes: int, language: str, days_from: int) -> None:
    length = timedelta(minutes=minutes)
    assert (
        typed_durations.parse_duration(date_texts.duration_text(length, language, days_from=days_from))
        == length
    )


@given(st.integers(1, 1440), st.sampled_from(["fr", "en"]))
def test_an_hour_told_is_an_hour_typed(minute: int, language: str) -> None:
    assert typed_durations.parse_hour(date_texts.hour_text(minute, language)) == minute


@given(
    st.text(max_size=40),
    st.sampled_from(
        [typed_durations.parse_duration, typed_durations.parse_hour, typed_durations.parse_rest_periods]
    ),
)
def test_whatever_is_typed_is_read_or_refused(text: str, read: Callable[[str], object]) -> None:
    with contextlib.suppress(InvalidDeadlineSettings):
        assert read(text) is not None
