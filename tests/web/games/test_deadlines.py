"""When a phase is due: clocks that change, days that do not count, people who are away."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.games.deadlines import DeadlineSettings, InvalidDeadlineSettings
from talleyrand.web.games.deadlines.deadline_calendar import DeadlineCalendar, day_ending_at
from talleyrand.web.games.deadlines.deadline_rules import DeadlineRule, IntervalRule, ManualRule, WeekdayRule
from talleyrand.web.games.deadlines.holiday_countries import HOLIDAY_COUNTRIES
from talleyrand.web.games.deadlines.rest_days import RestDays, RestPeriod, public_holidays
from talleyrand.web.games.deadlines.zone_names import ZONE_NAMES
from tests.each import each

PARIS, NEW_YORK, LORD_HOWE, HAVANA = (
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Havana",
)
FRIDAY, SUNDAY, EVERY_DAY = (4,), (6,), (0, 1, 2, 3, 4, 5, 6)
ALL_MONTHS = tuple(range(1, 13))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(text: str) -> datetime:
    """ "2026-11-27 23:00" in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def days(numbers: tuple[int, ...], hour: str) -> WeekdayRule:
    hours, minutes = hour.split(":")
    return WeekdayRule(numbers, int(hours) * 60 + int(minutes))


def every(**length: int) -> IntervalRule:
    return IntervalRule(timedelta(**length))


def rests(**named: Any) -> dict[str, Any]:
    periods = tuple(RestPeriod(*ends) for ends in named.pop("periods", ()))
    return {"rest_days": RestDays(periods=periods, **named)}


# Rule, settings, opened (UTC), due (UTC).
DATES: dict[str, tuple[DeadlineRule, dict[str, Any], str, str]] = {
    "24 h is 0 h of the next day": (days(FRIDAY, "24:00"), {}, "2026-11-22 08:14", "2026-11-27 23:00"),
    "on the date itself: the next one": (days(FRIDAY, "24:00"), {}, "2026-11-27 23:00", "2026-12-04 23:00"),
    "a second before": (days(FRIDAY, "24:00"), {}, "2026-11-27 22:59:59", "2026-11-27 23:00"),
    "every day": (days(EVERY_DAY, "20:00"), {}, "2026-11-27 19:00", "2026-11-28 19:00"),
    "some days": (days((0, 2, 4), "20:30"), {}, "2026-11-27 20:00", "2026-11-30 19:30"),
    "leap day": (days(EVERY_DAY, "20:00"), {}, "2028-02-28 20:00", "2028-02-29 19:00"),
    "new year": (days((3,), "24:00"), {}, "2026-12-30 08:00", "2026-12-31 23:00"),
    "winter becomes summer": (days(SUNDAY, "20:00"), {}, "2026-03-28 20:00", "2026-03-29 18:00"),
    "an hour that never comes, Paris": (days(SUNDAY, "2:30"), {}, "2026-03-28 20:00", "2026-03-29 01:30"),
    "an hour that comes twice, Paris": (days(SUNDAY, "2:30"), {}, "2026-10-24 20:00", "2026-10-25 01:30"),
    "24 h before the change": (days((5,), "24:00"), {}, "2026-03-28 20:00", "2026-03-28 23:00"),
    "an hour that never comes, New York": (
        days(SUNDAY, "2:30"),
        {"time_zone": NEW_YORK},
        "2026-03-07 20:00",
        "2026-03-08 07:30",
    ),
    "an hour that comes twice, New York": (
        days(SUNDAY, "1:30"),
        {"time_zone": NEW_YORK},
        "2026-10-31 20:00",
        "2026-11-01 06:30",
    ),
    "half an hour that never comes, Lord Howe": (
        days(SUNDAY, "2:15"),
        {"time_zone": LORD_HOWE},
        "2026-10-02 20:00",
        "2026-10-03 15:45",
    ),
    "half an hour that comes twice, Lord Howe": (
        days(SUNDAY, "1:45"),
        {"time_zone": LORD_HOWE},
        "2026-04-03 20:00",
        "2026-04-04 15:15",
    ),
    "a midnight that comes twice, Havana": (
        days((5,), "24:00"),
        {"time_zone": HAVANA},
        "2026-10-31 12:00",
        "2026-11-01 05:00",
    ),
    "48 hours pass as they pass, March": (every(hours=48), {}, "2026-03-28 12:00", "2026-03-30 12:00"),
    "48 hours pass as they pass, October": (every(hours=48), {}, "2026-10-24 12:00", "2026-10-26 12:00"),
    "blitz keeps its seconds": (every(minutes=15), {}, "2026-11-27 12:00:42", "2026-11-27 12:15:42"),
    "long phases begin on the minute": (every(hours=48), {}, "2026-11-27 12:00:42", "2026-11-29 12:00"),
    "minimum kept": (
        days(FRIDAY, "24:00"),
        {"minimum": timedelta(days=3)},
        "2026-11-25 08:00",
        "2026-12-04 23:00",
    ),
    "minimum far enough": (
        days(FRIDAY, "24:00"),
        {"minimum": timedelta(days=3)},
        "2026-11-24 08:00",
        "2026-11-27 23:00",
    ),
    "a minimum of a week leaves a weekly game weekly": (
        days(FRIDAY, "24:00"),
        {"minimum": timedelta(days=7)},
        "2026-11-27 23:00:07",
        "2026-12-04 23:00",
    ),
    "a minimum of a day leaves a daily game daily, after grace": (
        days(EVERY_DAY, "20:00"),
        {"minimum": DAY, "grace": HOUR},
        "2026-11-27 20:00:07",
        "2026-11-28 19:00",
    ),
    "never in August": (days(FRIDAY, "24:00"), rests(months=(8,)), "2026-07-31 22:00", "2026-09-04 22:00"),
    "24 h on 31 July is July": (
        days(FRIDAY, "24:00"),
        rests(months=(8,)),
        "2026-07-30 12:00",
        "2026-07-31 22:00",
    ),
    "over the new year": (
        days(FRIDAY, "24:00"),
        rests(periods=[("12-20", "01-03")]),
        "2026-12-19 12:00",
        "2027-01-08 23:00",
    ),
    "in one year": (
        days(FRIDAY, "24:00"),
        rests(periods=[("2026-12-20", "2027-01-03")]),
        "2026-12-19 12:00",
        "2027-01-08 23:00",
    ),
    "not in another": (
        days(FRIDAY, "24:00"),
        rests(periods=[("2026-12-20", "2027-01-03")]),
        "2027-12-19 12:00",
        "2027-12-24 23:00",
    ),
    "public holiday": (days(EVERY_DAY, "20:00"), rests(country="FR"), "2027-07-13 20:00", "2027-07-15 18:00"),
    "no public holiday there": (
        days(EVERY_DAY, "20:00"),
        rests(country="BE"),
        "2027-07-13 20:00",
        "2027-07-14 18:00",
    ),
    "the week-end does not count": (
        every(hours=48),
        rests(weekdays=(5, 6)),
        "2026-11-27 09:00",
        "2026-12-01 09:00",
    ),
    "nor does it where a phase opens": (
        every(hours=48),
        rests(weekdays=(5, 6)),
        "2026-11-28 09:00",
        "2026-12-01 23:00",
    ),
    "the week-end of the change does not count": (
        every(hours=48),
        rests(weekdays=(5, 6)),
        "2026-03-27 09:00",
        "2026-03-31 08:00",
    ),
    "August does not count": (every(hours=48), rests(months=(8,)), "2026-07-31 10:00", "2026-09-02 10:00"),
    "leap day does not count": (
        every(hours=24),
        rests(periods=[("02-29", "02-29")]),
        "2028-02-28 12:00",
        "2028-03-01 12:00",
    ),
}


@pytest.mark.long
@each(("rule", "more", "opened", "due"), DATES.values())
def test_dates(rule: DeadlineRule, more: dict[str, Any], opened: str, due: str) -> None:
    assert DeadlineSettings(rule, **more).next_deadline("M", at(opened)) == at(due)


def test_kinds_of_phases() -> None:
    rhythm = DeadlineSettings(days(FRIDAY, "24:00"), every(hours=48))
    opened = at("2026-11-27 23:00")
    assert rhythm.next_deadline("M", opened) == at("2026-12-04 23:00")
    assert rhythm.next_deadline("R", opened) == rhythm.next_deadline("A", opened) == at("2026-11-29 23:00")
    assert DeadlineSettings(days(FRIDAY, "24:00")).next_deadline("R", opened) == at("2026-12-04 23:00")
    assert rhythm.next_deadline("", opened) is None


def test_by_hand_there_is_no_date() -> None:
    assert DeadlineSettings(ManualRule()).next_deadline("M", at("2026-11-27 23:00")) is None
    assert (
        DeadlineSettings(days(FRIDAY, "24:00"), ManualRule()).next_deadline("R", at("2026-11-27 23:00"))
        is None
    )
    assert DeadlineSettings(ManualRule()).planned_deadlines(at("2026-11-27 23:00")) == []


def test_the_first_phase_may_be_longer() -> None:
    opened = at("2026-11-22 08:00")
    assert DeadlineSettings(days(FRIDAY, "24:00"), first=timedelta(days=10)).next_deadline(
        "M", opened, first=True
    ) == at("2026-12-04 23:00")
    assert (
        DeadlineSettings(every(hours=48), first=timedelta(days=10)).next_deadline("M", opened, first=True)
        == opened + 10 * DAY
    )
    assert (
        DeadlineSettings(every(hours=48), first=timedelta(days=10)).next_deadline("M", opened)
        == opened + 2 * DAY
    )


# Absences as (since, until), the most that a date moves in days, due.
ABSENCES: dict[str, tuple[list[tuple[str, str]], int, str]] = {
    "none": ([], 14, "2026-11-27 23:00"),
    "one": ([("2026-11-26 00:00", "2026-11-29 12:00")], 14, "2026-12-04 23:00"),
    "over before": ([("2026-11-20 00:00", "2026-11-27 22:59")], 14, "2026-11-27 23:00"),
    "begins after": ([("2026-11-27 23:01", "2026-12-20 00:00")], 14, "2026-11-27 23:00"),
    "one after the other": (
        [("2026-12-03 00:00", "2026-12-06 00:00"), ("2026-11-26 00:00", "2026-11-29 00:00")],
        14,
        "2026-12-11 23:00",
    ),
    "overlapping": (
        [("2026-11-26 00:00", "2026-12-05 00:00"), ("2026-11-27 00:00", "2026-12-01 00:00")],
        14,
        "2026-12-11 23:00",
    ),
    "longer than may be": ([("2026-11-26 00:00", "2027-02-01 00:00")], 14, "2026-12-11 23:00"),
    "may not move it": ([("2026-11-26 00:00", "2026-11-29 12:00")], 0, "2026-11-27 23:00"),
    "upside down": ([("2026-11-29 00:00", "2026-11-26 00:00")], 14, "2026-11-27 23:00"),
}


@each(("away", "most", "due"), ABSENCES.values())
def test_absences(away: list[tuple[str, str]], most: int, due: str) -> None:
    told = [(at(since), at(until)) for since, until in away]
    found = DeadlineSettings(days(FRIDAY, "24:00")).next_deadline(
        "M", at("2026-11-22 08:00"), absences=iter(told), most=timedelta(days=most)
    )
    assert found == at(due)


def test_absences_move_a_length_day_by_day() -> None:
    away = [(at("2026-11-23 00:00"), at("2026-11-26 12:00"))]
    opened = at("2026-11-22 09:00")
    assert DeadlineSettings(every(hours=48)).next_deadline("M", opened, absences=away) == at(
        "2026-11-27 09:00"
    )
    live = DeadlineSettings(every(minutes=15)).next_deadline("M", at("2026-11-23 01:00"), absences=away)
    assert live == at("2026-11-26 12:15")


EXTENDED: list[tuple[DeadlineSettings, str, str]] = [
    (DeadlineSettings(days(FRIDAY, "24:00")), "2026-11-27 23:00", "2026-11-28 23:00"),
    (DeadlineSettings(days(FRIDAY, "24:00"), minimum=10 * DAY), "2026-11-27 23:00", "2026-11-28 23:00"),
    (DeadlineSettings(days(FRIDAY, "24:00"), extension=2 * DAY), "2026-11-27 23:00", "2026-11-29 23:00"),
    (
        DeadlineSettings(days(FRIDAY, "24:00"), **rests(weekdays=(5, 6))),
        "2026-11-27 23:00",
        "2026-11-30 23:00",
    ),
    (DeadlineSettings(every(hours=72)), "2026-11-27 23:00", "2026-11-28 23:00"),
    (DeadlineSettings(every(minutes=15)), "2026-11-27 23:00", "2026-11-27 23:15"),
    (DeadlineSettings(every(hours=72), **rests(weekdays=(5, 6))), "2026-11-27 23:00", "2026-11-30 23:00"),
    (DeadlineSettings(ManualRule()), "2026-11-27 23:00", "2026-11-28 23:00"),
    (DeadlineSettings(ManualRule(), extension=2 * DAY), "2026-11-27 23:00", "2026-11-29 23:00"),
]


@each(("rhythm", "due", "later"), EXTENDED)
def test_extended(rhythm: DeadlineSettings, due: str, later: str) -> None:
    assert rhythm.extended_deadline(at(due)) == at(later)


def test_resumed() -> None:
    now = at("2026-11-25 12:00")
    assert DeadlineSettings(days(FRIDAY, "24:00")).resumed_deadline(5 * HOUR, now) == at("2026-11-27 23:00")
    assert DeadlineSettings(days(FRIDAY, "24:00")).resumed_deadline(3 * DAY, now) == at("2026-12-04 23:00")
    assert DeadlineSettings(every(hours=48)).resumed_deadline(5 * HOUR, now) == now + 5 * HOUR
    assert DeadlineSettings(every(hours=48)).resumed_deadline(-5 * HOUR, now) > now
    assert DeadlineSettings(ManualRule()).resumed_deadline(5 * HOUR, now) == now + 5 * HOUR


def test_next_dates_are_those_of_a_game_with_retreats() -> None:
    found = DeadlineSettings(days(FRIDAY, "24:00"), every(hours=48), first=10 * DAY).planned_deadlines(
        at("2026-11-22 08:00")
    )
    assert [f"{one.movement:%m-%d}" for one in found] == ["12-04", "12-11", "12-18", "12-25", "01-01"]
    assert found[0].between == at("2026-12-06 23:00")
    shared = DeadlineSettings(days(FRIDAY, "24:00")).planned_deadlines(at("2026-11-22 08:00"), 2)
    assert [f"{one.movement:%m-%d}" for one in shared] == ["11-27", "12-11"]


UNFIT: dict[str, Any] = {
    "zone": lambda: DeadlineSettings(time_zone="Europe/Atlantis"),
    "zone ": lambda: DeadlineSettings(time_zone="../../etc/passwd"),
    "zone  ": lambda: DeadlineSettings(time_zone=""),
    "zone   ": lambda: DeadlineSettings(time_zone="Europe\x00"),
    "zone    ": lambda: DeadlineSettings(time_zone="Europe"),
    "length": lambda: every(seconds=0),
    "length ": lambda: every(seconds=-1),
    "length  ": lambda: every(days=10**8),
    "length   ": lambda: DeadlineSettings.from_json({"hours": -1}),
    "length    ": lambda: DeadlineSettings.from_json({"hours": 10**9}),
    "length     ": lambda: DeadlineSettings.from_json({"hours": "soon"}),
    "length      ": lambda: DeadlineSettings.from_json({"movement": {"seconds": 10**30}}),
    "length       ": lambda: DeadlineSettings.from_json({"movement": {}}),
    "days": lambda: WeekdayRule((), 60),
    "days ": lambda: WeekdayRule((7,), 60),
    "days  ": lambda: WeekdayRule((2, 1), 60),
    "hour": lambda: WeekdayRule((1,), 0),
    "hour ": lambda: WeekdayRule((1,), 1441),
    "grace": lambda: DeadlineSettings(grace=-HOUR),
    "grace ": lambda: DeadlineSettings(grace=8 * DAY),
    "grace  ": lambda: DeadlineSettings.from_json({"grace": "a bit"}),
    "minimum": lambda: DeadlineSettings(minimum=31 * DAY),
    "first": lambda: DeadlineSettings(first=91 * DAY),
    "extension": lambda: DeadlineSettings(extension=-DAY),
    "weekdays": lambda: RestDays(weekdays=(7,)),
    "months": lambda: RestDays(months=(0,)),
    "months ": lambda: RestDays(months=(13,)),
    "country": lambda: RestDays(country="XX"),
    "period": lambda: RestPeriod("02-30", "03-01"),
    "period ": lambda: RestPeriod("12-20", "2027-01-03"),
    "period  ": lambda: RestPeriod("2027-01-03", "2026-12-20"),
    "period   ": lambda: RestPeriod("2027-02-29", "2027-03-01"),
    "period    ": lambda: RestPeriod("", ""),
    "period_long": lambda: RestPeriod("2026-01-01", "2036-01-01"),
    "periods": lambda: RestDays(periods=(RestPeriod("01-01", "01-02"),) * 21),
}


@each(("code", "make"), UNFIT.items())
def test_nonsense_is_refused(code: str, make: Any) -> None:
    with pytest.raises(InvalidDeadlineSettings) as refused:
        make()
    assert refused.value.code == code.strip()


def test_all_excluded_ends_without_a_date() -> None:
    for rule in (days(FRIDAY, "24:00"), every(hours=48)):
        rhythm = DeadlineSettings(rule, **rests(months=ALL_MONTHS, country="FR"))
        assert rhythm.next_deadline("M", at("2026-11-22 08:00")) is None
        assert rhythm.planned_deadlines(at("2026-11-22 08:00")) == []
        assert rhythm.extended_deadline(at("2026-11-22 08:00")) > at("2026-11-22 08:00")
        assert rhythm.resumed_deadline(HOUR, at("2026-11-22 08:00")) > at("2026-11-22 08:00")


def test_what_was_kept_before_is_read() -> None:
    assert DeadlineSettings.from_json({}) == DeadlineSettings(every(hours=72))
    assert DeadlineSettings.from_json({"hours": 24, "early": False, "grace": 3600}) == DeadlineSettings(
        every(hours=24), plays_early=False, grace=HOUR
    )
    assert DeadlineSettings.from_json({"hours": 0}) == DeadlineSettings(ManualRule())


@pytest.mark.long
@each("country", HOLIDAY_COUNTRIES)
def test_every_country_has_holidays(country: str) -> None:
    assert date(2027, 1, 1) in public_holidays(country, 2027)


@each("zone", ZONE_NAMES)
def test_every_usual_zone_exists(zone: str) -> None:
    assert DeadlineCalendar(zone).moment(date(2026, 7, 1), 720).year == 2026


ZONES = st.sampled_from([PARIS, NEW_YORK, LORD_HOWE, HAVANA, "UTC", "Asia/Beirut", "Atlantic/Azores"])
WEEKDAYS = st.sets(st.integers(0, 6), max_size=3).map(lambda found: tuple(sorted(found)))


@st.composite
def periods(draw: st.DrawFn) -> RestPeriod:
    """Of every year, up to two months."""
    first = draw(st.dates(date(2025, 1, 1), date(2027, 12, 31)))
    last = first + timedelta(days=draw(st.integers(0, 60)))
    if draw(st.booleans()):
        return RestPeriod(first.isoformat(), last.isoformat())
    return RestPeriod(f"{first:%m-%d}", f"{last:%m-%d}")


RESTS = st.builds(
    RestDays,
    WEEKDAYS,
    st.sets(st.integers(1, 12), max_size=4).map(lambda found: tuple(sorted(found))),
    st.lists(periods(), max_size=2).map(tuple),
    st.sampled_from(["", "", "FR", "US"]),
)
RULES: st.SearchStrategy[DeadlineRule] = st.one_of(
    st.builds(
        WeekdayRule,
        st.sets(st.integers(0, 6), min_size=1).map(lambda found: tuple(sorted(found))),
        st.one_of(st.integers(1, 1440), st.sampled_from([1440, 150, 30])),
    ),
    st.integers(1, 90 * 1440).map(lambda minutes: every(minutes=minutes)),
)
LENGTHS = st.integers(0, 7 * 1440).map(lambda minutes: timedelta(minutes=minutes))
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
OPENED = st.datetimes(datetime(2025, 1, 1), datetime(2029, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
AWAY = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), max_size=4)
CHANGES = st.sampled_from(["2026-03-28", "2026-10-24", "2026-03-07", "2026-10-31", "2026-10-03"])
AROUND_CHANGES = CHANGES.flatmap(
    lambda day: st.integers(0, 3 * 1440).map(lambda minutes: at(day) + timedelta(minutes=minutes))
)


@pytest.mark.long
@given(RHYTHMS, st.one_of(OPENED, AROUND_CHANGES), st.sampled_from("MRA"), st.booleans())
def test_a_date_is_to_come_and_on_no_day_of_rest(
    rhythm: DeadlineSettings, opened: datetime, kind: str, first: bool
) -> None:
    due = rhythm.next_deadline(kind, opened, first=first)
    if due is None:
        assert isinstance(rhythm.rule_for(kind), ManualRule) or rhythm.rest_days != RestDays()
        return
    assert due > opened
    assert due.tzinfo is UTC
    place = ZoneInfo(rhythm.time_zone)
    day = day_ending_at(due, place)
    assert not rhythm.rest_days.includes(day)
    rule = rhythm.rule_for(kind)
    if isinstance(rule, WeekdayRule):
        assert day.weekday() in rule.days
        assert due == rhythm.calendar.moment(day, rule.minute)
    else:
        assert isinstance(rule, IntervalRule)
        assert due - opened > rule.length - timedelta(minutes=1)
    assert rhythm.extended_deadline(due, kind) > due
    assert rhythm.resumed_deadline(due - opened, opened, kind) > opened


@given(RHYTHMS, st.one_of(OPENED, AROUND_CHANGES), st.integers(0, 10 * 1440))
def test_a_phase_that_opens_later_is_not_due_sooner(
    rhythm: DeadlineSettings, opened: datetime, minutes: int
) -> None:
    sooner, later = (rhythm.next_deadline("M", one) for one in (opened, opened + timedelta(minutes=minutes)))
    if sooner is not None and later is not None:
        assert sooner <= later


@given(
    RHYTHMS,
    OPENED,
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), max_size=4),
    st.integers(0, 30),
)
def test_absences_move_along_the_dates_and_no_further_than_may_be(
    rhythm: DeadlineSettings, opened: datetime, away: list[tuple[int, int]], most: int
) -> None:
    absences = [(opened + since * DAY, opened + (since + length) * DAY) for since, length in away]
    plain = rhythm.next_deadline("M", opened)
    due = rhythm.next_deadline("M", opened, absences=absences, most=most * DAY)
    if plain is None or due is None:
        assert plain is due is None
        return
    assert plain <= due <= plain + most * DAY
    assert not rhythm.rest_days.includes(day_ending_at(due, ZoneInfo(rhythm.time_zone)))
    if not any(since <= plain <= until for since, until in absences):
        assert due == plain


@given(RHYTHMS)
def test_kept_and_read_back(rhythm: DeadlineSettings) -> None:
    assert DeadlineSettings.from_json(json.loads(json.dumps(rhythm.as_json()))) == rhythm


@given(st.builds(WeekdayRule, st.just(EVERY_DAY), st.integers(1, 1440)), ZONES, OPENED)
def test_the_grid_leaves_no_day_out(rule: WeekdayRule, zone: str, opened: datetime) -> None:
    found = list(islice(rule.dates(opened, DeadlineCalendar(zone), timedelta(0), timedelta(0)), 400))
    assert len(found) == 400
    assert {day_ending_at(one, ZoneInfo(zone)).toordinal() for one in found} == {
        day_ending_at(found[0], ZoneInfo(zone)).toordinal() + number for number in range(400)
    }
