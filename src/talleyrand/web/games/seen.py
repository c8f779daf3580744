"""Who may see which rows of a game: one function a model, asked by every page, feed and export."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from talleyrand.web.accounts.models import Person

from .models import Absence, Ballot, Entry, Game, Membership, Sheet, Tenure
from .sight import Sight
from .terms import Watching


def games(person: Person | None) -> QuerySet[Game]:
    """The games that appear in somebody’s lists (None: a visitor without account)."""
    if person is None:
        return Game.objects.filter(listed=True)
    mine = Membership.objects.filter(game=OuterRef("pk"), person=person, left=None)
    return Game.objects.filter(Q(listed=True) | Exists(mine))


def sheets(sight: Sight) -> QuerySet[Sheet]:
    """One’s own powers’ sheets, every one for the game master. What others ordered is read from the
    published phases, never from here.

    A draft that was set aside with its phase is read by whoever made it alone.
    """
    found = Sheet.objects.filter(game=sight.game)
    aside = Q(origin="draft", withdrawn__isnull=False)
    found = found.filter(~aside | Q(by=sight.person)) if sight.person else found.exclude(aside)
    return found if sight.is_master else found.filter(power__in=sight.powers)


OF_ABSENCES = ("absence", "absence_withdrawn")  # lines of the log with their dates


def absences(sight: Sight) -> QuerySet[Absence]:
    """The absences that count, with their dates, the nearest first: one’s own; others’ where one may know."""
    found = Absence.objects.filter(game=sight.game, withdrawn=None).order_by("since", "pk")
    if sight.knows_absences:
        return found
    return found.filter(person=sight.person) if sight.person else found.none()


def entries(sight: Sight) -> QuerySet[Entry]:
    """The log: all of it at the desk, what is open for the others where the game says so."""
    found = Entry.objects.filter(game=sight.game)
    if sight.is_master:
        return found
    if not sight.knows_absences:
        found = found.exclude(~Q(by=sight.person) if sight.person else Q(), kind__in=OF_ABSENCES)
    if not sight.knows_people:  # whose wishes were whose
        found = found.exclude(kind="lots")
    if sight.at_desk:
        return found
    return found.filter(open=True) if sight.may_open and sight.game.terms.log_open else found.none()


def tenures(sight: Sight) -> QuerySet[Tenure]:
    """Who plays what: one’s own alone while that is secret."""
    found = Tenure.objects.filter(seat__game=sight.game)
    if sight.knows_people:
        return found
    return found.filter(person=sight.person) if sight.person else found.none()


def ballots(sight: Sight) -> QuerySet[Ballot]:
    """Answers to a proposal: one’s own; of others vetoes alone, which are public."""
    found = Ballot.objects.filter(proposal__game=sight.game)
    if not sight.may_open:
        return found.none()
    return found.filter(Q(choice="veto") | Q(power__in=sight.powers))


def watchable(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of listed games whose board everybody may open while they are played."""
    # as a text: JSON is compared in another way by each database
    kept = games.annotate(watching=Cast(KT("kept_terms__watching"), TextField()))
    return kept.filter(Q(watching=Watching.EVERYBODY) | Q(watching=None))
