"""Every button: done, sent twice, by an assistant, by somebody who has no business here, badly filled in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from talleyrand.tournament import codec
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments import access_tokens, event_journal
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.tournaments.desk.button import Button
from tests.web.tournaments.desk.buttons import BUTTONS
from tests.web.tournaments.desk.director import Desk, refusal

At = Callable[[str], Desk]
EVERY = pytest.mark.parametrize("button", BUTTONS, ids=lambda one: one.name)
DIRECTOR_S = pytest.mark.parametrize(
    "button", [one for one in BUTTONS if not one.helps], ids=lambda one: one.name
)
WANTING = pytest.mark.parametrize("button", [one for one in BUTTONS if one.needs], ids=lambda one: one.name)
NONSENSE = ("🙂 אב", "9" * 30, "'; DROP TABLE", "\x07", "-1", "a" * 30_000)
WORDS = (
    "name",
    "text",
    "why",
    "lot",
    "minutes",
    "value",
)  # what is right here though it is none of the above


@pytest.mark.one_in(4)
@EVERY
def test_it_does_what_it_says_once_and_can_be_taken_back(at: At, helping: At, button: Button) -> None:
    desk = helping(button.stage) if button.helps else at(button.stage)
    before, fields = desk.event, {**button.fields(desk.event), "submission": "a form"}
    answer = desk.post(button.page, *button.args, **fields)
    assert answer.status_code == 302, refusal(answer)
    after, entry = desk.event, desk.made.entries.latest("number")
    assert button.done(after), button.name
    again = desk.post(button.page, *button.args, **fields)
    assert again.status_code in (302, 404), refusal(again)  # the page of what is removed is gone
    assert desk.event == after
    desk.post("desk_entry", entry.number, press=f"undo?entry={entry.number}")
    assert codec.write_value(desk.event) == codec.write_value(before)


@pytest.mark.one_in(3)
@DIRECTOR_S
def test_an_assistant_is_told_that_the_director_alone_does_it(helping: At, button: Button) -> None:
    desk = helping(button.stage)
    before = desk.event
    answer = desk.post(button.page, *button.args, **button.fields(before))
    assert answer.status_code == 403
    assert refusal(answer) == "Seul le directeur peut faire cela."
    assert desk.event == before


@pytest.mark.parametrize("who", ["a player", "a stranger", "nobody"])
def test_for_all_others_no_page_exists_and_no_button_works(at: At, who: str) -> None:
    desk = at("playing")
    Tournament.objects.filter(pk=desk.made.pk).update(is_listed=True)
    access_tokens.token_of(desk.made, 2)
    desk.made.passes.update(account=cast.person("Flora"))
    before, browser = desk.event, Client()
    if who != "nobody":
        browser = cast.client_of("Flora" if who == "a player" else cast.STRANGER)
    pages = {(button.page, button.args): button for button in BUTTONS}
    for (page, args), button in pages.items():
        assert browser.get(desk.address(page, *args)).status_code == 404
        assert browser.post(desk.address(page, *args), button.fields(before)).status_code == 404
    assert desk.event == before


@pytest.mark.one_in(4)
@WANTING
def test_half_a_form_is_refused_with_a_sentence(at: At, button: Button, full: bool) -> None:
    desk = at(button.stage)
    before, fields = desk.event, button.fields(desk.event)
    for field in button.needs if full else button.needs[:1]:
        half = {name: value for name, value in fields.items() if name != field}
        answer = desk.post(button.page, *button.args, **half)
        assert answer.status_code == 409, (button.name, field)
        assert refusal(answer)
    assert desk.event == before


@pytest.mark.one_in(4)
@WANTING
def test_nonsense_never_breaks_a_page_nor_an_event(at: At, button: Button, full: bool) -> None:
    desk = at(button.stage)
    before, fields = desk.event, button.fields(desk.event)
    for place, field in enumerate(button.needs if full else button.needs[-1:]):
        several = NONSENSE if full else (NONSENSE[(place + len(button.name)) % len(NONSENSE)],)
        for nonsense in several:
            answer = desk.post(button.page, *button.args, **{**fields, field: nonsense})
            assert answer.status_code == 409 or (answer.status_code == 302 and field.endswith(WORDS)), (
                nonsense
            )
            _back(desk, before)


def test_a_button_that_nobody_knows(at: At) -> None:
    desk = at("planned")
    for name in (
        "",
        "burn",
        "undo",
        "drawn?round=1",
        "arrived?round=99&person=99",
        "announced?x=1",
        "arrived?" + "a=1&" * 200,
    ):
        answer = desk.post("desk", press=name)
        assert answer.status_code in (302, 409), name


def _back(desk: Desk, before: Event) -> None:
    """As it was, for the next try."""
    if desk.event != before:
        event_journal.undo_entry(
            desk.made, desk.made.entries.latest("number").number, event_journal.JournalActor()
        )
    assert desk.event == before
