"""What is told, whom, and why a chat was not reached, in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from talleyrand.web.webhooks import webhook_labels as webhooks

from .chat_settings import ChatRefusal
from .models import TournamentChat

TOPIC_TEXTS: dict[str, tuple[Promise, Promise]] = {
    "seats": (
        _("Seats"),
        _("a board draw is published: players learn their seat, or that they sit out, and any change to it"),
    ),
    "wanted": (_("Needed at a board"), _("someone is seated late or takes over a seat")),
    "results": (
        _("Result to confirm"),
        _("a result is waiting for another player of the board to confirm it"),
    ),
    "votes": (_("End of a game"), _("ending the game is requested or put to a vote")),
    "prizes": (_("Prizes"), _("the tournament is over and all rounds are shown")),
}
AUDIENCE_TEXTS: dict[str, Promise] = {
    "no": _("nobody"),
    "accounts": _("those with an account"),
    "all": _("also those who gave an email address"),
}
CHAT_KIND_TEXTS: dict[str, Promise] = {
    "draws": _("board draws, and changes to them"),
    "standings": _("the standings after each round"),
    "rulings": _("rulings shown to the players"),
    "prizes": _("the prizes"),
}
CHAT_FORMAT_TEXTS: dict[str, Promise | str] = {
    "discord": "Discord",
    "slack": "Slack, Mattermost",
    "text": _('other, expecting {"text": …} (Matrix)'),
}
TEXT_STYLE_NAMES: dict[str, Promise | str] = {
    "text": _("plain text"),
    "markdown": "Markdown",
    "wiki": "Wiki (MediaWiki)",
}
CHAT_REFUSAL_TEXTS: dict[str, Promise] = {
    "form": _("Choose the channel type and the language."),
    "kinds": _("Unknown kind of post. Tick the ones you want."),
    "none": _("No channel yet. Enter its address first."),
    "waiting": _("A test is already being sent. Check again in a moment."),
    "often": _("Ten tests in ten minutes is the limit. Please wait a few minutes."),
}


def chat_refusal_text(problem: ChatRefusal) -> str:
    """Why not, and what to do."""
    if problem.code == "address":
        return str(webhooks.ADDRESSES[problem.detail])
    return str(CHAT_REFUSAL_TEXTS[problem.code])


def chat_error_text(chat: TournamentChat) -> str:
    """Why the last post did not arrive, in a sentence; "" where it did."""
    if chat.paused_at is not None:
        return str(
            _("The channel says this address is no longer valid. Enter another one, or resume posting.")
        )
    if chat.failed_at is None:
        return ""
    if chat.error in webhooks.PROBLEMS:
        said = _("The last post was not delivered: %(why)s.") % {"why": webhooks.PROBLEMS[chat.error]}
    else:
        said = _("The last post was refused: the channel answered %(status)s.") % {"status": chat.status_code}
    waits = chat.posts.filter(outcome="").exists()
    after = _("It will be retried.") if waits else _("It will not be retried.")
    return f"{said} {after}"
