"""Where a copy may be: out in the world by https, as webhooks go; or, where that is allowed, on our network.

Who runs a site on a club's own network says so (`COPIES_LOCAL`); elsewhere nobody's copy leads inside.
"""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from talleyrand.web.webhooks import destinations
from talleyrand.web.webhooks.destinations import Destination, NotAllowed


def read(written: str) -> Destination:
    """An address taken apart; raises NotAllowed."""
    if settings.COPIES_LOCAL:
        return replace(destinations.anywhere(written), inner=True)
    return destinations.read(written)


__all__ = ["NotAllowed", "read"]
