"""Proposals, refusals and results in the reader’s words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, score_texts
from talleyrand.web.boards.score_texts import points_lines, points_text
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.models import Game

from . import game_scores
from .end_proposal_rules import CountedPosition, ProposalOutcome


def end_refusal_text(code: str) -> str:
    """Why the end cannot be proposed, or an answer not be taken."""
    sentences = {
        "never": _("This game can’t be ended by agreement."),
        "moment": _(
            "You can only propose to end the game after a season’s retreats or after the adjustments."
        ),
        "eliminated": _("Only powers with units left can propose a draw."),
        "standing": _(
            "Only a power with a centre free of foreign units, or a unit on another power’s "
            "centre, can propose to end the game."
        ),
        "again": _("You already proposed to end the game this phase; you can try again next phase."),
        "asked_before": _(
            "You already proposed to end the game after last autumn or its adjustments; you "
            "can’t do so again after this spring."
        ),
        "voted_before": _("A vote was held after autumn; no new vote after these adjustments."),
        "open": _("A proposal is already open; answer it first."),
        "moved": _("The game has moved on; here is where it stands now."),
        "not_asked": _("This power has no vote on this proposal."),
        "too_late": _("The time to answer this proposal is over."),
        "answered": _("You have answered since; your latest answer counts."),
        "counts": _("Choose the position to use: after the last adjustments, or the coming autumn."),
    }
    return sentences[code]


def counted_position_text(code: str) -> str:
    """Which position a proposal means."""
    return {
        CountedPosition.NOW: _("the current position"),
        CountedPosition.LAST_ADJUSTMENTS: _("the position after the last adjustments"),
        CountedPosition.AUTUMN_DISORDER: _("the coming autumn, with every power in civil disorder"),
    }[CountedPosition(code)]


def proposal_outcome_text(code: str, vetoes: Iterable[str] = ()) -> str:
    """Where a proposal is, or what became of it; `vetoes` by name."""
    sentences = {
        ProposalOutcome.VETOES: _("The proposal can be vetoed; a veto is public."),
        ProposalOutcome.VOTING: _("Voting is open; votes are secret."),
        ProposalOutcome.ACCEPTED: _("Everyone agreed."),
        ProposalOutcome.VETOED: _("Vetoed by %(powers)s: the game continues.")
        % {"powers": ", ".join(vetoes)},
        ProposalOutcome.REFUSED: _("Not everyone agreed: the game continues."),
        ProposalOutcome.LAPSED: _("The proposal lapsed."),
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
        "solo": _("Solo victory: %(powers)s."),
        "joint": _("Joint victory: %(powers)s."),
        "draw": ngettext("Solo victory by agreement: %(powers)s.", "Draw between %(powers)s.", len(names)),
        "agreed": ngettext(
            "Ended by agreement; most centres: %(powers)s.",
            "Ended by agreement; tied for most centres: %(powers)s.",
            len(names),
        ),
        "last_year": ngettext(
            "Last year played; most centres: %(powers)s.",
            "Last year played; tied for most centres: %(powers)s.",
            len(names),
        ),
        "date": ngettext(
            "Agreed end reached; most units: %(powers)s.",
            "Agreed end reached; tied for most units: %(powers)s.",
            len(names),
        ),
        "abandoned": _("The game was abandoned without a result."),
        "over": _("No power is left on the board."),
    }
    kind = str(told.get("kind"))
    if sides := [side for side in told.get("sides") or () if set(side) & set(told.get("powers") or ())]:
        sentences |= _side_sentences(len(sides))
    text = sentences.get(kind, _("The game is over.")) % words
    if not (told.get("sides") and told.get("points")):
        return text
    shared = _("Each power has the points of its side.")
    return f"{text} {shared}"


def _side_sentences(leading: int) -> dict[str, str]:
    """How a game between sides ends where one of them leads, or both."""
    return {
        "agreed": ngettext(
            "Ended by agreement; the side with the most units: %(powers)s.",
            "Ended by agreement; both sides have as many units.",
            leading,
        ),
        "last_year": ngettext(
            "Last year played; the side with the most units: %(powers)s.",
            "Last year played; both sides have as many units.",
            leading,
        ),
        "date": ngettext(
            "Agreed end reached; the side with the most units: %(powers)s.",
            "Agreed end reached; both sides have as many units.",
            leading,
        ),
    }


def scoring_title(game: Game) -> str:
    """What the scoring system of a game is called."""
    return score_texts.system_title(game.settings.scoring)


def final_table_rows(game: Game) -> list[dict[str, Any]]:
    """The final table of those whose end was kept, the best first, side by side where there are any: power,
    centres, units, points and the lines that make them up.
    """
    told, variant = game.result or {}, variants.load(game.variant)
    centres, units = told.get("centres") or {}, told.get("units") or {}
    points = {power: Fraction(text) for power, text in (told.get("points") or {}).items()}
    scores = game_scores.kept_scores(game)
    side_at = {power: at for at, side in enumerate(told.get("sides") or ()) for power in side}
    found = [
        {
            "code": power,
            "name": display_names.power_name(variant, power),
            "colour": display_names.power_colour(variant, power),
            "centres": centres.get(power, 0),
            "units": units.get(power, 0),
            "points": points_text(points[power]) if power in points else "",
            "working": points_lines(scores[power].working, variant) if power in scores else (),
            "first": power in (told.get("powers") or ()),
        }
        for power in variant.board.powers
        if power in centres
    ]
    last = len(side_at)
    return sorted(
        found,
        key=lambda row: (
            not row["first"],
            side_at.get(row["code"], last),
            -row["centres"],
            -row["units"],
        ),
    )


def end_lines(game: Game) -> list[str]:
    """How a game ended, and the points of each power, a line each."""
    told = [game_result_text(variants.load(game.variant), game.result or {})]
    scored = [row for row in final_table_rows(game) if row["points"]]
    told += [_("Points by “%(system)s”") % {"system": scoring_title(game)}] if scored else []
    return [*told, *(_("%(power)s: %(points)s") % {"power": row["name"], **row} for row in scored)]
