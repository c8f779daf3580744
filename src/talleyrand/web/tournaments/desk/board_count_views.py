"""What the number of people means: choices with their effect, who stands down by lot or by hand, the draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.tournament import board_formation, byes, regulations, round_timing, seat_draw, team_trophy
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.team_acts import SetTeams
from talleyrand.tournament.board_formation import FormationChoice
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.byes import Finalists, RoundByes
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Bye, ByeReason, Event, EventTeam, RoundState
from talleyrand.tournament.regulations import OrganiserPart
from talleyrand.tournament.seat_draw import SeatDrawRequest
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts
from .arrival_views import round_or_404, round_steps
from .desk_views import DeskRequest, desk_response, for_desk
from .form_parsing import FormAction

MOST_DRAWS = 999
RULES_THAT_MAY_GO = ("apart", "team", "barred")


@for_desk
def board_counts_page(request: HttpRequest, sight: TournamentViewer, number: int) -> HttpResponse:
    """Choices for the number of people who are there, and the button that draws."""
    round_or_404(sight.event, number)
    draft = reverse("tournaments:desk_draw", args=[sight.tournament.key, number])
    builders = {"draw": _draws(number), "loners": _loners(number)}

    def way(entry: JournalEntry | None) -> str:
        drawn = entry is not None and any(one["kind"] == "drawn" for one in entry.acts)
        return draft if drawn else request.get_full_path()

    def shown(visit: DeskRequest) -> dict[str, Any]:
        return _numbers(visit, number)

    return desk_response(request, sight, "numbers.html", shown, builders=builders, way=way)


def kept_boards(event: Event, number: int) -> tuple[int, ...]:
    """Boards that a draw leaves alone: those at which somebody sits, once a round is being played."""
    one = event.rounds[number]
    if one.state is not RoundState.PLAYING:
        return ()
    return tuple(at for at, board in sorted(one.boards.items()) if board_people(board))


def draw_seed(event: Event, number: int, lot: int) -> str:
    """What a draw is made from: anybody who knows it draws the same."""
    return f"{event.seed or event.name} {number}.{lot}"


def finalists(event: Event, number: int, lot: int) -> Finalists | None:
    """Who plays the final table, where this round has one that is not being played yet."""
    if not event.rounds[number].final or kept_boards(event, number):
        return None
    return byes.choose_finalists(event, number, draw_seed(event, number, lot))


def formation_choices(event: Event, number: int, final: Finalists | None) -> tuple[FormationChoice, ...]:
    """Choices for whoever has no seat at a board that is kept, and none at the final table."""
    one = event.rounds[number]
    elsewhere = {who for at in kept_boards(event, number) for who in board_people(one.boards[at])}
    return board_formation.round_formations(event, number, {*elsewhere, *(final.people if final else ())})


def choice_key(choice: FormationChoice) -> str:
    """A choice in a form: the same one has the same text."""
    boards = ",".join(f"{name}:{size}" for name, size in zip(choice.boards, choice.sizes, strict=True))
    return f"{boards};{choice.rest};{choice.twice};{choice.organiser}"


def _draws(number: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        lot = max(1, min(MOST_DRAWS, pressed.number("lot")))
        final = finalists(event, number, lot)
        found = [
            one
            for one in formation_choices(event, number, final)
            if choice_key(one) == pressed.value("choice")
        ]
        if not found:
            raise ActRefused("act_choice_gone")
        twice = pressed.numbers("twice") if found[0].twice else ()
        proposed = _proposed(event, number, found[0], final, lot, twice)
        away = _ticked(proposed.resting, set(pressed.numbers("resting")))
        wanted = replace(proposed, resting=away, dropped=rules_given_up(pressed))
        return seat_draw.draw_seats(event, number, wanted)

    return build


def _ticked(drawn: RoundByes, chosen: set[int]) -> RoundByes:
    """Who stands down as it was ticked: what lot and rule say where the director changed nothing."""
    people = {who: drawn.people.get(who, Bye(ByeReason.DIRECTOR)) for who in sorted(chosen)}
    return RoundByes(people, drawn.lots if set(drawn.people) == chosen else ())


def _proposed(
    event: Event,
    number: int,
    choice: FormationChoice,
    final: Finalists | None,
    lot: int,
    twice: tuple[int, ...] | None = None,
) -> SeatDrawRequest:
    kept, seed = kept_boards(event, number), draw_seed(event, number, lot)
    return seat_draw.propose_draw(event, number, choice, seed, twice=twice, final=final, kept=kept)


def _loners(number: int) -> Any:
    def build(event: Event, _pressed: FormAction) -> EventAct:
        here = board_formation.people_counted(event, number)
        held = {who for team in event.teams.values() for who in team.members}
        boards = max((len(one.boards) for one in formation_choices(event, number, None)), default=0)
        seed = draw_seed(event, number, 1)
        filled = team_trophy.complete_teams(
            event.teams, [who for who in here if who not in held], boards, seed
        )
        return SetTeams(
            {
                at: EventTeam(_team_name(event, at), members)
                for at, members in filled.items()
                if members or at in event.teams
            }
        )

    return build


def _team_name(event: Event, number: int) -> str:
    known = event.teams.get(number)
    return known.name if known else _("Team %(number)s") % {"number": number}


def _numbers(visit: DeskRequest, number: int) -> dict[str, Any]:
    event = visit.event
    lot = _lot(visit)
    context = {
        **round_steps(visit, number, "numbers"),
        "lot": lot,
        "next_lot": lot + 1,
        **_team_round(event, number),
    }
    try:
        final = finalists(event, number, lot)
    except ActRefused as error:
        return {**context, "no_final": desk_texts.refusal_text(error, event), **_final(event, number, None)}
    found = formation_choices(event, number, final)
    wanted = visit.typed("choice") or visit.request.GET.get("choice", "")
    chosen = next((one for one in found if choice_key(one) == wanted), found[0] if found else None)
    return {
        **context,
        **_final(event, number, final, len(chosen.boards) if chosen else 0),
        "count": len(board_formation.people_counted(event, number)),
        "choices": [_choice(one, one is chosen) for one in found],
        "chosen": _chosen(visit, number, chosen, final, lot) if chosen else None,
        "kept": kept_boards(event, number),
        "dropped": rules_that_may_go(visit),
    }


def rules_that_may_go(visit: DeskRequest) -> list[tuple[str, str, bool]]:
    """Rules that may be given up, and whether they were ticked."""
    ticked = visit.action.values.get("dropped", ()) if visit.action else ()
    return [(name, label, name in ticked) for name, label in _rules()]


def rules_given_up(pressed: FormAction) -> frozenset[str]:
    """Rules that a draw need not keep."""
    return frozenset(pressed.values.get("dropped", ())) & set(RULES_THAT_MAY_GO)


def _rules() -> list[tuple[str, str]]:
    return [
        ("apart", _("people kept apart")),
        ("team", _("teammates on different boards")),
        ("barred", _("not the power of the day before (team round)")),
    ]


def _lot(visit: DeskRequest) -> int:
    told = visit.typed("lot") or visit.request.GET.get("lot", "1")
    return max(1, min(MOST_DRAWS, parse_natural(told) or 1))


def _choice(choice: FormationChoice, chosen: bool) -> dict[str, Any]:
    return {
        "key": choice_key(choice),
        "boards": _boards(choice) or _("No other board"),
        "effect": _effect(choice),
        "ruled": choice.ruled,
        "chosen": chosen,
    }


def _boards(choice: FormationChoice) -> str:
    """ "2 boards of 7 (Classic), 1 board of 6 (Survivor Turkey)"."""
    pairs = list(zip(choice.boards, choice.sizes, strict=True))
    said = []
    for variant, size in dict.fromkeys(pairs):
        count = pairs.count((variant, size))
        text = ngettext(
            "%(count)s board of %(size)s (%(game)s)", "%(count)s boards of %(size)s (%(game)s)", count
        )
        said.append(text % {"count": count, "size": size, "game": desk_texts.variant_name(variant)})
    return ", ".join(said)


def _effect(choice: FormationChoice) -> str:
    """What it does to people, in a sentence or two."""
    said = []
    if choice.rest:
        text = ngettext("%(count)s person sits out", "%(count)s people sit out", choice.rest)
        said.append(text % {"count": choice.rest})
    if choice.twice:
        text = ngettext(
            "%(count)s person plays on two boards", "%(count)s people play on two boards", choice.twice
        )
        said.append(text % {"count": choice.twice})
    if choice.organiser is OrganiserPart.REFEREES:
        said.append(_("the organiser referees"))
    return ", ".join(said) or _("everyone plays")


def _chosen(
    visit: DeskRequest, number: int, choice: FormationChoice, final: Finalists | None, lot: int
) -> dict[str, Any]:
    """The effect of the choice: by name, as rule and lot say, ready to be changed by hand."""
    event = visit.event
    here = _free(event, number, final)
    twice = board_formation.two_board_players(
        event, number, choice, set(board_formation.people_counted(event, number)) - set(here)
    )
    drawn, trouble = RoundByes(), ""
    try:
        drawn = _proposed(event, number, choice, final, lot).resting
    except ActRefused as error:
        trouble = desk_texts.refusal_text(error, event)
    return {
        "key": choice_key(choice),
        "choice": choice,
        "trouble": trouble,
        "rest": choice.rest,
        "twice": choice.twice,
        "people": _candidates(visit, number, here, drawn, twice),
        "lots": [random_draw_text(event, one.what, one.among, one.drawn) for one in drawn.lots],
    }


def _candidates(
    visit: DeskRequest, number: int, here: list[int], drawn: RoundByes, twice: Iterable[int]
) -> list[dict[str, Any]]:
    """Who may stand down or play twice: as proposed, or as it was ticked and refused."""
    picked = visit.action if visit.action and visit.action.name == "draw" and visit.refusal_text else None
    rests = picked.ticked_numbers("resting") if picked else set(drawn.people)
    plays_twice = picked.ticked_numbers("twice") if picked else set(twice)
    return [
        {
            "number": who,
            "name": desk_texts.person_name(visit.event, who),
            "why": bye_reason(drawn.people[who]) if who in drawn.people else "",
            "rests": who in rests,
            "twice": who in plays_twice,
            "played": byes.rounds_played(visit.event, who, number),
        }
        for who in here
    ]


def _free(event: Event, number: int, final: Finalists | None) -> list[int]:
    one = event.rounds[number]
    kept = {who for at in kept_boards(event, number) for who in board_people(one.boards[at])}
    away = {*kept, *(final.people if final else ())}
    return desk_texts.alphabetical(
        event, [who for who in board_formation.people_counted(event, number) if who not in away]
    )


def bye_reason(rest: Bye) -> str:
    """Why somebody stands down, in a word or two."""
    return {
        ByeReason.ORGANISATION: _("to help the organisers"),
        ByeReason.LOT: _("drawn at random"),
        ByeReason.DIRECTOR: _("chosen by the director"),
        ByeReason.OWN: _("at their own request"),
        ByeReason.LATE: _("arrived when the boards were full"),
    }[rest.why]


def random_draw_text(event: Event, what: str, among: Iterable[str], drawn: Iterable[str]) -> str:
    """A lot, among whom and whom it fell on."""
    people = what != "powers"
    name = (lambda one: desk_texts.person_name(event, one)) if people else desk_texts.power_name
    said = {
        "stand_down": _("Random draw of who sits out, among %(among)s: %(drawn)s."),
        "final": _("Random draw for the last seat in the final, among %(among)s: %(drawn)s."),
        "powers": _("Random draw of powers, among %(among)s: %(drawn)s."),
    }.get(what, _("Random draw among %(among)s: %(drawn)s."))
    return said % {"among": ", ".join(map(name, among)), "drawn": ", ".join(map(name, drawn))}


def _final(event: Event, number: int, final: Finalists | None, planned: int = 0) -> dict[str, Any]:
    """The final, for the rounds up to the one that has it; `planned`: the boards this round would have."""
    rule = regulations.read_regulations(event.regulations).final
    if rule is None:
        return {}
    settled = max((at for one in board_formation.final_conditions(event) for at in one.rounds), default=0)
    asked = board_formation.final_conditions(event, planned if number == settled else 0)
    return {
        "final_round": rule.round,
        "final_now": event.rounds[rule.round].final if rule.round in event.rounds else None,
        "final_due": all(one.met for one in asked),
        "final_known": number >= settled,
        "final_known_in": settled,
        "final_conditions": [
            ngettext(
                "Boards in round %(rounds)s: %(there)s (at least %(least)s needed).",
                "Boards in rounds %(rounds)s: %(there)s (at least %(least)s needed).",
                len(one.rounds),
            )
            % {"rounds": ", ".join(map(str, one.rounds)), "there": one.there, "least": one.least}
            for one in asked
        ],
        "finalists": [desk_texts.person_name(event, who) for who in final.people] if final else [],
        "final_lots": [random_draw_text(event, one.what, one.among, one.drawn) for one in final.lots]
        if final
        else [],
    }


def _team_round(event: Event, number: int) -> dict[str, Any]:
    if not round_timing.round_rule(regulations.read_regulations(event.regulations), number).teams:
        return {}
    here = board_formation.people_counted(event, number)
    held = {who for team in event.teams.values() for who in team.members}
    loners = [who for who in here if who not in held]
    boards = max((len(one.boards) for one in formation_choices(event, number, None)), default=0)
    large = team_trophy.oversized_teams(event.teams, boards)
    return {
        "team_round": team_trophy.is_contested(boards),
        "loners": [desk_texts.person_name(event, who) for who in desk_texts.alphabetical(event, loners)],
        "large_teams": [event.teams[at].name for at in large],
        "largest": team_trophy.max_team_size(boards),
    }
