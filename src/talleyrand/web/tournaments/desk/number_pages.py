"""What the number of people means: choices with their effect, who stands down by lot or by hand, the draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.tournament import drawing, formation, regulations, resting, teams, timing
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.teams import SetTeams
from talleyrand.tournament.boards import people_at
from talleyrand.tournament.drawing import Wanted
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.formation import Choice
from talleyrand.tournament.model import Event, Rest, Rested, RoundState, Team
from talleyrand.tournament.numbers import natural
from talleyrand.tournament.regulations import Part
from talleyrand.tournament.resting import Qualified, Resting
from talleyrand.web.tournaments.models import Entry
from talleyrand.web.tournaments.sight import Sight

from . import words
from .doors import Visit, answer, at_desk
from .pressing import Pressed
from .round_pages import check_round, steps

MOST_LOTS = 999
DROPPED = ("apart", "team", "barred")


@at_desk
def numbers(request: HttpRequest, sight: Sight, number: int) -> HttpResponse:
    """Choices for the number of people who are there, and the button that draws."""
    check_round(sight.event, number)
    draft = reverse("tournaments:desk_draw", args=[sight.tournament.key, number])
    builders = {"draw": _draws(number), "loners": _loners(number)}

    def way(entry: Entry | None) -> str:
        drawn = entry is not None and any(one["kind"] == "drawn" for one in entry.acts)
        return draft if drawn else request.get_full_path()

    def shown(visit: Visit) -> dict[str, Any]:
        return _numbers(visit, number)

    return answer(request, sight, "numbers.html", shown, builders=builders, way=way)


def kept_boards(event: Event, number: int) -> tuple[int, ...]:
    """Boards that a draw leaves alone: those at which somebody sits, once a round is being played."""
    one = event.rounds[number]
    if one.state is not RoundState.PLAYING:
        return ()
    return tuple(at for at, board in sorted(one.boards.items()) if people_at(board))


def seed_of(event: Event, number: int, lot: int) -> str:
    """What a draw is made from: anybody who knows it draws the same."""
    return f"{event.seed or event.name} {number}.{lot}"


def finalists(event: Event, number: int, lot: int) -> Qualified | None:
    """Who plays the final table, where this round has one that is not being played yet."""
    if not event.rounds[number].final or kept_boards(event, number):
        return None
    return resting.qualify(event, number, seed_of(event, number, lot))


def choices(event: Event, number: int, final: Qualified | None) -> tuple[Choice, ...]:
    """Choices for whoever has no seat at a board that is kept, and none at the final table."""
    one = event.rounds[number]
    elsewhere = {who for at in kept_boards(event, number) for who in people_at(one.boards[at])}
    return formation.of(event, number, {*elsewhere, *(final.people if final else ())})


def key_of(choice: Choice) -> str:
    """A choice in a form: the same one has the same text."""
    boards = ",".join(f"{name}:{size}" for name, size in zip(choice.boards, choice.sizes, strict=True))
    return f"{boards};{choice.rest};{choice.twice};{choice.organiser}"


def _draws(number: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        lot = max(1, min(MOST_LOTS, pressed.number("lot")))
        final = finalists(event, number, lot)
        found = [one for one in choices(event, number, final) if key_of(one) == pressed.get("choice")]
        if not found:
            raise Refused("act_choice_gone")
        twice = pressed.numbers("twice") if found[0].twice else ()
        proposed = _proposed(event, number, found[0], final, lot, twice)
        away = _ticked(proposed.resting, set(pressed.numbers("resting")))
        wanted = replace(proposed, resting=away, dropped=given_up(pressed))
        return drawing.draw(event, number, wanted)

    return build


def _ticked(drawn: Resting, chosen: set[int]) -> Resting:
    """Who stands down as it was ticked: what lot and rule say where the director changed nothing."""
    people = {who: drawn.people.get(who, Rest(Rested.DIRECTOR)) for who in sorted(chosen)}
    return Resting(people, drawn.lots if set(drawn.people) == chosen else ())


def _proposed(
    event: Event,
    number: int,
    choice: Choice,
    final: Qualified | None,
    lot: int,
    twice: tuple[int, ...] | None = None,
) -> Wanted:
    kept, seed = kept_boards(event, number), seed_of(event, number, lot)
    return drawing.propose(event, number, choice, seed, twice=twice, final=final, kept=kept)


def _loners(number: int) -> Any:
    def build(event: Event, _pressed: Pressed) -> Act:
        here = formation.counted(event, number)
        held = {who for team in event.teams.values() for who in team.members}
        boards = max((len(one.boards) for one in choices(event, number, None)), default=0)
        seed = seed_of(event, number, 1)
        filled = teams.completed(event.teams, [who for who in here if who not in held], boards, seed)
        return SetTeams(
            {
                at: Team(_team_name(event, at), members)
                for at, members in filled.items()
                if members or at in event.teams
            }
        )

    return build


def _team_name(event: Event, number: int) -> str:
    known = event.teams.get(number)
    return known.name if known else _("Team %(number)s") % {"number": number}


def _numbers(visit: Visit, number: int) -> dict[str, Any]:
    event = visit.event
    lot = _lot(visit)
    context = {
        **steps(visit, number, "numbers"),
        "lot": lot,
        "next_lot": lot + 1,
        **_team_round(event, number),
    }
    try:
        final = finalists(event, number, lot)
    except Refused as error:
        return {**context, "no_final": words.refusal(error, event), **_final(event, number, None)}
    found = choices(event, number, final)
    wanted = visit.typed("choice") or visit.request.GET.get("choice", "")
    chosen = next((one for one in found if key_of(one) == wanted), found[0] if found else None)
    return {
        **context,
        **_final(event, number, final, len(chosen.boards) if chosen else 0),
        "count": len(formation.counted(event, number)),
        "choices": [_choice(one, one is chosen) for one in found],
        "chosen": _chosen(visit, number, chosen, final, lot) if chosen else None,
        "kept": kept_boards(event, number),
        "dropped": dropped(visit),
    }


def dropped(visit: Visit) -> list[tuple[str, str, bool]]:
    """Rules that may be given up, and whether they were ticked."""
    ticked = visit.pressed.typed.get("dropped", ()) if visit.pressed else ()
    return [(name, label, name in ticked) for name, label in _rules()]


def given_up(pressed: Pressed) -> frozenset[str]:
    """Rules that a draw need not keep."""
    return frozenset(pressed.typed.get("dropped", ())) & set(DROPPED)


def _rules() -> list[tuple[str, str]]:
    return [
        ("apart", _("pairs that are never seated together")),
        ("team", _("members of a team on different boards")),
        ("barred", _("another power than the day before, in the round of teams")),
    ]


def _lot(visit: Visit) -> int:
    told = visit.typed("lot") or visit.request.GET.get("lot", "1")
    return max(1, min(MOST_LOTS, natural(told) or 1))


def _choice(choice: Choice, chosen: bool) -> dict[str, Any]:
    return {
        "key": key_of(choice),
        "boards": _boards(choice) or _("No other board"),
        "effect": _effect(choice),
        "ruled": choice.ruled,
        "chosen": chosen,
    }


def _boards(choice: Choice) -> str:
    """ "2 boards of 7 (Classic), 1 board of 6 (Survivor Turkey)"."""
    pairs = list(zip(choice.boards, choice.sizes, strict=True))
    said = []
    for variant, size in dict.fromkeys(pairs):
        count = pairs.count((variant, size))
        text = ngettext(
            "%(count)s board of %(size)s (%(game)s)", "%(count)s boards of %(size)s (%(game)s)", count
        )
        said.append(text % {"count": count, "size": size, "game": words.variant_name(variant)})
    return ", ".join(said)


def _effect(choice: Choice) -> str:
    """What it does to people, in a sentence or two."""
    said = []
    if choice.rest:
        text = ngettext("%(count)s person stands down", "%(count)s people stand down", choice.rest)
        said.append(text % {"count": choice.rest})
    if choice.twice:
        text = ngettext(
            "%(count)s person plays on two boards", "%(count)s people play on two boards", choice.twice
        )
        said.append(text % {"count": choice.twice})
    if choice.organiser is Part.REFEREES:
        said.append(_("the organiser referees"))
    return ", ".join(said) or _("everybody plays")


def _chosen(visit: Visit, number: int, choice: Choice, final: Qualified | None, lot: int) -> dict[str, Any]:
    """The effect of the choice: by name, as rule and lot say, ready to be changed by hand."""
    event = visit.event
    here = _free(event, number, final)
    twice = formation.willing(event, number, choice, set(formation.counted(event, number)) - set(here))
    drawn, trouble = Resting(), ""
    try:
        drawn = _proposed(event, number, choice, final, lot).resting
    except Refused as error:
        trouble = words.refusal(error, event)
    return {
        "key": key_of(choice),
        "choice": choice,
        "trouble": trouble,
        "rest": choice.rest,
        "twice": choice.twice,
        "people": _candidates(visit, number, here, drawn, twice),
        "lots": [lot_in_words(event, one.what, one.among, one.drawn) for one in drawn.lots],
    }


def _candidates(
    visit: Visit, number: int, here: list[int], drawn: Resting, twice: Iterable[int]
) -> list[dict[str, Any]]:
    """Who may stand down or play twice: as proposed, or as it was ticked and refused."""
    picked = visit.pressed if visit.pressed and visit.pressed.name == "draw" and visit.refused else None
    rests = picked.ticked("resting") if picked else set(drawn.people)
    plays_twice = picked.ticked("twice") if picked else set(twice)
    return [
        {
            "number": who,
            "name": words.name_of(visit.event, who),
            "why": why_rests(drawn.people[who]) if who in drawn.people else "",
            "rests": who in rests,
            "twice": who in plays_twice,
            "played": resting.rounds_played(visit.event, who, number),
        }
        for who in here
    ]


def _free(event: Event, number: int, final: Qualified | None) -> list[int]:
    one = event.rounds[number]
    kept = {who for at in kept_boards(event, number) for who in people_at(one.boards[at])}
    away = {*kept, *(final.people if final else ())}
    return words.in_order(event, [who for who in formation.counted(event, number) if who not in away])


def why_rests(rest: Rest) -> str:
    """Why somebody stands down, in a word or two."""
    return {
        Rested.ORGANISATION: _("of the organisation"),
        Rested.LOT: _("by lot"),
        Rested.DIRECTOR: _("chosen by the director"),
        Rested.OWN: _("own wish"),
        Rested.LATE: _("came when the boards were full"),
    }[rest.why]


def lot_in_words(event: Event, what: str, among: Iterable[str], drawn: Iterable[str]) -> str:
    """A lot, among whom and whom it fell on."""
    people = what != "powers"
    name = (lambda one: words.name_of(event, one)) if people else words.power
    said = {
        "stand_down": _("Lot for who stands down, among %(among)s: %(drawn)s."),
        "final": _("Lot for the last seat of the final, among %(among)s: %(drawn)s."),
        "powers": _("Lot for the powers, among %(among)s: %(drawn)s."),
    }.get(what, _("Lot among %(among)s: %(drawn)s."))
    return said % {"among": ", ".join(map(name, among)), "drawn": ", ".join(map(name, drawn))}


def _final(event: Event, number: int, final: Qualified | None, planned: int = 0) -> dict[str, Any]:
    """The final, for the rounds up to the one that has it; `planned`: the boards this round would have."""
    rule = regulations.read(event.regulations).final
    if rule is None:
        return {}
    settled = max((at for one in formation.conditions(event) for at in one.rounds), default=0)
    asked = formation.conditions(event, planned if number == settled else 0)
    return {
        "final_round": rule.round,
        "final_now": event.rounds[rule.round].final if rule.round in event.rounds else None,
        "final_due": all(one.met for one in asked),
        "final_known": number >= settled,
        "final_known_in": settled,
        "final_conditions": [
            ngettext(
                "Boards in round %(rounds)s: %(there)s, at least %(least)s are needed.",
                "Boards in rounds %(rounds)s: %(there)s, at least %(least)s are needed.",
                len(one.rounds),
            )
            % {"rounds": ", ".join(map(str, one.rounds)), "there": one.there, "least": one.least}
            for one in asked
        ],
        "finalists": [words.name_of(event, who) for who in final.people] if final else [],
        "final_lots": [lot_in_words(event, one.what, one.among, one.drawn) for one in final.lots]
        if final
        else [],
    }


def _team_round(event: Event, number: int) -> dict[str, Any]:
    if not timing.rule_of(regulations.read(event.regulations), number).teams:
        return {}
    here = formation.counted(event, number)
    held = {who for team in event.teams.values() for who in team.members}
    loners = [who for who in here if who not in held]
    boards = max((len(one.boards) for one in choices(event, number, None)), default=0)
    large = teams.too_large(event.teams, boards)
    return {
        "team_round": teams.contested(boards),
        "loners": [words.name_of(event, who) for who in words.in_order(event, loners)],
        "large_teams": [event.teams[at].name for at in large],
        "largest": teams.largest(boards),
    }
