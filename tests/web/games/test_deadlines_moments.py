"""A day and an hour as people type them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.games.deadlines.deadline_errors import InvalidDeadlineSettings
from talleyrand.web.games.deadlines.typed_dates import parse_moment
from tests.each import each

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)  # a Wednesday, 13 h in Paris
MOMENTS = {
    "vendredi 13 mars 20:00": "2026-03-13 19:00",
    "vendredi 13 mars à 20 h": "2026-03-13 19:00",
    "le 13 mars 2026 à 20 h 30": "2026-03-13 19:30",
    "13/3 20h": "2026-03-13 19:00",
    "13/03/2026 20:00": "2026-03-13 19:00",
    "2026-03-13 20:00": "2026-03-13 19:00",
    "2026-03-13T20:00": "2026-03-13 19:00",
    "Friday 13 March at 8 pm": "2026-03-13 19:00",
    "Fri, March 13th, 2026 at 20:00": "2026-03-13 19:00",
    "ven. 13 mars minuit": "2026-03-13 23:00",
    "13 mars": "2026-03-13 23:00",
    "vendredi": "2026-03-06 23:00",
    "vendredi 20 h": "2026-03-06 19:00",
    "mercredi 20 h": "2026-03-04 19:00",
    "mercredi midi": "2026-03-11 11:00",
    "aujourd’hui 20 h": "2026-03-04 19:00",
    "demain 8h": "2026-03-05 07:00",
    "tomorrow at 9 am": "2026-03-05 08:00",
    "14 AOÛT à midi": "2026-08-14 10:00",
    "14 aout midi": "2026-08-14 10:00",
    "1er avril 20h": "2026-04-01 18:00",
    "29 février 20h": "2028-02-29 19:00",
    "3 mars 20h": "2027-03-03 19:00",
}
UNFIT = {
    "": "moment",
    "20 h": "moment",
    "bientôt": "moment",
    "31 février 20 h": "moment",
    "13/13 20 h": "moment",
    "29 février 2026": "moment",
    "9999-12-31 24h": "moment",
    "0001-01-01": "moment",
    "samedi 13 mars 20 h": "weekday",
    "13 mars 2020 20 h": "past",
    "aujourd’hui 8 h": "past",
    "13 mars 25 h": "not_an_hour",
    "13 mars 0:00": "which_midnight",
}


@each(("typed", "found"), MOMENTS.items())
def test_moments(typed: str, found: str) -> None:
    assert f"{parse_moment(typed, NOW, 'Europe/Paris'):%F %H:%M}" == found


@each(("typed", "code"), UNFIT.items())
def test_what_is_none(typed: str, code: str) -> None:
    with pytest.raises(InvalidDeadlineSettings) as refused:
        parse_moment(typed, NOW, "Europe/Paris")
    assert refused.value.code == code


def test_in_another_zone() -> None:
    assert f"{parse_moment('friday 20:00', NOW, 'America/New_York'):%F %H:%M}" == "2026-03-07 01:00"


@given(
    st.text()
    | st.lists(st.sampled_from([*"0123456789/: ", "mars", "vendredi", "à", "h", "le "])).map("".join)
)
def test_any_text_is_a_moment_to_come_or_unfit(typed: str) -> None:
    try:
        assert parse_moment(typed, NOW, "Europe/Paris") > NOW
    except InvalidDeadlineSettings:
        return
