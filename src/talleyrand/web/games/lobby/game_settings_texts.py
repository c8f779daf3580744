"""The terms of a game, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.formats import question_input
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.games import game_variant_options, page_context
from talleyrand.web.games.deadlines import DeadlineSettings, InvalidDeadlineSettings
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, join_names
from talleyrand.web.games.deadlines.deadline_sentence import deadline_sentence as rhythm_sentence
from talleyrand.web.games.endings.end_texts import scoring_title
from talleyrand.web.games.game_settings import Anonymity, MissingOrdersRule, PressSetting
from talleyrand.web.games.house_rules import game_rules, site_rules
from talleyrand.web.games.models import Game, GameRole

from . import split_form
from .setting_options import NO, SETTING_OPTIONS, YES

SettingsSection = tuple[str, list[str]]


def settings_sections(game: Game, zone: str) -> list[SettingsSection]:
    """What was agreed, under its titles; dates are told in the reader’s zone."""
    told = (
        (_("The game"), _game(game)),
        (_("Players and spectators"), _people(game)),
        (_("Press"), _letters(game)),
        (_("Deadlines"), _deadlines(game)),
        (_("End of the game"), _end(game, zone)),
    )
    sections = [(title, list(sentences)) for title, sentences in told]
    return [*sections, *house_rules_sections(game)]


def house_rules_sections(game: Game) -> list[SettingsSection]:
    """What the players promise: of this game, and of the whole site; nothing where there are no rules."""
    told = ((_("House rules of this game"), game_rules(game)), (_("House rules of the site"), site_rules()))
    return [(title, list(rules.lines)) for title, rules in told if rules]


def rule_lines(game: Game) -> list[str]:
    """The house rules that one accepts by joining, line by line."""
    return [line for _title, lines in house_rules_sections(game) for line in lines]


def settings_summary(game: Game) -> list[str]:
    """What one looks at first in a list of games."""
    terms = game.settings
    letters = _("Press: %(answer)s") % {"answer": _label("press", terms.press)}
    players = _("Players: %(answer)s") % {"answer": _label("anonymity", terms.anonymity)}
    more = [message_language_text(game), _sentence(game, "bots") if terms.bots else ""]
    reliable = [least_reliability_text(game)] if terms.least_reliability else []
    return [_pace(game), letters, players, *filter(None, more), *reliable]


def message_language_text(game: Game) -> str:
    """In which language people write to each other; "" where they do not."""
    return "" if game.settings.press == PressSetting.NONE else _sentence(game, "language")


def _label(name: str, value: str) -> str:
    """An answer as it stands within a line."""
    label = SETTING_OPTIONS[name]()[value].label
    return f"{label[:1].lower()}{label[1:]}"


def _sentence(game: Game, name: str) -> str:
    value = getattr(game.settings, name)
    if isinstance(value, bool):
        value = YES if value else NO
    return SETTING_OPTIONS[name]()[value].sentence


def _game(game: Game) -> Iterator[str]:
    variant = variants.load(game.variant)
    yield _("Variant: %(board)s, %(powers)s powers, %(centres)s centres.") % {
        "board": variant.title[display_names.reader_language()],
        "powers": display_names.led_powers(variant),
        "centres": len(variant.board.centres),
    }
    yield from _opening(game, variant)
    yield from split_terms(game)
    own = _("Custom rulebook: %(book)s.")
    known = _("Rulebook: %(book)s.")
    yield (known if isinstance(game.rulebook, str) else own) % {
        "book": display_names.rulebook_title(game.rulebook)
    }
    if question_input.read_rulebook(game.rulebook).value("poorly_written") == "illegal":
        yield badly_written_text()
    yield _sentence(game, "naming")
    yield from game_variant_options.variant_option_sentences(game, variant)


def _opening(game: Game, variant: Variant) -> Iterator[str]:
    """Where a game begins that does not begin as its variant does, and who is out already."""
    if not game.settings.start:
        return
    phase = display_names.phase_name(variant, str(game.settings.start["phase"]))
    yield _("Begins with a position set up beforehand: %(phase)s.") % {"phase": phase}
    seated = set(game.seats.values_list("power", flat=True))
    out = [display_names.power_name(variant, one) for one in variant.definition.seats if one not in seated]
    if out:
        yield _("Not played: %(powers)s.") % {"powers": join_names(out, display_names.reader_language())}


def split_terms(game: Game) -> list[str]:
    """Who plays what where that is not as usual, and when the game starts."""
    variant = variants.load(game.variant)
    return list(split_form.split_sentences(variant, split_form.split_of_terms(game.settings, variant)))


def badly_written_text() -> str:
    """What a game agrees on whose rulebook follows no badly written order."""
    return _("A badly written order counts as a hold, even if its meaning can be guessed.")


def _people(game: Game) -> Iterator[str]:
    if game.memberships.filter(role=GameRole.GAME_MASTER, left_at=None).exists():
        yield _(
            "A GM runs the game: they see all messages and submitted orders, know who plays "
            "what, and don’t play."
        )
        yield _gm_absence(game.settings.gm_absence_days)
    else:
        yield _("No GM: the clock runs the game, and no one sees what others prepare.")
    yield _sentence(game, "anonymity")
    if variants.load(game.variant).board.landless:
        yield _sentence(game, "chair")
    if game.settings.bots:
        yield _sentence(game, "bots_when")
        yield _sentence(game, "bot_seats_open")
        yield _sentence(game, "bots")
    if game.group_id is None:
        yield SETTING_OPTIONS["listed"]()[YES if game.is_listed else NO].sentence
    else:
        yield _("Only the members of a private group find this game; others need an invitation link.")
    yield _sentence(game, "watching")
    if game.settings.delay_phases or game.settings.delay_hours:
        yield page_context.game_delay_text(game)
    if game.settings.least_reliability:
        yield least_reliability_text(game)
    yield _sentence(game, "log_open")
    yield _sentence(game, "submissions_shown")
    yield from _succession()
    if game.settings.by_post:
        yield _sentence(game, "by_post")


def _gm_absence(days: int) -> str:
    if not days:
        return _("However long the GM is absent, no one takes over.")
    return ngettext(
        "If the game waits for the GM, unseen for %(days)s day, an assistant can take over, or someone else "
        "on whom most players agree.",
        "If the game waits for the GM, unseen for %(days)s days, an assistant can take over, or someone else "
        "on whom most players agree.",
        days,
    ) % {"days": days}


def least_reliability_text(game: Game) -> str:
    """Whom a game takes as players."""
    return _("Players: a reliability of %(percent)s%% at least, or none yet.") % {
        "percent": game.settings.least_reliability
    }


def _succession() -> Iterator[str]:
    """What a successor reads (`seen.sheets`, `press.seen`) and who may be one (`seats.bar`), in any game."""
    yield _(
        "A replacement sees the power’s messages and submitted orders, with receipts, from "
        "the start, but no drafts."
    )
    yield _(
        "Someone who has played a power, even briefly, can’t take another later; someone who "
        "has been at the desk can’t take any. Powers that one player has from the start go "
        "together."
    )


def _letters(game: Game) -> Iterator[str]:
    yield _sentence(game, "press")
    if game.settings.press != PressSetting.NONE:
        if game.settings.language:
            yield _sentence(game, "language")
        yield _sentence(game, "press_between")
        yield _sentence(game, "declarations")


def _pace(game: Game) -> str:
    try:
        return rhythm_sentence(
            DeadlineSettings.from_json(game.settings.rhythm), display_names.reader_language()
        )
    except InvalidDeadlineSettings:
        return _("The GM decides when each phase ends.")


def _deadlines(game: Game) -> Iterator[str]:
    yield from deadline_sentences(game)
    yield _sentence(game, "drafts_count")
    yield _absences(game.settings.absence_days)
    if game.settings.absence_days and game.settings.anonymity != Anonymity.OPEN:
        yield _("Other players see what the deadline does, not the dates.")


def deadline_sentences(game: Game) -> Iterator[str]:
    """When orders are due, and what becomes of a power that is late."""
    terms = game.settings
    yield _pace(game)
    if terms.opens_paused:
        yield _("Each phase waits until someone starts the clock.")
    yield _sentence(game, "absent")
    if terms.absent == MissingOrdersRule.EXTEND:
        yield _extensions(terms.extensions)
    yield _absence_by_bot(terms.patience) if terms.bots_for_leavers else _patience(terms.patience)


def _extensions(number: int) -> str:
    if not number:
        return _("No automatic extensions.")
    return ngettext(
        "At most %(number)s automatic extension per phase.",
        "At most %(number)s automatic extensions per phase.",
        number,
    ) % {"number": number}


def _patience(number: int) -> str:
    if not number:
        return _("Missing orders never put a power in lasting civil disorder.")
    return ngettext(
        "After %(number)s movement phase without orders, a power is in civil disorder; the "
        "game no longer waits for it until its player returns.",
        "After %(number)s movement phases in a row without orders, a power is in civil "
        "disorder; the game no longer waits for it until its player returns.",
        number,
    ) % {"number": number}


def _absence_by_bot(number: int) -> str:
    if not number:
        return _("However many phases a player misses, no bot takes over.")
    return ngettext(
        "After %(number)s movement phase without orders, the player loses the seat and a bot plays on.",
        "After %(number)s movement phases in a row without orders, the player loses the seat and a bot "
        "plays on.",
        number,
    ) % {"number": number}


def _absences(days: int) -> str:
    if not days:
        return _("Absences don’t move deadlines.")
    return ngettext(
        "Players can announce absences: deadlines move by up to %(days)s day.",
        "Players can announce absences: deadlines move by up to %(days)s days.",
        days,
    ) % {"days": days}


def _end(game: Game, zone: str) -> Iterator[str]:
    variant, terms = variants.load(game.variant), game.settings
    needed = terms.centres_to_win or variant.definition.victory.centres_needed(variant.board)
    own = game_variant_options.victory_sentence(game, variant)
    politics = variant.definition.politics
    sides = bool(politics and politics.sides({}))
    yield own or _("Solo victory: %(centres)s centres.") % {"centres": needed}
    yield _sentence(game, "draw")
    if terms.last_year:
        last_year = (
            _("The game ends with %(year)s; then the side with the most units wins.")
            if sides
            else _("The game ends with %(year)s; then the most centres win.")
        )
        yield last_year % {"year": terms.last_year}
        yield _sentence(game, "last_after")
    else:
        yield _("No last year set.")
    if terms.ends_at:
        when = date_text_with_zone(terms.ends_at, zone, display_names.reader_language())
        at_the_hour = (
            _("The game ends on %(when)s at the latest; then the side with the most units wins.")
            if sides
            else _("The game ends on %(when)s at the latest; then the most units win.")
        )
        yield at_the_hour % {"when": when}
    yield _("Points: %(system)s. %(sentence)s") % {
        "system": scoring_title(game),
        "sentence": _sentence(game, "scoring"),
    }
