"""What a game master is answered: the commands there are, what was done, and why something was not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines import deadline_error_texts
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, join_names
from talleyrand.web.games.game_master import game_master_texts as desk_words
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.text_layout import (
    heading,
    indented,
    prose,
    protected,
)
from talleyrand.web.press import press_texts as letters

from .command_results import ResultFacts
from .gm_commands import GmAction


def command_examples(power: str) -> dict[GmAction, tuple[str, str]]:
    """Each command as it may be written, by the name of a power, and what it does."""
    return {
        GmAction.RELEASE: (
            _("pass 3 and 5"),
            _("Letters that wait are passed on; “pass all”: those sent to you."),
        ),
        GmAction.RETURN: (
            _("return 4: no threats outside the game"),
            _("A letter goes back to its writer with the reason, which ends at an empty line."),
        ),
        GmAction.STATUS: (
            _("status"),
            _("Who has handed in, what waits for you. It stands below each answer."),
        ),
        GmAction.REMIND: (_("remind"), _("Whoever has not handed in is reminded.")),
        GmAction.EXTEND: (
            _("extend 24 h"),
            _("The deadline moves; or “extend until Friday 13 March 20:00”, in your account’s zone."),
        ),
        GmAction.PAUSE: (_("pause"), _("The clock stops; orders are still taken.")),
        GmAction.RESUME: (
            _("resume"),
            _("The clock goes on, with the time that was left or “resume until …”."),
        ),
        GmAction.PUBLISH: (
            _("publish"),
            _("The phase is judged now; “publish anyway” where sheets are missing."),
        ),
        GmAction.GRANT: (
            _("grace %(power)s") % {"power": power},
            _("The last orders of this power that came too late by mail count."),
        ),
        GmAction.GAZETTE: (
            _("gazette: Peace reigns in the Balkans."),
            _("Everything that follows, to the end of the mail, is published with the last phase."),
        ),
        GmAction.HELP: (_("help"), _("These lines.")),
    }


def command_help(variant: Variant) -> list[str]:
    """The commands, for a mail; an answer that quotes them asks for nothing."""
    told = [*heading(_("What you can write")), *prose(_("One command a line, in English or in French:"))]
    for sample, meaning in command_examples(_example(variant)).values():
        told += [*protected(sample), *indented(meaning)]
    rest = _("All else is done on the site: begin, correct results, take a phase back, replace a player.")
    return [*told, *prose(rest)]


def _example(variant: Variant) -> str:
    return display_names.power_name(
        variant, "FRANCE" if "FRANCE" in variant.board.powers else variant.board.powers[0]
    )


def late_orders_text(powers: Sequence[str], variant: Variant) -> str:
    """Whose orders came too late by mail, and how they are let in."""
    told = _("Late orders by mail wait for you: %(powers)s. “%(command)s” lets them in.")
    command = command_examples(display_names.power_name(variant, powers[0]))[GmAction.GRANT][0]
    return told % {"powers": _powers(variant, powers), "command": command}


def did_you_mean_text(act: str, variant: Variant) -> str:
    """What somebody may have meant."""
    known = command_examples(_example(variant))
    if act not in known:
        return ""
    return _("Did you mean “%(command)s”?") % {"command": known[GmAction(act)][0]}


def command_result_text(told: ResultFacts, variant: Variant) -> str:
    """What became of a command, by what the ledger has of it."""
    return _refused(told, variant) if "refused" in told else _done(told, variant)


# what was done


def _done(told: ResultFacts, variant: Variant) -> str:
    known = _of_letters(told) or _of_dates(told) or _of_phases(told, variant)
    return known or ""


def _of_letters(told: ResultFacts) -> str:
    number = {"number": told.get("letter", 0)}
    match told["said"]:
        case "passed":
            return _("Letter %(number)s: passed on.") % number
        case "returned":
            return _("Letter %(number)s: returned with your reason.") % number
        case "all":
            return _all(told)
    return ""


def _all(told: ResultFacts) -> str:
    if not told["later"]:
        return _("No letter waits for you.")
    return ngettext(
        "%(n)d letter came after what you had been sent: it waits until you have read it.",
        "%(n)d letters came after what you had been sent: they wait until you have read them.",
        told["later"],
    ) % {"n": told["later"]}


def _of_dates(told: ResultFacts) -> str:
    due = {"due": _when(told.get("due", ""))}
    match told["said"]:
        case "extended":
            return _("The deadline is now %(due)s; everybody has been told.") % due
        case "paused":
            return _("The game is paused: the clock stands still, orders may still be given.")
        case "resumed" if told["due"]:
            return _("The game goes on; the deadline is %(due)s.") % due
        case "resumed":
            return _("The game goes on.")
    return ""


def _of_phases(told: ResultFacts, variant: Variant) -> str:
    phase = {"phase": _phase(variant, told.get("phase", ""))}
    match told["said"]:
        case "reminded":
            return _("Reminded: %(powers)s.") % {"powers": _powers(variant, told["powers"])}
        case "published":
            return _("Judged and published: %(phase)s. Everybody has been told.") % phase
        case "gazette":
            return _("The gazette has been published: %(phase)s. Everybody has been told.") % phase
        case "granted":
            return _("The late orders of %(power)s count now.") % {
                "power": display_names.power_name(variant, told["power"])
            }
    return ""


# what was not


def _refused(told: ResultFacts, variant: Variant) -> str:
    if told["refused"] == "not_granted":
        return late_orders.LateOrdersRefused(told["why"]).sentence
    known = _refused_letter(told) or _refused_date(told) or _refused_phase(told, variant)
    return known or desk_words.game_master_refusal_text(told["refused"])


def _refused_letter(told: ResultFacts) -> str:
    match told["refused"]:
        case "no_letter":
            return _("There is no letter %(number)s.") % {"number": told["letter"]}
        case "settled":
            return letters.not_held_text(told["state"])
        case "reason":
            return letters.return_refusal_text(told["why"])
        case "too_many":
            return _("Not done: this mail asks for too much at once. Write the rest again.")
    return ""


def _refused_date(told: ResultFacts) -> str:
    match told["refused"]:
        case "undated":
            return _("Nothing has been changed: say by how much, or until when.")
        case "too_far":
            return _("Nothing has been changed: this date is more than a year away.")
        case "earlier" if "due" in told:
            return _("Nothing has been changed: the deadline is %(due)s already.") % {
                "due": _when(told["due"])
            }
        case "date":
            return " ".join([_("Nothing has been changed."), _unread_date(told["why"])])
    return ""


def _unread_date(why: str) -> str:
    if why == "weekday":
        return _("This day of the week and this date are not the same day.")
    if why in ("moment", "not_a_length"):
        return _("Write a length such as 24 h or 2 days, or a date such as Friday 13 March 20:00.")
    return _("This date is over.") if why == "past" else deadline_error_texts.deadline_error_text(why)


def _refused_phase(told: ResultFacts, variant: Variant) -> str:
    known = {
        "other_phase": _("Nothing has been changed: the phase is now %(phase)s. Write again if you mean it."),
        "moved": _("Nothing has been changed: the game has moved on meanwhile."),
        "on_its_way": _("Not published: a mail with orders has just come and is being read. Write again."),
        "missing": _("Not published: sheets are missing (%(powers)s). “publish anyway” judges without them."),
        "just_opened": _(
            "Not published: the phase has just been opened, and sheets are missing (%(powers)s). Without "
            "them it is judged an hour after its beginning at the earliest."
        ),
        "no_late": _("No late orders of %(power)s by mail wait in this phase."),
    }
    words = {
        "phase": _phase(variant, told.get("phase", "")),
        "powers": _powers(variant, told.get("powers", ())),
        "power": display_names.power_name(variant, told.get("power", "")),
    }
    return known.get(told["refused"], "") % words


def _when(due: str) -> str:
    if not due:
        return ""
    return date_text_with_zone(
        datetime.fromisoformat(due), str(timezone.get_current_timezone()), display_names.reader_language()
    )


def _phase(variant: Variant, code: str) -> str:
    return display_names.phase_name(variant, code) if code else _("The beginning")


def _powers(variant: Variant, codes: Sequence[str]) -> str:
    return join_names(
        [display_names.power_name(variant, code) for code in codes], display_names.reader_language()
    )
