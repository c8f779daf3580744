"""Takes the answer to an invitation: yes brings to the table as its page does, no is remembered."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts import names
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import vacancies
from talleyrand.web.games.models import Game, Invitation, Membership, Role, State
from talleyrand.web.games.table import gathering
from talleyrand.web.games.table.refusals import Refused
from talleyrand.web.games.table.starting import begin_full
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.correspondence import corresponding
from talleyrand.web.mail.models import Arrival, Departure, Offer
from talleyrand.web.mail.outcomes import Outcome, Result
from talleyrand.web.mail.outgoing import departing
from talleyrand.web.mail.reading import Mail

from . import answering, inviting, joining_words
from .answering import Reply, Said
from .joining_words import Letter

KIND = "joining"
SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is taken for another
SIGNS_IN_A_NAME = 4
MOST_ANSWERS = 10  # to one invitation: two programs that answer each other come to an end
CLOSED = "links"


class Closed(Exception):
    """The site makes no account for this address: nobody vouches for it."""


@dataclass(frozen=True)
class Owner:
    """Whose address was invited; `new`: his account is made now, `remark` says why under another name."""

    person: Person
    new: bool = False
    remark: str = ""


def take(arrival: Arrival, mail: Mail) -> Result:
    """Do what an answer to an invitation says; the same mail again does nothing more, and gives the same.

    What is written back is put into the outbox here: who answers may have no account.
    """
    offer = Offer.objects.select_related("mailbox__game", "by", "person").get(mailbox=arrival.mailbox_id)
    reply = answering.read(mail.text, variants.load(_game(offer).variant))
    if reply.said == Said.NO:
        return _decline(offer, arrival)
    if offer.mailbox.revoked is not None:
        return Result(Outcome.NOT_JOINED, {"code": "revoked"})
    if reply.said == Said.YES:
        return _accept(offer, arrival, reply)
    with _speaking(offer):
        _write(offer, arrival, joining_words.not_understood(_game(offer)))
    return Result(Outcome.NOT_UNDERSTOOD)


def _game(offer: Offer) -> Game:
    assert offer.mailbox.game is not None
    return offer.mailbox.game


def _speaking(offer: Offer) -> AbstractContextManager[None]:
    """The language of who has come, or the one he was invited in."""
    return departing.speaking(offer.person) if offer.person else translation.override(offer.language)


def _write(offer: Offer, arrival: Arrival, letter: Letter) -> None:
    """Answer to the address that was invited, in the language in use."""
    if Departure.objects.filter(mailbox=offer.mailbox_id, kind=KIND).count() < MOST_ANSWERS:
        inviting.write(offer.mailbox, KIND, f"{KIND}:{arrival.same}", *letter)


@writing
def _decline(offer: Offer, arrival: Arrival) -> Result:
    """Nothing is written back: that was asked for. Whoever has come stays; he can leave as all do."""
    fresh = Offer.objects.select_for_update().select_related("mailbox").get(pk=offer.pk)
    if offer.person is not None and _plays(_game(offer), offer.person):
        with _speaking(offer):
            _write(offer, arrival, joining_words.already(_game(offer)))
        return Result(Outcome.NOT_JOINED, {"code": "already"})
    inviting.decline(fresh, timezone.now())
    return Result(Outcome.NOT_JOINED, {"code": inviting.DECLINED})


def _accept(offer: Offer, arrival: Arrival, reply: Reply) -> Result:
    try:
        came = _come_again_if_overtaken(offer, arrival, reply)
    except Closed:
        return _refuse(offer, arrival, CLOSED)
    except Refused as refused:
        return _refuse(offer, arrival, refused.code)
    if not came:
        return _refuse(offer, arrival, "already")
    begin_full(_game(offer), timezone.now())
    return Result(Outcome.JOINED)


def _refuse(offer: Offer, arrival: Arrival, code: str) -> Result:
    game = _game(offer)
    with _speaking(offer):
        if code == "already":
            letter = joining_words.already(game)
        else:
            sentence = joining_words.closed() if code == CLOSED else Refused(code).sentence
            letter = joining_words.not_joined(game, sentence, code)
        _write(offer, arrival, letter)
    return Result(Outcome.NOT_JOINED, {"code": code})


def _come_again_if_overtaken(offer: Offer, arrival: Arrival, reply: Reply) -> bool:
    """Somebody may have taken the address, or the name, in the same moment: then it is known."""
    try:
        return _come(offer, arrival, reply)
    except IntegrityError:
        return _come(offer, arrival, reply)


@writing
def _come(offer: Offer, arrival: Arrival, reply: Reply) -> bool:
    """Bring the owner of the address to the table and write to him; False where he sits there already.

    Raises Refused and Closed: then nothing has changed.
    """
    fresh = (
        Offer.objects.select_for_update(of=("self",)).select_related("mailbox__game", "by").get(pk=offer.pk)
    )
    if fresh.answer == inviting.JOINED and fresh.same == arrival.same:
        return True  # killed after it was done
    game = _game(fresh)
    with translation.override(fresh.language):
        owner = _owner(fresh, reply.name)
    if _plays(game, owner.person):
        _keep(fresh, "", owner.person)  # the same mail again has the same answer
        return False
    if fresh.answer == inviting.JOINED:
        raise Refused("revoked")  # he has left, or was sent away
    invitation = Invitation.objects.create(game=game, role=Role.PLAYER, once=True)
    power = next((one for one in reply.wishes if one in vacancies.to_play(game)), "")
    gathering.join(game, owner.person, invitation=invitation, wishes=reply.wishes, power=power)
    corresponding.begin(game, owner.person)
    _keep(fresh, arrival.same, owner.person)
    _welcome(fresh, arrival, owner, reply)
    return True


def _plays(game: Game, person: Person) -> bool:
    here = Membership.objects.filter(game=game, person=person, left=None)
    return here.exclude(role=Role.OBSERVER).exists()


def _keep(offer: Offer, same: str, person: Person) -> None:
    if offer.answer != inviting.JOINED:
        told = {"answer": inviting.JOINED, "answered": timezone.now(), "same": same}
        Offer.objects.filter(pk=offer.pk).update(person=person, **told)


def _welcome(offer: Offer, arrival: Arrival, owner: Owner, reply: Reply) -> None:
    with departing.speaking(owner.person):
        remarks = [sentence for sentence in (owner.remark, *_of_wishes(_game(offer), reply)) if sentence]
        _write(offer, arrival, joining_words.welcome(_game(offer), owner.person, remarks, new=owner.new))


def _of_wishes(game: Game, reply: Reply) -> Iterator[str]:
    """What became of the wishes: the draw grants them; a seat that is taken now shows by itself."""
    if reply.wishes and game.state == State.GATHERING:
        yield joining_words.wishes_noted(game, reply.wishes)
    if reply.unknown:
        yield joining_words.wishes_unknown(reply.unknown)


# accounts


def _owner(offer: Offer, asked: str) -> Owner:
    """Whose the address is: the mail to it has come back, so it is his. Raises Closed."""
    address = offer.mailbox.to
    known = EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
    if known is not None and not known.user.is_active:
        raise Closed
    if known is not None:
        return Owner(known.user)
    if not inviting.may_vouch(offer.by):
        raise Closed
    name, remark = _name(asked)
    person = Person(name=name, language=offer.language, zone=inviting.ZONE, email=address)
    person.set_unusable_password()
    person.save()
    EmailAddress.objects.create(user=person, email=address, verified=True, primary=True)
    return Owner(person, new=True, remark=remark)


def _name(asked: str) -> tuple[str, str]:
    """The name that was asked for, or one that tells nothing, with the reason."""
    if not asked:
        return _neutral(), ""
    try:
        name = names.checked(asked)
    except ValidationError as problem:
        return _neutral(), joining_words.name_refused(asked, problem.messages[0])
    if _is_taken(name):
        return _neutral(), joining_words.name_refused(asked, _("Somebody has it."))
    return name, ""


def _neutral() -> str:
    """A name that nobody has, and that says nothing of whose it is."""
    for signs in range(SIGNS_IN_A_NAME, names.MOST):
        word = "".join(secrets.choice(SIGNS) for _each in range(signs))
        name = _("Correspondent %(word)s") % {"word": word}
        if not _is_taken(name):
            return name
    raise AssertionError("every name is taken")


def _is_taken(name: str) -> bool:
    return Person.objects.filter(folded=names.folded(name)).exists()
