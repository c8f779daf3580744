"""The page that makes a game: what it asks, with a sensible answer to every question."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import scoring, variants
from talleyrand.engine.game import VictoryCondition
from talleyrand.engine.position import Phase
from talleyrand.formats.custom_toml import read_custom_rulebook
from talleyrand.formats.visible_text import one_line_name
from talleyrand.notation import naming_profiles
from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import Split, Variant
from talleyrand.web.boards import display_names, score_texts
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.bots import bot_players
from talleyrand.web.games import game_variant_options
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.deadlines.deadline_calendar import DeadlineCalendar
from talleyrand.web.games.deadlines.deadline_presets import deadline_settings_for_board
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings
from talleyrand.web.games.game_settings import BotSeatRule, GameSettings
from talleyrand.web.games.house_rules import LONGEST_RULES, clean_rules
from talleyrand.web.games.models import GameRole
from talleyrand.web.library.rulebook_input import (
    CUSTOM_RULEBOOK,
    LARGEST_INPUT,
    RulebookInputRefusal,
    custom_rulebook,
)

from . import split_form
from .game_creation import GamePlan, check_playable
from .opening_positions import (
    NUMBER,
    SHARED,
    OpeningPosition,
    check_opening,
    opening_seats,
    opening_with_readings,
    practice_opening,
)
from .setting_options import NO, SETTING_OPTIONS, YES

MOST_EXTENSIONS, MOST_PATIENCE, MOST_ABSENCE, LATEST_YEAR, MOST_PEOPLE = 20, 20, 90, 9999, 99
MOST_DELAY_PHASES, MOST_DELAY_HOURS = 20, 720
HOUSE_RULES = ("house_rules_fr", "house_rules_en")
MAY_BE_EMPTY = ("naming", "bots", "language")
YES_OR_NO = (
    "press_between",
    "declarations",
    "drafts_count",
    "log_open",
    "submissions_shown",
    "by_post",
    "bot_seats_open",
)


class GameForm(forms.Form):
    """`plan()` of a valid form is what is made of it, with the rhythm of the form beside it."""

    def __init__(
        self,
        data: Any = None,
        files: Any = None,
        *,
        zone: str = "Europe/Paris",
        begun: Mapping[str, Any] | None = None,
    ) -> None:
        usual = initial_game_values()
        asked = {**usual, **(begun or {}), **(data or {})}
        if asked["by_post"] == YES and asked["part"] == GameRole.GAME_MASTER:
            usual["submissions_shown"] = NO  # a game master who plays the post knows alone what has come
        usual |= begun or {}
        # whoever leaves a question out is content with the usual answer
        super().__init__(None if data is None else {**usual, **with_game(data)}, files, initial=usual)
        self.zone = zone
        self.opening: OpeningPosition | None = None
        self.fields["name"] = forms.CharField(
            max_length=80,
            error_messages={
                "required": _("Give the game a name."),
                "max_length": _("Name too long: 80 characters at most."),
            },
        )
        self.fields["part"] = _chosen([GameRole.PLAYER, GameRole.GAME_MASTER])
        self.fields["variant"] = _chosen(list(variants.playable_names()))
        self.fields["split"] = forms.CharField(required=False, max_length=40)
        self.fields["rulebook"] = _chosen(
            [*(name for name, _title in display_names.rulebook_titles()), CUSTOM_RULEBOOK]
        )
        self.fields["own"] = forms.CharField(required=False, max_length=LARGEST_INPUT, strip=False)
        self.fields["own_file"] = forms.FileField(required=False, allow_empty_file=True)
        self.fields[SHARED] = forms.CharField(required=False)
        self.fields[NUMBER] = forms.CharField(required=False)
        for name, options in SETTING_OPTIONS.items():
            self.fields[name] = _chosen(list(options()), required=name not in MAY_BE_EMPTY)
        for variant in variants_with_options():
            for choice in game_variant_options.variant_options(variant):
                name = variant_option_field(variant.name, choice.option)
                self.fields[name] = _chosen(list(choice.values), required=False)
        for name, most in NUMBER_FIELDS.items():
            self.fields[name] = _number(most)
        for name in HOUSE_RULES:
            self.fields[name] = forms.CharField(
                required=False,
                max_length=LONGEST_RULES,
                error_messages={"max_length": _("House rules too long: 2,000 characters at most.")},
            )
        self.fields["ends_on"] = forms.DateField(
            required=False, error_messages={"invalid": _("Not a date: write it like 2027-06-30.")}
        )
        self.fields["ends_time"] = forms.TimeField(
            required=False, error_messages={"invalid": _("Not a time: write it like 20:30.")}
        )

    def clean_name(self) -> str:
        """On one line, without signs that nobody sees: it stands in sentences, in calendars, over mails."""
        name = one_line_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(self.fields["name"].error_messages["required"])
        return name

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        for name, checked in (
            ("naming", self._check_naming),
            ("bots", self._check_bots),
            ("rulebook", self._check_book),
            ("variant", self._check_readings),
            (SHARED, self._check_opening),
            ("split", self._check_split),
            ("centres_to_win", self._check_victory),
            ("scoring", self._check_scoring),
            ("last_year", self._check_year),
            ("ends_on", self._check_end),
        ):
            if name in told and "variant" in told:
                try:
                    checked(told)
                except (RulebookInputRefusal, QuestionRefusal) as refused:
                    self.add_error(name, refused.sentence)
        return told

    def _check_naming(self, told: dict[str, Any]) -> None:
        if told["naming"] and told["naming"] not in naming_profiles(variants.load(told["variant"])):
            raise RulebookInputRefusal(_("This variant doesn’t have these abbreviations: choose “Any”."))

    def _check_bots(self, told: dict[str, Any]) -> None:
        if told["bots"] and not bot_players.bots_available():
            raise RulebookInputRefusal(_("Bots are not available on this site: choose “Nobody”."))
        if told["bots"] and told["bots"] not in bot_players.bot_codes(variants.load(told["variant"])):
            raise RulebookInputRefusal(_("This bot can’t play this variant: choose another."))

    def _check_book(self, told: dict[str, Any]) -> None:
        if told["rulebook"] == CUSTOM_RULEBOOK:
            told["rulebook"] = _own(told.get("own_file"), told.get("own") or "")
        check_playable(told["variant"], told["rulebook"])

    def _check_opening(self, told: dict[str, Any]) -> None:
        self.opening = practice_opening(told)
        if self.opening and "rulebook" in told:
            check_opening(self.opening, told["variant"], told["rulebook"])

    def _check_readings(self, told: dict[str, Any]) -> None:
        """A point that this board does not leave open is refused by its name."""
        start = variant_option_field(told["variant"], "")
        for name in self.data:
            if name.startswith(start) and name not in self.fields:
                point = {"point": name.removeprefix(start)[:40]}
                raise RulebookInputRefusal(_("This variant has no open point “%(point)s”.") % point)

    def _readings(self, variant: Variant) -> dict[str, str]:
        """The open points of the chosen board that are not read as usual."""
        told = {
            choice.option: self.cleaned_data[variant_option_field(variant.name, choice.option)]
            for choice in game_variant_options.variant_options(variant)
        }
        return game_variant_options.changed_variant_options(
            variant, {option: value for option, value in told.items() if value}
        )

    def _check_scoring(self, told: dict[str, Any]) -> None:
        language, variant = display_names.reader_language(), variants.load(told["variant"])
        if scoring.load(told["scoring"]).any_board or score_texts.is_on_classic_board(variant):
            return
        titles = [one.title[language] for one in score_texts.systems() if one.any_board]
        raise RulebookInputRefusal(
            _("This scoring system needs the classic board; this variant can use: %(systems)s.")
            % {"systems": join_names(titles, language)}
        )

    def _check_split(self, told: dict[str, Any]) -> None:
        variant = variants.load(told["variant"])
        split = split_form.chosen_split(variant, told["split"], told.get("people") or 0, self.data)
        if self.opening and split is not variant.each_alone:
            there = set(opening_seats(variant, self.opening.situation))
            there -= {*variant.board.landless, *split.given}
            dealt = {power for share in split.shares for power in share}
            if split.passive or split.absent or dealt != there:
                raise RulebookInputRefusal(
                    _("The position has other powers to play: share out exactly those, or begin without it.")
                )
        told["dealt"] = split

    def _check_victory(self, told: dict[str, Any]) -> None:
        """More than half of the centres: two can't win at once."""
        setting, needed = variants.load(told["variant"]).definition, told["centres_to_win"]
        least, most = VictoryCondition().centres_needed(setting.board), len(setting.board.centres)
        if needed and setting.politics:
            raise RulebookInputRefusal(_("This variant is won in its own way: leave the field empty."))
        if needed and not least <= needed <= most:
            facts = {"least": least, "most": most}
            raise RulebookInputRefusal(_("Enter a number from %(least)s to %(most)s, or nothing.") % facts)

    def _first_year(self, told: dict[str, Any]) -> int:
        """The year of the first moves."""
        split = told.get("dealt") or Split(())
        start = variants.load(told["variant"]).definition.calendar.first.year
        return int(told.get("first_year") or split.first_year or start)

    def _check_year(self, told: dict[str, Any]) -> None:
        first = Phase.parse(self.opening.situation["phase"]).year if self.opening else self._first_year(told)
        if told["last_year"] and told["last_year"] < first:
            raise RulebookInputRefusal(_("The game starts in %(year)s.") % {"year": first})

    def _check_end(self, told: dict[str, Any]) -> None:
        told["ends_at"] = None
        if told["ends_on"] is None:
            return
        told["ends_at"] = _moment(told["ends_on"], told.get("ends_time") or time(), self.zone)
        if told["ends_at"] <= timezone.now():
            raise RulebookInputRefusal(_("This date is in the past."))

    def game_plan(self, rhythm: dict[str, Any]) -> GamePlan:
        """What the valid form says."""
        told = self.cleaned_data
        kept = {name: told[name] for name in SETTING_OPTIONS if name not in ("listed", *YES_OR_NO)}
        agreed = {name: told[name] == YES for name in YES_OR_NO}
        agreed["by_post"] = agreed["by_post"] and settings.HAS_PLAY_BY_MAIL
        numbers = {name: told[name] or 0 for name in NUMBER_FIELDS if name != "people"}
        rules = {name: clean_rules(told[name]) for name in HOUSE_RULES}
        variant = variants.load(told["variant"])
        dated = deadline_settings_for_board(
            DeadlineSettings.from_json(rhythm), bool(variant.definition.calendar.optional)
        ).as_json()
        own = {"readings": self._readings(variant), **self._dealt(told, variant)}
        if self.opening:
            own["start"] = opening_with_readings(self.opening, own["readings"])
        terms = GameSettings.from_json({**kept, **agreed, **numbers, **rules, **own, "rhythm": dated})
        ends = {"ends_at": told["ends_at"].isoformat() if told["ends_at"] else None}
        terms = GameSettings.from_json({**terms.as_json(), **ends})
        listed = told["listed"] == YES
        return GamePlan(told["name"], told["variant"], told["rulebook"], terms, listed, told["part"])

    def _dealt(self, told: dict[str, Any], variant: Variant) -> dict[str, Any]:
        """Who plays what and from which year on, as the terms keep it: nothing of what is as usual."""
        split, year = told["dealt"], self._first_year(told)
        return {
            "split": split.name,
            "shares": () if split is variant.each_alone else split.shares,
            "passive": split.passive,
            "disordered": split.absent,
            "first_year": 0 if self.opening or year == variant.definition.calendar.first.year else year,
        }


NUMBER_FIELDS = {
    "people": MOST_PEOPLE,
    "first_year": LATEST_YEAR,
    "centres_to_win": LATEST_YEAR,
    "extensions": MOST_EXTENSIONS,
    "patience": MOST_PATIENCE,
    "absence_days": MOST_ABSENCE,
    "gm_absence_days": MOST_ABSENCE,
    "last_year": LATEST_YEAR,
    "least_reliability": 100,
    "delay_phases": MOST_DELAY_PHASES,
    "delay_hours": MOST_DELAY_HOURS,
}


def variants_with_options() -> list[Variant]:
    """The boards with points that a game may settle."""
    loaded = (variants.load(name) for name in variants.playable_names())
    return [variant for variant in loaded if game_variant_options.variant_options(variant)]


def variant_option_field(variant: str, option: str) -> str:
    """The name of the field by which a board’s open point is settled."""
    return f"{variant}-{option}"


def initial_game_values() -> dict[str, Any]:
    """The usual answers."""
    usual = GameSettings()
    told: dict[str, Any] = {
        name: getattr(usual, name)
        for name in (*SETTING_OPTIONS, *NUMBER_FIELDS)
        if name not in ("listed", "people")
    }
    told |= {name: YES if told[name] else NO for name in YES_OR_NO}
    told |= dict.fromkeys(("last_year", "first_year", "centres_to_win", "people", "split", *HOUSE_RULES), "")
    # unlike games made before it was asked
    told |= {"submissions_shown": YES, "bots_when": BotSeatRule.BOTH, "bot_seats_open": YES}
    for variant in variants_with_options():
        told |= {
            variant_option_field(variant.name, one.option): one.default
            for one in game_variant_options.variant_options(variant)
        }
    return {**told, "listed": YES, "variant": "classic", "rulebook": FALLBACK, "part": GameRole.PLAYER}


def with_game(data: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, with the variant and the split of the game that was chosen for so many people."""
    if "game" not in data:
        return dict(data)
    variant, _slash, split = str(data["game"]).partition("/")
    return {**data, "variant": variant, "split": split}


def _chosen(values: list[str], *, required: bool = True) -> forms.ChoiceField:
    message = _("Choose one of the options.")
    return forms.ChoiceField(
        choices=[(value, value) for value in values],
        required=required,
        error_messages={"required": message, "invalid_choice": message},
    )


def _number(most: int) -> forms.IntegerField:
    message = _("Enter a number from 0 to %(most)s.") % {"most": most}
    names = ("invalid", "min_value", "max_value")
    return forms.IntegerField(
        min_value=0, max_value=most, required=False, error_messages=dict.fromkeys(names, message)
    )


def _own(file: Any, text: str) -> dict[str, Any]:
    """A book of the visitor’s own as a game keeps it; raises RulebookInputRefusal."""
    if file:
        text = _decoded(file)
    if not text.strip():
        raise RulebookInputRefusal(_("Custom rulebook missing: choose its file or paste it."))
    custom_rulebook(text)
    return dict(read_custom_rulebook(text, _("Untitled rulebook")))


def _decoded(file: Any) -> str:
    if file.size > LARGEST_INPUT:
        raise RulebookInputRefusal(_("File too large: 40,000 characters at most."))
    try:
        return str(file.read(), "utf-8-sig")
    except UnicodeDecodeError:
        raise RulebookInputRefusal(_("This file is not UTF-8 text.")) from None


def _moment(day: date, at: time, zone: str) -> datetime:
    return DeadlineCalendar(zone).moment(day, at.hour * 60 + at.minute)
