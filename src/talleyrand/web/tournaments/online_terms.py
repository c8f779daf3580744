"""The terms of a tournament's games on the site, as its director chose them."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, OnlineBoards
from talleyrand.web.bots import bot_players
from talleyrand.web.games.deadlines.deadline_presets import DEADLINE_PRESETS, default_minimum
from talleyrand.web.games.deadlines.deadline_settings import DeadlineSettings
from talleyrand.web.games.game_settings import Anonymity, BotSeatRule, GameSettings, PressSetting
from talleyrand.web.games.lobby import setting_options
from talleyrand.web.games.lobby.setting_options import SettingOptions

from .event_times import event_zone

PACES = ("daily", "two_days", "friday", "live")
LED = (PressSetting.HELD,)  # what needs a game master, whom these games do not have


def term_options() -> Mapping[str, SettingOptions]:
    """What may be chosen of each term but the pace, the usual one first."""
    press = {name: one for name, one in setting_options.press().items() if name not in LED}
    anonymity = dict(reversed(setting_options.anonymity().items()))
    return {
        "anonymity": anonymity,
        "press": press,
        "language": setting_options.language(),
        "bots": setting_options.bots(),
    }


def online_boards(terms: Mapping[str, str]) -> OnlineBoards:
    """Whether who plays what is secret by these terms."""
    return OnlineBoards.OPEN if terms.get("anonymity") == Anonymity.OPEN else OnlineBoards.HIDDEN


def checked_terms(told: Mapping[str, str]) -> dict[str, str]:
    """Terms that there are; raises ActRefused (`act_no_term`)."""
    known = {**{name: [*options] for name, options in term_options().items()}, "pace": [*PACES]}
    terms = {name: told.get(name, values[0]) for name, values in known.items()}
    for name, value in terms.items():
        if value not in known[name]:
            raise ActRefused("act_no_term", value=value[:40])
    if terms["bots"] and not bot_players.bots_available():
        raise ActRefused("act_no_term", value=terms["bots"])
    return terms


def game_settings(event: Event) -> GameSettings:
    """The settings of an event's games; raises ActRefused. Bots play on for those who leave, never for
    somebody's points: whoever comes may take their seats over.
    """
    terms = checked_terms(event.terms)
    movement, between = DEADLINE_PRESETS[terms["pace"]]
    minimum = default_minimum(movement, between)
    zone = event_zone(event).key
    dates = DeadlineSettings(movement, between, time_zone=zone, plays_early=True, minimum=minimum)
    hidden = event.online is OnlineBoards.HIDDEN
    return GameSettings(
        anonymity=Anonymity.UNTIL_END if hidden else Anonymity.OPEN,
        press=PressSetting(terms["press"]),
        language=terms["language"],
        rhythm=dates.as_json(),
        bots=terms["bots"],
        bots_when=BotSeatRule.LEFT,
        bot_seats_open=True,
    )
