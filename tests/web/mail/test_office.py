"""The post office of the tests: what it keeps is what was handed in, and it refuses when told to."""

from __future__ import annotations

import smtplib

import pytest

from .office import HOST, Office, open_office, submit

THERE = "flora@exemple.fr"


@pytest.fixture
def alone() -> object:
    with open_office() as found:
        yield found


def test_it_keeps_the_bytes(alone: Office) -> None:
    raw = b"Subject: x\r\n\r\n.un point\r\ncaf\xc3\xa9\r\n"
    assert submit(alone.port, [THERE, "edmond@exemple.fr"], raw, sender="a@b.fr").is_taken
    (item,) = alone.items
    assert (item.data, item.envelope) == (raw, "a@b.fr")
    assert item.to == (THERE, "edmond@exemple.fr")
    assert item.greeting == "relais.exemple.fr"


def test_it_refuses_one_and_takes_the_other(alone: Office) -> None:
    alone.refuse("RCPT", to=THERE)
    taken = submit(alone.port, [THERE, "edmond@exemple.fr"], "Bonjour", subject="Été")
    assert taken.rcpt[THERE] == (550, "5.1.1 Nobody here")
    assert not taken.is_taken
    assert [item.to for item in alone.items] == [("edmond@exemple.fr",)]
    assert alone.items[0].mail["Subject"] == "Été"


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
def test_it_refuses_for_a_while(alone: Office, stage: str) -> None:
    alone.refuse(stage, "451 Later", times=1)
    assert not submit(alone.port, THERE, "Bonjour").is_taken
    assert alone.items == []
    assert submit(alone.port, THERE, "Bonjour").is_taken


def test_it_hangs_up_after_it_has_kept(alone: Office) -> None:
    alone.drops = 1
    with pytest.raises(smtplib.SMTPServerDisconnected):
        submit(alone.port, THERE, "Bonjour")
    assert len(alone.wait(1)) == 1


def test_a_password_is_checked(alone: Office) -> None:
    with smtplib.SMTP(HOST, alone.port) as line, pytest.raises(smtplib.SMTPAuthenticationError):
        line.login("site", "un autre")
