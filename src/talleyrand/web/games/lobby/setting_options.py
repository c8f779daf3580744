"""What may be agreed on, each value with its name and the one sentence that the form and the terms show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.scoring import load
from talleyrand.web.boards import display_names, score_texts
from talleyrand.web.boards.score_texts import ScoringExamples
from talleyrand.web.bots import bot_players
from talleyrand.web.games.game_settings import (
    Anonymity,
    BotSeatRule,
    DrawRule,
    LandlessSeatRule,
    MissingOrdersRule,
    PressSetting,
    SpectatorRule,
)

YES, NO, SEAT = "yes", "no", "seat"


@dataclass(frozen=True)
class SettingOption:
    """One value of a term: its name in a list, what it means, games scored by it, the group of questions that
    it alone asks."""

    label: str
    sentence: str
    examples: ScoringExamples = ()
    needs_classic_board: bool = False
    questions: object = None


SettingOptions = dict[str, SettingOption]


def anonymity() -> SettingOptions:
    return {
        Anonymity.OPEN: SettingOption(_("Public names"), _("Everyone sees who plays which power.")),
        Anonymity.UNTIL_END: SettingOption(
            _("Anonymous until the end"),
            _("Who plays which power is secret until the end; only a GM knows."),
        ),
    }


def chair() -> SettingOptions:
    return {
        LandlessSeatRule.MASTER: SettingOption(
            _("The game master"),
            _("The GM holds the seat without land; without a GM its decisions use their defaults."),
        ),
        LandlessSeatRule.PLAYER: SettingOption(
            _("One more player"), _("The seat without land goes to one more player.")
        ),
        LandlessSeatRule.NOBODY: SettingOption(
            _("Nobody"), _("No one has the seat without land; its decisions use their defaults.")
        ),
    }


def bots() -> SettingOptions:
    """Who plays what nobody has taken: nobody, or a player of the computer, the usual one first."""
    codes = sorted(bot_players.bot_codes(), key=lambda code: code != bot_players.DEFAULT_BOT)
    said = _("Bots: %(player)s.")
    played = _("Bot: %(player)s")
    facts = {code: {"player": bot_players.bot_title(code)} for code in codes}
    nobody = _("A power without a player at the start is in civil disorder until someone takes it.")
    computer = {code: SettingOption(played % told, said % told) for code, told in facts.items()}
    return {"": SettingOption(_("Nobody"), nobody), **computer}


def language() -> SettingOptions:
    """In which language people write to each other."""
    return {
        "": SettingOption(_("Any language"), _("Messages are in any language.")),
        "fr": SettingOption(_("French"), _("Messages are written in French.")),
        "en": SettingOption(_("English"), _("Messages are written in English.")),
    }


def bots_when() -> SettingOptions:
    return {
        BotSeatRule.BOTH: SettingOption(
            _("At the start and later"),
            _(
                "A bot plays each seat that nobody has taken at the start, and plays on for a player who "
                "leaves or is absent too long."
            ),
        ),
        BotSeatRule.START: SettingOption(
            _("At the start"), _("A bot plays each seat that nobody has taken at the start.")
        ),
        BotSeatRule.LEFT: SettingOption(
            _("After a player leaves"),
            _(
                "A bot plays on for a player who leaves or is absent too long; a power without a player at "
                "the start is in civil disorder."
            ),
        ),
    }


def bot_seats_open() -> SettingOptions:
    return {
        YES: SettingOption(_("Yes"), _("Someone who joins later can take over a bot’s seat.")),
        NO: SettingOption(_("No"), _("A bot keeps its seat, unless the GM gives it to someone.")),
    }


def press() -> SettingOptions:
    return {
        PressSetting.FULL: SettingOption(
            _("Full"), _("Powers can write to each other privately, in groups or to everyone.")
        ),
        PressSetting.PUBLIC: SettingOption(
            _("Public only"), _("Everyone reads every message; no private press.")
        ),
        PressSetting.NONE: SettingOption(_("None"), _("No messages between powers.")),
        PressSetting.HELD: SettingOption(
            _("Through the GM"),
            _("Every message goes to the GM first, who forwards it or returns it."),
        ),
    }


def press_between() -> SettingOptions:
    return {
        YES: SettingOption(_("At any time"), _("Messages also allowed during retreats and adjustments.")),
        NO: SettingOption(
            _("Except retreats and adjustments"), _("No messages during retreats and adjustments.")
        ),
    }


def declarations() -> SettingOptions:
    return {
        YES: SettingOption(_("Yes"), _("Powers can send unsigned messages to everyone.")),
        NO: SettingOption(_("No"), _("Messages to everyone are always signed.")),
    }


def absent() -> SettingOptions:
    return {
        MissingOrdersRule.DISORDER: SettingOption(
            _("Resolve anyway"),
            _("At the deadline, a power without orders is in civil disorder for that phase."),
        ),
        MissingOrdersRule.EXTEND: SettingOption(
            _("Extend, then resolve"),
            _(
                "If orders are missing at the deadline, it is extended; then the phase is "
                "resolved without them."
            ),
        ),
        MissingOrdersRule.WAIT: SettingOption(
            _("Wait for the GM"),
            _("If orders are missing at the deadline, the game waits for the GM’s decision."),
        ),
    }


def drafts_count() -> SettingOptions:
    return {
        YES: SettingOption(
            _("They count"),
            _(
                "An unsubmitted draft counts at the deadline (without deadlines: when the GM "
                "ends the phase). Until then no one else sees it, not even the GM."
            ),
        ),
        NO: SettingOption(
            _("They don’t count"), _("Only submitted orders count; no one else ever sees a draft.")
        ),
    }


def draw() -> SettingOptions:
    return {
        DrawRule.UNANIMOUS: SettingOption(
            _("Unanimous vote"),
            _(
                "If every player with units left votes Yes, the game ends in a draw between all "
                "powers with units."
            ),
        ),
        DrawRule.VETO_THEN_VOTE: SettingOption(
            _("Veto, then secret vote"),
            _(
                "An eligible power proposes to end the game; it can be vetoed publicly, "
                "otherwise there is a secret vote."
            ),
        ),
        DrawRule.NEVER: SettingOption(_("No vote"), _("Players can’t end the game by vote.")),
    }


def last_after() -> SettingOptions:
    return {
        "R": SettingOption(_("After autumn"), _("No adjustments in the last year.")),
        "A": SettingOption(_("After adjustments"), _("The last year includes adjustments.")),
    }


def scoring() -> SettingOptions:
    return {
        name: SettingOption(title, sentence, examples, needs_classic_board=not load(name).any_board)
        for name, title, sentence, examples in score_texts.system_rows()
    }


def log_open() -> SettingOptions:
    return {
        YES: SettingOption(_("Visible to players"), _("Players can read in the log what the GM did.")),
        NO: SettingOption(_("GM only"), _("Only the GM and assistants can read the log.")),
    }


def submissions_shown() -> SettingOptions:
    return {
        YES: SettingOption(
            _("Shown"),
            _(
                "Everyone who can see the game sees who has submitted orders and who is ready, "
                "never which orders."
            ),
        ),
        NO: SettingOption(
            _("Hidden"), _("Until the phase is resolved, players don’t see who has submitted orders.")
        ),
    }


def watching() -> SettingOptions:
    return {
        SpectatorRule.EVERYBODY: SettingOption(
            _("Open to everyone"),
            _(
                "If the game is listed, anyone can see the board, the results and the "
                "messages to everyone; unresolved orders and other messages stay hidden."
            ),
        ),
        SpectatorRule.INVITED: SettingOption(
            _("Participants only"), _("Until the end, only participants can see the board.")
        ),
    }


def listed() -> SettingOptions:
    return {
        YES: SettingOption(_("In the games list"), _("The game is listed and anyone can join.")),
        NO: SettingOption(_("By invitation only"), _("The game isn’t listed; players join by link.")),
    }


def by_post() -> SettingOptions:
    return {
        YES: SettingOption(
            _("Site and email"),
            _(
                "Players with a confirmed address receive results and messages by email, and "
                "can send orders and messages the same way."
            ),
        ),
        NO: SettingOption(
            _("Site only"), _("Play on the site; email only brings the notifications each player chose.")
        ),
    }


def naming() -> SettingOptions:
    """The lists of abbreviations that the boards have; "" reads them all."""
    usual = {
        "": SettingOption(_("Any"), _("Full names or any usual abbreviation.")),
        "classic_fr": SettingOption(
            _("French (classic rules)"),
            _("French abbreviations of the classic rules, or full names."),
        ),
        "anjou_feu": SettingOption(_("Anjou Feu"), _("Abbreviations of Anjou Feu, or full names.")),
        "descartes": SettingOption(
            _("Descartes edition"),
            _("Abbreviations of the Descartes edition, or full names."),
        ),
        "pbm_en": SettingOption(
            _("English (play by mail)"),
            _("English play-by-mail abbreviations, or full names."),
        ),
        "diplomatie_2000": SettingOption(
            _("Diplomatie 2000"),
            _("Abbreviations of Diplomatie 2000, or full names."),
        ),
        "judge": SettingOption(
            _("Three-letter codes"),
            _("The adjudicator’s three-letter codes, or full names."),
        ),
    }
    return usual | {name: own for name, own in _naming_of_variants().items() if name not in usual}


def _naming_of_variants() -> SettingOptions:
    """The lists in which a variant of its own writes each language."""
    labels = {"fr": _("French (%(variant)s)"), "en": _("English (%(variant)s)")}
    sentences = {
        "fr": _("French abbreviations of %(variant)s, or full names."),
        "en": _("English abbreviations of %(variant)s, or full names."),
    }
    found, reader = {}, display_names.reader_language()
    for variant in map(variants.load, variants.playable_names()):
        title = {"variant": variant.title[reader]}
        for language, profile in variant.naming.items():
            found[profile] = SettingOption(labels[language] % title, sentences[language] % title)
    return found


SETTING_OPTIONS: Mapping[str, Callable[[], SettingOptions]] = {
    "naming": naming,
    "anonymity": anonymity,
    "chair": chair,
    "bots": bots,
    "bots_when": bots_when,
    "bot_seats_open": bot_seats_open,
    "listed": listed,
    "watching": watching,
    "log_open": log_open,
    "submissions_shown": submissions_shown,
    "by_post": by_post,
    "language": language,
    "press": press,
    "press_between": press_between,
    "declarations": declarations,
    "absent": absent,
    "drafts_count": drafts_count,
    "draw": draw,
    "last_after": last_after,
    "scoring": scoring,
}
