"""Whether two mails are one that came twice."""

from __future__ import annotations

import hashlib

from .mime_parts import parse_mime

NAMED = ("Message-ID", "Date", "From", "Subject")
SENT_AGAIN = ("Resent-Message-ID", "Resent-Date")


def content_digest(raw: bytes) -> str:
    """A code of 64 characters, the same for a mail that was sent again on its way. Never raises.

    It takes in what the writer’s program wrote, and neither the trace of the way nor the recipient. One that
    somebody sends again by his own hand (mutt’s “bounce”) is another mail. A mail with neither a date nor a
    number of its own is told from others by the first hop of its way.
    """
    part = parse_mime(bytes(raw))
    told = [" ".join(part.headers.get(name, "").split()) for name in NAMED]
    told += [f"{name}: {part.headers[name]}" for name in SENT_AGAIN if name in part.headers]
    if not told[0] and not told[1]:
        told.append("".join(part.headers.get_all("Received", [])[-1:]))
    digest = hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass"))
    digest.update(b"\n\n" + part.body.rstrip())
    return digest.hexdigest()
