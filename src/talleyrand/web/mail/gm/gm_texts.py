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
from talleyrand.web.mail.text_layout import heading, indented, prose, protected
from talleyrand.web.press import press_texts as letters

from .command_results import ResultFacts
from .gm_commands import GmAction


def command_examples(power: str) -> dict[GmAction, tuple[str, str]]:
    """Each command as it may be written, by the name of a power, and what it does."""
    return {
        GmAction.RELEASE: (
            _("forward 3 and 5"),
            _("Forwards held messages; “forward all” forwards those already sent to you."),
        ),
        GmAction.RETURN: (
            _("return 4: no threats outside the game"),
            _("Returns a held message to its writer with your reason (which ends at a blank line)."),
        ),
        GmAction.STATUS: (
            _("status"),
            _("Shows who has submitted orders and what is waiting for you (also at the end of each reply)."),
        ),
        GmAction.REMIND: (_("remind"), _("Reminds everyone whose orders are missing.")),
        GmAction.EXTEND: (
            _("extend 24 h"),
            _("Extends the deadline; or “extend until Friday 13 March 20:00” (in your account’s time zone)."),
        ),
        GmAction.PAUSE: (_("pause"), _("Stops the clock; orders can still be submitted.")),
        GmAction.RESUME: (
            _("resume"),
            _("Restarts the clock with the time that was left; or “resume until …”."),
        ),
        GmAction.PUBLISH: (
            _("adjudicate"),
            _("Resolves the phase now; “adjudicate anyway” if orders are missing."),
        ),
        GmAction.GRANT: (
            _("accept %(power)s") % {"power": power},
            _("Accepts this power’s last orders that came too late by email."),
        ),
        GmAction.GAZETTE: (
            _("gazette: Peace reigns in the Balkans."),
            _("Publishes everything that follows, to the end of the email, with the last phase."),
        ),
        GmAction.HELP: (_("help"), _("Shows this list.")),
    }


def command_help(variant: Variant) -> list[str]:
    """The commands, for a mail; an answer that quotes them asks for nothing."""
    told = [*heading(_("Available commands")), *prose(_("One command per line, in English or French:"))]
    for sample, meaning in command_examples(_example(variant)).values():
        told += [*protected(sample), *indented(meaning)]
    rest = _(
        "Everything else is done on the site: starting the game, correcting results, rolling "
        "back a phase, replacing a player."
    )
    return [*told, *prose(rest)]


def _example(variant: Variant) -> str:
    return display_names.power_name(
        variant, "FRANCE" if "FRANCE" in variant.board.powers else variant.board.powers[0]
    )


def late_orders_text(powers: Sequence[str], variant: Variant) -> str:
    """Whose orders came too late by mail, and how they are let in."""
    told = _("Late orders received by email: %(powers)s. To accept them, reply for example “%(command)s”.")
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
            return _("Message %(number)s: forwarded.") % number
        case "returned":
            return _("Message %(number)s: returned with your reason.") % number
        case "all":
            return _all(told)
    return ""


def _all(told: ResultFacts) -> str:
    if not told["later"]:
        return _("No held messages.")
    return ngettext(
        "%(n)d message was not forwarded: it hadn’t been sent to you when you wrote.",
        "%(n)d messages were not forwarded: they hadn’t been sent to you when you wrote.",
        told["later"],
    ) % {"n": told["later"]}


def _of_dates(told: ResultFacts) -> str:
    due = {"due": _when(told.get("due", ""))}
    match told["said"]:
        case "extended":
            return _("New deadline: %(due)s. Everyone has been notified.") % due
        case "paused":
            return _("Game paused: the clock is stopped; players can still submit orders.")
        case "resumed" if told["due"]:
            return _("Game resumed. Deadline: %(due)s.") % due
        case "resumed":
            return _("Game resumed.")
    return ""


def _of_phases(told: ResultFacts, variant: Variant) -> str:
    phase = {"phase": _phase(variant, told.get("phase", ""))}
    match told["said"]:
        case "reminded":
            return _("Reminder sent to: %(powers)s.") % {"powers": _powers(variant, told["powers"])}
        case "published":
            return _("Resolved: %(phase)s. Everyone has been notified.") % phase
        case "gazette":
            return _("Gazette published: %(phase)s. Everyone has been notified.") % phase
        case "granted":
            return _("Late orders accepted: %(power)s.") % {
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
            return _("There is no message %(number)s.") % {"number": told["letter"]}
        case "settled":
            return letters.not_held_text(told["state"])
        case "reason":
            return letters.return_refusal_text(told["why"])
        case "too_many":
            return _("Not done: too much for one email. Send the rest again.")
    return ""


def _refused_date(told: ResultFacts) -> str:
    match told["refused"]:
        case "undated":
            return _("Nothing was changed: say by how much, or until when.")
        case "too_far":
            return _("Nothing was changed: that date is more than a year away.")
        case "earlier" if "due" in told:
            return _("Nothing was changed: that is not later than the current deadline, %(due)s.") % {
                "due": _when(told["due"])
            }
        case "date":
            return " ".join([_("Nothing was changed."), _unread_date(told["why"])])
    return ""


def _unread_date(why: str) -> str:
    if why == "weekday":
        return _("The day of the week does not match the date.")
    if why in ("moment", "not_a_length"):
        return _("Give a length such as 24 h or 2 days, or a date such as Friday 13 March 20:00.")
    return _("That date has passed.") if why == "past" else deadline_error_texts.deadline_error_text(why)


def _refused_phase(told: ResultFacts, variant: Variant) -> str:
    known = {
        "other_phase": _(
            "Nothing was changed: the phase is now %(phase)s. Send the command again if that is "
            "the one you mean."
        ),
        "moved": _("Nothing was changed: the game has moved on in the meantime."),
        "on_its_way": _(
            "Not resolved: an email to an orders address has just arrived and is still being read. Try again."
        ),
        "missing": _(
            "Not resolved: orders are missing (%(powers)s). “adjudicate anyway” resolves the "
            "phase without them."
        ),
        "just_opened": _(
            "Not resolved: the phase has just opened and orders are missing (%(powers)s). By "
            "email, it can be resolved without them only once it has been open for an hour."
        ),
        "no_late": _("No late orders by email are waiting for this phase: %(power)s."),
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
    return display_names.phase_name(variant, code) if code else _("Start of the game")


def _powers(variant: Variant, codes: Sequence[str]) -> str:
    return join_names(
        [display_names.power_name(variant, code) for code in codes], display_names.reader_language()
    )
