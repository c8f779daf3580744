"""The words of the DATC and ours, its issues and our options, and where it misprints itself.

illegal     refused; an adjustment that is void or ignored; a support void because its coast is not said
            (4.B.4 a)
invalid     a support or convoy that does not match what its unit does; a move for which no convoy was ordered
succeeds    moves, retreats, is built or removed
fails       a move that bounces or whose convoy is disrupted; a retreat that ends in disbandment
stands      holds and is not dislodged
given, cut  a support that counts, or that an attack cuts
available   convoys; or no convoy was needed or could be had, through no fault of the fleet, which stands
disrupted   the convoy did not take place: paradox, or the fleet is dislodged
dislodged   must retreat, or is destroyed for want of a retreat; without this word it is not dislodged
destroyed   dislodged without a retreat
"""

from __future__ import annotations

from dataclasses import dataclass

WORDS = {
    "succeeds": {"moves", "retreats", "disbanded", "builds", "removed"},
    "fails": {"bounces", "convoy_disrupted", "destroyed"},
    "stands": {"holds"},
    "given": {"support_given"},
    "cut": {"support_cut"},
    "available": {"convoys", "convoy_void"},
    "invalid": {"support_void", "convoy_void", "convoy_disrupted"},
    "disrupted": {"convoy_disrupted", "convoy_void"},
    "dislodged": {"dislodged"},
    "destroyed": {"dislodged", "destroyed"},
}
VOID_ADJUSTMENTS = {"build_void", "build_ignored", "removal_ignored"}
NOT_THE_FLEETS_FAULT = {"army_by_land", "chain_incomplete"}

# An issue of chapter 4 with the letter chosen: our options.
OPTIONS = {
    "4.A.1=a": {"multi_route_disruption": "any_route"},
    "4.A.2=a": {"convoy_self_protection": "never_cuts_any_convoying_fleet"},
    "4.A.2=b": {"convoy_self_protection": "never_cuts_action_in_convoy_sea"},
    "4.A.2=c": {"convoy_self_protection": "never_cuts_necessary_fleet"},
    "4.A.3=a": {"land_or_sea_route": "opposite_move_only", "kidnapping": "possible"},
    "4.A.3=c+fallback": {"land_or_sea_route": "own_fleet_or_marker", "route_fallback": "to_land"},
    "4.A.3=dptg": {"land_or_sea_route": "marker_required"},
    "4.A.4.5=brannan": {"support_cut_by_convoy_from_target": "cut"},
    "4.A.5=a": {"retreat_to_convoy_origin": "forbidden"},
    "4.A.7=a": {"dislodged_unit_effect": "never"},
    "4.B.2=b": {"coast_missing_one_possible": "fails"},
    "4.B.3=a": {"coast_impossible": "ignored"},
    "4.B.4=a": {"support_coast_foreign": "must_match", "support_coast_own": "must_match"},
    "4.B.4=b": {"support_coast_foreign": "must_match"},
    "4.B.5=a": {"ordered_unit_coast": "fails"},
    "4.B.6=a": {"irrelevant_coast": "fails"},
}

# (case, order): what holds instead of the printed verdict, and why.
ERRATA = {
    ("6.D.4", "A BER S F KIE"): (
        "cut",
        "Prussia attacks Berlin, whose support is for Kiel: it is cut as the same attack cuts it in 6.D.5",
    ),
    ("6.F.21", "F CLY S F NAO"): (
        "cut, dislodged",
        "the army of Norway reaches Clyde with two against one: its fleet is dislodged as well as cut",
    ),
}
# Where the document says `fails` of what cannot be done at all, which it calls `illegal` elsewhere (4.E.1).
FAILS_AS_ILLEGAL = {
    ("6.B.2", "F GAS - SPA"): "4.B.2 b refuses a move without its coast",
    (
        "6.B.11",
        "F SPA/SC - LYO",
    ): "from the north coast, where the fleet is, the Gulf of Lyon is out of reach",
    ("6.B.14", "F STP B"): "a fleet in St Petersburg needs its coast to be built",
}
# An order as printed and as the document means it. The reader of sheets corrects the letter of a player's
# line; the judge, which receives values, refuses the order as printed.
MISPRINTED_ORDERS = {("6.D.35", "A SMY S F ARM - ANK"): "A SMY S A ARM - ANK"}


@dataclass(frozen=True)
class Told:
    """What a judge says of one order: whether it refuses it, its unit's results, the code of the cause."""

    refused: bool
    results: frozenset[str]
    cause: str = ""

    def meets(self, verdicts: tuple[str, ...], *, retreating: bool) -> bool:
        """Whether this is what the DATC's words say, no less and no more."""
        fallen = not retreating and "dislodged" in self.results
        return all(map(self._meets, verdicts)) and fallen == bool({"dislodged", "destroyed"} & set(verdicts))

    def _meets(self, word: str) -> bool:
        if word in ("dislodged", "destroyed"):
            return WORDS[word] <= self.results
        if word == "illegal":
            return self.refused or bool(self.results & VOID_ADJUSTMENTS) or self.cause == "coast_not_said"
        return not self.refused and any(self._earns(word, result) for result in self.results & WORDS[word])

    def _earns(self, word: str, result: str) -> bool:
        """Whether a result that may mean the word does here."""
        match word, result:
            case "available", "convoy_void":
                return self.cause in NOT_THE_FLEETS_FAULT and "dislodged" not in self.results
            case "invalid", "convoy_disrupted":
                return self.cause == "no_convoy"
            case "disrupted", "convoy_void":
                return "dislodged" in self.results
            case _:
                return True


def printed(case: str, order: str, verdicts: tuple[str, ...]) -> tuple[str, ...]:
    """The verdicts that hold: those printed, but for the errata and for `fails` where nothing can be done."""
    if (case, order) in ERRATA:
        return tuple(ERRATA[case, order][0].split(", "))
    if verdicts == ("fails",) and (case, order) in FAILS_AS_ILLEGAL:
        return ("illegal",)
    return verdicts
