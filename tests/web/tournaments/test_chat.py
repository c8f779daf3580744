"""A chat hears of a tournament what all may read, once; its address is the director's secret."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.event_acts import FinishEvent, RenameEvent
from talleyrand.tournament.acts.people_acts import ChangePerson
from talleyrand.tournament.acts.round_acts import RevealRound
from talleyrand.tournament.acts.ruling_acts import AddRuling
from talleyrand.tournament.acts.seating_acts import PublishDraft, SwapSeats, UnpublishDraft
from talleyrand.tournament.model import DirectorRuling, RoundState
from talleyrand.web.tournaments import event_journal, private_data, tournament_creation
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.notifications import (
    chat_posts,
    chat_sending,
    chat_settings,
    event_texts,
    notification_sending,
)
from talleyrand.web.tournaments.notifications.chat_settings import ChatRefusal, ChatRequest
from talleyrand.web.tournaments.notifications.models import ChatPost, TournamentChat
from tests.web import cast
from tests.web.tournaments import scene, weekend
from tests.web.webhooks.program import Program, listening

pytestmark = pytest.mark.django_db
ROUND = 3
SECRET = "zz-secret-of-the-chat"


@pytest.fixture
def made() -> Tournament:
    """A weekend whose third draw is not shown yet."""
    event = weekend.event()
    rounds = {**event.rounds, ROUND: replace(event.rounds[ROUND], state=RoundState.DRAFT)}
    made = tournament_creation.create_tournament(replace(event, rounds=rounds), scene.director())
    Tournament.objects.filter(pk=made.pk).update(is_listed=True)
    return Tournament.objects.get(pk=made.pk)


@pytest.fixture
def program(settings: Any) -> Iterator[Program]:
    settings.WEBHOOKS_LOCAL = True
    with listening() as found:
        yield found
    cache.clear()


def chat(made: Tournament, program: Program, form: str = "discord", language: str = "fr") -> TournamentChat:
    return chat_settings.save_chat(made, ChatRequest(f"{program.address}&key={SECRET}", form, language))


def do(made: Tournament, *acts: EventAct) -> None:
    for one in acts:
        event_journal.perform_acts(made, [one], event_journal.JournalActor(scene.director()))
        notification_sending.notify_due_tournaments()


def send(**later: float) -> int:
    return chat_sending.send_due_posts(timezone.now() + timedelta(**later))


def said(program: Program) -> list[str]:
    return [one.told.get("content") or one.told["text"] for one in program.heard]


# what is posted


def test_a_draw_is_posted_when_it_is_shown_and_then_what_changes(made: Tournament, program: Program) -> None:
    chat(made, program)
    assert send() == 0  # nothing of what was before
    do(made, PublishDraft(ROUND))
    assert (send(), send()) == (1, 0)
    (draw,) = said(program)
    assert draw.startswith(
        "**Anjou Feu 2026 – tirage des tables de la ronde 3**\n\n**Table 1 (Salle 1)**\n- Autriche\u00a0: "
    )
    names = [one.name for one in event_of(made).people.values()]
    assert [name for name in names if name not in draw] == []
    assert program.heard[0].told["allowed_mentions"] == {"parse": []}
    do(made, UnpublishDraft(ROUND), PublishDraft(ROUND))
    assert send() == 0
    do(made, SwapSeats(ROUND, 1, "AUSTRIA", 2, "ITALY"))
    send()
    assert said(program)[1].startswith("**Ronde 3, changements\u00a0:**\n- Table 1, Autriche\u00a0: ")
    assert said(program)[1].count("\n") == 2


def test_rulings_standings_and_prizes_as_all_may_read_them(made: Tournament, program: Program) -> None:
    do(made, RevealRound(2, shown=False))
    chat(made, program, "text", "en")
    ruling = DirectorRuling("2026-07-05T10:00:00Z", "Un ordre mal écrit vaut tenir.", ROUND, 2)
    do(made, AddRuling(replace(ruling, text="secret")), AddRuling(replace(ruling, shown=True)))
    do(made, RevealRound(2, shown=True), FinishEvent())
    send()
    first, standings, prizes = said(program)
    assert first == "Ruling, round 3, board 2\nUn ordre mal écrit vaut tenir."
    assert standings.startswith("Anjou Feu 2026 – standings after round 2\n  1. ")
    assert prizes.startswith("Anjou Feu 2026 – prizes\n  1st place: ")
    assert [secret for secret in weekend.SECRETS if secret in "".join(said(program))] == []


def test_a_hidden_round_is_not_posted(made: Tournament, program: Program) -> None:
    do(made, RevealRound(1, shown=False))
    chat(made, program)
    do(made, RenameEvent("Autrement"), FinishEvent())
    assert send() == 0


def test_only_what_is_ticked(made: Tournament, program: Program) -> None:
    chat_settings.save_chat(made, ChatRequest(program.address, "text", "fr", ("prizes",)))
    do(made, PublishDraft(ROUND))
    assert send() == 0


@pytest.mark.parametrize("form", chat_posts.CHAT_FORMATS)
def test_a_name_calls_nobody(made: Tournament, program: Program, form: str) -> None:
    """Whatever signs it is made of, it is read as it was typed."""
    chat(made, program, form)
    known = event_of(made).people[3]
    do(
        made,
        ChangePerson(3, replace(known, name="@everyone *gras* <!channel> & [x](y)")),
        PublishDraft(ROUND),
    )
    send()
    told = program.heard[0].told
    if form == "discord":
        assert "\\@everyone \\*gras\\* \\<!channel\\> & \\[x\\](y)" in told["content"]
        assert told["allowed_mentions"] == {"parse": []}
    elif form == "slack":
        assert "@everyone *gras* &lt;!channel&gt; &amp; [x](y)" in told["text"]
        assert told["mrkdwn"] is False
    else:
        assert "@everyone *gras* <!channel> & [x](y)" in told["text"]


def test_a_long_draw_leaves_in_pieces() -> None:
    parts = ["Titre", *(f"Table {at}\n" + "x" * 150 for at in range(30)), "y" * 4000]
    pieces = event_texts.split_parts(parts, 1900)
    assert max(map(len, pieces)) <= 1900
    assert "".join(pieces).replace("\n", "") == "".join(parts).replace("\n", "")
    assert pieces[0].startswith("Titre\n")


# failures


def test_what_fails_is_tried_again_in_order_and_the_desk_says_so(made: Tournament, program: Program) -> None:
    chat(made, program)
    desk = cast.client_of(cast.MASTER)
    program.status = 500
    do(made, PublishDraft(ROUND), AddRuling(DirectorRuling("2026-07-05T10:00:00Z", "Plus tard.", shown=True)))
    assert (send(), send(), len(program.heard)) == (0, 0, 1)
    for page in ("", "notifications/"):
        shown = desk.get(f"/tournois/{made.key}/bureau/{page}").content.decode()
        assert "le salon a répondu 500. Il sera retenté." in shown
    program.status = 204
    assert send(minutes=1) == 2
    assert [text.partition("\n")[0] for text in said(program)[1:]] == [
        "**Anjou Feu 2026 – tirage des tables de la ronde 3**",
        "**Décision**",
    ]
    assert "Il sera retenté" not in desk.get(f"/tournois/{made.key}/bureau/notifications/").content.decode()


def test_what_nobody_takes_is_given_up(made: Tournament, program: Program) -> None:
    chat(made, program)
    program.status = 500
    do(made, PublishDraft(ROUND))
    later = 0
    while ChatPost.objects.filter(outcome="").exists():
        send(minutes=later)
        later += 61
    assert ChatPost.objects.get().outcome == chat_sending.STALE_NEWS
    assert len(program.heard) == 6
    page = cast.client_of(cast.MASTER).get(f"/tournois/{made.key}/bureau/notifications/").content.decode()
    assert "le salon a répondu 500. Il ne sera plus retenté." in page


def test_who_says_that_it_is_gone_is_asked_no_more(made: Tournament, program: Program) -> None:
    chat(made, program)
    program.status = 404
    do(made, PublishDraft(ROUND))
    send()
    do(made, AddRuling(DirectorRuling("2026-07-05T10:00:00Z", "Encore.", shown=True)))
    assert (send(minutes=5), len(program.heard)) == (0, 1)
    page = cast.client_of(cast.MASTER).get(f"/tournois/{made.key}/bureau/notifications/").content.decode()
    assert "Le salon répond que cette adresse n’est plus valable" in page
    program.status = 204
    chat_settings.resume_chat(made)
    do(made, AddRuling(DirectorRuling("2026-07-05T10:00:00Z", "Enfin.", shown=True)))
    assert send() == 1
    assert said(program)[-1] == "**Décision**\nEnfin."


def test_another_address_hears_nothing_of_the_former(made: Tournament, program: Program) -> None:
    chat(made, program)
    do(made, PublishDraft(ROUND))
    chat_settings.save_chat(made, ChatRequest(f"{program.address}&other=1", "discord", "fr"))
    assert (send(), program.heard) == (0, [])


def test_two_at_once_post_once(made: Tournament, program: Program) -> None:
    one = chat(made, program)
    do(made, PublishDraft(ROUND))
    TournamentChat.objects.filter(pk=one.pk).update(
        claimed_by="other", claimed_until=timezone.now() + timedelta(minutes=1)
    )
    assert send() == 0
    assert send(minutes=2) == 1  # whoever had it has died


# the address


WRONG = (
    "", "http://example.org/x", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.7/hook", "discord",
    "https://a.internal/x", "https://169.254.169.254/latest", "https://u:p@example.org/", "https://a b.org/",
    "https://example.org:22/", f"https://example.org/{'x' * 500}", "https://0x7f000001/",
)  # fmt: skip


def test_an_address_that_leads_nowhere_comes_back_with_the_reason(made: Tournament) -> None:
    desk = cast.client_of(cast.MASTER)
    for typed in WRONG:
        form = {"press": "chat", "address": typed, "form": "slack", "language": "en", "kind": ["prizes"]}
        answer = desk.post(f"/tournois/{made.key}/bureau/notifications/", form)
        page = answer.content.decode()
        assert answer.status_code == 409, typed
        assert 'class="refusal"' in page, typed
        assert '<option value="slack" selected>' in page, typed
        assert not TournamentChat.objects.exists(), typed
        with pytest.raises(ChatRefusal):
            chat_settings.save_chat(made, ChatRequest(typed, "slack"))


GOOD = {"press": "chat", "address": "https://example.org/x", "form": "slack", "language": "fr"}
HALF: tuple[dict[str, str], ...] = (
    {"press": "chat"},
    {"press": "trial"},
    {**GOOD, "form": "carrier pigeon"},
    {**GOOD, "language": "la"},
    {**GOOD, "address": "https://example.org/x\0", "kind": "x"},
)


def test_half_a_form_keeps_nothing(made: Tournament) -> None:
    desk = cast.client_of(cast.MASTER)
    for form in HALF:
        assert desk.post(f"/tournois/{made.key}/bureau/notifications/", form).status_code == 409, form
        assert not TournamentChat.objects.exists(), form


def test_a_trial_and_no_more_than_ten(made: Tournament, program: Program) -> None:
    chat(made, program)
    desk, way = cast.client_of(cast.MASTER), f"/tournois/{made.key}/bureau/notifications/"
    assert desk.post(way, {"press": "trial"}).status_code == 302
    assert desk.post(way, {"press": "trial"}).status_code == 409  # one is on its way
    send()
    assert said(program) == [
        "Tout fonctionne\u00a0: les annonces du tournoi (Anjou Feu 2026) seront publiées ici."
    ]
    for _again in range(chat_settings.TEST_LIMIT[0] - 1):
        assert desk.post(way, {"press": "trial"}).status_code == 302
        send()
    assert "Dix tests" in desk.post(way, {"press": "trial"}).content.decode()


def test_nobody_but_the_director_is_shown_the_address(
    made: Tournament, program: Program, caplog: pytest.LogCaptureFixture
) -> None:
    chat(made, program)
    scene.assistant(made)
    program.status = 500
    caplog.set_level(logging.DEBUG)
    do(made, PublishDraft(ROUND))
    send()
    assert SECRET not in caplog.text
    way = f"/tournois/{made.key}/bureau/notifications/"
    assert SECRET in cast.client_of(cast.MASTER).get(way).content.decode()
    for client in (cast.client_of(cast.ASSISTANT), cast.client_of(cast.STRANGER), Client()):
        assert client.get(way).status_code == client.post(way, {"press": "remove"}).status_code == 404
    assert TournamentChat.objects.exists()
    fresh = Tournament.objects.get(pk=made.pk)
    assert SECRET not in json.dumps([fresh.document, *fresh.entries.values_list("acts", "changes")])
    archive = cast.client_of(cast.MASTER).get(reverse("tournaments:paper_archive", args=[made.key]))
    assert archive.status_code == 200
    assert (
        SECRET.encode() not in b"".join(archive)
        if archive.streaming
        else SECRET.encode() not in archive.content
    )


@pytest.mark.long
def test_it_is_forgotten_with_what_is_private(made: Tournament, program: Program) -> None:
    chat(made, program)
    do(made, PublishDraft(ROUND), FinishEvent())
    page = cast.client_of(cast.MASTER).get(f"/tournois/{made.key}/bureau/oublier/").content.decode()
    assert "l’adresse du salon" in page
    private_data.forget_private_data(made, event_journal.JournalActor(scene.director()))
    assert (TournamentChat.objects.count(), ChatPost.objects.count()) == (0, 0)


# without internet


@pytest.mark.parametrize("style", ["text", "markdown", "wiki"])
def test_a_draw_as_text_by_board_and_by_name(made: Tournament, style: str) -> None:
    desk, way = cast.client_of(cast.MASTER), f"/tournois/{made.key}/bureau/ronde/{ROUND}/texte/"
    assert "n’est pas encore publié" in desk.get(way).content.decode()
    do(made, PublishDraft(ROUND))
    page = desk.get(way, {"style": style, "language": "en"}).content.decode()
    text = page.partition('class="desk-written">')[2].partition("</textarea>")[0]
    heading = {
        "text": "Board 1 (Salle 1)",
        "markdown": "**Board 1 (Salle 1)**",
        "wiki": "=== Board 1 (Salle 1) ===",
    }
    assert heading[style] in text
    assert "By name" in text
    assert "Austria" in text
    assert "Sitting out" in text
    assert desk.get(way, {"style": "zz", "language": "zz"}).status_code == 200
    assert Client().get(way).status_code == 404
    assert desk.get(f"/tournois/{made.key}/bureau/ronde/9/texte/").status_code == 404
