"""How the page that makes a game is laid out: its questions in groups, each answer with its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, score_texts
from talleyrand.web.bots import bot_players
from talleyrand.web.games import game_variant_options
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.deadlines.deadline_sentence import deadline_sentence as rhythm_sentence
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings
from talleyrand.web.games.deadlines.forms import DeadlineForm
from talleyrand.web.games.deadlines.zone_names import zone_text
from talleyrand.web.games.models import GameRole
from talleyrand.web.library.rulebook_input import CUSTOM_RULEBOOK

from . import split_form
from .forms import GameForm, variant_option_field, variants_with_options
from .setting_options import SETTING_OPTIONS, SettingOption, SettingOptions

# Whose answers stand beside the title of a group that is folded.
SUMMARY_QUESTIONS = (
    "variant",
    "rulebook",
    "anonymity",
    "listed",
    "watching",
    "by_post",
    "press",
    "press_between",
    "draw",
    "scoring",
)


@dataclass(frozen=True)
class FormQuestion:
    """One question: `kind` names its template (radios, select, number, text, book, end)."""

    kind: str
    name: str
    label: str
    value: Any
    errors: list[str]
    hint: str = ""
    options: SettingOptions = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    of_other_boards: tuple[str, ...] = ()  # answers that hide what the classic board alone takes


@dataclass(frozen=True)
class QuestionGroup:
    """Questions that are folded together; `summary` says how they are answered."""

    title: str
    items: list[FormQuestion]
    summary: str
    open: bool
    has_deadline_form: bool = False


def role_question(form: GameForm) -> FormQuestion:
    """Whether one plays or leads: the only question besides the name that is not folded."""
    options = {
        GameRole.PLAYER: SettingOption(_("I play"), _("You play a power; the clock runs the game.")),
        GameRole.GAME_MASTER: SettingOption(
            _("I’m the game master"),
            _("You run the game and see all messages and submitted orders, but don’t play."),
        ),
    }
    return _radios(form, "part", _("Your role"), {str(name): one for name, one in options.items()})


def question_groups(form: GameForm, dates: DeadlineForm, begun: DeadlineSettings) -> list[QuestionGroup]:
    """The questions after the name, in the order of the terms; `begun` is the rule before any answer."""
    return [
        _group(_("Variant and rulebook"), list(_rules(form))),
        _group(_("Players and spectators"), list(_people(form))),
        _group(_("Press"), list(_letters(form))),
        _deadlines(form, dates, begun),
        _group(_("End of the game"), list(_end(form))),
    ]


def people_choices(form: GameForm) -> list[tuple[int, str, bool]]:
    """The buttons that say how many play: their value, what stands on them, which is chosen."""
    chosen = _people_of(form)
    return [
        (first, str(first) if first == last else f"{first}–{last}", first <= chosen <= last)
        for first, last in split_form.people_groups()
    ]


def game_question(form: GameForm) -> FormQuestion | None:
    """What so many people can play; None where the page has not asked how many they are."""
    people = _people_of(form)
    options = _with_open_points(form, split_form.game_options(people))
    if not options:
        return None
    own = split_form.game_value(split_form.OWN_VARIANT, split_form.OWN)
    if own in options:
        options[own] = replace(options[own], questions=_own_table(form))
    value = split_form.game_value(str(form["variant"].value()), str(form["split"].value() or ""))
    return FormQuestion(
        "radios",
        "game",
        _("What to play"),
        value if value in options else next(iter(options)),
        [*_errors(form, "variant"), *_errors(form, "split"), *_errors(form, "people")],
        "",
        options,
        of_other_boards=tuple(one for one in options if one.partition("/")[0] in _other_boards()),
    )


def _people_of(form: GameForm) -> int:
    """How many the page was told they are, 0 where it was not."""
    typed = str(form["people"].value() or "")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 3 else 0


def _own_table(form: GameForm) -> QuestionGroup:
    """Who plays which power in a split of the players' own."""
    people, variant = _people_of(form), variants.load(split_form.OWN_VARIANT)
    items = [
        FormQuestion(
            "select",
            split_form.own_field(power),
            display_names.power_name(variant, power),
            str(form.data.get(split_form.own_field(power)) or at % people + 1),
            [],
            options=split_form.own_options(people),
        )
        for at, power in enumerate(variant.definition.players)
    ]
    return QuestionGroup(_("Who plays what"), items, "", open=True)


def _group(title: str, items: list[FormQuestion]) -> QuestionGroup:
    return QuestionGroup(title, items, _answers_summary(items), any(item.errors for item in items))


def _with_open_points(form: GameForm, options: SettingOptions) -> SettingOptions:
    """Games to choose from, each with what its variant alone asks."""
    groups = {variant.name: _open_points(form, variant) for variant in variants_with_options()}
    return {
        value: replace(option, questions=groups.get(value.partition("/")[0]))
        for value, option in options.items()
    }


def _open_points(form: GameForm, variant: Variant) -> QuestionGroup:
    """What the text of a variant leaves open, in the words of its rules page."""
    items = []
    for one in game_variant_options.variant_options(variant):
        options = {value: SettingOption(sentence, "") for value, sentence in one.values.items()}
        name = variant_option_field(variant.name, one.option)
        items.append(replace(_radios(form, name, one.title, options), hint=one.text))
    changed = [item.options[item.value].label for item in items if item.value in list(item.options)[1:]]
    faulty = any(item.errors for item in items)
    said = " ".join(changed) or _("All defaults.")
    return QuestionGroup(_("Points the rules leave open"), items, said, faulty)


def _answers_summary(items: list[FormQuestion]) -> str:
    """The answers that say enough by themselves."""
    told = (item for item in items if item.name in SUMMARY_QUESTIONS and item.value in item.options)
    return " · ".join(item.options[item.value].label for item in told)


def _rules(form: GameForm) -> Iterator[FormQuestion]:
    if game_question(form) is None:
        boards = {
            name: SettingOption(
                variants.load(name).title[display_names.reader_language()],
                split_form.size_and_victory(variants.load(name)),
            )
            for name in variants.playable_names()
        }
        asked = _radios(form, "variant", _("Variant"), _with_open_points(form, boards))
        yield replace(asked, of_other_boards=_other_boards())
    titles = {name: SettingOption(title, "") for name, title in display_names.rulebook_titles()}
    own = {CUSTOM_RULEBOOK: SettingOption(_("Custom rulebook"), "")}
    more = {"text": form["own"].value() or "", "errors": _errors(form, "own")}
    yield FormQuestion(
        "book",
        "rulebook",
        _("Rulebook"),
        form["rulebook"].value(),
        [*_errors(form, "rulebook"), *_errors(form, "own_file")],
        _("The adjudicator applies it and cites its articles."),
        {**titles, **own},
        more,
    )
    yield _select(form, "naming", _("Province abbreviations"))
    yield _number(form, "first_year", _("First year"), _("Empty: that of the variant or of the split."))


def _other_boards() -> tuple[str, ...]:
    """The variants that are not played on the classic board."""
    return tuple(
        name for name in variants.playable_names() if not score_texts.is_on_classic_board(variants.load(name))
    )


def _people(form: GameForm) -> Iterator[FormQuestion]:
    yield _radios(form, "anonymity", _("Who plays what"))
    yield _radios(form, "chair", _("Seat without land (variants that have one)"))
    if bot_players.bots_available() or form["bots"].errors:
        yield _select(form, "bots", _("Seats without a player"))
        yield _radios(form, "bots_when", _("With bots: which seats"))
        yield _radios(form, "bot_seats_open", _("With bots: taking over their seats"))
    yield _radios(form, "listed", _("Access to the game"))
    yield _radios(form, "watching", _("Spectators"))
    hint = _("0: none. Players and game masters see everything at once; at the end everyone does.")
    yield _number(form, "delay_phases", _("Delay for spectators, in phases"), hint)
    yield _number(form, "delay_hours", _("Delay for spectators, in hours"), _("0: none."))
    yield _number(
        form,
        "least_reliability",
        _("Least reliability of players, in %"),
        _("0: none. Newcomers, who have none yet, may always join."),
    )
    hint = _("0: never. While the game waits for the GM; then an assistant, or someone the players agree on.")
    yield _number(form, "gm_absence_days", _("Days after which an absent GM may be replaced"), hint)
    yield _radios(form, "log_open", _("Log of GM actions"))
    yield _radios(form, "submissions_shown", _("Who has submitted orders"))
    hint = _("One rule per line; players accept them by joining. A text in one language is enough.")
    yield _rules_text(form, "house_rules_fr", _("House rules, in French"), hint)
    yield _rules_text(form, "house_rules_en", _("House rules, in English"))
    if settings.HAS_PLAY_BY_MAIL:
        yield _radios(form, "by_post", _("Where to play"))


def _letters(form: GameForm) -> Iterator[FormQuestion]:
    yield _radios(form, "press", _("Press"))
    yield _select(form, "language", _("Language of messages"))
    yield _radios(form, "press_between", _("When players can write"))
    yield _radios(form, "declarations", _("Unsigned messages to everyone"))


def _deadlines(form: GameForm, dates: DeadlineForm, begun: DeadlineSettings) -> QuestionGroup:
    items = [
        _radios(form, "absent", _("If orders are missing at the deadline")),
        _number(form, "extensions", _("Automatic extensions per phase"), ""),
        _number(
            form,
            "patience",
            _("Movement phases without orders before civil disorder"),
            _("0: never."),
        ),
        _radios(form, "drafts_count", _("Unsubmitted drafts at the deadline")),
        _number(
            form,
            "absence_days",
            _("Days of announced absence per player that can move deadlines"),
            _("0: absences don’t move deadlines."),
        ),
    ]
    faulty = bool(dates.errors) or any(item.errors for item in items)
    return QuestionGroup(
        _("Deadlines and absences"), items, _pace(dates, begun), faulty, has_deadline_form=True
    )


def _pace(dates: DeadlineForm, begun: DeadlineSettings) -> str:
    if not dates.is_bound:
        return rhythm_sentence(begun, display_names.reader_language())
    return (
        rhythm_sentence(dates.deadline_settings(), display_names.reader_language())
        if dates.is_valid()
        else ""
    )


def _end(form: GameForm) -> Iterator[FormQuestion]:
    yield _number(form, "centres_to_win", _("Centres needed to win"), _("Empty: those of the variant."))
    yield _radios(form, "draw", _("Vote to end"))
    yield _number(form, "last_year", _("Last year"), _("Empty: none."))
    yield _radios(form, "last_after", _("Last year ends"))
    more = {
        "time": _text(form["ends_time"].value()),
        "errors": _errors(form, "ends_time"),
        "zone": zone_text(form.zone, display_names.reader_language()),
    }
    yield FormQuestion(
        "end",
        "ends_on",
        _("End date"),
        _text(form["ends_on"].value()),
        _errors(form, "ends_on"),
        _("Empty: none. Otherwise the most units win at that time."),
        {},
        more,
    )
    yield replace(_radios(form, "scoring", _("Points")), hint=_scoring_hint())


def _scoring_hint() -> str:
    """Why some variants have fewer systems."""
    titles = dict(display_names.variant_titles())
    small = [titles[name] for name in _other_boards()]
    return _(
        "Most systems count the centres and places of the classic board. Other boards (%(variants)s) have "
        "other numbers of powers and centres, or points of their own: they take the first two only."
    ) % {"variants": join_names(small, display_names.reader_language())}


def _errors(form: GameForm, name: str) -> list[str]:
    return [str(error) for error in form[name].errors]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _radios(form: GameForm, name: str, label: str, options: SettingOptions | None = None) -> FormQuestion:
    offered = {str(value): one for value, one in (options or SETTING_OPTIONS[name]()).items()}
    return FormQuestion("radios", name, label, str(form[name].value()), _errors(form, name), "", offered)


def _select(form: GameForm, name: str, label: str) -> FormQuestion:
    offered = {str(value): one for value, one in SETTING_OPTIONS[name]().items()}
    return FormQuestion(
        "select", name, label, str(form[name].value() or ""), _errors(form, name), "", offered
    )


def _number(form: GameForm, name: str, label: str, hint: str) -> FormQuestion:
    return FormQuestion("number", name, label, _text(form[name].value()), _errors(form, name), hint)


def _rules_text(form: GameForm, name: str, label: str, hint: str = "") -> FormQuestion:
    return FormQuestion("text", name, label, _text(form[name].value()), _errors(form, name), hint)
