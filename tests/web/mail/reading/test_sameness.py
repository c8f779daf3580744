"""Which mails are one that came twice, and which are two."""

from __future__ import annotations

from talleyrand.web.mail.parsing import content_digest

MAIL = (
    b"Message-ID: <1@x.fr>\r\nDate: Fri, 6 Mar 2026 12:00:00 +0000\r\nSubject: Ordres\r\n\r\nA Par - Bou\r\n"
)
RESENT = b"Resent-Date: Fri, 6 Mar 2026 %d:00:00 +0000\r\nResent-Message-ID: <%d@x.fr>\r\n"


def test_the_way_makes_no_difference() -> None:
    again = b"Received: by b; Fri, 6 Mar 2026 13:00:00 +0000\r\nX-Spam-Score: 1\r\nTo: x@y.fr\r\n" + MAIL
    assert content_digest(again) == content_digest(MAIL)


def test_the_number_of_another_mail() -> None:
    assert content_digest(MAIL.replace(b"Bou", b"Gas")) != content_digest(MAIL)


def test_sent_again_by_hand() -> None:
    """Old orders that are to count once more, as our answers ask for; on its way that mail is one too."""
    first, second = (RESENT % (hour, hour) + MAIL for hour in (13, 14))
    assert len({content_digest(MAIL), content_digest(first), content_digest(second)}) == 3
    assert content_digest(b"Received: by b; Fri, 6 Mar 2026 15:00:00 +0000\r\n" + first) == content_digest(
        first
    )
