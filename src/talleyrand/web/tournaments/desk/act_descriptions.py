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
    "renamed": _("The event is called %(name)s."),
    "announced": _("The announcement has been changed."),
    "regulated": _("The regulations have been changed."),
    "set_up": _("The rounds of the regulations are planned."),
    "signups_set.yes": _("Signing up is open."),
    "signups_set.no": _("Signing up is closed."),
    "finished.yes": _("The event is over."),
    "finished.no": _("The event goes on."),
    "person_added": _("%(name)s has been entered."),
    "people_added": _("%(count)s people have been entered."),
    "person_changed": _("What is known of %(name)s has been changed."),
    "flagged": _("What is known of %(person)s has been changed."),
    "signed_up": _("%(person)s has chosen rounds: %(rounds)s."),
    "withdrew.yes": _("%(person)s has withdrawn."),
    "withdrew.no": _("%(person)s is back."),
    "ride_offered": _("%(person)s has changed an offer of car-sharing."),
    "merged": _("Two entries are one person: %(person)s."),
    "removed": _("%(person)s has been removed."),
    "round_added": _("A round has been added."),
    "round_removed": _("Round %(round)s has been removed."),
    "round_timed": _("Round %(round)s has another hour."),
    "round_opened": _("Check-in of round %(round)s is open."),
    "round_closed": _("Round %(round)s is over."),
    "round_reopened": _("Round %(round)s is being played again."),
    "round_cancelled.yes": _("Round %(round)s is cancelled."),
    "round_cancelled.no": _("Round %(round)s counts again."),
    "round_revealed.yes": _("The standings of round %(round)s are shown to all."),
    "round_revealed.no": _("The standings of round %(round)s are hidden."),
    "final_decided.yes": _("There is a final table in round %(round)s."),
    "final_decided.no": _("There is no final table in round %(round)s."),
    "arrived": _("%(person)s is there for round %(round)s."),
    "arrived_together": _("%(count)s people are there for round %(round)s."),
    "left": _("%(person)s is not there for round %(round)s."),
    "stood_down": _("%(person)s stands down in round %(round)s."),
    "recalled": _("%(person)s plays round %(round)s after all."),
    "drawn": _("The seats of round %(round)s have been drawn."),
    "seat_locked.yes": _("Locked: %(power)s, board %(board)s of round %(round)s."),
    "seat_locked.no": _("Unlocked: %(power)s, board %(board)s of round %(round)s."),
    "seats_swapped": _(
        "Swapped in round %(round)s: %(power)s (board %(board)s), %(other_power)s (board %(other_board)s)."
    ),
    "seat_given": _("%(power)s, board %(board)s of round %(round)s: %(person)s."),
    "published": _("The draw of round %(round)s is shown to all."),
    "taken_back": _("The draw of round %(round)s is a draft again."),
    "draft_discarded": _("The draft of round %(round)s has been thrown away."),
    "seated_late": _(
        "%(person)s arrives late at board %(board)s of round %(round)s: %(power)s, %(missed)s seasons missed."
    ),
    "no_show": _("No show: %(power)s, board %(board)s of round %(round)s; in the seat now: %(person)s."),
    "relieved": _(
        "%(person)s takes over %(power)s at board %(board)s of round %(round)s, for %(seasons)s seasons."
    ),
    "seat_corrected": _("Put right: the seat of %(power)s, board %(board)s of round %(round)s."),
    "board_changed": _("What is said of board %(board)s of round %(round)s has been changed."),
    "board_added": _("A board has been added to round %(round)s."),
    "board_dropped": _("Board %(board)s of round %(round)s is no more."),
    "clock_started": _("The clock of round %(round)s runs."),
    "clock_paused": _("The clock of round %(round)s stands."),
    "clock_turned": _("The clock of round %(round)s is at another season."),
    "clock_length_set": _("A season of round %(round)s has another length."),
    "clock_merged": _("Two seasons of round %(round)s are played on one clock."),
    "clock_stopped.yes": _("Time is over in round %(round)s."),
    "clock_stopped.no": _("Time goes on in round %(round)s."),
    "board_offset": _("The clock of board %(board)s of round %(round)s has been shifted."),
    "vote_asked": _("%(power)s asks for the end of board %(board)s of round %(round)s."),
    "vote_vetoed": _("%(power)s forbids the end of board %(board)s of round %(round)s."),
    "vote_opened": _("Ballots on the end of board %(board)s of round %(round)s."),
    "vote_cast": _("A ballot on the end of board %(board)s of round %(round)s."),
    "vote_withdrawn": _("The end of board %(board)s of round %(round)s is asked no longer."),
    "result_entered": _("Result of board %(board)s of round %(round)s, by %(by)s: %(result)s."),
    "result_confirmed": _("Result of board %(board)s of round %(round)s confirmed by %(by)s."),
    "result_corrected": _("Result of board %(board)s of round %(round)s set by the desk: %(result)s."),
    "result_withdrawn": _("The result of board %(board)s of round %(round)s is taken away."),
    "ballot_cast": _("A ballot for the prizes, from board %(board)s of round %(round)s."),
    "ballot_removed": _("A ballot for the prizes has been taken away."),
    "ruling_added": _("Ruling: %(text)s"),
    "ruling_changed": _("A ruling now says: %(text)s"),
    "ruling_removed": _("A ruling has been struck out."),
    "adjusted": _("Score of %(person)s adjusted (%(value)s): %(why)s"),
    "adjustment_changed": _("An adjustment of %(person)s is now %(value)s: %(why)s"),
    "adjustment_removed": _("An adjustment has been taken away."),
    "team_formed": _("Team %(name)s: %(members)s."),
    "team_changed": _("Team %(name)s is now: %(members)s."),
    "team_dissolved": _("A team is no more."),
    "team_asked": _("%(person)s asks to join a team, or no longer does."),
    "team_answered.yes": _("%(person)s joins the team that was asked."),
    "team_answered.no": _("%(person)s does not join the team that was asked."),
    "teams_set": _("Loners have been drawn into teams."),
    "centres_counted": _("Centres counted at board %(board)s of round %(round)s, the game going on."),
    "years_counted": _("Centres of %(years)s at board %(board)s of round %(round)s."),
    "farthest_told": _("How far %(power)s went at board %(board)s of round %(round)s."),
    "live_shown.yes": _("All may see the standings as if every game ended now."),
    "live_shown.no": _("The standings as if every game ended now are hidden."),
    "preferred": _("The powers that %(person)s would like have been changed."),
    "powers_chosen": _("A team has chosen who plays what: %(powers)s."),
    "kept_apart.yes": _("%(first)s and %(second)s are never seated together."),
    "kept_apart.no": _("%(first)s and %(second)s may be seated together."),
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
        return _("Taken back, no. %(number)s: %(what)s") % {"number": entry.undoes_number, "what": what}
    if not entry.acts:
        return str(_("What was private has been forgotten, and the log up to here."))
    known = replace(event, people={**_lost(entry), **event.people})
    return " ".join(_told(one, known) for one in entry.acts)


def _lost(entry: JournalEntry) -> dict[int, EventPerson]:
    """Whoever an entry has taken out of the list, by name."""
    gone = [change for change in entry.changes if change["at"][:1] == ["people"] and change["before"]]
    return {
        int(change["at"][1]): EventPerson(str(change["before"][0].get("name", "")))
        for change in gone
        if len(change["at"]) == 2
    }


def _told(written: Mapping[str, Any], event: Event) -> str:
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
    facts = {**_inside(act), **vars(act)}
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


def _inside(act: EventAct) -> dict[str, Any]:
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
