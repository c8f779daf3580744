"""Orders by mail that would tell who wrote them: what is published of a sheet names nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from talleyrand.web.boards import order_drafts
from talleyrand.web.games import order_submission
from talleyrand.web.games.models import Game
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.mailed_orders import order_parsing
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing, subscription_sweep
from tests.web.cast import OBSERVER, client_of, person, table
from tests.web.games.acting import HOUR, SECOND, all_hand_in, due, fresh, hand_in, sweep_at_deadline
from tests.web.games.phases import SLOW

from .correspondents import address_of, correspond, everybody
from .orders import box
from .test_sheets import BUILDS, REMOVALS, RETREATS, SPRING, question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

TELLING = (
    "F. Kerbrat - Brest",
    "F. Brest - Flora Kerbrat",
    "A Par - Bur, Flora",
    "A Par - Bur Flora Kerbrat 06 12 34 56 78",
    "A Par - flora.kerbrat@exemple-flora.fr",
    "A Mar S A Par - flora",
    "A Par - Bur, KERBRAT",
    "A Par - Ker\u00adbrat",
    "A Par - Bur 12 rue de la Paix, 29200",
    "A Par - Bur +33 6 12 34 56 78",
    "A Mar S A Par - Bur https://facebook.com/f.k",
    "A Par - Bur si Flora vient",
)
SECRETS = ("flora", "kerbrat", "6 12 34", "rue de la paix", "facebook")


@pytest.fixture
def game() -> Game:
    made = table(rulebook="play_by_mail_001", rhythm=SLOW)
    everybody()
    return made


def mailed(game: Game, *lines: str, sender: str = "Flora Kerbrat") -> InboundDelivery:
    """What came of a mail with these lines, as it came."""
    text = "\n".join(lines)
    raw = (
        f"From: {sender} <{address_of('Flora')}>\nMessage-ID: <{len(text)}@ici>\nSubject: Ordres\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{text}\n"
    )
    opened = fresh(game).phase_opened_at
    assert opened is not None
    message = inbound_storage.store_email(raw.encode(), [box(game)], "", opened + HOUR)
    inbound_processing.process_due_mail(timezone.now())
    return InboundDelivery.objects.get(email=message)


def sheet(game: Game) -> list[str]:
    now = fresh(game)
    found = order_submission.counting_order_sets(now, now.phase_number).get("FRANCE")
    return list(found.lines) if found else []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("line", TELLING)
def test_a_bad_line_that_names_its_writer_is_set_aside_and_told(game: Game, line: str) -> None:
    row = mailed(game, "F Bre - MAO", line)
    assert row.outcome == MailOutcome.TAKEN
    assert sheet(game) == ["F Bre - MAO"]
    answer = OutboundEmail.objects.get(kind="answer").text
    assert (
        "Ignoré (révélerait à tous qui vous êtes)" in answer or "Ignoré (ce ne sont pas des ordres)" in answer
    )
    assert f"| {line.split(maxsplit=1)[0]}" in answer


@pytest.mark.parametrize(
    "line", ["A Par - Bur (Flora)", "A Par - Bur # Flora Kerbrat", "A Par - Bur [kerbrat 06 12 34 56 78]"]
)
def test_of_a_good_line_the_order_alone_is_kept(game: Game, line: str) -> None:
    mailed(game, line)
    assert sheet(game) == ["A PAR - BUR"]


def test_a_badly_written_order_that_names_nobody_stays(game: Game) -> None:
    lines = [
        "A Par - Brug",
        "A Pras - Bur",
        "A. Pariss - Bur",
        "F. Noth Sea - Bel",
        "A Mar S A Par - Bur svp",
        "F Xyzt - Bre",
    ]
    mailed(game, *lines)
    assert sheet(game) == lines


def test_an_initial_and_an_unknown_name_are_no_order(game: Game) -> None:
    """Nobody knows here what he is called in life: his mail has no name."""
    mailed(game, "A Par - Bur", "A. Martineau - Paris", "F. Dupont, Brest", sender="")
    assert sheet(game) == ["A Par - Bur"]


def test_nothing_but_telling_lines_is_no_sheet(game: Game) -> None:
    hand_in(game, "FRANCE", ["A PAR - GAS"])
    assert mailed(game, *TELLING[:4]).outcome == MailOutcome.NO_ORDERS
    assert sheet(game) == ["A PAR - GAS"]


def test_late_lines_that_wait_name_nobody(game: Game) -> None:
    text = "\n".join(["F Bre - MAO", *TELLING])
    raw = f"From: Flora Kerbrat <{address_of('Flora')}>\nMessage-ID: <l@ici>\n\n{text}\n".encode()
    inbound_storage.store_email(raw, [box(game)], "", due(game) + SECOND)
    inbound_processing.process_due_mail(timezone.now())
    row = InboundDelivery.objects.get()
    assert (row.outcome, row.facts["lines"]) == (MailOutcome.LATE, ["F Bre - MAO"])


@pytest.mark.long
def test_what_is_published_names_nobody(game: Game) -> None:
    """Every page, file and mail that others get of a phase."""
    for name in ("Edmond", OBSERVER):
        subscribing.subscribe(game, correspond(name))
    mailed(game, "A Par - Bur (Flora Kerbrat)", *TELLING, "A. Flora - Paris")
    all_hand_in(game, but=["FRANCE"])
    sweep_at_deadline(game)
    subscription_sweep.queue_due_mail(timezone.now() + timedelta(days=30))
    base = f"/parties/{game.key}/"
    for name in ("Edmond", OBSERVER):
        for page in ("", "1/", "2/", "1/report/", "1/scene.json", "1/map.svg", "game.json", "game.txt"):
            answer = client_of(name).get(base + page)
            assert answer.status_code == 200, page
            shown = answer.content.decode().lower()
            assert not [secret for secret in SECRETS if secret in shown], page
    told = OutboundEmail.objects.exclude(person=person("Flora"))
    assert told.filter(kind="report").exists()
    for departure in told:
        assert not [secret for secret in SECRETS if secret in f"{departure.subject} {departure.text}".lower()]


@pytest.mark.parametrize(
    ("situation", "text"),
    [
        (SPRING, "A Par S A Mar - Bur (Flora)"),
        (RETREATS, "A Par - Pic (Flora)"),
        (RETREATS, "A Par D (Flora)"),
        (BUILDS, "F Bre (Flora)"),
        (BUILDS, "+ A Par # Flora"),
        (BUILDS, "build A Mar (Flora)"),
        (REMOVALS, "- A Bur (Flora)"),
        (REMOVALS, "D F MAO # Flora"),
    ],
)
def test_the_order_alone_is_read_as_the_line_was(situation: dict[str, object], text: str) -> None:
    asked = question(situation)
    plain = order_parsing.parse_orders(text, asked, "FRANCE")
    bare = order_parsing.parse_orders(text, asked, "FRANCE", lambda line: "Flora" in line)
    before, after = (order_drafts.read_draft(asked, {"FRANCE": list(one.orders)}) for one in (plain, bare))
    assert "Flora" in plain.orders[0]
    assert "Flora" not in bare.orders[0]
    assert [one.order for one in before] == [one.order for one in after]
    assert [one.is_followed for one in before] == [one.is_followed for one in after]
