"""What is written to those who are invited by mail, and to those who answer: facts for the templates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.conf import settings

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import open_seats, page_context
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.lobby import game_settings_texts
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from talleyrand.web.mail import game_status_text
from talleyrand.web.mail.mail_templates import SubjectAndText, render_mail

# A name that holds an address would carry it to people who never asked for one.
ADDRESS = re.compile(r"://|@|\bwww\b|\w\.[a-z]{2,}\b", re.IGNORECASE)
LONGEST_QUOTED = 60


def public_game_name(game: Game) -> str:
    """A game’s name as strangers may be told it."""
    if ADDRESS.search(game.name):
        return variants.load(game.variant).title[display_names.reader_language()]
    return game.name


def _rendered(template: str, game: Game, **facts: Any) -> SubjectAndText:
    return render_mail(template, game=public_game_name(game), site=settings.SITE_URL, **facts)


def _names(game: Game, powers: Sequence[str]) -> list[str]:
    variant = variants.load(game.variant)
    return [display_names.power_name(variant, one) for one in powers]


def invitation_text(game: Game, by: Person) -> SubjectAndText:
    """The subject and the text of an invitation: what the site shows of the game, and how to answer."""
    variant = variants.load(game.variant)
    leads = GameMembership.objects.filter(
        game=game, person=by, role=GameRole.GAME_MASTER, left_at=None
    ).exists()
    is_open, free = game.settings.anonymity == Anonymity.OPEN, open_seats.joinable_powers(game)
    about = game_settings_texts.settings_sections(game, page_context.reader_time_zone())[0][1]
    told = 2 + len(game_settings_texts.split_terms(game))  # the variant, who plays what, the rulebook
    return _rendered(
        "invitation",
        game,
        by_master=leads,
        master=by.name if is_open and not ADDRESS.search(by.name) else "",
        names_are_open=is_open,
        phase=display_names.phase_name(variant, game.phase),
        powers=", ".join(_names(game, free)),
        terms=[
            *about[:told],
            *game_settings_texts.settings_summary(game),
        ],
        rules=game_settings_texts.rule_lines(game),
        examples=_examples(game) if len(free) != 1 else "",
    )


def joined_text(
    game: Game,
    person: Person,
    *,
    is_new: bool,
    asked: str,
    refusal: str,
    preferences: Sequence[str],
    unknown: Sequence[str],
) -> SubjectAndText:
    """What somebody is told who has come to the table by mail, as an account made now or before.

    `refusal` says why the name that they asked for is not theirs; `preferences` and `unknown` are the powers
    wished for, and the words that name none.
    """
    return _rendered(
        "joined",
        game,
        name=person.name,
        is_new=is_new,
        asked=asked[:LONGEST_QUOTED],
        refusal=refusal,
        rules=game_settings_texts.rule_lines(game),
        **_what_next(game, preferences, unknown),
    )


def _what_next(game: Game, preferences: Sequence[str], unknown: Sequence[str]) -> dict[str, str]:
    """What was understood of one's wishes; in a game that has not begun, how many have come and what one may
    still wish.
    """
    gathers = game.state == GameState.GATHERING
    return {
        "preferences": ", ".join(_names(game, preferences)),
        "unknown": ", ".join(word[:LONGEST_QUOTED] for word in unknown),
        "players_present": game_status_text.players_present(game) if gathers else "",
        "examples": _examples(game) if gathers else "",
    }


def _examples(game: Game) -> str:
    """Two powers, as one writes wishes."""
    return ", ".join(_names(game, list(game.seats.values_list("power", flat=True)[:2])))


def already_joined_text(
    game: Game, preferences: Sequence[str] = (), unknown: Sequence[str] = ()
) -> SubjectAndText:
    """To somebody who writes again; `preferences` are the wishes that were kept now."""
    return _rendered("already_joined", game, **_what_next(game, preferences, unknown))


def not_joined_text(game: Game, refusal: str, code: str) -> SubjectAndText:
    """Why somebody who said yes is not at the table; `refusal` is what the page of the table would say.

    "" where the site takes nobody without a link, and makes no account.
    """
    powers = _names(game, open_seats.joinable_powers(game)) if code == "seat" else []
    return _rendered("not_joined", game, refusal=refusal, open_powers=powers)


def reply_not_understood_text(game: Game) -> SubjectAndText:
    """To somebody whose answer is neither yes nor no."""
    return _rendered("reply_not_understood", game)
