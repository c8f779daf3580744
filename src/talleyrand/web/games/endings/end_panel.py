"""What a page says of the end of a game: how it may be proposed, the open proposal, or the result."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.negotiation.kept_word import AgreementAccount
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, map_shapes
from talleyrand.web.boards.order_statistics import order_statistics
from talleyrand.web.boards.year_chart import year_chart_context
from talleyrand.web.bots.talk_texts import TalkTexts, character_labels
from talleyrand.web.games import game_history, page_context, power_assignments, visibility
from talleyrand.web.games.bot_agreements import GameAgreements
from talleyrand.web.games.bot_letter_models import BotAgreement
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone
from talleyrand.web.games.game_settings import DrawRule
from talleyrand.web.games.models import EndProposal, Game
from talleyrand.web.games.viewer_permissions import GameViewer

from . import end_proposal_rules, end_texts
from .end_proposal_rules import ProposalOutcome
from .end_proposals import OPEN_OUTCOMES, EndProposalState, answers_by_power, public_answers

MOST_TOLD = 12  # of the proposals that are closed


def end_panel_context(sight: GameViewer) -> dict[str, Any]:
    """The context of `games/endings/panel.html`."""
    talks = EndProposalState(sight.game)
    page: dict[str, Any] = {
        "game": sight.game,
        "sight": sight,
        "agreement": talks.draw_rule is not DrawRule.NEVER,
    }
    if sight.game.result:
        page["result"] = end_texts.game_result_text(talks.variant, sight.game.result)
        page["system"] = end_texts.scoring_title(sight.game)
        page["standing"] = _with_players(end_texts.final_table_rows(sight.game), sight)
        if sight.game.phase_number:
            page |= _told_whole(sight.game, talks.variant)
            page["talk"] = bot_talk_context(sight.game)
        return page
    if sight.is_delayed:
        return page
    if talks.proposal is not None:
        page["proposal"] = _open(talks, talks.proposal, sight)
    else:
        page["offers"] = [_offer(talks, power) for power in sight.orderable_powers]
    page["counts"] = [
        (str(one), end_texts.counted_position_text(one))
        for one in end_proposal_rules.countable_positions(talks.draw_rule, talks.moment)
    ]
    page["past"] = [
        {**_proposal_context(talks, one), "phase": display_names.phase_name(talks.variant, one.phase)}
        for one in _closed(talks)
    ]
    return page


def _with_players(rows: list[dict[str, Any]], sight: GameViewer) -> list[dict[str, Any]]:
    """The rows of the final table, each with those who played the power, the first first, as one may know."""
    told: dict[str, list[str]] = {}
    if sight.may_see_players:
        known = visibility.visible_assignments(sight).select_related("person", "seat").order_by("pk")
        for one in known:
            name = one.person.shown_name if one.person else _("deleted account")
            told.setdefault(one.seat.power, []).append(name)
        for power in power_assignments.bots_by_power(sight.game):
            told.setdefault(power, []).append(_("bot"))
    return [{**row, "players": list(dict.fromkeys(told.get(row["code"], ())))} for row in rows]


def bot_talk_context(game: Game) -> dict[str, Any]:
    """What the bots of a game that is over agreed to and did, and their characters; nothing where none
    of them has said anything.
    """
    agreed, texts = GameAgreements(game), TalkTexts(variants.load(game.variant))
    said = set(BotAgreement.objects.filter(game=game).values_list("power", flat=True))
    labels = character_labels()
    return {
        "agreements": [_agreement(texts, agreed.account(row, None), row) for row in agreed.agreed_rows],
        "characters": [
            (display_names.power_name(texts.variant, power), labels[agreed.character(power).name])
            for power in texts.variant.definition.players
            if power in said
        ],
    }


def _agreement(texts: TalkTexts, account: AgreementAccount, row: BotAgreement) -> dict[str, str]:
    """A line that names both, of one that may have ended with the bot’s seat."""
    told = texts.agreement_row(account)
    partner = display_names.power_name(texts.variant, row.partner)
    told["power"] = _("%(bot)s (bot) and %(partner)s") % {"bot": told["power"], "partner": partner}
    if row.ended_at is not None and not account.breaches:
        told["outcome"] = _("Kept until someone took the bot’s seat.")
    return told


def _told_whole(game: Game, variant: Variant) -> dict[str, Any]:
    """The game from its beginning: its film, its curves and turning points, what became of its orders."""
    begun, stages = game_history.chart_phases(game)
    phase_url = game_history.phase_url_of(game)
    chart = year_chart_context(variant, begun, stages, QueryDict(), phase_url=phase_url)
    moved = game.revisions.filter(is_current=True, phase__endswith="M").values_list("answer", flat=True)
    wide = f"?{map_shapes.CHOSEN}={map_shapes.WIDE}"
    return {
        "turning": chart["turning"],
        "chart": chart["chart"],
        "orders": order_statistics(variant, (answer or {} for answer in moved.iterator())),
        "last": len(stages),
        "scene": reverse("games:scene", args=[game.key, 0]) + wide,
        "picture": reverse("games:picture", args=[game.key, 1, "svg"]) + wide,
    }


def _offer(talks: EndProposalState, power: str) -> dict[str, str]:
    code = talks.why_no_proposal(power)
    name = display_names.power_name(talks.variant, power)
    return {"code": power, "name": name, "refusal": end_texts.end_refusal_text(code) if code else ""}


def _open(talks: EndProposalState, proposal: EndProposal, sight: GameViewer) -> dict[str, Any]:
    voters, given = talks.voters(proposal), answers_by_power(proposal)
    asked = [power for power in sight.orderable_powers if power in voters]
    voting = proposal.state == ProposalOutcome.VOTING
    return {
        **_proposal_context(talks, proposal),
        "pk": proposal.pk,
        "voting": voting,
        "closes": date_text_with_zone(
            proposal.answers_due_at, page_context.reader_time_zone(), display_names.reader_language()
        )
        if proposal.answers_due_at
        else "",
        "mine": proposal.proposer in sight.orderable_powers,
        "asked": [_power_question(talks, power, given.get(power, ""), voting=voting) for power in asked],
        "voters": [display_names.power_name(talks.variant, power) for power in voters],
    }


def _power_question(talks: EndProposalState, power: str, given: str, *, voting: bool) -> dict[str, str]:
    """One’s own say, with the answer given so far in this round."""
    current = given if voting or given in ("veto", "pass") else ""
    if voting and given not in ("yes", "no"):
        current = ""
    return {"code": power, "name": display_names.power_name(talks.variant, power), "given": current}


def _proposal_context(talks: EndProposalState, proposal: EndProposal) -> dict[str, Any]:
    vetoes = [display_names.power_name(talks.variant, power) for power in public_answers(proposal)]
    return {
        "proposer": proposal.proposer,
        "power": display_names.power_name(talks.variant, proposal.proposer),
        "counts": end_texts.counted_position_text(proposal.counted_position),
        "outcome": end_texts.proposal_outcome_text(proposal.state, vetoes),
    }


def _closed(talks: EndProposalState) -> list[EndProposal]:
    return [one for one in reversed(talks.proposals) if one.state not in OPEN_OUTCOMES][:MOST_TOLD]
