"""Who wrote a mail, as far as the site knows it: what a text is searched for."""

from __future__ import annotations

from talleyrand.web.accounts import addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.sight import Sight

from . import addressing
from .identity import Writer
from .reading.mail import Mail


def writer_of(person: Person, sight: Sight, mail: Mail) -> Writer:
    """What is known of who wrote a mail. The game master’s name, and names in an open game, are no secret."""
    own = [address for address in mail.addresses if not addressing.is_ours(address)]
    return Writer((person.name, *mail.names), (*addresses.known(person), *own), secret=not sight.knows_people)
