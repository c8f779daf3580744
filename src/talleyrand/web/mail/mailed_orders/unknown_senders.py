"""A mail to somebody's own address, from where nobody knows them: they are told from where, once."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from talleyrand.web.accounts import email_addresses
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_outcomes import ProcessingResult
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.models import InboundDelivery
from talleyrand.web.mail.parsing.parsed_email import ParsedEmail

TOLD_OF = "unknown_sender"  # among the facts of a mail: a digest of the address that its answer told of
PLAIN_ADDRESS = re.compile(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,100}")


def with_unknown_sender(
    result: ProcessingResult, arrival: InboundDelivery, mail: ParsedEmail, *, desk_page: str | None = None
) -> ProcessingResult:
    """What a mail came to; its answer begins with the address that it is from, where that is none of the
    person's and they have not been told of it in this game yet.

    `desk_page`: for a mail to the desk, the page on which its address is changed, "" where the site has none.
    """
    game, person = arrival.mailbox.game, arrival.mailbox.person
    assert game is not None
    assert person is not None
    stranger = _unknown_sender(game, person, mail)
    if result.answer is None or stranger is None:
        return result
    digest = hashlib.sha256(repr(mail.addresses[:1]).casefold().encode()).hexdigest()[:16]
    others = InboundDelivery.objects.filter(mailbox__game=game, mailbox__person=person).exclude(pk=arrival.pk)
    if others.annotate(told=json_text(f"facts__{TOLD_OF}")).filter(told=digest).exists():
        return result
    _subject, told = render_mail(
        "unknown_sender", address=stranger, is_desk=desk_page is not None, page=desk_page
    )
    answer = replace(result.answer, text=f"{told}\n{result.answer.text}")
    return replace(result, facts={**result.facts, TOLD_OF: digest}, answer=answer)


def _unknown_sender(game: Game, person: Person, mail: ParsedEmail) -> str | None:
    """The address that a mail says it is from, where that is none of the person's; None where it is.

    "" for one that they are not told: any in an anonymous game, for whether an address is told must not tell
    either who plays; one of ours, which may be somebody else's; what reads as anything else.
    """
    written = mail.addresses[0] if mail.addresses else ""
    if written.casefold() in {one.casefold() for one in email_addresses.known_emails(person)}:
        return None
    is_plain = PLAIN_ADDRESS.fullmatch(written) and not mailboxes.is_our_address(written)
    return written if is_plain and GameViewer(game, person).may_see_players else ""
