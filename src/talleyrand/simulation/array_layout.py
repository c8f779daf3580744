"""The numbers that stand for orders, results and a rulebook's choices, and the rows of the arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.rulebook import Rulebook

# An element of an array is Any to mypy; a compiled function takes it for a whole number.
Scalar = Any
UInt16Array = NDArray[np.uint16]
UInt8Array = NDArray[np.uint8]
Int64Array = NDArray[np.int64]

NONE = np.uint16(65535)

# Rows of a phase, a column for each province. KIND is NONE where nobody stands; TARGET is the province of
# the unit supported or convoyed, GOAL a location. Marks add up.
KIND, POWER, LOCATION, ORDER, TARGET, GOAL, MARKS = range(7)
PHASE_ROWS = 7
ORDERS = HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY = tuple(range(5))
VIA, DISORDERED, PASSIVE, MISORDERED = 1, 2, 4, 8
# Those of the other phases: DISBAND in place of a retreat, REMOVE in winter.
RETREAT, DISBAND, BUILD, REMOVE = range(5, 9)

# Rows of a game's state, a column for each province: first KIND, POWER and LOCATION as in a phase, then
# the unit dislodged from there (FALLEN_KIND is NONE where there is none; FALLEN_ROUTE 1: attacked by sea),
# SHUT 1 in a province left empty by a stand-off, the owner of a CENTRE and the one BEFORE the
# year's captures (NONE: nobody, or no centre).
(
    DISLODGED_KIND,
    DISLODGED_POWER,
    DISLODGED_LOCATION,
    DISLODGED_BY,
    DISLODGED_BY_SEA,
    STANDOFF,
    CENTRE,
    BEFORE,
) = range(3, 11)
STATE_ROWS = 11

# Columns of a game's clock. PHASE counts through the calendar's opening and cycle; STAGE is the kind of
# that phase; WINNER a power or NOBODY. COUNTED is 1 while BEFORE says who owned what.
PHASE, SEASON, YEAR, STAGE, OVER, WINNER, BEFORE_IS_KNOWN = range(7)
CLOCK_COLUMNS = 7
STAGES = MOVEMENT, RETREATS, ADJUSTMENTS, VARIANT_PHASE_KIND = tuple(range(4))
NOBODY = -1

# Rows of a sheet of orders, a column for each province: that of the unit, the one a unit was dislodged
# from, or the centre of a build. Of a build SHEET_TARGET is the kind.
ORDER_KIND, ORDER_TARGET, ORDER_GOAL, ORDER_VIA = range(4)
ORDER_ROWS = 4

# Rows of the fates. RESULT is NONE where nobody stood, BY the province of the dislodger (NONE: not
# dislodged), CONTESTED 1 in a province left empty by a stand-off, ROUTE 1 for a move by sea.
RESULT, BY, CONTESTED, ROUTE = range(4)
FATE_ROWS = 4
(
    HOLDS,
    MOVES,
    BOUNCES,
    CONVOY_DISRUPTED,
    SUPPORT_GIVEN,
    SUPPORT_CUT,
    SUPPORT_VOID,
    CONVOYS,
    CONVOY_VOID,
) = range(9)
# What became of a dislodged unit in its retreat phase.
WITHDRAWN, LOST, DISBANDED = range(9, 12)

# What became of a phase in the kernel; then what else keeps compiled code from playing it: removals by lot,
# a phase of the variant's own, one that the game has come to, an option that the kernel does not know, no
# Numba.
SETTLED, PARADOX, TOO_LARGE = range(3)
NEEDS_RANDOM_DRAW, IN_VARIANT_PHASE, AT_VARIANT_PHASE, UNKNOWN_OPTION, NO_NUMBA = range(3, 8)

# A decision.
NO, YES, OPEN = range(3)

# How a move travels.
LAND, SEA, SEA_ELSE_LAND = range(3)

# Rows of the workspace, a column for each province: first those that start at NONE, then those that
# start at 0, then those that need no start. AIM is the kind of support that counts if nobody cuts it,
# INTO where it is directed. FIRST_ and NEXT_ chain the units that do the same to one province.
(TO, FIRST_ATTACKER, FIRST_HELP, FIRST_HOLD_HELP, FIRST_FLEET, AIM) = range(6)
(WAY, OFFER, ROUTE_FOUND, COMPLETE, OCCUPIED, STANDS) = range(6, 12)
(NEXT_ATTACKER, NEXT_HELP, INTO, NEXT_FLEET, USED, SUPPORT_STANDS, MOVE_SUCCEEDS, OWNER) = range(12, 20)
(LIST, MARK, UNITS, OPEN_PATHS, OPEN_SUPPORTS, OPEN_MOVES, RULE) = range(20, 27)
(SAVED_SUPPORTS, SAVED_MOVES) = range(27, 29)
WORK_ROWS = 29

# How many of each list of the workspace there are.
PATHS_LEFT, SUPPORTS_LEFT, MOVES_LEFT, UNIT_COUNT, SUPPORTS_SAVED, MOVES_SAVED = range(6)
COUNTS = 6

# Rows of the search for routes of fleets, a bit for each fleet: those it touches, and a stack.
TOUCHING, HERE, CLOSED, CHAIN = range(4)
SEARCH_ROWS = 4
MOST_FLEETS, DEEPEST = 60, 4096

# Columns of the row RULE of the workspace.
(
    ANY_ROUTE,
    PROTECTION,
    ROUTE_CHOICE,
    TO_LAND,
    KIDNAPPING,
    ATTACK_FAILS,
    CUT_FROM_TARGET,
    NEVER_EFFECT,
    RETREAT_TO_ORIGIN,
    COAST_OWN,
    COAST_FOREIGN,
    STILL_FELT,
    NO_EXCHANGE,
    OWN_UNIT_SAFE,
    NO_DISORDER_SUPPORT,
    NO_DISORDER_RETREAT,
    UNSUPPORTABLE,
    SZYKMAN,
    QUASI_SAILS,
) = range(19)

# Columns of the row of a book's and a game's other choices. MARKED: an army may ask for a convoy to a
# neighbour; PLAIN: a move by sea need not name its seas.
(
    CENTRES_NEEDED,
    UNTIL,
    FIRST_YEAR,
    KERNEL_KNOWS_RULES,
    GROSS,
    BUILD_RIGHTS_KEPT,
    SURPLUS_BUILDS,
    SURPLUS_REMOVALS,
    BY_LOT,
    REMOVAL_TO_OWNED_CENTRES,
    EXPLICIT_RETREAT_DISBAND,
    CONVOY_CAN_BE_ASKED,
    PATH_NEED_NOT_BE_NAMED,
) = range(13)
# Of more builds or removals than are due: the first count, the last, or none.
FIRST_COUNT, LAST_COUNT, NONE_COUNTS = range(3)
PROTECTIONS = (
    "cuts",
    "never_cuts_any_convoying_fleet",
    "never_cuts_necessary_fleet",
    "never_cuts_action_in_convoy_sea",
)
ROUTES = (
    "opposite_move_only",
    "intent_of_orders",
    "own_fleet_or_marker",
    "own_chain_or_marker",
    "marker_required",
    "land_then_sea",
    "sea_then_land",
)
COASTS = ("ignored", "optional_must_match_if_given", "must_match")


def unknown_options(book: Rulebook) -> tuple[str, ...]:
    """The choices of a book that the kernel does not know, as `option = value`."""
    strange = {
        "convoy_paradox": book.convoy_paradox == "sea_first_always",
        "convoy_origin_in_paradoxes": book.convoy_origin_in_paradoxes == "last_fleet",
        "convoy_origin_in_head_to_head": book.convoy_origin_in_head_to_head == "last_fleet",
        "route_fallback": book.route_fallback == "to_sea",
    }
    return tuple(f"{option} = {getattr(book, option)}" for option, found in strange.items() if found)


def rulebook_numbers(book: Rulebook) -> UInt16Array | None:
    """The choices of a book, in the order of the columns of RULE; None where one of them is unknown."""
    if unknown_options(book):
        return None
    choices = [
        book.multi_route_disruption == "any_route",
        PROTECTIONS.index(book.convoy_self_protection),
        ROUTES.index(book.land_or_sea_route),
        book.route_fallback == "to_land",
        book.kidnapping == "possible",
        book.broken_own_chain == "attack_fails",
        book.support_cut_by_convoy_from_target == "cut",
        book.dislodged_unit_effect == "never",
        book.retreat_to_convoy_origin == "allowed",
        COASTS.index(book.support_coast_own),
        COASTS.index(book.support_coast_foreign),
        book.disrupted_convoy_effect == "cuts_and_bounces",
        book.convoy_exchange == "forbidden",
        book.support_against_own_unit == "illegal",
        book.civil_disorder_support == "forbidden",
        book.civil_disorder_retreat == "destroyed",
        book.illegal_order == "ignored_and_hold",
        book.convoy_paradox == "szykman",
        book.convoy_quasi_paradox == "convoys_take_place",
    ]
    return np.array(choices, np.uint16)
