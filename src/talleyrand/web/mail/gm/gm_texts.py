"""What a game master is answered: samples of the commands, and facts of what was done or not, in words."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines import deadline_error_texts
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, join_names
from talleyrand.web.games.game_master import game_master_texts
from talleyrand.web.mail.command_results import ResultFacts
from talleyrand.web.mail.mailed_orders.late_orders import LateOrdersRefused
from talleyrand.web.press import press_texts

from .gm_commands import GmAction


def command_samples(power: str) -> dict[str, str]:
    """Each command as it may be written, by the name of a power; `_gm_help.txt` says what it does."""
    return {
        GmAction.RELEASE: _("forward 3 and 5"),
        GmAction.RETURN: _("return 4: no threats outside the game"),
        GmAction.STATUS: _("status"),
        GmAction.BEGIN: _("start the game"),
        GmAction.REMIND: _("remind"),
        GmAction.EXTEND: _("extend 24 h"),
        GmAction.PAUSE: _("pause"),
        GmAction.RESUME: _("resume"),
        GmAction.PUBLISH: _("adjudicate"),
        GmAction.GRANT: _("accept %(power)s") % {"power": power},
        GmAction.CORRECT: _("correct F BRE - MAO: the order was misread"),
        GmAction.ROLL_BACK: _("roll back"),
        GmAction.REPLACE: _("replace %(power)s by someone@example.org") % {"power": power},
        GmAction.DEADLINE: _("set the deadline to Friday 13 March 20:00"),
        GmAction.END: _("end the game: %(power)s") % {"power": power},
        GmAction.ABANDON: _("abandon the game: too few players"),
        GmAction.ANSWER: _("yes"),
        GmAction.GAZETTE: _("gazette: Peace reigns in the Balkans."),
        GmAction.HELP: _("help"),
    }


def result_in_words(told: ResultFacts, variant: Variant) -> dict[str, Any]:
    """What the ledger has of a command, as `_gm_result.txt` and `_gm_refusal.txt` tell it."""
    language = display_names.reader_language()
    due, phase = told.get("due", "") or told.get("until", ""), told.get("phase", "")
    zone = str(timezone.get_current_timezone())
    powers = [display_names.power_name(variant, code) for code in told.get("powers", ())]
    return {
        **told,
        "number": told.get("letter", 0),
        "due": date_text_with_zone(datetime.fromisoformat(due), zone, language) if due else "",
        "phase": display_names.phase_name(variant, phase) if phase else _("Start of the game"),
        "powers": join_names(powers, language),
        "power": display_names.power_name(variant, told.get("power", "")),
        "other_reason": partial(_other_reason, told),
    }


def _other_reason(told: ResultFacts) -> str:
    """Why not, in the words of the part of the site that refused it."""
    match told["refused"]:
        case "in_words":
            return str(told["sentence"])
        case "not_granted":
            return LateOrdersRefused(told["why"]).sentence
        case "settled":
            return press_texts.not_held_text(told["state"])
        case "reason":
            return press_texts.return_refusal_text(told["why"])
        case "date":
            return deadline_error_texts.deadline_error_text(told["why"])
    return game_master_texts.game_master_refusal_text(told["refused"])
