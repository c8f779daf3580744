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
from talleyrand.web.games.models import (
    Game,
    GameMembership,
    GameRole,
    GameState,
)
from talleyrand.web.mail import game_status_text
from talleyrand.web.mail.text_layout import (
    bullet,
    join_parts,
    prose,
    unbroken,
)

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
            prose(_("%(who)s invites you to a game of Diplomacy by mail: %(game)s.") % facts),
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
        return _("Somebody who gathers players")
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
        yield prose(_("It is being played (%(phase)s). A player is wanted for: %(powers)s.") % words)


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
        _("To come, answer this mail with one word: yes. If you like, add one or both of these lines:")
    )
    yield [*unbroken(_("name: The Lame Devil")), *unbroken(_("wishes: %(powers)s") % {"powers": powers})]
    yield prose(
        _("The first is how this site will call you, the second the powers that you would like, best first.")
    )
    yield prose(
        _(
            "If you would rather not, answer: no. Nobody can then invite you from this site again. If you do "
            "not answer, you hear no more of this game."
        )
    )


def _privacy(game: Game) -> Iterator[str]:
    yield _("Whoever invites you has typed your address and will see that you came.")
    if game.settings.anonymity == Anonymity.OPEN:
        yield _("The others see the name that you choose; nobody sees your address.")
    else:
        yield _("While the game lasts, no other player sees your name; nobody sees your address.")
    yield _("Your yes makes an account for this address, if it has none yet.")


def _site() -> list[str]:
    """Where the site is, where it has a name of its own."""
    if not settings.SITE_URL:
        return []
    return [
        *prose(_("The site, and what it keeps of you:")),
        *unbroken(settings.SITE_URL),
        *unbroken(f"{settings.SITE_URL}{reverse('accounts:privacy')}"),
    ]


def joined_text(game: Game, person: Person, remarks: Sequence[str], *, new: bool) -> SubjectAndText:
    """What somebody is told who has come to the table by mail; `remarks` are sentences on what he wrote."""
    facts = {"game": public_game_name(game), "name": person.name}
    known = _("You play with the account that this address has here: %(name)s.")
    made = _("This site calls you %(name)s.")
    text = join_parts(
        [
            prose(_("You are at the table of %(game)s, as a player.") % facts),
            prose(" ".join(_what_next(game))),
            prose(" ".join([(made if new else known) % facts, *remarks])),
            _password() if new else [],
            _site(),
        ]
    )
    return _("You are at the table: %(game)s") % facts, text


def _what_next(game: Game) -> Iterator[str]:
    if game.state != GameState.GATHERING:
        yield _(
            "The game has begun: another mail tells you your power, the position, the deadline and the "
            "addresses that you write to."
        )
        return
    yield game_status_text.players_present(game)
    yield _(
        "When the game begins, a mail tells you your power, the position, the deadline and the addresses "
        "that you write to. Until then there is nothing to do."
    )


def _password() -> list[str]:
    """How to come in by the site, for somebody who has never seen it."""
    if not settings.SITE_URL:
        return []
    return [
        *prose(
            _("You never need to open the site. If you wish to, ask for a password here, with your address:")
        ),
        *unbroken(f"{settings.SITE_URL}{reverse('account_reset_password')}"),
    ]


def already_joined_text(game: Game) -> SubjectAndText:
    """To somebody who says yes again."""
    facts = {"game": public_game_name(game)}
    text = join_parts(
        [
            prose(_("You are at this table already. Nothing has been changed.")),
            prose(" ".join(_what_next(game))),
            _site(),
        ]
    )
    return _("You are at the table: %(game)s") % facts, text


def not_joined_text(game: Game, sentence: str, code: str) -> SubjectAndText:
    """Why somebody who said yes is not at the table; `sentence` is what the page of the table would say."""
    facts = {"game": public_game_name(game)}
    text = join_parts([prose(sentence), *(_free(game) if code == "seat" else []), _site()])
    return _("You are not at the table: %(game)s") % facts, text


def _free(game: Game) -> Iterator[list[str]]:
    """The seats to choose from, and how."""
    variant = variants.load(game.variant)
    names = [display_names.power_name(variant, power) for power in open_seats.open_powers(game)]
    if names:
        yield prose(_("Free are: %(powers)s.") % {"powers": ", ".join(names)})
        yield prose(_("Answer once more, with the one that you would play:"))
        yield [*unbroken(_("yes")), *unbroken(_("wishes: %(powers)s") % {"powers": names[0]})]


def reply_not_understood_text(game: Game) -> SubjectAndText:
    """To somebody whose answer is neither yes nor no."""
    text = join_parts(
        [
            prose(_("Your mail came, but it begins neither with yes nor with no: nothing has been done.")),
            prose(_("Answer yes to come to the table, no to decline: one word is enough.")),
            prose(
                _("Nobody reads what you write here. If you do not answer, you hear no more of this game.")
            ),
            _site(),
        ]
    )
    return _("Yes or no: %(game)s") % {"game": public_game_name(game)}, text


def signup_closed_text() -> str:
    """Why a site that takes nobody without a link makes no account."""
    return _("This site makes accounts for those alone whom its administrators invite. Nothing was done.")


def name_refused_text(asked: str, why: str) -> str:
    """Why somebody has another name than the one he asked for."""
    facts = {"asked": asked[:LONGEST_QUOTED], "why": why}
    return _("The name “%(asked)s” could not be yours: %(why)s") % facts


def preferences_noted_text(game: Game, powers: Sequence[str]) -> str:
    """The powers that somebody would like, as they were understood."""
    variant = variants.load(game.variant)
    named = ", ".join(display_names.power_name(variant, one) for one in powers)
    return _("Your wishes are noted: %(powers)s.") % {"powers": named}


def preferences_unknown_text(words: Sequence[str]) -> str:
    """Which of the powers wished for are none."""
    quoted = ", ".join(word[:LONGEST_QUOTED] for word in words)
    return _("No power of this game is called: %(words)s.") % {"words": quoted}
