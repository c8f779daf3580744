"""Who plays which powers, as the page that makes a game asks it: what fits so many people, or their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.variants import Split, Variant
from talleyrand.variants.game_splits import LEAST_PLAYERS, split_faults
from talleyrand.web.boards import display_names
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.library.rulebook_input import RulebookInputRefusal

from .setting_options import SettingOption, SettingOptions

OWN, OWN_VARIANT = "own", "classic"  # a split that the players make, with the powers of this board
PASSIVE, DISORDERED = "passive", "disordered"


def splits_for(people: int) -> list[tuple[Variant, Split]]:
    """Every game that fits so many people."""
    loaded = (variants.load(name) for name in variants.playable_names())
    return [(variant, split) for variant in loaded for split in variant.splits_for(people)]


def may_share_own(people: int) -> bool:
    """Whether so many people can share the powers of a board as they like."""
    return LEAST_PLAYERS <= people < len(variants.load(OWN_VARIANT).definition.players)


def people_groups() -> list[tuple[int, int]]:
    """The numbers of people for whom there is a game; those with the same games together, first and last."""
    most = max(most for name in variants.playable_names() for most in (*variants.load(name).people, 0))
    groups: list[tuple[int, int]] = []
    before: object = None
    for people in range(LEAST_PLAYERS, most + 1):
        found = (splits_for(people), may_share_own(people))
        if found == before and not found[1]:
            groups[-1] = (groups[-1][0], people)
        elif any(found):
            groups.append((people, people))
        before = found
    return groups


def game_value(variant: str, split: str) -> str:
    """A game as the form names it."""
    return f"{variant}/{split}"


def game_options(people: int) -> SettingOptions:
    """What fits so many people, each with who plays what; their own split last."""
    options = {
        game_value(variant.name, split.name): SettingOption(
            split_title(variant, split),
            " ".join(split_sentences(variant, split)) or size_and_victory(variant),
        )
        for variant, split in splits_for(people)
    }
    if may_share_own(people):
        said = _("Say below who plays which powers of the classic board.")
        options[game_value(OWN_VARIANT, OWN)] = SettingOption(_("Your own split"), said)
    return options


def split_title(variant: Variant, split: Split) -> str:
    """ "Diplomacy: England alone, three pairs"."""
    language = display_names.reader_language()
    if not split.name:
        return variant.title[language]
    facts = {"variant": variant.title[language], "split": split.title[language]}
    return _("%(variant)s: %(split)s") % facts


def size_and_victory(variant: Variant) -> str:
    """How many powers and centres there are, and how one wins where the rules of the variant say it."""
    facts = {"powers": display_names.led_powers(variant), "centres": len(variant.board.centres)}
    victory = variant.sentence(display_names.reader_language(), "terms", "victory")
    size = _("%(powers)s powers, %(centres)s centres.") % facts
    return f"{size} {victory}".rstrip()


def split_sentences(variant: Variant, split: Split, first_year: int = 0) -> Iterator[str]:
    """Who plays what and what is different; nothing of a full table that begins as usual."""
    if split.name or split.passive or split.absent or any(len(share) > 1 for share in split.shares):
        yield _("Each player has: %(shares)s.") % {"shares": shares_text(variant, split.shares)}
    if any(len(share) > 1 for share in split.shares):
        yield _("Each power’s centres and units are counted separately.")
    if split.passive:
        yield ngettext(
            "Eliminated before the game: %(powers)s. Its units hold without supporting each other; players "
            "can support them; a dislodged one is destroyed.",
            "Eliminated before the game: %(powers)s. Their units hold without supporting each other; players "
            "can support them; a dislodged one is destroyed.",
            len(split.passive),
        ) % {"powers": _names(variant, split.passive)}
    if split.absent:
        names = {"powers": _names(variant, split.absent)}
        yield _("In civil disorder all game, with no player: %(powers)s.") % names
    if split.given:
        names = {"powers": _names(variant, split.given)}
        yield _("Neutral at first, then given to a player by the rules: %(powers)s.") % names
    year = first_year or split.first_year
    if year and year != variant.definition.calendar.first.year:
        yield _("The game starts in %(year)s.") % {"year": year}


def shares_text(variant: Variant, shares: tuple[tuple[str, ...], ...]) -> str:
    """ "England, Austria + France"."""
    return ", ".join(" + ".join(display_names.power_name(variant, power) for power in one) for one in shares)


def _names(variant: Variant, powers: tuple[str, ...]) -> str:
    return ", ".join(display_names.power_name(variant, power) for power in powers)


def split_of_terms(terms: GameSettings, variant: Variant) -> Split:
    """The split that a game has agreed on."""
    shares = terms.shares or variant.each_alone.shares
    given = _countries(variant)
    return Split(shares, terms.passive, terms.disordered, terms.first_year, terms.split, given=given)


def _countries(variant: Variant) -> tuple[str, ...]:
    """The seats that the rules give to a player later."""
    setting = variant.definition
    return tuple(setting.politics.given_seats(setting.start)) if setting.politics else ()


# reading


def chosen_split(variant: Variant, name: str, people: int, typed: Mapping[str, Any]) -> Split:
    """The split that was chosen, the players' own from its table; raises RulebookInputRefusal.

    `people` is 0 where the page did not ask how many they are.
    """
    if name == OWN:
        return _own_split(variant, people, typed)
    usual = variant.each_alone if variant.people else next(iter(variant.splits.values()))
    split = variant.splits.get(name) if name else usual
    if split is None:
        raise RulebookInputRefusal(_("This variant has no such split: choose one from the list."))
    if people and split not in variant.splits_for(people):
        raise RulebookInputRefusal(_("This game is not for %(people)s players.") % {"people": people})
    return split


def own_field(power: str) -> str:
    """The field that says who plays a power in a split of the players' own."""
    return f"share-{power}"


def own_options(people: int) -> SettingOptions:
    """Who may have a power."""
    players = {str(number): _("Player %(number)s") % {"number": number} for number in range(1, people + 1)}
    others = {PASSIVE: _("eliminated: its units stand"), DISORDERED: _("no one: civil disorder")}
    return {value: SettingOption(label, "") for value, label in {**players, **others}.items()}


def _own_split(variant: Variant, people: int, typed: Mapping[str, Any]) -> Split:
    powers, given = variant.definition.players, _countries(variant)
    fields = {own_field(power): power for power in powers if power not in given}
    for name in typed:
        if name in map(own_field, given):
            names = {"powers": _names(variant, given)}
            raise RulebookInputRefusal(
                _("Neutral at first, then given to a player by the rules: %(powers)s.") % names
            )
        if name.startswith(own_field("")) and name not in fields:
            raise RulebookInputRefusal(_("No such power in this variant: %(power)s.") % {"power": name[6:46]})
    told = {power: str(typed.get(field, "")) for field, power in fields.items()}
    split = Split(
        tuple(
            tuple(power for power, who in told.items() if who == str(number))
            for number in range(1, people + 1)
        ),
        tuple(power for power, who in told.items() if who == PASSIVE),
        tuple(power for power, who in told.items() if who == DISORDERED),
        given=given,
    )
    for fault in split_faults(split, powers):
        names = {"power": display_names.power_name(variant, fault.power) if fault.power else ""}
        raise RulebookInputRefusal(_fault_texts()[fault.code] % names)
    return split


def _fault_texts() -> dict[str, str]:
    return {
        "left_out": _("Say who plays %(power)s."),
        "empty": _("Each player needs at least one power."),
        "alone": _("At least two players are needed."),
    }
