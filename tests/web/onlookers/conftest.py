"""A site on which one also plays by post."""

from tests.web.mail.correspondents import by_post

__all__ = ["by_post"]
