"""The page of a person in the reader's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from talleyrand import notation, variants
from talleyrand.messages.score_sentences import format_number
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines.date_texts import day_text, join_names, month_name
from talleyrand.web.games.player_records import person_page_access
from talleyrand.web.games.record_models import PagePart, PageReaders, PlayerProfile, RatingPool

from .person_facts import Alliance, FinishedRow, Opening, PersonFacts, RatingPoint

GAMES_SHOWN, EARLIER_SHOWN, RATINGS_SHOWN = 20, 200, 20
CHART_WIDTH, CHART_HEIGHT = 300, 80
LEAST_IN_CHART, LEAST_RANGE = 5, 100.0  # ratings, and points between the lowest and the highest
WON, SHARED = ("solo", "first"), ("draw",)


def part_titles() -> dict[str, str]:
    """What a page may tell, as its owner chooses."""
    return {
        PagePart.SINCE: _("Since when I am here"),
        PagePart.RELIABILITY: _("Reliability"),
        PagePart.GAMES: _("Games: running ones where everyone knows who plays, and finished ones"),
        PagePart.RESULTS: _("Results by power and variant"),
        PagePart.ALLIANCES: _("Longest alliances"),
        PagePart.OPENINGS: _("Favourite openings"),
        PagePart.RATINGS: _("Ratings"),
    }


def readers_titles() -> dict[str, str]:
    return {
        PageReaders.NOBODY: _("Nobody but me"),
        PageReaders.MEMBERS: _("Everyone with an account here"),
        PageReaders.EVERYBODY: _("Everyone, without an account too"),
    }


def pool_title(pool: str) -> str:
    return {
        RatingPool.PRESS: _("With messages"),
        RatingPool.GUNBOAT: _("Without messages"),
        RatingPool.PRESS_BOTS: _("With messages, bots playing too"),
        RatingPool.GUNBOAT_BOTS: _("Without messages, bots playing too"),
    }[RatingPool(pool)]


def outcome_text(code: str) -> str:
    """How a game ended for somebody."""
    return {
        "solo": _("won alone"),
        "first": _("first"),
        "draw": pgettext("for a player", "draw"),
        "survived": _("survived"),
        "eliminated": pgettext("for a player", "eliminated"),
        "left": _("left early"),
        "abandoned": _("game abandoned"),
        "replacement": _("took over"),
        "stand_in": _("stand-in"),
    }[code]


def page_context(facts: PersonFacts) -> dict[str, Any]:
    """All that the page shows of somebody."""
    since = facts.owner.joined_at
    language = display_names.reader_language()
    shown = facts.parts
    return {
        "owner": facts.owner,
        "is_own": facts.owner == facts.reader,
        "since": f"{month_name(since.month, language)} {since.year}" if PagePart.SINCE in shown else "",
        "reliability": reliability_text(facts.profile) if PagePart.RELIABILITY in shown else "",
        "ratings": [_rating(pool, points) for pool, points in facts.ratings.items()],
        "running": [(game.key, game.name) for game in facts.running],
        "finished": [_game(row) for row in facts.finished[:GAMES_SHOWN]],
        "earlier": [_game(row) for row in facts.finished[GAMES_SHOWN : GAMES_SHOWN + EARLIER_SHOWN]],
        "finished_count": len(facts.finished),
        "results": _results(facts.results),
        "alliances": [_alliance(one, facts.reader) for one in facts.alliances],
        "openings": [_opening(one) for one in facts.openings],
    }


def reliability_text(profile: PlayerProfile) -> str:
    """The figure with what it is made of."""
    if profile.reliability is None:
        return _("None yet: it is counted when a game in the public list is over.")
    left = ngettext("%(left)s game left early", "%(left)s games left early", profile.games_left)
    left %= {"left": profile.games_left}
    if not profile.phases_due:
        return _("%(games)s, and no phase played so far.") % {"games": left}
    phases = ngettext(
        "%(percent)s%%: %(missed)s phase missed of %(due)s",
        "%(percent)s%%: %(missed)s phases missed of %(due)s",
        profile.phases_missed,
    ) % {"percent": profile.reliability, "missed": profile.phases_missed, "due": profile.phases_due}
    return f"{phases}, {left}."


def _powers(variant: str, codes: Sequence[str]) -> str:
    names = [display_names.power_name(variants.load(variant), code) for code in codes]
    return join_names(names, display_names.reader_language())


def _variant(name: str) -> str:
    return variants.load(name).title[display_names.reader_language()]


def _day(moment: Any) -> str:
    return day_text(moment.date().isoformat(), display_names.reader_language())


def _game(row: FinishedRow) -> dict[str, Any]:
    language = display_names.reader_language()
    return {
        "key": row.key,
        "name": row.name,
        "variant": _variant(row.variant),
        "powers": _powers(row.variant, row.powers),
        "outcome": outcome_text(row.outcome),
        "points": format_number(language, Fraction(row.points)) if row.points else "",
        "ended": _day(row.ended_at),
    }


def _results(results: dict[tuple[str, str], Counter[str]]) -> list[dict[str, Any]]:
    """A table for each variant, the one played most first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for (variant, power), counts in sorted(results.items(), key=lambda item: -item[1].total()):
        found.setdefault(variant, []).append(
            {
                "power": _powers(variant, [power]),
                "games": counts.total(),
                "won": sum(counts[one] for one in WON),
                "draws": sum(counts[one] for one in SHARED),
                "survived": counts["survived"],
                "eliminated": counts["eliminated"],
                "left": counts["left"],
            }
        )
    return [{"variant": _variant(variant), "rows": rows} for variant, rows in found.items()]


def _alliance(one: Alliance, reader: Person | None) -> dict[str, Any]:
    return {
        "powers": _powers(one.game.variant, one.game.powers),
        "ally": _powers(one.game.variant, [one.ally]),
        "name": one.person.name if one.person else "",
        "url": person_page_access.page_url(one.person, reader),
        "years": str(one.first) if one.first == one.last else f"{one.first}–{one.last}",
        "supports": one.supports,
        "key": one.game.key,
        "game": one.game.name,
    }


def _opening(one: Opening) -> dict[str, Any]:
    variant, language = variants.load(one.variant), display_names.reader_language()
    orders = [
        notation.write_order(notation.parse_order(order, variant), variant, language, "short")
        for order in one.orders
    ]
    return {
        "power": _powers(one.variant, [one.power]),
        "variant": _variant(one.variant),
        "orders": ", ".join(orders),
        "count": one.times,
        "games": one.games,
    }


def _rating(pool: str, points: Sequence[RatingPoint]) -> dict[str, Any]:
    last = points[-1]
    return {
        "title": pool_title(pool),
        "rating": round(last.rating),
        "spread": round(2 * last.deviation),
        "games": len(points),
        "line": _line([one.rating for one in points]),
        "history": [
            {
                "key": one.key,
                "game": one.name,
                "ended": _day(one.ended_at),
                "rating": round(one.rating),
                "spread": round(2 * one.deviation),
            }
            for one in reversed(points[-RATINGS_SHOWN:])
        ],
    }


def _line(ratings: Sequence[float]) -> str:
    """The points of a line in a picture of CHART_WIDTH by CHART_HEIGHT; none where it would say little."""
    low, high = min(ratings), max(ratings)
    if len(ratings) < LEAST_IN_CHART:
        return ""
    step, scale = CHART_WIDTH / (len(ratings) - 1), (CHART_HEIGHT - 10) / max(high - low, LEAST_RANGE)
    return " ".join(
        f"{number * step:.1f},{CHART_HEIGHT - 5 - (one - low) * scale:.1f}"
        for number, one in enumerate(ratings)
    )
