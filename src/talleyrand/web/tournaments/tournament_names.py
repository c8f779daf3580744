"""Names and figures as all of a tournament has them: one way to say each, and to read what people typed."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from talleyrand import messages, variants
from talleyrand.engine.board import province_of
from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.notation import find_places
from talleyrand.tournament import traveller
from talleyrand.tournament.board_rules import CLASSIC, ESCALATION, INTIMATE, PAIRS, board_variant
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import EndVoteState, Event, GameEnd, LocalisedText
from talleyrand.tournament.name_matching import fold_name
from talleyrand.web.boards import display_names

LONGEST_PROVINCE = 60  # characters


def refusal_text(error: TalleyrandError, event: Event | None = None) -> str:
    """Why something cannot be done, and what to do instead; people of the event by their names."""
    if not isinstance(error, ActRefused | InvalidEvent):
        return messages.error_sentence(error, display_names.reader_language())
    return sentences.tournament_refusal(error, names_by_number(event) if event else None)[
        display_names.reader_language()
    ]


def names_by_number(event: Event) -> dict[str, str]:
    """Everybody's name by his number, as sentences ask for them."""
    return {str(number): known.name for number, known in event.people.items()}


def alphabetical(event: Event, people: Iterable[int]) -> list[int]:
    """People as one alphabetical list has them; whoever is no longer known comes first."""
    known = {number: one.name for number, one in event.people.items()}
    return sorted(people, key=lambda number: (fold_name(known.get(number, "")), number))


def board_name(number: int | str) -> str:
    """A board by its number, or several."""
    return _("Board %(number)s") % {"number": number}


def round_name(number: int) -> str:
    """A round by its number."""
    return _("Round %(number)s") % {"number": number}


def power_name(code: str, variant: str = CLASSIC) -> str:
    """A power by its name; "" for none."""
    return display_names.power_name(board_variant(variant), code) if code else ""


def power_colour(code: str, variant: str = CLASSIC) -> str:
    """The colour that boards on a page give a power."""
    return display_names.power_colour(board_variant(variant), code)


def province_name(code: str, variant: str = CLASSIC) -> str:
    """A province by its name; what nobody knows as it was typed."""
    known = board_variant(variant)
    return (
        known.names(display_names.reader_language()).location(code) if code in known.board.provinces else code
    )


def season_names(codes: Iterable[str]) -> str:
    """Seasons, one or those merged into one: "Printemps 1904"."""
    return " + ".join(display_names.season_name(board_variant(CLASSIC), f"{code}M") for code in codes)


def moment_title(code: str) -> str:
    """A moment at which the end may be asked: "après les retraites du printemps 1904"."""
    told = {
        "SR": _("after the spring %(year)s retreats"),
        "FR": _("after the autumn %(year)s retreats"),
        "WA": _("after the %(year)s adjustments"),
    }
    return told.get(code[:1] + code[-1:], "%(year)s") % {"year": code[1:-1]}


def ending_text(code: GameEnd) -> str:
    """How a game ended."""
    return {
        GameEnd.TIME: _("after the last year"),
        GameEnd.SOLO: _("solo victory"),
        GameEnd.VOTE: _("ended by vote"),
        GameEnd.CONCEDED: _("conceded"),
        GameEnd.STOPPED: _("stopped by the director"),
    }[code]


def ending_choices() -> list[tuple[str, str]]:
    """How a game may have ended, for a form."""
    return [(one.value, ending_text(one)) for one in GameEnd]


def variant_name(name: str) -> str:
    """What is played on a board."""
    own = {
        INTIMATE: _("Intimate Diplomacy"),
        PAIRS: _("three alliances of two, England alone"),
        ESCALATION: _("Escalation"),
    }
    if name in own:
        return own[name]
    return (
        variants.load_board(name).title[display_names.reader_language()]
        if name in variants.all_names()
        else name
    )


def typed_number_text(value: str) -> str:
    """A number as somebody typed it, with the mark of the reader's language: 0,5."""
    return value.replace(".", ",") if display_names.reader_language() == "fr" else value.replace(",", ".")


def in_reader_language(words: LocalisedText, otherwise: str = "") -> str:
    """A text in the language in use, or in another where it was not written in this one."""
    found = words.get(display_names.reader_language(), "").strip()
    return found or next((one.strip() for one in words.values() if one.strip()), otherwise)


def end_vote_state_name(code: EndVoteState) -> str:
    """What became of a vote to end a game."""
    told = {
        EndVoteState.ASKED: _("requested; others can veto"),
        EndVoteState.VETOED: _("vetoed: the game goes on"),
        EndVoteState.VOTING: _("voting open"),
        EndVoteState.CARRIED: _("passed: the game is over"),
        EndVoteState.LOST: _("rejected: the game goes on"),
        EndVoteState.WITHDRAWN: _("request withdrawn"),
    }
    return told[code]


def province_from_text(variant: str, text: str) -> str:
    """The province that a text names, in French or English, whole or short; "" for nothing.

    A number of territories stays one where the judge has no map. Raises ActRefused (`act_no_place`).
    """
    bare = text.strip()
    if not bare or traveller.is_reachable(variant, bare.upper()):
        return bare.upper()
    named = (
        find_places(bare[:LONGEST_PROVINCE], board_variant(variant)) if traveller.knows_homes(variant) else ()
    )
    found = {province_of(location) for location in named}
    if len(found) != 1:
        raise ActRefused("act_no_place", place=bare[:LONGEST_PROVINCE])
    return found.pop()


def province_names(variant: str) -> list[str]:
    """Every province by its name, for lists to choose from; none where the judge has no map."""
    if not traveller.knows_homes(variant):
        return []
    return sorted(province_name(code, variant) for code in board_variant(variant).board.provinces)
