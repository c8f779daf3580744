"""What is written to those who are invited by mail, and to those who answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names
from talleyrand.web.games import open_seats, page_context
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.lobby import game_settings_texts
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from talleyrand.web.mail import game_status_text
from talleyrand.web.mail.text_layout import bullet, join_parts, prose, unbroken

# A name that holds an address would carry it to people who never asked for one.
ADDRESS = re.compile(r"://|@|\bwww\b|\w\.[a-z]{2,}\b", re.IGNORECASE)
LONGEST_QUOTED = 60

SubjectAndText = tuple[str, str]


def invitation_text(game: Game, by: Person) -> SubjectAndText:
    """The subject and the text of an invitation: what the site shows of the game, and how to answer."""
    facts = {"who": _inviter(game, by), "game": public_game_name(game)}
    text = join_parts(
        [
            prose(_("Hello,")),
            prose(_("%(who)s invites you to a game of Diplomacy by email: %(game)s.") % facts),
            *_under_way(game),
            [line for sentence in _terms(game) for line in bullet(sentence)],
            *_how_to_answer(game),
            prose(" ".join(_privacy(game))),
            _site(),
        ]
    )
    return _("Invitation to a game of Diplomacy: %(game)s") % facts, text


def _inviter(game: Game, by: Person) -> str:
    leads = GameMembership.objects.filter(
        game=game, person=by, role=GameRole.GAME_MASTER, left_at=None
    ).exists()
    if not leads:
        return _("Someone looking for players")
    if game.settings.anonymity == Anonymity.OPEN and not ADDRESS.search(by.name):
        return _("The game master, %(name)s,") % {"name": by.name}
    return _("The game master")


def _under_way(game: Game) -> Iterator[list[str]]:
    """Which powers wait for a player in a game that is played, and where it stands."""
    variant, free = variants.load(game.variant), open_seats.open_powers(game)
    if free:
        words = {
            "phase": display_names.phase_name(variant, game.phase),
            "powers": ", ".join(display_names.power_name(variant, one) for one in free),
        }
        yield prose(_("The game is in progress (%(phase)s) and needs a player for: %(powers)s.") % words)


def public_game_name(game: Game) -> str:
    """A game’s name as strangers may be told it."""
    if ADDRESS.search(game.name):
        return variants.load(game.variant).title[display_names.reader_language()]
    return game.name


def _terms(game: Game) -> list[str]:
    about = game_settings_texts.settings_sections(game, page_context.reader_time_zone())[0][1]
    return [*about[:2], *game_settings_texts.settings_summary(game)]


def _how_to_answer(game: Game) -> Iterator[list[str]]:
    variant = variants.load(game.variant)
    powers = ", ".join(display_names.power_name(variant, code) for code in list(variant.board.powers)[:2])
    yield prose(
        _("To join, reply to this email with one word: yes. If you like, add one or both of these lines:")
    )
    yield [*unbroken(_("name: The Lame Devil")), *unbroken(_("preferences: %(powers)s") % {"powers": powers})]
    yield prose(
        _("The first is your name on this site, the second the powers you prefer, your favourite first.")
    )
    yield prose(
        _(
            "To decline, reply: no. Then no one can invite you from this site again. If you "
            "don’t reply, you won’t hear about this game again."
        )
    )


def _privacy(game: Game) -> Iterator[str]:
    yield _("The person who invites you entered your address and will see that you joined.")
    if game.settings.anonymity == Anonymity.OPEN:
        yield _("The other players see the name you choose; no one else sees your address.")
    else:
        yield _("No other player sees your name during the game; no one else sees your address.")
    yield _("Replying yes creates an account for this address, if it has none yet.")


def _site() -> list[str]:
    """Where the site is, where it has a name of its own."""
    if not settings.SITE_URL:
        return []
    return [
        *prose(_("The site and its privacy page:")),
        *unbroken(settings.SITE_URL),
        *unbroken(f"{settings.SITE_URL}{reverse('accounts:privacy')}"),
    ]


def joined_text(game: Game, person: Person, remarks: Sequence[str], *, new: bool) -> SubjectAndText:
    """What somebody is told who has come to the table by mail; `remarks` are sentences on what he wrote."""
    facts = {"game": public_game_name(game), "name": person.name}
    known = _("You play with the account this address already has: %(name)s.")
    made = _("Your name on this site is %(name)s.")
    text = join_parts(
        [
            prose(_("You have joined the game %(game)s as a player.") % facts),
            prose(" ".join(_what_next(game))),
            prose(" ".join([(made if new else known) % facts, *remarks])),
            _password() if new else [],
            _site(),
        ]
    )
    return _("You have joined: %(game)s") % facts, text


def _what_next(game: Game) -> Iterator[str]:
    if game.state != GameState.GATHERING:
        yield _(
            "The game has started. Another email gives you your power, the position, the "
            "deadline and the addresses to write to."
        )
        return
    yield game_status_text.players_present(game)
    yield _(
        "When the game starts, an email gives you your power, the position, the deadline and "
        "the addresses to write to. Until then there is nothing to do."
    )


def _password() -> list[str]:
    """How to come in by the site, for somebody who has never seen it."""
    if not settings.SITE_URL:
        return []
    return [
        *prose(
            _("You never need to visit the site. If you want to, request a password here with your address:")
        ),
        *unbroken(f"{settings.SITE_URL}{reverse('account_reset_password')}"),
    ]


def already_joined_text(game: Game) -> SubjectAndText:
    """To somebody who says yes again."""
    facts = {"game": public_game_name(game)}
    text = join_parts(
        [
            prose(_("You have already joined this game. Nothing was changed.")),
            prose(" ".join(_what_next(game))),
            _site(),
        ]
    )
    return _("You have joined: %(game)s") % facts, text


def not_joined_text(game: Game, sentence: str, code: str) -> SubjectAndText:
    """Why somebody who said yes is not at the table; `sentence` is what the page of the table would say."""
    facts = {"game": public_game_name(game)}
    text = join_parts([prose(sentence), *(_free(game) if code == "seat" else []), _site()])
    return _("You have not joined: %(game)s") % facts, text


def _free(game: Game) -> Iterator[list[str]]:
    """The seats to choose from, and how."""
    variant = variants.load(game.variant)
    names = [display_names.power_name(variant, power) for power in open_seats.open_powers(game)]
    if names:
        yield prose(_("Open seats: %(powers)s.") % {"powers": ", ".join(names)})
        yield prose(_("Reply again with the one you want to play:"))
        yield [*unbroken(_("yes")), *unbroken(_("preferences: %(powers)s") % {"powers": names[0]})]


def reply_not_understood_text(game: Game) -> SubjectAndText:
    """To somebody whose answer is neither yes nor no."""
    text = join_parts(
        [
            prose(_("Your email arrived, but begins with neither yes nor no: nothing was done.")),
            prose(_("Reply yes to join or no to decline: one word is enough.")),
            prose(
                _(
                    "No one reads what you write here. If you don’t answer, you won’t hear about "
                    "this game again."
                )
            ),
            _site(),
        ]
    )
    return _("Yes or no: %(game)s") % {"game": public_game_name(game)}, text


def signup_closed_text() -> str:
    """Why a site that takes nobody without a link makes no account."""
    return _("On this site only people invited by an administrator can have an account. Nothing was done.")


def name_refused_text(asked: str, why: str) -> str:
    """Why somebody has another name than the one he asked for."""
    facts = {"asked": asked[:LONGEST_QUOTED], "why": why}
    return _("The name “%(asked)s” was not accepted. %(why)s") % facts


def preferences_noted_text(game: Game, powers: Sequence[str]) -> str:
    """The powers that somebody would like, as they were understood."""
    variant = variants.load(game.variant)
    named = ", ".join(display_names.power_name(variant, one) for one in powers)
    return _("Power preferences saved: %(powers)s.") % {"powers": named}


def preferences_unknown_text(words: Sequence[str]) -> str:
    """Which of the powers wished for are none."""
    quoted = ", ".join(word[:LONGEST_QUOTED] for word in words)
    return _("Unknown powers: %(words)s.") % {"words": quoted}
