"""Proposals, refusals and results in the reader’s words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines.date_texts import join_names

from .end_proposal_rules import CountedPosition, ProposalOutcome


def end_refusal_text(code: str) -> str:
    """Why the end cannot be proposed, or an answer not be taken."""
    sentences = {
        "never": _("In this game the players do not end it by agreement."),
        "moment": _("The end may be proposed once the retreats of a season or the adjustments are done."),
        "eliminated": _("Only a power with units on the board may propose the end."),
        "standing": _(
            "Only a power with a centre free of foreign units, or with a unit on another’s centre, may "
            "propose the end."
        ),
        "again": _("You have proposed the end in this phase already: try again after the next one."),
        "asked_before": _(
            "You asked after the last autumn or its adjustments: you may not ask again after this spring."
        ),
        "voted_before": _(
            "There was a vote after the autumn: none may be asked for after these adjustments."
        ),
        "open": _("A proposal is open already: answer it first."),
        "moved": _("The game has moved on meanwhile: here is where it stands."),
        "not_asked": _("This power has no say in this proposal."),
        "counts": _("Say which position counts: the one after the last adjustments, or the coming autumn."),
    }
    return sentences[code]


def counted_position_text(code: str) -> str:
    """Which position a proposal means."""
    return {
        CountedPosition.NOW: _("the position as it is"),
        CountedPosition.LAST_ADJUSTMENTS: _("the position after the last adjustments"),
        CountedPosition.AUTUMN_DISORDER: _("the coming autumn, played with every power in civil disorder"),
    }[CountedPosition(code)]


def proposal_outcome_text(code: str, vetoes: Iterable[str] = ()) -> str:
    """Where a proposal is, or what became of it; `vetoes` by name."""
    sentences = {
        ProposalOutcome.VETOES: _("Anybody concerned may veto it, openly."),
        ProposalOutcome.VOTING: _("The vote is open, and secret."),
        ProposalOutcome.ACCEPTED: _("Everybody agreed."),
        ProposalOutcome.VETOED: _("Vetoed by %(powers)s: the game goes on.") % {"powers": ", ".join(vetoes)},
        ProposalOutcome.REFUSED: _("Not everybody agreed: the game goes on."),
        ProposalOutcome.LAPSED: _("The proposal has lapsed."),
    }
    return sentences[ProposalOutcome(code)]


def game_result_text(variant: Variant, told: Mapping[str, Any]) -> str:
    """How a game ended, in a sentence."""
    names = [display_names.power_name(variant, power) for power in told.get("powers") or ()]
    words = {
        "powers": join_names(names, display_names.reader_language()),
        "phase": display_names.phase_name(variant, str(told.get("phase") or "")),
    }
    sentences = {
        "solo": _("%(powers)s wins alone."),
        "draw": ngettext(
            "%(powers)s wins alone, by agreement.", "%(powers)s share the victory equally.", len(names)
        ),
        "agreed": ngettext(
            "The players agreed to stop; %(powers)s has the most centres.",
            "The players agreed to stop; %(powers)s have the most centres.",
            len(names),
        ),
        "last_year": ngettext(
            "The last year is over; %(powers)s has the most centres.",
            "The last year is over; %(powers)s have the most centres.",
            len(names),
        ),
        "date": ngettext(
            "The agreed hour has come; %(powers)s wins with the most units.",
            "The agreed hour has come; %(powers)s win with the most units.",
            len(names),
        ),
        "abandoned": _("The game was given up without a result."),
        "over": _("Nobody is left on the board."),
    }
    return sentences.get(str(told.get("kind")), _("The game is over.")) % words


def final_table_rows(variant: Variant, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The final table: power, centres, units and points with two decimals, the best first."""
    centres, units = told.get("centres") or {}, told.get("units") or {}
    points = {power: Fraction(text) for power, text in (told.get("points") or {}).items()}
    found = [
        {
            "code": power,
            "name": display_names.power_name(variant, power),
            "colour": display_names.power_colour(variant, power),
            "centres": centres.get(power, 0),
            "units": units.get(power, 0),
            "points": _decimals(points[power]) if power in points else "",
            "first": power in (told.get("powers") or ()),
        }
        for power in variant.board.powers
    ]
    return sorted(found, key=lambda row: (not row["first"], -row["centres"], -row["units"]))


def _decimals(points: Fraction) -> str:
    """Two decimals, half to even, with the comma of French."""
    text = f"{float(round(points, 2)):.2f}"
    return text if display_names.reader_language() == "en" else text.replace(".", ",")
