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
        _("a draw is shown: each hears his own seat, or that he stands down; and if it changes"),
    ),
    "wanted": (_("Wanted at a board"), _("somebody is seated late, or takes a seat over")),
    "results": (_("Result to confirm"), _("a result waits for another of the board to confirm it")),
    "votes": (_("End of a game"), _("its end is asked, or voted on")),
    "prizes": (_("Prizes"), _("the tournament is over and all rounds are shown")),
}
AUDIENCE_TEXTS: dict[str, Promise] = {
    "no": _("nobody"),
    "accounts": _("those with an account"),
    "all": _("also those who gave a mail address"),
}
CHAT_KIND_TEXTS: dict[str, Promise] = {
    "draws": _("draws, and what changes in them"),
    "standings": _("the standings after each round"),
    "rulings": _("rulings that are shown to the players"),
    "prizes": _("the prizes"),
}
CHAT_FORMAT_TEXTS: dict[str, Promise | str] = {
    "discord": "Discord",
    "slack": "Slack, Mattermost",
    "text": _('another, which reads {"text": …} (Matrix)'),
}
TEXT_STYLE_NAMES: dict[str, Promise | str] = {
    "text": _("plain text"),
    "markdown": "Markdown",
    "wiki": "Wiki (MediaWiki)",
}
CHAT_REFUSAL_TEXTS: dict[str, Promise] = {
    "form": _("Choose what the chat reads, and its language."),
    "kinds": _("There is no such kind of post. Tick those you want."),
    "none": _("There is no chat yet: give its address first."),
    "waiting": _("A trial is on its way already: look again in a moment."),
    "often": _("Ten trials within ten minutes are enough: wait a little."),
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
            _("The chat answers that this address is no longer good. Give another one, or post again.")
        )
    if chat.failed_at is None:
        return ""
    if chat.error in webhooks.PROBLEMS:
        said = _("The last post did not arrive: %(why)s.") % {"why": webhooks.PROBLEMS[chat.error]}
    else:
        said = _("The last post was not taken: the chat answers with %(status)s.") % {
            "status": chat.status_code
        }
    waits = chat.posts.filter(outcome="").exists()
    after = _("It is tried again.") if waits else _("It is not tried any more.")
    return f"{said} {after}"
