"""What servers send back: mails of ours that reached nobody.

The address for it is known to its person’s servers alone: a false report stops mails to whoever sent it.
"""

from __future__ import annotations

import re

from talleyrand.web.accounts import addresses
from talleyrand.web.mail.models import Arrival, Departure
from talleyrand.web.mail.outcomes import Outcome, Result
from talleyrand.web.mail.outgoing import pausing, sealing
from talleyrand.web.mail.reading import Mail, Nature

PERMANENT = "5"
# What was held against one mail: its words, its size, its form. Another may arrive.
OF_ONE_MAIL = ("5.2.3", "5.3.4", "5.6.", "5.7.")
OURS = re.compile(rb"^%s: *([A-Za-z0-9_-]{1,32})" % sealing.TOKEN.encode(), re.MULTILINE | re.IGNORECASE)
MOST_MAILS = 10  # that a report tells of


def take(arrival: Arrival, mail: Mail) -> Result:
    """Count a mail that came back for good; what is only late, or written by anybody, changes nothing."""
    person = arrival.mailbox.person
    if mail.nature != Nature.BOUNCE or person is None:
        return Result(Outcome.AUTOMATIC)
    facts = {"status": mail.status[: pausing.LONGEST_STATUS]}
    to = addresses.confirmed(person)
    if not to or not _is_final(mail) or not _is_about(arrival, mail, to):
        return Result(Outcome.BOUNCE, {**facts, "counted": False})
    paused = pausing.came_back(person, to, arrival.message.received, mail.status)
    return Result(Outcome.BOUNCE, {**facts, "counted": True, "paused": paused})


def _is_final(mail: Mail) -> bool:
    if mail.status.startswith(OF_ONE_MAIL):
        return False
    return bool(mail.failed) and (not mail.status or mail.status.startswith(PERMANENT))


def _is_about(arrival: Arrival, mail: Mail, to: str) -> bool:
    """Whether it tells of the address on file; or of one that passes it on, where it holds a mail of ours."""
    if to.lower() in [one.lower() for one in mail.failed]:
        return True
    tokens = [found.decode() for found in OURS.findall(bytes(arrival.message.data))[:MOST_MAILS]]
    since = arrival.message.received - pausing.REVIVED
    sent = Departure.objects.filter(person=arrival.mailbox.person_id, sent__gt=since)
    return sent.filter(token__in=tokens).exists()
