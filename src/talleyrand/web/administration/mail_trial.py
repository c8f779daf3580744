"""A message by a mail server that was just typed; what went wrong, in words one can act on."""

from __future__ import annotations

import smtplib
import socket
import ssl
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.settings.mail_server import SENDS

SECONDS = 10
LONGEST_REPLY = 200
Fault = type[BaseException]
# The first that fits: the narrower before the wider.
FAULTS: tuple[tuple[Fault | tuple[Fault, ...], Promise], ...] = (
    (smtplib.SMTPAuthenticationError, _("The server refused the user name or the password.")),
    (smtplib.SMTPRecipientsRefused, _("The server refused the address of the test message.")),
    (
        smtplib.SMTPSenderRefused,
        _("The server refused the sender: use an address of your provider’s."),
    ),
    (
        smtplib.SMTPNotSupportedError,
        _("The server doesn’t support this: try another encryption, or no user name."),
    ),
    (
        (ssl.SSLError, smtplib.SMTPServerDisconnected),
        _("The connection could not be encrypted: try another encryption or port."),
    ),
    (smtplib.SMTPException, _("The server refused the message.")),
    (socket.gaierror, _("No server has this name.")),
    (TimeoutError, _("The server doesn’t answer: check its name and port, and the firewall.")),
    (ConnectionRefusedError, _("Nothing answers at this port: try another port.")),
    (OSError, _("The server could not be reached.")),
    (UnicodeError, _("No server has this name.")),
)


def send_test_message(server: dict[str, Any], sender: str, address: str) -> str:
    """Send it now; "" where the server took it, or else why it did not."""
    subject = str(_("Test message from %(site)s") % {"site": settings.SITE_NAME})
    text = _("Email works: this message was sent by %(site)s.") % {"site": settings.SITE_NAME}
    line = get_connection(SENDS, timeout=SECONDS, **server)
    try:
        EmailMessage(subject, f"{text}\n", sender, [address], connection=line).send()
    except (smtplib.SMTPException, OSError, UnicodeError) as problem:
        return _in_words(problem)
    return ""


def _in_words(problem: Exception) -> str:
    said = next(str(sentence) for kind, sentence in FAULTS if isinstance(problem, kind))
    if isinstance(problem, smtplib.SMTPResponseException):
        reply = problem.smtp_error
        told = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else str(reply)
        return f"{said} ({problem.smtp_code} {' '.join(told.split())[:LONGEST_REPLY]})"
    return said
