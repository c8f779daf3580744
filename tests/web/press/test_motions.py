"""A public proposal is argued for and answered in letters to everybody that name it."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.game_settings import LandlessSeatRule, PressSetting
from talleyrand.web.games.models import Game
from talleyrand.web.press import message_actions, proposal_refs
from talleyrand.web.press.models import Message, MessageState
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests.web.api.asking import program
from tests.web.built_once import built_once
from tests.web.cast import BEGUN, MASTER, OBSERVER, client_of, member, person
from tests.web.games.states import UN, begun, fresh, hand_in, played, player
from tests.web.games.test_politics_pages import PACE, page
from tests.web.press.post import SCRIPT, address, form, opening, send

pytestmark = pytest.mark.django_db
ARGUMENT, ANSWER = "Moscou a tenu parole.", "Moscou n’a rien tenu."
ABOUT = "3.1.UMAR"
UMAR, INDE = "Union du Maghreb arabe", "Union indienne"


@built_once
def proposed(**terms: Any) -> Game:
    """Autumn 2001: UMAR has proposed that confidence be given to RUSS; everybody knows."""
    game = begun(rhythm=PACE, **terms)
    played(game)
    played(game)
    hand_in(game, "UMAR", "1A : RUSS")
    return fresh(game)


def debated(game: Game) -> str:
    """What stands under the proposals, on the page of somebody who looks on."""
    if not game.memberships.filter(role="observer").exists():
        member(game, OBSERVER, "observer")
    found = re.search(r'<section class="card debate".*?</section>', page(game, OBSERVER))
    assert found
    return found[0]


def rows(debate: str) -> list[str]:
    """The proposals of a debate."""
    return debate.split('<span class="swatch"')[1:]


def wrote(game: Game, state: str, text: str, about: str = ABOUT, **more: str) -> Any:
    return send(game, player(state) if state != "@" else MASTER, "*", text, about=about, **more)


# the debate


@pytest.mark.long
def test_a_proposal_is_argued_for_and_answered() -> None:
    game = proposed()
    assert proposal_refs.open_proposals(fresh(game)) == [proposal_refs.ProposalRef(3, "1", "UMAR")]
    wrote(game, "UMAR", ARGUMENT)
    played(game, {"INDE": ["1B : CHIN"]})
    wrote(game, "RUSS", ANSWER)
    wrote(game, "@", "zz-secretary")
    motion = {text.split("</strong>")[0].split("<strong>")[1]: text for text in rows(debated(game))}
    umar, inde = (motion[name] for name in (UMAR, INDE))
    key = Message.objects.get(text=ARGUMENT).key
    assert f'<blockquote class="argument" id="letter-{key}"' in umar
    assert "Réponses (2)" in umar
    assert umar.index(ARGUMENT) < umar.index(ANSWER) < umar.index("zz-secretary")
    assert not any(text in inde for text in (ARGUMENT, ANSWER, "zz-secretary", "Réponses"))


@pytest.mark.long
def test_the_board_leads_to_the_form_and_the_letter_comes_back() -> None:
    """As a browser does it: the link, the form with its hidden proposal, the page again."""
    game = proposed()
    links = re.findall(r'<a href="([^"#]*about=[^"#]*)#write">([^<]*)', page(game, player("UMAR")))
    assert [title for _link, title in links] == ["La défendre"]
    client = client_of(player("UMAR"))
    first = client.get(html.unescape(links[0][0]))
    assert f'name="about" value="{ABOUT}"' in first.content.decode()
    assert "Sur la proposition" in first.content.decode()
    client.post(html.unescape(links[0][0]), form(ARGUMENT, about=ABOUT))
    links = re.findall(r'<a href="([^"#]*about=[^"#]*)#write">([^<]*)', page(game, player("RUSS")))
    assert [title for _link, title in links] == ["Répondre à tous"]
    again = client_of(player("RUSS")).get(html.unescape(links[0][0]), follow=True)
    shown = again.content.decode()
    assert ARGUMENT in shown
    assert f'name="about" value="{ABOUT}"' in shown
    assert ARGUMENT in debated(game)


@pytest.mark.long
def test_it_stays_with_the_phase_once_the_turn_is_over() -> None:
    game = proposed()
    wrote(game, "UMAR", ARGUMENT)
    played(game)
    played(game)
    assert proposal_refs.open_proposals(fresh(game)) == []
    for number in (3, 4):
        assert ARGUMENT in page(game, player("INDE"), f"{number}/")
    assert ARGUMENT not in page(game, player("INDE"))


@pytest.mark.long
def test_the_twenty_second_player_answers_as_the_secretary_general() -> None:
    game = proposed(chair=LandlessSeatRule.PLAYER)
    wrote(game, UN, ANSWER)
    assert ANSWER in debated(game)


# who may not


@pytest.mark.parametrize(
    "about", ["3.1.INDE", "3.2.UMAR", "1.1.UMAR", "4.1.UMAR", "zz", "3.1.UMAR\x00", "9" * 70]
)
def test_what_nobody_has_proposed(about: str) -> None:
    game = proposed()
    answer = wrote(game, "RUSS", ANSWER, about)
    assert answer.status_code == 409
    assert "Cette proposition n’existe pas, ou les voix en sont déjà" in html.unescape(
        answer.content.decode()
    )
    assert ANSWER in html.unescape(answer.content.decode())
    assert not Message.objects.exists()


def test_a_draft_is_no_proposal() -> None:
    """Nobody may be told by a refusal, or by its absence, what another has not sent yet."""
    game = begun(rhythm=PACE)
    game.seats.filter(power="UMAR").update(draft_orders=["2 : M MOR ×××"], draft_phase_number=1)
    assert proposal_refs.open_proposals(fresh(game)) == []
    assert wrote(game, "UMAR", ARGUMENT, "1.2.UMAR").status_code == 409


def test_only_what_is_for_everybody() -> None:
    game = proposed()
    written = message_actions.MessageDraft(ANSWER, "RUSS", "a form", proposal_key=ABOUT)
    with pytest.raises(message_actions.MessageRefused, match="about_apart"):
        message_actions.send_message(
            game, person(player("RUSS")), Recipients(ConversationKind.PAIR, ("RUSS", "UMAR")), written, BEGUN
        )


def test_a_link_of_yesterday() -> None:
    game = proposed()
    played(game)
    played(game)
    answer = client_of(player("RUSS")).get(f"{opening(game, '*')}&about={ABOUT}")
    shown = html.unescape(answer.content.decode())
    assert answer.status_code == 200
    assert "Cette proposition n’existe pas, ou les voix en sont déjà" in shown
    assert 'name="about"' not in shown


@pytest.mark.long
def test_without_letters_there_is_no_argument() -> None:
    game = proposed(press=PressSetting.NONE)
    assert wrote(game, "UMAR", ARGUMENT).status_code == 409
    assert "about=" not in debated(game)
    assert "about=" not in page(game, player("UMAR"))


# what letters are under


@pytest.mark.long
def test_a_letter_that_waits_stands_nowhere() -> None:
    game = proposed(press=PressSetting.HELD)
    wrote(game, "UMAR", ARGUMENT)
    letter = Message.objects.get()
    assert letter.state == MessageState.HELD
    for who in (player("UMAR"), player("RUSS"), MASTER):
        assert ARGUMENT not in page(game, who)
    played(game)
    message_actions.release_message(letter, BEGUN)
    assert ARGUMENT in debated(game)


@pytest.mark.long
def test_passed_on_too_late_it_is_about_what_it_was_about() -> None:
    game = proposed(press=PressSetting.HELD)
    wrote(game, "UMAR", ARGUMENT)
    for _phase in range(2):
        played(game)
    while not fresh(game).phase.endswith("P"):
        played(game)
    hand_in(game, "UMAR", "1A : INDE")
    message_actions.release_message(Message.objects.get(), BEGUN)
    assert ARGUMENT not in debated(game)
    assert ARGUMENT in page(game, player("RUSS"), "4/")


@pytest.mark.long
def test_nobody_learns_whose_a_declaration_is() -> None:
    """Not even its writer sees it named here: the screen may be shared."""
    game = proposed(declarations=True)
    wrote(game, "UMAR", "zz-unsigned", unsigned="1")
    for who in (player("UMAR"), player("RUSS"), MASTER):
        told = page(game, who)
        told = told[told.index("zz-unsigned") - 300 : told.index("zz-unsigned")]
        assert "<strong>Sans signature</strong>" in told
    assert "argument" not in debated(game)


def test_a_script_sends_it_too_and_twice_is_once() -> None:
    game = proposed()
    client, sent = client_of(player("UMAR")), form(ARGUMENT, about=ABOUT)
    for _time in range(2):
        assert client.post(opening(game, "*"), sent, headers=SCRIPT).status_code == 200
    played(game)
    played(game)
    assert client.post(opening(game, "*"), sent, headers=SCRIPT).status_code == 200
    assert Message.objects.get().proposal_key == ABOUT


# elsewhere


def test_the_room_its_text_and_its_paper_name_the_proposal() -> None:
    game = proposed()
    wrote(game, "UMAR", ARGUMENT)
    room = Message.objects.get().conversation
    client = client_of(player("INDE"))
    said = "Sur la proposition : Union du Maghreb arabe, vote politique"
    for path in (f"{room.key}/", f"{room.key}/imprimer/", "letters.txt"):
        answer = client.get(address(game, path))
        shown = html.unescape(answer.content.decode()).replace("\u00a0", " ")
        assert answer.status_code == 200, path
        assert said in shown, path


def test_programs_name_it() -> None:
    game = proposed()
    place = f"/games/{game.key}/letters"
    umar, russ = (program(player(state), [Scope.LETTERS]) for state in ("UMAR", "RUSS"))
    about = {"vote": "1", "by": "UMAR"}
    sent = umar.ask("POST", place, {"to": ["*"], "text": ARGUMENT, "about": about})
    assert sent.status_code == 201, sent.content
    assert sent.json()["about"] == {"number": 3, **about}
    russ.ask("POST", place, {"to": ["*"], "text": ANSWER})
    told = russ.get(place).json()["items"]
    assert [one["about"] for one in told] == [{"number": 3, **about}, None]
    for wrong, to in (({"vote": "2", "by": "UMAR"}, ["*"]), (about, ["UMAR"])):
        refused = russ.ask("POST", place, {"to": to, "text": ANSWER, "about": wrong})
        assert refused.status_code == 409
