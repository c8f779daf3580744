"""Takes the answer to an invitation: yes brings to the table as its page does, no is remembered."""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts import person_names
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import open_seats, phase_deadlines
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.lobby.game_start import start_game_if_full
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState, Invitation
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.mail_templates import SubjectAndText
from talleyrand.web.mail.models import EmailInvitation, InboundDelivery, OutboundEmail
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.parsing import ParsedEmail
from talleyrand.web.mail.subscriptions import subscribing

from . import email_invitations, invitation_texts
from .email_invitations import InvitationReply, ReplyAnswer

KIND = "joining"
SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is taken for another
SIGNS_IN_A_NAME = 4
MOST_ANSWERS = 10  # to one invitation: two programs that answer each other come to an end
CLOSED = "links"


class SignupClosed(Exception):
    """The site makes no account for this address: nobody vouches for it."""


@dataclass(frozen=True)
class InvitedPerson:
    """Whose address was invited; `new`: his account is made now, `refusal` why under another name."""

    person: Person
    new: bool = False
    refusal: str = ""


def process_reply(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Do what an answer to an invitation says; the same mail again does nothing more, and gives the same.

    What is written back is put into the outbox here: who answers may have no account.
    """
    offer = EmailInvitation.objects.select_related("mailbox__game", "invited_by", "person").get(
        mailbox=arrival.mailbox_id
    )
    reply = email_invitations.parse_reply(mail.text, variants.load(_game(offer).variant))
    if reply.answer == ReplyAnswer.NO:
        return _decline(offer, arrival)
    if offer.mailbox.revoked_at is not None:
        return ProcessingResult(MailOutcome.NOT_JOINED, {"code": "revoked"})
    if reply.answer == ReplyAnswer.YES:
        return _accept(offer, arrival, reply)
    if offer.person is not None and _plays(_game(offer), offer.person):
        return _already(offer, arrival, reply)
    with _speaking(offer):
        _write(offer, arrival, invitation_texts.reply_not_understood_text(_game(offer)))
    return ProcessingResult(MailOutcome.NOT_UNDERSTOOD)


def _game(offer: EmailInvitation) -> Game:
    assert offer.mailbox.game is not None
    return offer.mailbox.game


def _speaking(offer: EmailInvitation) -> AbstractContextManager[None]:
    """The language of who has come, or the one he was invited in."""
    return email_queue.reader_locale(offer.person) if offer.person else translation.override(offer.language)


def _write(offer: EmailInvitation, arrival: InboundDelivery, letter: SubjectAndText) -> None:
    """Answer to the address that was invited, in the language in use."""
    if OutboundEmail.objects.filter(reply_mailbox=offer.mailbox_id, kind=KIND).count() < MOST_ANSWERS:
        email_invitations.queue_to_invited(offer.mailbox, KIND, f"{KIND}:{arrival.content_digest}", *letter)


@write_transaction
def _decline(offer: EmailInvitation, arrival: InboundDelivery) -> ProcessingResult:
    """Nothing is written back: that was asked for. Whoever has come stays; he can leave as all do."""
    fresh = EmailInvitation.objects.select_for_update().select_related("mailbox").get(pk=offer.pk)
    if offer.person is not None and _plays(_game(offer), offer.person):
        return _already(offer, arrival)
    email_invitations.decline_invitations(fresh, timezone.now())
    return ProcessingResult(MailOutcome.NOT_JOINED, {"code": email_invitations.DECLINED})


def _accept(offer: EmailInvitation, arrival: InboundDelivery, reply: InvitationReply) -> ProcessingResult:
    try:
        came = _come_again_if_overtaken(offer, arrival, reply)
    except SignupClosed:
        return _refuse(offer, arrival, CLOSED)
    except LobbyRefusal as refused:
        return _refuse(offer, arrival, refused.code)
    if not came:
        offer.refresh_from_db(fields=["person"])
        return _already(offer, arrival, reply)
    start_game_if_full(_game(offer), timezone.now())
    return ProcessingResult(MailOutcome.JOINED)


def _refuse(offer: EmailInvitation, arrival: InboundDelivery, code: str) -> ProcessingResult:
    game = _game(offer)
    with _speaking(offer):
        refusal = "" if code == CLOSED else LobbyRefusal(code).sentence
        _write(offer, arrival, invitation_texts.not_joined_text(game, refusal, code))
    return ProcessingResult(MailOutcome.NOT_JOINED, {"code": code})


def _already(
    offer: EmailInvitation, arrival: InboundDelivery, reply: InvitationReply | None = None
) -> ProcessingResult:
    """Who sits there already stays; other wishes of theirs are kept until the game begins."""
    game = _game(offer)
    wishes, unknown = (reply.preferences, reply.unknown) if reply else ((), ())
    if wishes and offer.person is not None:
        try:
            membership_actions.set_preferences(game, offer.person, wishes)
        except LobbyRefusal:
            wishes = ()
    with _speaking(offer):
        _write(offer, arrival, invitation_texts.already_joined_text(game, wishes, unknown))
    return ProcessingResult(MailOutcome.NOT_JOINED, {"code": "already"})


def _come_again_if_overtaken(
    offer: EmailInvitation, arrival: InboundDelivery, reply: InvitationReply
) -> bool:
    """Somebody may have taken the address, or the name, in the same moment: then it is known."""
    try:
        return _come(offer, arrival, reply)
    except IntegrityError:
        return _come(offer, arrival, reply)


@write_transaction
def _come(offer: EmailInvitation, arrival: InboundDelivery, reply: InvitationReply) -> bool:
    """Bring the owner of the address to the table and write to him; False where he sits there already.

    Raises LobbyRefusal and SignupClosed: then nothing has changed.
    """
    fresh = (
        EmailInvitation.objects.select_for_update(of=("self",))
        .select_related("mailbox__game", "invited_by")
        .get(pk=offer.pk)
    )
    if fresh.answer == email_invitations.JOINED and fresh.answer_digest == arrival.content_digest:
        return True  # killed after it was done
    game = _game(fresh)
    with translation.override(fresh.language):
        owner = _owner(fresh, reply.name)
    if _plays(game, owner.person):
        _keep(fresh, "", owner.person)  # the same mail again has the same answer
        return False
    if fresh.answer == email_invitations.JOINED:
        raise LobbyRefusal("revoked")  # he has left, or was sent away
    invitation = Invitation.objects.create(
        game=game, role=GameRole.PLAYER, is_single_use=True, power=fresh.mailbox.power
    )
    power = next((one for one in reply.preferences if one in open_seats.joinable_powers(game)), "")
    membership_actions.join_game(
        game, owner.person, invitation=invitation, wishes=reply.preferences, power=power
    )
    subscribing.subscribe(game, owner.person)
    _keep(fresh, arrival.content_digest, owner.person)
    _welcome(fresh, arrival, owner, reply)
    return True


def _plays(game: Game, person: Person) -> bool:
    here = GameMembership.objects.filter(game=game, person=person, left_at=None)
    return here.exclude(role=GameRole.OBSERVER).exists()


def _keep(offer: EmailInvitation, same: str, person: Person) -> None:
    if offer.answer != email_invitations.JOINED:
        told = {"answer": email_invitations.JOINED, "answered_at": timezone.now(), "answer_digest": same}
        EmailInvitation.objects.filter(pk=offer.pk).update(person=person, **told)


def _welcome(
    offer: EmailInvitation, arrival: InboundDelivery, owner: InvitedPerson, reply: InvitationReply
) -> None:
    game = _game(offer)
    # The draw grants wishes; a seat that is taken now shows by itself.
    wishes = reply.preferences if game.state == GameState.GATHERING else ()
    with email_queue.reader_locale(owner.person):
        letter = invitation_texts.joined_text(
            game,
            owner.person,
            is_new=owner.new,
            asked=reply.name,
            refusal=owner.refusal,
            preferences=wishes,
            unknown=reply.unknown,
        )
        _write(offer, arrival, letter)


# accounts


def _owner(offer: EmailInvitation, asked: str) -> InvitedPerson:
    """Whose the address is: the mail to it has come back, so it is his. Raises SignupClosed."""
    address = offer.mailbox.target
    known = EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
    if known is not None and not known.user.is_active:
        raise SignupClosed
    if known is not None:
        return InvitedPerson(known.user)
    if not email_invitations.may_create_accounts(offer.invited_by):
        raise SignupClosed
    name, refusal = _name(asked)
    zone = phase_deadlines.deadline_settings_of(_game(offer)).time_zone  # of one of whom nothing is known yet
    person = Person(name=name, language=offer.language, time_zone=zone, email=address)
    person.set_unusable_password()
    person.save()
    EmailAddress.objects.create(user=person, email=address, verified=True, primary=True)
    return InvitedPerson(person, new=True, refusal=refusal)


def _name(asked: str) -> tuple[str, str]:
    """The name that was asked for, or one that tells nothing, with the reason."""
    if not asked:
        return _neutral(), ""
    try:
        name = person_names.check_name(asked)
    except ValidationError as problem:
        return _neutral(), problem.messages[0]
    if _is_taken(name):
        return _neutral(), _("It is already taken.")
    return name, ""


def _neutral() -> str:
    """A name that nobody has, and that says nothing of whose it is."""
    for signs in range(SIGNS_IN_A_NAME, person_names.MOST):
        word = "".join(secrets.choice(SIGNS) for _each in range(signs))
        name = f"Incognito {word}"  # a word of both languages: others read it in theirs
        if not _is_taken(name):
            return name
    raise AssertionError("every name is taken")


def _is_taken(name: str) -> bool:
    return Person.objects.filter(folded_name=person_names.folded_name(name)).exists()
