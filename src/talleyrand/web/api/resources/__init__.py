"""What programs may ask for and do: one file for each part of the site, named in RESOURCES."""

from __future__ import annotations

from . import account, games

# In the order of the reference.
RESOURCES = (account.RESOURCE, games.RESOURCE)
