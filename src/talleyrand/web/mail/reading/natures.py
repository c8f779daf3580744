"""What a mail is before anybody reads it: somebody’s, or a machine’s."""

from __future__ import annotations

import re

from .folding import folded
from .mail import Nature
from .phrases import any_of
from .structure import Part

OURS = "X-Talleyrand-Departure"
"""A header of each of our mails: one that comes back to us is never answered."""
MOST_HOPS = 50

_DAEMON = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|postmaster|mdaemon|double-bounce|mail\.delivery\S*|bounces?)@"
)
_UNDELIVERED = re.compile(any_of("undelivered"))
_AUTOMATIC_SUBJECT = re.compile(rf"(?:\[[^]]{{1,40}}\] ?)?{any_of('automatic')}")
_AUTOMATIC_HEADERS = tuple(
    f"X-{name}"
    for name in ("Autoreply", "Auto-Reply", "Autorespond", "Autoresponder", "Auto-Response", "Vacation")
)
_MACHINES = ("bulk", "junk", "auto_reply", "auto-reply", "autoreply")
_SPAM = ("X-Spam-Flag", "X-Spam-Status", "X-Spam", "X-VR-SPAMSTATE", "X-Ovh-Spam-Status", "X-Bogosity")
_IS_SPAM = re.compile(r"(?:yes|true|spam)\b", re.IGNORECASE)
_PGP = re.compile(r"-----BEGIN PGP MESSAGE-----")


def by_headers(part: Part) -> Nature | None:
    """The nature that the headers say; None where a person may have written it."""
    if part.headers.get(OURS) is not None or len(part.headers.get_all("Received", [])) > MOST_HOPS:
        return Nature.LOOP
    if _is_bounce(part):
        return Nature.BOUNCE
    if _is_automatic(part):
        return Nature.AUTOMATIC
    return Nature.ENCRYPTED if is_encrypted(part) else None


def _is_bounce(part: Part) -> bool:
    report = part.parameter("report-type").lower()
    if part.kind == "multipart/report" and report in ("delivery-status", ""):
        return True
    if part.headers.get("X-Failed-Recipients"):
        return True
    from_daemon = any(_DAEMON.match(address) for _name, address in part.people("From", "Sender"))
    from_daemon |= part.value("From").lower().startswith(("mailer-daemon", "mail delivery s"))
    undelivered = _UNDELIVERED.search(folded(part.value("Subject"))) is not None
    return from_daemon and (undelivered or _came_from_nobody(part))


def _came_from_nobody(part: Part) -> bool:
    return part.headers.get("Return-Path", "?").strip() == "<>"


def _is_automatic(part: Part) -> bool:
    said = part.value("Auto-Submitted").partition(";")[0].strip().lower()
    if said not in ("", "no"):
        return True
    if any(part.value(name).lower() not in ("", "no") for name in _AUTOMATIC_HEADERS):
        return True
    precedence = part.value("Precedence").lower()
    if precedence in _MACHINES or (precedence == "list" and part.headers.get("List-Id")):
        return True
    if part.kind == "multipart/report" or part.kind == "message/disposition-notification":
        return True
    return _came_from_nobody(part) or _AUTOMATIC_SUBJECT.match(folded(part.value("Subject"))) is not None


def is_calendar_reply(part: Part) -> bool:
    """Whether a part says by itself that somebody comes or does not."""
    return part.kind == "text/calendar" and part.parameter("method").lower() in (
        "reply",
        "counter",
        "refresh",
    )


def is_encrypted(part: Part) -> bool:
    """Whether a part is for whoever has a key; one that is merely signed is not, unless it is packed too."""
    if part.kind == "multipart/encrypted":
        return True
    return part.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime")


def holds_cipher(text: str) -> bool:
    """Whether a writer’s own text is a message of PGP’s."""
    return _PGP.search(text) is not None


def is_spam(part: Part) -> bool:
    """Whether a server on the way marked it so."""
    return any(_IS_SPAM.match(value) for name in _SPAM for value in part.values(name))
