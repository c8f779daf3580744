"""Who wrote a mail, as far as the site knows it: what a text is searched for."""

from __future__ import annotations

from talleyrand.web.accounts import email_addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.viewer_permissions import GameViewer

from . import mailboxes
from .anonymity_filter import KnownWriter
from .parsing.parsed_email import ParsedEmail


def known_writer(person: Person, sight: GameViewer, mail: ParsedEmail) -> KnownWriter:
    """What is known of who wrote a mail. The game master’s name, and names in an open game, are no secret."""
    own = [address for address in mail.addresses if not mailboxes.is_our_address(address)]
    return KnownWriter(
        (person.name, *mail.names),
        (*email_addresses.known_emails(person), *own),
        is_secret=not sight.may_see_players,
    )
