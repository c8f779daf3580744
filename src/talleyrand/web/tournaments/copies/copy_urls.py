"""Where a copy may be: out in the world by https, as webhooks go; or, where that is allowed, on our network.

Who runs a site on a club's own network says so (`COPIES_LOCAL`); elsewhere nobody's copy leads inside.
"""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from talleyrand.web.common import outbound_urls
from talleyrand.web.common.outbound_urls import OutboundUrl, UrlNotAllowed


def parse_copy_url(written: str) -> OutboundUrl:
    """An address taken apart; raises UrlNotAllowed."""
    if settings.COPIES_LOCAL:
        return replace(outbound_urls.parse_any_url(written), may_be_internal=True)
    return outbound_urls.parse_public_url(written)


__all__ = ["UrlNotAllowed", "parse_copy_url"]
