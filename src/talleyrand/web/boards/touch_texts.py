"""What the map says while orders are given on it, by finger or by key."""

from __future__ import annotations

from django.utils.translation import gettext as _


def touch_texts() -> dict[str, str]:
    return {**_chosen(), **_questions(), **_refused(), **_walked(), **_history()}


def _chosen() -> dict[str, str]:
    return {
        "chosen": _("{unit}: choose a destination or a unit to support. Select it again to deselect."),
        "chosen_retreat": _("{unit}: choose a retreat. Select it again to deselect."),
        "noted": _("Order {n} of {total} saved: {order}."),
        "set_or_help": _(
            "Order {n} of {total} saved: {order}. To support that unit instead, select its "
            "destination, or select it again."
        ),
        "act_hold": _("Hold"),
        "act_disband": _("Disband"),
        "act_support": _("Support"),
        "act_convoy": _("Convoy"),
        "act_via": _("By convoy"),
    }


def _questions() -> dict[str, str]:
    return {
        "asked_support": _("{unit}: which unit to support?"),
        "asked_convoy": _("{unit}: which army to convoy?"),
        "asked_via": _("{unit}: convoy destination?"),
    }


def _refused() -> dict[str, str]:
    return {
        "no_hold": _("{unit} can’t be ordered to hold in this phase."),
        "no_disband": _("{unit} can’t be disbanded in this phase."),
        "no_support": _("{unit} has no unit to support."),
        "no_convoy": _("{unit} has no army to convoy."),
        "no_via": _("{unit} has no destination by convoy."),
        "impassable": _("Impassable."),
        "no_army_at_sea": _("{place} is a sea: {unit} can only cross it by convoy."),
        "no_fleet_inland": _("{place} has no coast: {unit} can’t go there."),
        "no_retreat_there": _("{unit} can’t retreat to {place}."),
        "no_help_there": _("{unit} can’t support or convoy any unit to {place}."),
    }


def _walked() -> dict[str, str]:
    return {
        "here": _("{unit}: no order."),
        "here_given": _("{unit}: {order}."),
        "next_unit": _("Next: {unit}."),
    }


def _history() -> dict[str, str]:
    return {
        "in_past": _("You’re viewing another phase: orders are given in this page’s phase."),
        "scene_missing": _("This phase can’t be shown here right now; its page still can."),
        "nothing_happened": _("No orders in this phase."),
        "replay": _("What became of the orders. Press anywhere to skip."),
    }
