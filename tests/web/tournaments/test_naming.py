"""Names and figures are the same on every page, screen and paper."""

from __future__ import annotations

from datetime import UTC, date, datetime
from fractions import Fraction

import pytest
from django.utils import timezone, translation

from talleyrand.tournament.model import Event
from talleyrand.web.boards import score_texts
from talleyrand.web.tournaments import event_times
from tests.each import each


@each(
    ("value", "shown"),
    [
        (Fraction(58143, 1000), "58,143"),
        (Fraction(-1, 4), "−0,250"),
        (Fraction(0), "0,000"),
        (Fraction(7, 1000), "0,007"),
        (Fraction(1, 2000), "0,001"),  # halves away from nought, as files and the command have them
        (Fraction(-1, 3000), "0,000"),
    ],
)
def test_points(value: Fraction, shown: str) -> None:
    with translation.override("fr"):
        assert score_texts.points_text(value) == shown
    with translation.override("en"):
        assert score_texts.points_text(value) == shown.replace(",", ".")


@each(
    ("first", "last", "french", "english"),
    [
        (None, None, "", ""),
        (date(2026, 7, 4), None, "4 juillet 2026", "4 July 2026"),
        (date(2026, 7, 4), date(2026, 7, 4), "4 juillet 2026", "4 July 2026"),
        (date(2026, 7, 1), date(2026, 7, 5), "1er–5 juillet 2026", "1–5 July 2026"),
        (date(2026, 5, 31), date(2026, 6, 1), "31 mai – 1er juin 2026", "31 May – 1 June 2026"),
        (
            date(2026, 12, 31),
            date(2027, 1, 1),
            "31 décembre 2026 – 1er janvier 2027",
            "31 December 2026 – 1 January 2027",
        ),
    ],
)
def test_days(first: date | None, last: date | None, french: str, english: str) -> None:
    with translation.override("fr"):
        assert event_times.days_text(first, last) == french
    with translation.override("en"):
        assert event_times.days_text(first, last) == english


@pytest.mark.parametrize(
    ("language", "hour", "dated", "said"),
    [
        (
            "fr",
            "21\u00a0h\u00a041",
            "samedi 4 juillet, 21\u00a0h\u00a041",
            "samedi 4 juillet 2026 à 21\u00a0h\u00a041, heure de Paris",
        ),
        ("en", "21:41", "Saturday 4 July, 21:41", "Saturday 4 July 2026 at 21:41, Paris time"),
    ],
)
def test_an_hour_has_twenty_four(language: str, hour: str, dated: str, said: str) -> None:
    event, at = Event("Une fin de semaine"), "2026-07-04T19:41:00Z"
    with translation.override(language):
        assert (
            event_times.hour_text(event, at),
            event_times.dated_time(event, at),
            event_times.full_time(event, at),
        ) == (hour, dated, said)
        assert {
            told(event, "hier")
            for told in (
                event_times.hour_text,
                event_times.dated_time,
                event_times.short_time,
                event_times.full_time,
            )
        } == {""}


def test_a_moment_of_today_is_its_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    event, at = Event("Une fin de semaine"), "2026-07-04T22:10:00Z"  # ten past midnight in Paris
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 7, 5, 9, 0, tzinfo=UTC))
    with translation.override("fr"):
        assert event_times.short_time(event, at) == "0\u00a0h\u00a010"
        assert event_times.short_time(event, "2026-07-04T21:10:00Z") == "4 juillet, 23\u00a0h\u00a010"
        assert event_times.short_time(event, "2025-07-04T21:10:00Z") == "4 juillet 2025, 23\u00a0h\u00a010"
