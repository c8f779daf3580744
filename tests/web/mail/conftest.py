"""A post office, and a site that one plays at by post."""

from tests.web.mail.correspondents import by_post
from tests.web.mail.office import office

__all__ = ["by_post", "office"]
