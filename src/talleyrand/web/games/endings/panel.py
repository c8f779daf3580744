"""What a page says of the end of a game: how it may be proposed, the open proposal, or the result."""

from __future__ import annotations

from typing import Any

from talleyrand.web.boards import wording
from talleyrand.web.games import frame
from talleyrand.web.games.deadlines.words import said
from talleyrand.web.games.models import Proposal
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.terms import Draw

from . import rules, words
from .proposals import OPEN, Talks, answers, shown
from .rules import Outcome


def panel(sight: Sight) -> dict[str, Any]:
    """The context of `games/endings/panel.html`."""
    talks = Talks(sight.game)
    page: dict[str, Any] = {"game": sight.game, "sight": sight, "agreement": talks.scheme is not Draw.NEVER}
    if sight.game.result:
        page["result"] = words.result(talks.variant, sight.game.result)
        page["standing"] = words.rows(talks.variant, sight.game.result)
        return page
    if talks.proposal is not None:
        page["proposal"] = _open(talks, talks.proposal, sight)
    else:
        page["offers"] = [_offer(talks, power) for power in sight.acting]
    page["counts"] = [(str(one), words.counts(one)) for one in rules.choices(talks.scheme, talks.moment)]
    page["past"] = [_past(talks, one) for one in _closed(talks)]
    return page


def _offer(talks: Talks, power: str) -> dict[str, str]:
    code = talks.refusal(power)
    name = wording.power(talks.variant, power)
    return {"code": power, "name": name, "refusal": words.refusal(code) if code else ""}


def _open(talks: Talks, proposal: Proposal, sight: Sight) -> dict[str, Any]:
    voters, given = talks.voters(proposal), answers(proposal)
    asked = [power for power in sight.acting if power in voters]
    voting = proposal.state == Outcome.VOTING
    return {
        **_told(talks, proposal),
        "pk": proposal.pk,
        "voting": voting,
        "closes": said(proposal.closes, frame.zone(), wording.language()) if proposal.closes else "",
        "mine": proposal.power in sight.acting,
        "asked": [_asked(talks, power, given.get(power, ""), voting=voting) for power in asked],
        "voters": [wording.power(talks.variant, power) for power in voters],
    }


def _asked(talks: Talks, power: str, given: str, *, voting: bool) -> dict[str, str]:
    """One’s own say, with the answer given so far in this round."""
    current = given if voting or given in ("veto", "pass") else ""
    if voting and given not in ("yes", "no"):
        current = ""
    return {"code": power, "name": wording.power(talks.variant, power), "given": current}


def _told(talks: Talks, proposal: Proposal) -> dict[str, Any]:
    vetoes = [wording.power(talks.variant, power) for power in shown(proposal)]
    return {
        "power": wording.power(talks.variant, proposal.power),
        "counts": words.counts(proposal.counts),
        "outcome": words.outcome(proposal.state, vetoes),
    }


def _past(talks: Talks, proposal: Proposal) -> dict[str, Any]:
    return {**_told(talks, proposal), "phase": wording.phase(talks.variant, proposal.phase)}


def _closed(talks: Talks) -> list[Proposal]:
    return list(Proposal.objects.filter(game=talks.game).exclude(state__in=OPEN).order_by("-id")[:12])
