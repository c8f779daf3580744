"""The position of a phase as a table: what stands where, whose each centre is, what each unit is ordered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talleyrand.engine.position import Phase
from talleyrand.variants import Variant

from . import display_names, phase_maps
from .order_preparation import OrderPreparation


def position_rows(
    variant: Variant, at: Mapping[str, Any], preparation: OrderPreparation | None = None
) -> list[dict[str, Any]]:
    """One row a unit and one an empty centre, by the name of the place."""
    found = [*_units(variant, at), *_empty_centres(variant, at)]
    if preparation:
        orders = _orders(preparation)
        found = [{**row, **orders.get(row["province"], {})} for row in found]
    return sorted(found, key=lambda row: (row["place"], row.get("dislodged", False)))


def power_counts(variant: Variant, at: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Units and centres of each power, those with most centres first; `out` where it has neither, but for a
    seat that stands for others' land, and before anybody has chosen; `stands` where it was eliminated before
    the game."""
    # before a game begins nobody has anything yet
    choosing = bool(at.get("phase")) and variant.definition.calendar.is_opening(Phase.parse(at["phase"]))
    units, centres = at.get("units") or {}, at.get("centers") or {}
    fallen, politics = at.get("dislodged") or {}, variant.definition.politics
    stands = politics.powers_stood_for(at.get("politics") or {}) if politics else None
    landless = () if stands is None else variant.definition.players
    found = [
        {
            "code": code,
            "name": display_names.power_name(variant, code),
            "colour": display_names.power_colour(variant, code),
            "units": len(units.get(code, ())) + len(fallen.get(code, ())),
            "centres": len(centres.get(code, ())),
            "out": not any(of.get(code) for of in (units, fallen, centres))
            and code not in landless
            and not choosing,
            # rules of a variant's own set powers aside for a while, and say so
            "stands": not politics and code in at.get("passive", ()),
        }
        for code in variant.board.powers
    ]
    return sorted(found, key=lambda row: -row["centres"])


def _units(variant: Variant, at: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    owners = centre_owners(at)
    for power, units in (at.get("units") or {}).items():
        for unit in units:
            yield _row(variant, unit, power, owners)
    for power, fallen in (at.get("dislodged") or {}).items():
        for one in fallen:
            yield {**_row(variant, one["unit"], power, owners), "dislodged": True}


def _row(variant: Variant, unit: str, power: str, owners: Mapping[str, str]) -> dict[str, Any]:
    kind, _, location = unit.partition(" ")
    province = location.partition("/")[0]
    names = variant.names(display_names.reader_language())
    return {
        "province": province,
        "powers": (power, owners.get(province, "")),
        "place": names.location(location),
        "unit": f"{names.units[kind].name}, {display_names.power_name(variant, power)}",
        "owner": display_names.power_name(variant, owners[province]) if province in owners else "",
    }


def _empty_centres(variant: Variant, at: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    standing = [unit for units in (at.get("units") or {}).values() for unit in units]
    held = {unit.partition(" ")[2].partition("/")[0] for unit in standing}
    names = variant.names(display_names.reader_language())
    for province, power in centre_owners(at).items():
        if province not in held:
            place = names.location(province)
            owner = display_names.power_name(variant, power)
            yield {
                "province": province,
                "powers": (power,),
                "place": place,
                "unit": "",
                "owner": owner,
            }


def centre_owners(at: Mapping[str, Any]) -> dict[str, str]:
    """Who owns each centre in a situation, by its code."""
    return {place: power for power, places in (at.get("centers") or {}).items() for place in places}


def _orders(preparation: OrderPreparation) -> dict[str, dict[str, str]]:
    given = preparation.followed_orders
    return {
        subject.province: {
            "subject": subject.province,
            "order": _label(preparation.variant, given.get(subject.province)),
        }
        for menu in preparation.menus
        for subject in menu.subjects
    }


def _label(variant: Variant, order: str | None) -> str:
    return phase_maps.order_label(variant, order, "") if order else ""
