"""The sign that stands before a result, and the results that are a failure of the order."""

from collections.abc import Mapping

RESULT_SIGNS: Mapping[str, str] = {
    "moves": "→",
    "bounces": "✕",
    "holds": "■",
    "support_given": "+",
    "support_cut": "✂",
    "support_void": "∅",
    "convoys": "≈",
    "convoy_void": "∅",
    "convoy_disrupted": "≉",
    "illegal": "!",
    "dislodged": "✹",
    "destroyed": "†",
    "retreats": "↩",
    "disbanded": "–",
    "builds": "+",
    "build_void": "✕",
    "build_ignored": "✕",
    "removed": "–",
    "removal_ignored": "✕",
    "waived": "○",
}
FAILURE_RESULTS = frozenset(
    (
        "bounces",
        "build_ignored",
        "build_void",
        "convoy_disrupted",
        "convoy_void",
        "destroyed",
        "disbanded",
        "dislodged",
        "illegal",
        "removal_ignored",
        "support_cut",
        "support_void",
    )
)
