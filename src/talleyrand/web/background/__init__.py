"""Slow work beside the pages: a row says what is due, a sweep sees to it, a queue only makes it sooner.

So a job that is lost or done twice harms nothing. An application names its work once, when it is ready:

    background.register("webhooks", "talleyrand.web.webhooks.webhook_sending.send_due_calls", every=2.0)

and calls for it in the transaction that writes the row:

    background.soon("webhooks")
"""

from .jobs import register
from .triggers import run_soon

__all__ = ["register", "run_soon"]
