"""Every act in words, for the log and for who has just done it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import acts
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.model import BoardResult, Event, EventPerson
from talleyrand.web.tournaments import tournament_names
from talleyrand.web.tournaments.models import JournalEntry

from . import desk_texts

# The code of a sentence is the kind of the act, with the value of a flag where it makes another sentence.
ACT_SENTENCES = {
    "renamed": _("Tournament renamed: %(name)s."),
    "announced": _("Announcement changed."),
    "regulated": _("Regulations changed."),
    "set_up": _("Rounds of the regulations created."),
    "signups_set.yes": _("Sign-up is open."),
    "signups_set.no": _("Sign-up is closed."),
    "finished.yes": _("The tournament is over."),
    "finished.no": _("Tournament reopened."),
    "person_added": _("Added: %(name)s."),
    "people_added": _("People added: %(count)s."),
    "person_changed": _("Details changed: %(name)s."),
    "flagged": _("Details changed: %(person)s."),
    "signed_up": _("%(person)s chose rounds: %(rounds)s."),
    "withdrew.yes": _("%(person)s withdrew."),
    "withdrew.no": _("%(person)s is back."),
    "ride_offered": _("Carpooling changed: %(person)s."),
    "merged": _("Entries merged: %(person)s."),
    "removed": _("Entry removed: %(person)s."),
    "round_added": _("Round added."),
    "round_removed": _("Round %(round)s removed."),
    "round_timed": _("Start time of round %(round)s changed."),
    "round_opened": _("Check-in opened for round %(round)s."),
    "round_closed": _("Round %(round)s closed."),
    "round_reopened": _("Round %(round)s reopened."),
    "round_cancelled.yes": _("Round %(round)s cancelled."),
    "round_cancelled.no": _("Round %(round)s counts again."),
    "round_revealed.yes": _("Standings of round %(round)s shown to everyone."),
    "round_revealed.no": _("Standings of round %(round)s hidden."),
    "final_decided.yes": _("There is a final table in round %(round)s."),
    "final_decided.no": _("There is no final table in round %(round)s."),
    "arrived": _("Checked in for round %(round)s: %(person)s."),
    "arrived_together": _("Checked in for round %(round)s: %(count)s."),
    "left": _("Check-in cancelled for round %(round)s: %(person)s."),
    "stood_down": _("%(person)s sits out round %(round)s."),
    "recalled": _("%(person)s plays round %(round)s after all."),
    "drawn": _("Boards of round %(round)s drawn."),
    "seat_locked.yes": _("Locked: %(power)s, board %(board)s of round %(round)s."),
    "seat_locked.no": _("Unlocked: %(power)s, board %(board)s of round %(round)s."),
    "seats_swapped": _(
        "Seats swapped in round %(round)s: %(power)s (board %(board)s), %(other_power)s "
        "(board %(other_board)s)."
    ),
    "seat_given": _("%(power)s, board %(board)s of round %(round)s: %(person)s."),
    "published": _("Board draw of round %(round)s published."),
    "taken_back": _("Board draw of round %(round)s unpublished (draft again)."),
    "draft_discarded": _("Draft of round %(round)s discarded."),
    "seated_late": _(
        "Late arrival: %(person)s, %(power)s, board %(board)s of round %(round)s (seasons "
        "missed: %(missed)s)."
    ),
    "no_show": _("No-show: %(power)s, board %(board)s of round %(round)s; seat now: %(person)s."),
    "relieved": _(
        "Replacement: %(person)s, %(power)s, board %(board)s of round %(round)s (seasons: %(seasons)s)."
    ),
    "seat_corrected": _("Seat corrected: %(power)s, board %(board)s of round %(round)s."),
    "board_changed": _("Board %(board)s of round %(round)s changed."),
    "board_added": _("Board added to round %(round)s."),
    "board_dropped": _("Board %(board)s removed from round %(round)s."),
    "clock_started": _("Clock of round %(round)s started."),
    "clock_paused": _("Clock of round %(round)s paused."),
    "clock_turned": _("Clock of round %(round)s moved to another season."),
    "clock_length_set": _("Season length changed in round %(round)s."),
    "clock_merged": _("Two seasons merged in round %(round)s."),
    "clock_stopped.yes": _("Playing time ended in round %(round)s."),
    "clock_stopped.no": _("Playing time reopened in round %(round)s."),
    "board_offset": _("Clock shifted for board %(board)s of round %(round)s."),
    "vote_asked": _("%(power)s asks to end the game on board %(board)s of round %(round)s."),
    "vote_vetoed": _("%(power)s vetoes ending the game on board %(board)s of round %(round)s."),
    "vote_opened": _("Vote open on ending the game, board %(board)s of round %(round)s."),
    "vote_cast": _("Ballot on ending the game, board %(board)s of round %(round)s."),
    "vote_withdrawn": _("Request to end the game withdrawn, board %(board)s of round %(round)s."),
    "result_entered": _("Result of board %(board)s of round %(round)s entered by %(by)s: %(result)s."),
    "result_confirmed": _("Result of board %(board)s of round %(round)s confirmed by %(by)s."),
    "result_corrected": _("Result of board %(board)s of round %(round)s set by the desk: %(result)s."),
    "result_withdrawn": _("Result of board %(board)s of round %(round)s removed."),
    "ballot_cast": _("Prize ballot, board %(board)s of round %(round)s."),
    "ballot_removed": _("Prize ballot removed."),
    "ruling_added": _("Ruling: %(text)s"),
    "ruling_changed": _("Ruling changed: %(text)s"),
    "ruling_removed": _("Ruling deleted."),
    "adjusted": _("Score adjusted, %(person)s (%(value)s): %(why)s"),
    "adjustment_changed": _("Score adjustment changed, %(person)s: %(value)s, %(why)s"),
    "adjustment_removed": _("Score adjustment removed."),
    "team_formed": _("Team %(name)s created: %(members)s."),
    "team_changed": _("Team %(name)s changed: %(members)s."),
    "team_dissolved": _("Team dissolved."),
    "team_asked": _("Team request made or withdrawn: %(person)s."),
    "team_answered.yes": _("Team request accepted: %(person)s."),
    "team_answered.no": _("Team request declined: %(person)s."),
    "teams_set": _("Players without a team assigned to teams at random."),
    "centres_counted": _("Current centres entered, board %(board)s of round %(round)s."),
    "years_counted": _("Centres of %(years)s updated, board %(board)s of round %(round)s."),
    "farthest_told": _("Farthest province entered: %(power)s, board %(board)s of round %(round)s."),
    "live_shown.yes": _("Everyone can see the provisional standings."),
    "live_shown.no": _("Provisional standings hidden."),
    "online_set": _("Terms of games on this site changed."),
    "preferred": _("Power preferences changed: %(person)s."),
    "powers_chosen": _("Powers chosen by a team: %(powers)s."),
    "kept_apart.yes": _("%(first)s and %(second)s are kept apart."),
    "kept_apart.no": _("%(first)s and %(second)s are no longer kept apart."),
}
FLAG_FIELDS = ("yes", "open", "over", "gone", "cancelled", "shown", "held", "locked", "apart")
PERSON_FIELDS = ("person", "other", "first", "second")
LONGEST_QUOTE = 160  # characters of a text that somebody typed


def entry_description(entry: JournalEntry, event: Event, undone: JournalEntry | None = None) -> str:
    """What an entry of the journal did; `undone`: the one it takes back, where it does."""
    if entry.undoes_number is not None:
        found = (
            undone
            or JournalEntry.objects.filter(tournament=entry.tournament, number=entry.undoes_number).first()
        )
        what = entry_description(found, event) if found is not None and found.undoes_number is None else ""
        return _("Undone, no. %(number)s: %(what)s") % {"number": entry.undoes_number, "what": what}
    if not entry.acts:
        return str(_("Private data deleted, and the log up to here."))
    known = replace(event, people={**_lost(entry), **event.people})
    return " ".join(_act_text(one, known) for one in entry.acts)


def _lost(entry: JournalEntry) -> dict[int, EventPerson]:
    """Whoever an entry has taken out of the list, by name."""
    gone = [change for change in entry.changes if change["at"][:1] == ["people"] and change["before"]]
    return {
        int(change["at"][1]): EventPerson(str(change["before"][0].get("name", "")))
        for change in gone
        if len(change["at"]) == 2
    }


def _act_text(written: Mapping[str, Any], event: Event) -> str:
    try:
        return act_description(acts.read_act(dict(written)), event)
    except TalleyrandError:  # an act of another edition of the program
        return str(written.get("kind", ""))


def act_description(act: EventAct, event: Event) -> str:
    """One act in a sentence."""
    flag = next(
        (getattr(act, name) for name in FLAG_FIELDS if isinstance(getattr(act, name, None), bool)), None
    )
    code = act.kind if act.kind in ACT_SENTENCES else f"{act.kind}.{'yes' if flag else 'no'}"
    if code not in ACT_SENTENCES:
        return act.kind
    return str(ACT_SENTENCES[code]) % _facts(act, event)


def _facts(act: EventAct, event: Event) -> dict[str, str]:
    facts = {**_act_facts(act), **vars(act)}
    told = {name: str(value) for name, value in facts.items()}
    for name in PERSON_FIELDS:
        if name in facts and (facts[name] is None or isinstance(facts[name], int)):
            told[name] = desk_texts.person_name(event, facts[name])
    for name, say in _SAID.items():
        if name in facts:
            told[name] = say(facts[name], event)
    told["count"] = str(len(facts.get("people", ())))
    if act.kind == "seat_locked" and not facts["power"]:
        told["power"] = str(_("all seats"))
    return told


def _act_facts(act: EventAct) -> dict[str, Any]:
    """The facts of what an act puts somewhere: a person, a team, a ruling, an adjustment, a ballot."""
    for name in ("person", "team", "ruling", "adjustment", "ballot"):
        held = getattr(act, name, None)
        if hasattr(held, "__dataclass_fields__"):
            return dict(vars(held))
    return {}


def _chosen(powers: Any, event: Event) -> str:
    """Who plays what, of a team; the powers alone that somebody would like."""
    if not isinstance(powers, Mapping):
        return ", ".join(map(desk_texts.power_name, powers)) or "–"
    told = (
        f"{desk_texts.person_name(event, who)} ({desk_texts.power_name(power)})"
        for who, power in powers.items()
    )
    return ", ".join(told) or "–"


def _score(result: BoardResult, _event: Event) -> str:
    return ", ".join(f"{desk_texts.power_name(power)} {count}" for power, count in result.centres.items())


_SAID: Mapping[str, Callable[[Any, Event], str]] = {
    "power": lambda power, _event: desk_texts.power_name(power),
    "other_power": lambda power, _event: desk_texts.power_name(power),
    "powers": _chosen,
    "rounds": lambda rounds, _event: ", ".join(map(str, rounds)) or "–",
    "members": lambda members, event: ", ".join(desk_texts.person_name(event, one) for one in members),
    "result": _score,
    "years": lambda years, _event: ", ".join(map(str, sorted(years))),
    "by": lambda by, event: desk_texts.entered_by_name(event, by) if isinstance(by, str) else "",
    "value": lambda value, _event: tournament_names.typed_number_text(value),
    "text": lambda text, _event: text[:LONGEST_QUOTE],
    "why": lambda why, _event: why[:LONGEST_QUOTE],
}
