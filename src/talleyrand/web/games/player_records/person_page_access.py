"""Who may open a person's page, and which parts of it its owner shows. Pages, links and the API ask here."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse

from talleyrand.web.accounts.models import Person, folded_name
from talleyrand.web.games.record_models import PagePart, PageReaders, PlayerProfile


def profile_of(person: Person) -> PlayerProfile:
    """What somebody has chosen and what is counted of them; the usual where nothing is kept yet."""
    try:
        return person.profile
    except PlayerProfile.DoesNotExist:
        return PlayerProfile(person=person)


def people_with_profiles() -> QuerySet[Person]:
    """Accounts with what is asked here, in one query; guests have no page."""
    return Person.objects.filter(is_active=True, is_guest=False).select_related("profile")


def may_open_page(owner: Person, reader: Person | None) -> bool:
    """Whether a reader (None: a visitor without account) may open somebody's page; one's own always."""
    if not owner.is_active or owner.is_guest:
        return False
    readers = profile_of(owner).readers
    if readers == PageReaders.EVERYBODY or owner == reader:
        return True
    return readers == PageReaders.MEMBERS and reader is not None and not reader.is_guest


def shown_parts(owner: Person, reader: Person | None) -> frozenset[str]:
    """The parts of somebody's page that a reader sees; no ratings of who wants none."""
    if not may_open_page(owner, reader):
        return frozenset()
    profile = profile_of(owner)
    shown = set(profile.shown_parts) & set(PagePart.values)
    return frozenset(shown if profile.is_rated else shown - {PagePart.RATINGS})


def open_page(name: str, reader: Person | None) -> Person | None:
    """Whose page stands at a name; None where there is none for this reader."""
    found = people_with_profiles().filter(folded_name=folded_name(name)).first()
    return found if found and may_open_page(found, reader) else None


def page_url(owner: Person | None, reader: Person | None) -> str:
    """The address of somebody's page; "" where the reader may not open it."""
    return reverse("games:person", args=[owner.name]) if owner and may_open_page(owner, reader) else ""
