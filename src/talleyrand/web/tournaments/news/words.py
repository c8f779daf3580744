"""What is told, whom, and why a chat was not reached, in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.webhooks import words as webhooks

from .keeping import NotPossible
from .models import Chat

TOPICS: dict[str, tuple[Promise, Promise]] = {
    "seats": (
        _("Seats"),
        _("a draw is shown: each hears his own seat, or that he stands down; and if it changes"),
    ),
    "wanted": (_("Wanted at a board"), _("somebody is seated late, or takes a seat over")),
    "results": (_("Result to confirm"), _("a result waits for another of the board to confirm it")),
    "votes": (_("End of a game"), _("its end is asked, or voted on")),
    "prizes": (_("Prizes"), _("the tournament is over and all rounds are shown")),
}
WISHES: dict[str, Promise] = {
    "no": _("nobody"),
    "accounts": _("those with an account"),
    "all": _("also those who gave a mail address"),
}
POSTED: dict[str, Promise] = {
    "draws": _("draws, and what changes in them"),
    "standings": _("the standings after each round"),
    "rulings": _("rulings that are shown to the players"),
    "prizes": _("the prizes"),
}
FORMS: dict[str, Promise | str] = {
    "discord": "Discord",
    "slack": "Slack, Mattermost",
    "text": _('another, which reads {"text": …} (Matrix)'),
}
STYLES: dict[str, Promise | str] = {
    "text": _("plain text"),
    "markdown": "Markdown",
    "wiki": "Wiki (MediaWiki)",
}
REFUSALS: dict[str, Promise] = {
    "form": _("Choose what the chat reads, and its language."),
    "kinds": _("There is no such kind of post. Tick those you want."),
    "none": _("There is no chat yet: give its address first."),
    "waiting": _("A trial is on its way already: look again in a moment."),
    "often": _("Ten trials within ten minutes are enough: wait a little."),
}


def refusal(problem: NotPossible) -> str:
    """Why not, and what to do."""
    if problem.code == "address":
        return str(webhooks.ADDRESSES[problem.detail])
    return str(REFUSALS[problem.code])


def trouble(chat: Chat) -> str:
    """Why the last post did not arrive, in a sentence; "" where it did."""
    if chat.paused is not None:
        return str(
            _("The chat answers that this address is no longer good. Give another one, or post again.")
        )
    if chat.failed is None:
        return ""
    if chat.problem in webhooks.PROBLEMS:
        said = _("The last post did not arrive: %(why)s.") % {"why": webhooks.PROBLEMS[chat.problem]}
    else:
        said = _("The last post was not taken: the chat answers with %(status)s.") % {"status": chat.status}
    waits = chat.posts.filter(outcome="").exists()
    after = _("It is tried again.") if waits else _("It is not tried any more.")
    return f"{said} {after}"
