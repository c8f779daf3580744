"""What a moderator does about somebody: each with its line in the log, and the person told."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.conduct import bans
from talleyrand.web.conduct.models import (
    Measure,
    MeasureKind,
    ModerationEntry,
    Moderator,
    Report,
    ReportKind,
    ReportOutcome,
)
from talleyrand.web.conduct.reports import TOPIC
from talleyrand.web.games import game_entry
from talleyrand.web.games.finding_models import PlayerQueue, QueuePlace
from talleyrand.web.games.lobby import blocked_players, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import ENDED_STATES, Game, GameMembership, GameRole, GameState
from talleyrand.web.notifications import outbox
from talleyrand.web.onlookers import comments

ONCE = timedelta(hours=1)  # within it the same act with the same words is one act
OUTCOMES = {
    "dismiss": ReportOutcome.DISMISSED,
    "warn": ReportOutcome.WARNED,
    "ban": ReportOutcome.BANNED,
}


class ModerationRefusal(Exception):
    """What a moderator may not do: `closed` (the report is), `own` affair, something to people they may play
    with (`together`), about an `administrator`, or an account that is `gone`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class ModerationAct:
    """What is done: dismiss, warn, ban, lift, note, or remove a comment; the text is a note, or what the
    person is told.
    """

    kind: str
    text: str = ""
    days: int = 0


def own_affairs(moderator: Person) -> QuerySet[Report]:
    """The reports that a moderator leaves to others: about or by them, or of a game that they have been in.

    They would read there who plays what, and what others write. So are those about people with whom they now
    play where names are shown.
    """
    games = GameMembership.objects.filter(person=moderator).values("game__key")
    mine = Q(accused=moderator) | Q(reporter=moderator) | Q(game_key__in=games)
    return Report.objects.filter(mine | Q(accused__in=_known_companions(moderator)))


def _known_companions(moderator: Person) -> list[int]:
    """With whom somebody plays, or whom they lead, where names are shown, by primary key."""
    named = [game.pk for game in _running_games(moderator) if blocked_players.names_are_known(game)]
    others = GameMembership.objects.filter(game__in=named, left_at=None).exclude(role=GameRole.OBSERVER)
    return list(others.exclude(person=moderator).values_list("person", flat=True).distinct())


def _running_games(person: Person) -> QuerySet[Game]:
    """The games that somebody plays or leads, or waits for."""
    mine = GameMembership.objects.filter(person=person, left_at=None).exclude(role=GameRole.OBSERVER)
    return Game.objects.filter(pk__in=mine.values("game")).exclude(state__in=ENDED_STATES)


def may_play_with(moderator: Person, person: Person) -> bool:
    """Whether they do, where names are shown; in anonymous games they might with anybody.

    The answer for those is the same about all people, or it would tell who plays there.
    """
    games = _running_games(moderator)
    hidden = any(not blocked_players.names_are_known(game) for game in games)
    return hidden or person.pk in _known_companions(moderator)


def is_own_affair(moderator: Person, report: Report) -> bool:
    """Whether a report is one of them."""
    return own_affairs(moderator).filter(pk=report.pk).exists()


@write_transaction
def act_on(person: Person, act: ModerationAct, by: Person, report: Report | None = None) -> None:
    """Do it, write it down, tell the person; the same again at once is done already. Raises
    ModerationRefusal.
    """
    if act.kind == "ban":  # these before people: see `game_entry.lock_person`
        list(PlayerQueue.objects.select_for_update().order_by("pk"))
        list(_waiting_for(person).select_for_update(of=("self",)).order_by("pk"))
    _hold(person)
    if report is not None:
        report = Report.objects.select_for_update().get(pk=report.pk)
    if _is_done(person, act, by, report):
        return
    if by == person or _concerns(by, person, act, report):
        raise ModerationRefusal("own")
    if report is None and act.kind != "note" and may_play_with(by, person):
        raise ModerationRefusal("together")
    if report is not None and report.outcome and act.kind in OUTCOMES:
        raise ModerationRefusal("closed")
    if act.kind == "ban" and person.is_administrator:
        raise ModerationRefusal("administrator")
    if act.kind == "remove" and report is not None and report.kind == ReportKind.COMMENT:
        comments.remove_comment(int(report.message_key))
    measure = _measure(person, act, report)
    if report is not None and act.kind in OUTCOMES:
        Report.objects.filter(pk=report.pk).update(outcome=OUTCOMES[act.kind], closed_at=timezone.now())
    until = measure.ends_at if measure else None
    ModerationEntry.objects.create(
        kind=act.kind, by=by, person=person, report=report, text=act.text, until=until
    )


def _hold(person: Person) -> None:
    try:
        game_entry.lock_person(person)
    except Person.DoesNotExist:
        raise ModerationRefusal("gone") from None


@write_transaction
def name_moderator(person: Person, by: Person, *, is_wanted: bool) -> None:
    """Make somebody moderator, or no longer; written down where it changes something."""
    game_entry.lock_person(person)
    if is_wanted:
        changed = Moderator.objects.get_or_create(person=person)[1]
    else:
        changed = bool(Moderator.objects.filter(person=person).delete()[0])
    if changed:
        ModerationEntry.objects.create(kind="named" if is_wanted else "unnamed", by=by, person=person)


def _concerns(by: Person, person: Person, act: ModerationAct, report: Report | None) -> bool:
    """Whether it is an affair of the moderator's own: the report, or that of a ban which they would lift."""
    if report is not None:
        return is_own_affair(by, report)
    return act.kind == "lift" and bans.running_bans(person).filter(report__in=own_affairs(by)).exists()


@write_transaction
def dismiss_departed(report: Report, by: Person) -> None:
    """Close a report about an account that is deleted; twice is once. Raises ModerationRefusal."""
    fresh = Report.objects.select_for_update().get(pk=report.pk)
    if is_own_affair(by, fresh):
        raise ModerationRefusal("own")
    if not fresh.outcome:
        closed = {"outcome": ReportOutcome.DISMISSED, "closed_at": timezone.now()}
        Report.objects.filter(pk=fresh.pk).update(**closed)
        ModerationEntry.objects.create(kind="dismiss", by=by, report=fresh)


def _is_done(person: Person, act: ModerationAct, by: Person, report: Report | None) -> bool:
    lately = ModerationEntry.objects.filter(at__gt=timezone.now() - ONCE, by=by, person=person, report=report)
    last = lately.order_by("-at", "-pk").first()
    return last is not None and (last.kind, last.text) == (act.kind, act.text)


def _measure(person: Person, act: ModerationAct, report: Report | None) -> Measure | None:
    """What the person has from now on, and is told."""
    if act.kind == "lift":
        _lift(person)
    if act.kind not in ("warn", "ban"):
        return None
    is_ban = act.kind == "ban"
    measure = Measure.objects.create(
        person=person,
        kind=MeasureKind.BAN if is_ban else MeasureKind.WARNING,
        reason=act.text,
        report=report,
        ends_at=timezone.now() + timedelta(days=act.days) if is_ban else None,
    )
    facts = {"reason": act.text}
    if measure.ends_at:
        facts["due"] = measure.ends_at.isoformat()
        _leave_what_has_not_begun(person)
    _tell(person, "banned" if is_ban else "warned", f"measure:{measure.pk}", **facts)
    return measure


def _lift(person: Person) -> None:
    now = timezone.now()
    if bans.running_bans(person).update(lifted_at=now):
        _tell(person, "ban_lifted", f"lifted:{person.pk}:{now.isoformat()}")


def _leave_what_has_not_begun(person: Person) -> None:
    """Whoever is banned waits in no queue and for no game; games that run go on, for the others' sake.

    A game that they joined after the others were locked is not waited for: then all begins again.
    """
    QueuePlace.objects.filter(person=person).delete()
    for game in _waiting_for(person).select_for_update(of=("self",), nowait=True).order_by("pk"):
        if not game.is_at_table:
            with suppress(LobbyRefusal):  # its only game master
                membership_actions.leave_game(game, person)


def _waiting_for(person: Person) -> QuerySet[Game]:
    """The games that somebody plays in and that have not begun."""
    mine = GameMembership.objects.filter(person=person, left_at=None, role=GameRole.PLAYER)
    return Game.objects.filter(pk__in=mine.values("game"), state=GameState.GATHERING)


def _tell(person: Person, kind: str, once: str, **facts: str) -> None:
    path = reverse("moderation:own")
    outbox.notify([person.pk], kind, {"game": settings.SITE_NAME, **facts}, about=TOPIC, path=path, once=once)
