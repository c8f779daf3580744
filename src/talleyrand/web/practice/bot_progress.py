"""What the board's page says of the computer’s players, and how far they are."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_players, bot_queue, talk_texts

from . import practice_bot_tasks as thinking
from .models import PracticeBotTask, PracticeGame, random_token
from .practice_games import PracticeHistory

MIXED = "-"  # in the menu of characters: several, which stay as they are
SLOW_START = 5  # seconds without a sign after which the compiler is taken to be at work


def bot_context(
    game: PracticeGame, number: int, question: Question | None, row: PracticeBotTask | None
) -> dict[str, Any]:
    """For the templates of whoever plays: who plays each power, what the computer does now.

    `question` is that of the phase shown where it is the open one; `row` what the computer was at before the
    phases were read.
    """
    variant = variants.load(game.variant)
    seats = bot_players.practice_seats(variant, game.bots)
    return {
        "seats": seats,
        "computers": bot_players.bot_choices(variant),
        "characters": list(talk_texts.character_labels().items()),
        "character": _character(game),
        "has_computers": bot_players.bots_available(),
        "is_fast": bot_players.bots_are_compiled(),
        "usual": next(iter(game.bots.values()), bot_players.DEFAULT_BOT),
        "mine": _mine(game),
        "thinking": bot_progress(game, row) if row and number == row.phase_number else None,
        "watched": question is not None and not row and thinking.do_only_bots_decide(question, game.bots),
        "onward_submission": random_token(),
    }


def _character(game: PracticeGame) -> str:
    """The character that was chosen for every bot, "" where lots are drawn for each."""
    chosen = game.talk.get("characters", {})
    several = {chosen.get(power, "") for power in game.bots} or {""}
    return several.pop() if len(several) == 1 else MIXED


def _mine(game: PracticeGame) -> str:
    """The one power that a person plays, if it is one."""
    powers = variants.load(game.variant).definition.seats
    persons = [power for power in powers if power not in game.bots]
    return persons[0] if len(persons) == 1 else game.played_power


def bot_progress(game: PracticeGame, row: PracticeBotTask | None) -> dict[str, Any]:
    """How far the computer is: `value` of `most`, in words, and where the results will be."""
    if row is None:
        return {"over": True}
    asked = _deciding_bots(game, row)
    found = [power for power in asked if row.found_orders.get(power, {}).get("code") == asked[power]]
    waits = [power for power in asked if power not in found]
    return {
        "over": False,
        "number": row.phase_number,
        "yours": row.goal == thinking.UNTIL_CHOICE,
        "follow": row.goal == thinking.ONE_YEAR,
        "url": reverse("practice:phase", args=[game.key, row.phase_number]),
        "done": reverse("practice:phase", args=[game.key, row.first_phase_number]),
        "value": round(len(found) + (bot_queue.progress_of(row) if waits else 0), 3),
        "most": len(asked) or 1,
        "sentence": _sentence(game, row, len(found), waits),
        "trouble": _trouble(row),
    }


def _deciding_bots(game: PracticeGame, row: PracticeBotTask) -> dict[str, str]:
    story = PracticeHistory(game)
    question = story.question(row.phase_number) if row.phase_number == story.open_phase_number else None
    return thinking.deciding_bots(question, game.bots) if question else {}


def _sentence(game: PracticeGame, row: PracticeBotTask, found: int, waits: list[str]) -> str:
    if not row.claimed_by:
        return _queued(thinking.tasks_ahead_of(row))
    if not waits:
        return _("Resolving the phase…")
    name = display_names.power_name(variants.load(game.variant), waits[0])
    if not found and not bot_queue.progress_of(row) and _seconds(row) > SLOW_START:
        return _("The bot is getting ready for %(power)s; the first time takes up to a minute.") % {
            "power": name
        }
    words = {"power": name, "which": found + 1, "total": found + len(waits)}
    return _("The bot is thinking: %(power)s (%(which)d of %(total)d).") % words


def _queued(ahead: int) -> str:
    if not ahead:
        return _("The bots start in a moment.")
    return _("The bots are busy with other games; ahead of this one: %(n)d.") % {"n": ahead}


def _seconds(row: PracticeBotTask) -> float:
    return (timezone.now() - row.requested_at).total_seconds()


def _trouble(row: PracticeBotTask) -> str:
    sentences = {
        "": "",
        "missing": no_bots_text(),
        "refused": _(
            "This position can’t be adjudicated, so the phase can’t be resolved. Your orders are kept."
        ),
        "fault": _(
            "The bot failed; the fault is ours and has been recorded. Your orders are kept: "
            "try again, or stop and choose another bot."
        ),
    }
    return sentences[row.error]


def no_bots_text() -> str:
    return _(
        "No bots on this site: its administrator can add them with pip install "
        "'talleyrand[simulation]'. Nothing was resolved."
    )


def bots_busy_text(refusal: thinking.BotsBusy) -> str:
    """Why the computer does not begin."""
    if refusal.is_visitor_limit:
        return _(
            "Bots are already playing in %(most)d of your games: wait for one, or stop it. "
            "Nothing was resolved; your orders are kept."
        ) % {"most": thinking.MOST_A_VISITOR}
    return _(
        "Too many games are waiting for bots. Nothing was resolved; your orders are kept. "
        "Try again in a minute."
    )
