"""What the table refuses, each with its sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _

from talleyrand.web.accounts import account_texts


class LobbyRefusal(Exception):
    """Something that cannot be done at this table; `code` says why, `sentence` says it to the reader."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    @property
    def sentence(self) -> str:
        return lobby_refusal_texts()[self.code]


def lobby_refusal_texts() -> dict[str, str]:
    """Every refusal in the reader’s language."""
    return {**_of_joining(), **_of_leaving(), **_of_beginning(), **_of_playing()}


def _of_joining() -> dict[str, str]:
    return {
        "already": _("You are already in this game."),
        "revoked": _("This invitation was already used or withdrawn. Ask for a new one."),
        "closed": _("This game is by invitation only. Ask for a link."),
        "full": _("This game is full."),
        "unreliable": _(
            "This game asks for a higher reliability than yours. Finish games without missing "
            "a phase to raise it."
        ),
        "banned": _(
            "You are banned from new games for now. “Warnings and bans”, in your account, says why and "
            "until when."
        ),
        "moderated": _(
            "You have read about this game as a moderator, so you can’t take part in it. Choose another one."
        ),
        "house_rules": _("The house rules were not shown to you, or have changed. Read them, then accept."),
        "blocked": _("You can’t join this game. Choose another one."),
        "blocking": _("Someone you block is in this game."),
        "begun": _("This game has started and no seat is open. Try the games list."),
        "taken": _("Someone has just taken this seat. Another may be open."),
        "bot": _("A bot plays this power, and keeps it by the terms of this game."),
        "saw_all": _("You have been at this game’s desk and seen its secrets, so you can’t play in it."),
        "held_other": _(
            "You have played another power in this game and know its secrets, so you can’t take this one."
        ),
        "not_free": _("No one can take this power. Choose one from the list."),
        "seat": _("No such power in this game. Choose one from the list."),
        "over": _("This game is over; nothing can be changed."),
        "links": _("Too many links: withdraw one first."),
        "role": _("No such role."),
        "newcomer": _(
            "Until you have finished a game, you can play in three listed games at once. Finish one "
            "first, or play by invitation."
        ),
        "often_absent": _(
            "While your reliability is below 80%, you can play in three listed games at once. Finish one "
            "without missing a phase, or play by invitation."
        ),
        "group_name": _("Give the group a name of 80 characters at most."),
        "group_full": _("This group is full: 200 members at most."),
        "groups": _("You are in 20 groups already: leave one first."),
        "group_gone": _("This group no longer exists."),
        "group_owner": _("Only those who lead the group can do that."),
        "makers": str(account_texts.MAKERS_ONLY),
        "group_act": _("Choose one of the buttons."),
        "no_search": _("Choose at least one answer to keep as a search."),
        "searches": _("You keep ten searches already: remove one first."),
        "no_queue": _("No such queue. Choose one from the list."),
        "rematches": _("Three rematches of this game were abandoned. Make a new game and send its link."),
        "open_games": _("Too many of your games are waiting for players. Start or abandon one first."),
        "unled": _("This game runs without a GM: no one can be given the desk now."),
    }


def _of_leaving() -> dict[str, str]:
    return {
        "stranger": _("This person is no longer in the game."),
        "last_master": _("You are the only GM: invite another first, or abandon the game."),
        "not_yours": _("You no longer play this power."),
    }


def _of_beginning() -> dict[str, str]:
    return {
        "started": _("The game has already started."),
        "few": _("At least two players are needed. Invite some more."),
        "alone": _("At least one person must play: bots don’t play alone."),
        "no_computer": _(
            "Bots are not available on this site, so the game can’t start. Invite players for the open seats."
        ),
        "no_master": _("These settings need a GM: invite one by link first."),
        "no_shares": _(
            "The classic rules have no distribution of powers for this number of players, or "
            "a power is already assigned. The game hasn’t started."
        ),
        "unknown_player": _(
            "Someone you chose has left the game. Check the list again; the game hasn’t started."
        ),
        "without_power": _("Every player needs at least one power."),
        "not_begun": _("The game hasn’t started yet."),
    }


def _of_playing() -> dict[str, str]:
    return {
        "unreasoned": _("Give a reason; the players will read it."),
        "no_dates": _("Enter the first and last day, e.g. 2026-08-01."),
        "turned_round": _("The last day can’t be before the first."),
        "past": _("This period is already over."),
        "too_long": _("That’s more absence than this game allows. Announce less, or request a pause."),
        "no_absences": _("Absences don’t move deadlines in this game."),
        "no_absence": _("This absence is over or already withdrawn."),
        "overlap": _("You already announced an absence for this period: withdraw it first."),
        "plays": _("Who plays in the game can’t lead it."),
        "leads": _("This account leads the game already."),
        "kept_out": _("This account can’t lead the game at present. Choose another one."),
        "no_account": _("No account with this name."),
        "gm_seen": _("The game doesn’t wait for its GM, or the GM has been seen since."),
        "long_rules": _("House rules too long: 2,000 characters at most."),
        "rules_often": _("The house rules have changed five times in a day: continue tomorrow."),
        "same_rules": _("Nothing to change: these are the house rules already."),
        "moved": _("The game has changed; this is how it stands now."),
        "paused": _("The game is already paused."),
        "running": _("The game is not paused."),
        "asked": _("You already requested it."),
    }
