"""Every end of a mail is said, in both languages."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from talleyrand.web.mail.coded_sentences import sentence_table
from talleyrand.web.mail.inbound import outcome_texts
from talleyrand.web.mail.mail_outcomes import MailOutcome


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_outcome_is_said(language: str) -> None:
    with override(language):
        said = {outcome: outcome_texts.outcome_text(outcome) for outcome in MailOutcome}
        waiting = outcome_texts.outcome_text("")
    assert set(sentence_table()["outcome"]) == {*MailOutcome, "waiting"}
    assert len({*said.values(), waiting}) == len(MailOutcome) + 1
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in said.values())


def test_french_is_french() -> None:
    spoken = []
    for language in ("fr", "en"):
        with override(language):
            spoken.append({outcome_texts.outcome_text(outcome) for outcome in MailOutcome})
    assert not spoken[0] & spoken[1]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_is_answered(language: str) -> None:
    """Whoever takes a mail answers it; automatic replies and loops are never answered."""
    answered = {"encrypted", "unreadable", "spam", "revoked", "fault"}
    with override(language):
        found = {outcome: outcome_texts.outcome_reply(outcome) for outcome in MailOutcome}
    assert {outcome for outcome, answer in found.items() if answer} == answered
    for answer in filter(None, found.values()):
        assert answer.subject
        assert max(map(len, answer.text.splitlines())) <= 72
