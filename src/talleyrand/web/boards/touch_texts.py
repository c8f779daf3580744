"""What the map says while orders are given on it, by finger or by key."""

from __future__ import annotations

from django.utils.translation import gettext as _


def touch_texts() -> dict[str, str]:
    return {**_chosen(), **_asked(), **_refused(), **_walked(), **_history()}


def _chosen() -> dict[str, str]:
    return {
        "chosen": _("{unit}: where does it go, or whom does it help? Itself again: let go."),
        "chosen_retreat": _("{unit}: where does it retreat? Itself again: let go."),
        "noted": _("Order {n} of {total} noted: {order}."),
        "set_or_help": _(
            "Order {n} of {total} noted: {order}. "
            "To help that unit instead, touch where it goes, or itself again."
        ),
        "act_hold": _("Hold"),
        "act_disband": _("Disband"),
        "act_support": _("Support"),
        "act_convoy": _("Convoy"),
        "act_guard": _("Support in place"),
        "act_via": _("By convoy"),
    }


def _asked() -> dict[str, str]:
    return {
        "asked_support": _("{unit}: which unit does it support?"),
        "asked_convoy": _("{unit}: which army does it convoy?"),
        "asked_via": _("{unit}: where does it go by convoy?"),
    }


def _refused() -> dict[str, str]:
    return {
        "no_hold": _("{unit} cannot be ordered to hold in this phase."),
        "no_disband": _("{unit} cannot be disbanded in this phase."),
        "no_support": _("{unit} has nobody to support."),
        "no_convoy": _("{unit} has no army to convoy."),
        "no_via": _("{unit} has nowhere to go by convoy."),
        "impassable": _("Nobody enters this land."),
        "no_army_at_sea": _("{place} is a sea: {unit} may only be carried across it."),
        "no_fleet_inland": _("{place} has no coast: {unit} cannot go there."),
        "no_retreat_there": _("{unit} cannot retreat to {place}."),
        "no_help_there": _("{unit} cannot help anybody to {place}."),
    }


def _walked() -> dict[str, str]:
    return {
        "here": _("{unit}: no order."),
        "here_given": _("{unit}: {order}."),
        "next_unit": _("Next: {unit}."),
    }


def _history() -> dict[str, str]:
    return {
        "in_past": _("You are looking at another phase: orders are given in the phase of this page."),
        "scene_missing": _("This phase cannot be shown just now; its page still can."),
        "nothing_happened": _("No order was given or needed in this phase."),
    }
