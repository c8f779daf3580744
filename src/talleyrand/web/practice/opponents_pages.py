"""What the board's page says of the computer’s players, and how far they are."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.boards import wording

from . import opponents
from . import opponents_thinking as thinking
from .games import Story
from .models import Deliberation, PracticeGame, address
from .opponents_threads import threads

SLOW_START = 5  # seconds without a sign after which the compiler is taken to be at work


def page(game: PracticeGame, number: int) -> dict[str, Any]:
    """For the templates of whoever plays: who plays each power, what the computer does now."""
    story = Story(game)
    variant = variants.load(game.variant)
    seats = opponents.seats(variant, game.bots)
    row = thinking.of(game)
    question = story.question(number) if number == story.current else None
    return {
        "seats": seats,
        "computers": opponents.choice(variant),
        "has_computers": opponents.available(),
        "is_fast": opponents.is_fast(),
        "usual": next(iter(game.bots.values()), opponents.USUAL),
        "mine": _mine(game),
        "thinking": progress(game, row) if row and number == row.number else None,
        "watched": question is not None and not row and thinking.is_watched(question, game.bots),
        "onward_submission": address(),
    }


def _mine(game: PracticeGame) -> str:
    """The one power that a person plays, if it is one."""
    powers = variants.load(game.variant).setting.seats
    persons = [power for power in powers if power not in game.bots]
    return persons[0] if len(persons) == 1 else game.plays


def progress(game: PracticeGame, row: Deliberation | None) -> dict[str, Any]:
    """How far the computer is: `value` of `most`, in words, and where the results will be."""
    if row is None:
        return {"over": True}
    asked = _asked(game, row)
    found = [power for power in asked if row.found.get(power, {}).get("code") == asked[power]]
    waits = [power for power in asked if power not in found]
    return {
        "over": False,
        "number": row.number,
        "yours": row.until == thinking.CHOICE,
        "follow": row.until == thinking.YEAR,
        "url": reverse("practice:phase", args=[game.key, row.number]),
        "done": reverse("practice:phase", args=[game.key, row.first]),
        "value": round(len(found) + (threads.share(row) if waits else 0), 3),
        "most": len(asked) or 1,
        "sentence": _sentence(game, row, len(found), waits),
        "trouble": _trouble(row),
    }


def _asked(game: PracticeGame, row: Deliberation) -> dict[str, str]:
    story = Story(game)
    question = story.question(row.number) if row.number == story.current else None
    return thinking.decides(question, game.bots) if question else {}


def _sentence(game: PracticeGame, row: Deliberation, found: int, waits: list[str]) -> str:
    if not row.worker:
        return _queued(thinking.ahead_of(row))
    if not waits:
        return _("The judge resolves the phase.")
    name = wording.power(variants.load(game.variant), waits[0])
    if not found and not threads.share(row) and _seconds(row) > SLOW_START:
        return _("The computer gets ready for %(power)s: the first time takes up to a minute.") % {
            "power": name
        }
    words = {"power": name, "which": found + 1, "total": found + len(waits)}
    return _("%(power)s is thinking (%(which)d of %(total)d).") % words


def _queued(ahead: int) -> str:
    if not ahead:
        return _("The computer begins in a moment.")
    return _("The computer is busy with other games; waiting before this one: %(n)d.") % {"n": ahead}


def _seconds(row: Deliberation) -> float:
    return (timezone.now() - row.asked).total_seconds()


def _trouble(row: Deliberation) -> str:
    sentences = {
        "": "",
        "missing": missing(),
        "refused": _("The judge refuses this position, so the phase cannot be played. Your orders are kept."),
        "fault": _(
            "The computer failed; the fault is ours, and it has been noted. Your orders are kept: try again, "
            "or stop and choose another player."
        ),
    }
    return sentences[row.trouble]


def missing() -> str:
    return _(
        "This site has no computer players: whoever runs it can add them with "
        "pip install 'talleyrand[simulation]'. Nothing has been resolved."
    )


def crowded(refusal: thinking.Crowded) -> str:
    """Why the computer does not begin."""
    if refusal.own:
        return _(
            "The computer already thinks about %(most)d of your games: wait for one of them, or stop it. "
            "Nothing has been resolved, and your orders are kept."
        ) % {"most": thinking.MOST_A_VISITOR}
    return _(
        "Too many games wait for the computer just now. Nothing has been resolved, and your orders are kept: "
        "try again in a minute."
    )
