"""What programs may ask for and do: one file for each part of the site, named in RESOURCES."""

from __future__ import annotations

from . import (
    account,
    agreements,
    books,
    calendar,
    corrections,
    desk,
    desk_people,
    files,
    games,
    judging,
    letters,
    news,
    orders,
    phases,
    tables,
    tournament_desk,
    tournaments,
    webhooks,
)

# In the order of the reference.
RESOURCES = (
    games.RESOURCE,
    phases.RESOURCE,
    orders.RESOURCE,
    letters.RESOURCE,
    tables.RESOURCE,
    agreements.RESOURCE,
    desk.RESOURCE,
    desk_people.RESOURCE,
    corrections.RESOURCE,
    tournaments.RESOURCE,
    tournament_desk.RESOURCE,
    files.RESOURCE,
    calendar.RESOURCE,
    news.RESOURCE,
    webhooks.RESOURCE,
    account.RESOURCE,
    judging.RESOURCE,
    books.RESOURCE,
)
