"""What programs may ask for and do: one file for each part of the site, named in RESOURCES."""

from __future__ import annotations

from . import (
    account_api,
    adjudication_api,
    agreements_api,
    calendar_api,
    corrections_api,
    game_files_api,
    game_setup_api,
    games_api,
    gm_desk_api,
    leagues_api,
    messages_api,
    notifications_api,
    orders_api,
    phases_api,
    players_api,
    rulebooks_api,
    seats_api,
    tournament_boards_api,
    tournament_desk_api,
    tournaments_api,
    webhooks_api,
)

# In the order of the reference.
RESOURCES = (
    games_api.RESOURCE,
    phases_api.RESOURCE,
    orders_api.RESOURCE,
    messages_api.RESOURCE,
    game_setup_api.RESOURCE,
    agreements_api.RESOURCE,
    gm_desk_api.RESOURCE,
    seats_api.RESOURCE,
    corrections_api.RESOURCE,
    tournaments_api.RESOURCE,
    tournament_boards_api.RESOURCE,
    tournament_desk_api.RESOURCE,
    leagues_api.RESOURCE,
    game_files_api.RESOURCE,
    calendar_api.RESOURCE,
    notifications_api.RESOURCE,
    webhooks_api.RESOURCE,
    account_api.RESOURCE,
    players_api.RESOURCE,
    adjudication_api.RESOURCE,
    rulebooks_api.RESOURCE,
)
