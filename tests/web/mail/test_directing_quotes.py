"""Whatever a player writes in a letter asks for nothing when the game master answers the mail with it.

The mail is ours as it leaves, the answer is laid out as mail programs do: with marks and without, above,
below and in between.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from django.utils import timezone

from talleyrand.web.games.models import Game, GameState
from talleyrand.web.mail.conversations import message_relay
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.mail.outbound import message_builder
from talleyrand.web.mail.parsing.quote_detection import REPLY_ABOVE
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.press.models import Message, MessageState
from tests.web.built_once import built_once
from tests.web.cast import MASTER, person
from tests.web.games.acting import fresh
from tests.web.mail.correspondents import DOMAIN
from tests.web.mail.masters import directed, hold, led

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

ANSWER = "passez 2"
BOX = f"La table ronde <arbitre-{'a' * 32}@{DOMAIN}>"
FRENCH = f"Le ven. 6 mars 2026 à 19:02, {BOX} a écrit :"
ENGLISH = f"On 6 Mar 2026, at 19:02, {BOX} wrote:"
OUTLOOK = f"De : {BOX}\nEnvoyé : vendredi 6 mars 2026 19:02\nÀ : maelle@exemple.fr\nObjet : Lettre 1"
OUTLOOK_EN = f"From: {BOX}\nSent: Friday, March 6, 2026 7:02 PM\nTo: maelle@exemple.fr\nSubject: Letter 1"
COMMANDS = ("passez tout", "pause", "publiez quand même", "rendez 2 : non", "gazette : Je gagne")

Mail = EmailMessage
Layout = Callable[[str], Mail]


def plain(text: str) -> Mail:
    mail = EmailMessage()
    mail["From"] = "Maëlle Quéméner <maelle@exemple.fr>"
    mail["To"] = f"arbitre-{'a' * 32}@{DOMAIN}"
    mail["Subject"] = "Re: Lettre 1"
    mail["Message-ID"] = "<reponse@exemple.fr>"
    mail.set_content(text)
    return mail


def both(text: str, page: str) -> Mail:
    mail = plain(text)
    mail.add_alternative(f"<html><body>{page}</body></html>", subtype="html")
    return mail


def page_only(page: str) -> Mail:
    mail = plain("")
    mail.set_content(f"<html><body>{page}</body></html>", subtype="html")
    return mail


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    """Marked by a program that wraps what it has marked, and leaves the tails of the lines without."""
    lines = [textwrap.wrap(line, width) or [""] for line in marked(text).splitlines()]
    return "\n".join(part for several in lines for part in several)


def divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())


def moved(text: str) -> str:
    """As a web page shows it, where blanks at the start of a line are none."""
    return "\n".join(line.strip() for line in text.splitlines())


ABOVE: dict[str, Layout] = {
    "gmail": lambda ours: plain(f"{ANSWER}\n\n{FRENCH}\n\n{marked(ours)}\n"),
    "gmail, wrapped introduction": lambda ours: plain(
        f"{ANSWER}\n\n{FRENCH.replace('a écrit', chr(10) + 'a écrit')}\n\n{marked(ours)}\n"
    ),
    "gmail, both": lambda ours: both(
        f"{ANSWER}\n\n{FRENCH}\n\n{marked(ours)}\n",
        f'<div dir="ltr">{divs(ANSWER)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{html.escape(FRENCH)}<br></div><blockquote class="gmail_quote">{divs(ours)}</blockquote></div>',
    ),
    "gmail, page only": lambda ours: page_only(
        f'<div dir="ltr">{divs(ANSWER)}</div>'
        f'<div class="gmail_quote"><blockquote>{divs(ours)}</blockquote></div>'
    ),
    "outlook desktop": lambda ours: plain(f"{ANSWER}\n\n \n\n{OUTLOOK}\n\n \n\n{ours}\n"),
    "outlook desktop, blanks lost": lambda ours: plain(f"{ANSWER}\n\n{OUTLOOK_EN}\n\n{moved(ours)}\n"),
    "outlook, original message": lambda ours: plain(
        f"{ANSWER}\n\n-----Message d’origine-----\n{OUTLOOK}\n\n{moved(ours)}\n"
    ),
    "outlook web, page": lambda ours: page_only(
        f'<div class="elementToProof">{divs(ANSWER)}</div><div id="appendonsend"></div><hr>'
        f'<div id="divRplyFwdMsg">{divs(OUTLOOK)}</div><div>{divs(ours)}</div>'
    ),
    "apple mail": lambda ours: plain(
        f"{ANSWER}\n\n> Le 6 mars 2026 à 19:02, {BOX} a écrit :\n> \n{marked(ours)}\n"
    ),
    "ios, unmarked": lambda ours: plain(f"{ANSWER}\n\nSent from my iPhone\n\n{ENGLISH}\n\n{moved(ours)}\n"),
    "orange, unmarked": lambda ours: plain(
        f"{ANSWER}\n\n> Message du 06/03/26 19:02\n> De : {BOX}\n\n{moved(ours)}\n"
    ),
    "k-9, marks of another kind": lambda ours: plain(f"{ANSWER}\n\n{FRENCH}\n{marked(ours, '| ')}\n"),
    "mutt, wrapped at 72": lambda ours: plain(f"{ANSWER}\n\n{ENGLISH}\n{wrapped(ours, 72)}\n"),
    "wrapped at 76": lambda ours: plain(f"{ANSWER}\n\n{FRENCH}\n{wrapped(ours, 76)}\n"),
    "no introduction": lambda ours: plain(f"{ANSWER}\n\n{ours}\n"),
    "no introduction, blanks lost": lambda ours: plain(f"{ANSWER}\n{moved(ours)}\n"),
    "no introduction, page": lambda ours: page_only(f"{divs(ANSWER)}{divs(ours)}"),
    "our line damaged": lambda ours: plain(
        f"{ANSWER}\n\n{moved(ours).encode().decode('cp1252', 'replace')}\n"
    ),
    "our line gone": lambda ours: plain(f"{ANSWER}\n\n{FRENCH}\n\n{moved(ours.replace(REPLY_ABOVE, ''))}\n"),
}
BELOW: dict[str, Layout] = {
    "thunderbird": lambda ours: plain(f"{FRENCH}\n{marked(ours)}\n\n{ANSWER}\n"),
    "in between": lambda ours: plain(f"{FRENCH}\n{marked(ours)}\n\n{ANSWER}\n\n{marked(ours)}\n"),
}
LOST: dict[str, Layout] = {
    "below, unmarked": lambda ours: plain(f"{ours}\n\n{ANSWER}\n"),
    "below, unmarked, blanks lost": lambda ours: plain(f"{OUTLOOK}\n\n{moved(ours)}\n\n{ANSWER}\n"),
}
LETTERS = {
    "plain": "\n".join(COMMANDS),
    "after a feigned end": "Bien à vous\n\n-- \n" + "\n".join(COMMANDS),
    "below our own line": f"{REPLY_ABOVE}\n\n" + "\n".join(COMMANDS),
    "above our own line": "\n".join(COMMANDS) + f"\n\n{REPLY_ABOVE}",
    "feigned answer": f"{FRENCH}\n> Bonjour\n\n" + "\n".join(COMMANDS),
    "feigned original": "-----Message d’origine-----\n" + "\n".join(f"\n{one}\n" for one in COMMANDS),
    "feigned marks": "> Oui\n" + "\n".join(COMMANDS) + "\n> Non",
    "other blanks": "\n".join(f"\u00a0\u2003{one}" for one in COMMANDS) + "\u2028pause\u2028",
    "tails": "\n".join(
        f"{'mot ' * 30}"[: length - len(one)].rstrip().ljust(length - len(one) - 1, "x") + f" {one}"
        for length in range(64, 74)
        for one in ("pause", "publiez")
    ),
}


def sent(game: Game, letter: Message) -> str:
    """Our mail to the game master that holds the letter, as it reaches him."""
    correspondent = subscribing.subscribe(game, person(MASTER))
    assert message_relay.queue_held(letter, correspondent)
    departure = OutboundEmail.objects.get(idempotency_key=f"held:{letter.pk}", person=person(MASTER))
    OutboundEmail.objects.filter(pk=departure.pk).update(sent_at=timezone.now())
    mail = message_from_bytes(
        message_builder.build_email(departure, "maelle@exemple.fr").data, policy=policy.default
    )
    text = str(mail.get_content())
    assert text.startswith(REPLY_ABOVE)
    return text


@built_once
def scene(hostile: str) -> tuple[Game, str]:
    """A game with two letters that wait; in the first of them a player gives commands."""
    game = led()
    letter = hold(game, hostile)
    ours = sent(game, letter)
    sent(game, hold(game, "Une lettre"))
    return game, ours


def untouched(game: Game) -> bool:
    now = fresh(game)
    return (now.phase_number, now.state, now.deadline) == (
        1,
        GameState.PLAYING,
        game.deadline,
    ) and not now.gazettes.exists()


def fates(game: Game) -> list[str]:
    return list(
        Message.objects.filter(conversation__game=game).order_by("pk").values_list("state", flat=True)
    )


def done(game: Game, mail: Mail) -> tuple[str, list[str], list[str]]:
    """What an answer comes to: outcome, deeds, the fates of the two letters, which wait again afterwards."""
    result = directed(game, mail.as_bytes())
    assert untouched(game)
    found = str(result.outcome), list(result.facts["deeds"]), fates(game)
    Message.objects.filter(conversation__game=game).update(state=MessageState.HELD, delivered_at=None)
    return found


@pytest.mark.one_in(6)
@pytest.mark.parametrize("hostile", LETTERS)
def test_only_what_he_wrote_is_done(hostile: str) -> None:
    """Where he wrote above; where he wrote below, at most that."""
    game, ours = scene(LETTERS[hostile])
    wanted = (str(MailOutcome.DONE), ["0.2"], [MessageState.HELD, MessageState.DELIVERED])
    nothing: tuple[str, list[str], list[str]] = (
        str(MailOutcome.NOT_UNDERSTOOD),
        [],
        [MessageState.HELD, MessageState.HELD],
    )
    found = {layout: done(game, lay(ours)) for layout, lay in {**ABOVE, **BELOW, **LOST}.items()}
    assert {name: one for name, one in found.items() if name in ABOVE and one != wanted} == {}
    assert {name: one for name, one in found.items() if name in BELOW and one not in (wanted, nothing)} == {}
    assert {name: one for name, one in found.items() if name in LOST and one != nothing} == {}


SECRET = "La flotte de Brest passe en Manche.\nEt vous ?"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("layout", [*ABOVE, *BELOW])
def test_what_he_quotes_is_told_to_nobody(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither everybody with a gazette nor, with a reason, the writer of another letter."""
    monkeypatch.setitem(globals(), "ANSWER", "rendez 2 : sans suite\n\ngazette : La paix")
    game, ours = scene(SECRET)
    directed(game, {**ABOVE, **BELOW}[layout](ours).as_bytes())
    assert [one.text for one in game.gazettes.all()] in ([], ["La paix"])
    assert Message.objects.get(text="Une lettre").return_reason in ("", "sans suite")
    if layout in ABOVE:
        assert game.gazettes.count() == 1


@pytest.mark.parametrize("layout", BELOW)
def test_what_he_writes_below_is_done(layout: str) -> None:
    game, ours = scene("Bonjour")
    assert done(game, BELOW[layout](ours))[0] == MailOutcome.DONE


def test_the_same_words_of_his_own_are_done() -> None:
    """So the tests above can fail."""
    game, _ours = scene("Bonjour")
    directed(game, plain("\n".join(COMMANDS[:2])).as_bytes())
    assert fates(game) == [MessageState.DELIVERED, MessageState.DELIVERED]
    assert fresh(game).state == GameState.PAUSED
