"""How a subject names the phase, and what it is taken for when it comes back."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.games.models import Game
from talleyrand.web.mail.mailed_orders import order_parsing
from tests.each import each

NAMES = ("La table ronde", "Les [7] · du jeudi", "Automne 1905", "")


def game(phase: str = "S1901M", variant: str = "classic", name: str = "La table ronde") -> Game:
    return Game(name=name, variant=variant, phase=phase)


def phases(name: str) -> list[Phase]:
    """The phases of a variant’s first three years, and of its opening."""
    calendar = variants.load(name).definition.calendar
    found = [calendar.first]
    while len(found) < 3 * len(calendar.cycle) + len(calendar.opening):
        found.append(calendar.next_phase(found[-1]))
    return found


@pytest.mark.long
@each("language", ["fr", "en"])
@each("name", NAMES)
@each("variant", variants.playable_names())
def test_our_tag_names_the_very_phase(variant: str, name: str, language: str) -> None:
    loaded = variants.load(variant)
    for phase in phases(variant):
        one = game(str(phase), variant, name)
        with override(language):
            tag = order_parsing.subject_tag(one)
        assert "\n" not in tag
        for subject in (tag, f"Re: {tag}", f"TR : Re: {tag} France : ordres reçus", f"{tag}\u00a0?"):
            assert order_parsing.tagged_phase(subject, loaded) == str(phase)
            assert order_parsing.other_phase_named(subject, one) == ""


def test_the_tag_is_readable() -> None:
    with override("fr"):
        assert order_parsing.subject_tag(game()) == "[La table ronde · Printemps 1901, mouvements]"
    with override("en"):
        assert order_parsing.subject_tag(game("W1901A")) == "[La table ronde · Winter 1901, adjustments]"
        assert order_parsing.subject_tag(game("")) == "[La table ronde]"


@each(
    ("subject", "phase", "fits"),
    [
        ("", "S1901M", True),
        ("Mes ordres", "S1901M", True),
        ("[La table ronde · Printemps 1901, mouvements]", "S1901M", True),
        ("[La table ronde · Printemps 1901, mouvements]", "S1901R", False),
        ("[La table ronde · Printemps 1901, mouvements]", "F1901M", False),
        ("[La table ronde · Printemps 1901, mouv", "F1901M", False),
        ("[La table ronde · Printemps 1901, mouv", "S1901M", True),
        ("Re: RE: [x · Spring 1901, movement] France", "S1901M", True),
        ("Re: [x · nothing of the kind] Autumn 1901", "S1901M", False),
        ("Ordres France printemps 1901", "S1901M", True),
        ("Ordres France printemps 1901", "S1901R", True),
        ("Ordres France printemps 1901", "F1901M", False),
        ("Ordres retraites printemps 1901", "S1901M", False),
        ("Orders for Fall 1901", "F1901M", True),
        ("Orders for Fall 1901", "S1901M", False),
        ("F1901M France", "F1901M", True),
        ("F1901M France", "S1902M", False),
        ("Résultats printemps 1901, ordres automne 1901", "F1901M", True),
        ("Résultats printemps 1901, ordres automne 1901", "S1902M", False),
        ("Convention d’automne", "S1901M", True),
        ("En 1901", "S1901M", True),
        ("été 1901", "S1901R", True),
        ("été 1901", "S1901M", False),
    ],
)
def test_a_subject_names_another_phase_or_not(subject: str, phase: str, fits: bool) -> None:
    assert (order_parsing.other_phase_named(subject, game(phase)) == "") == fits


def test_a_game_may_be_called_after_a_season() -> None:
    one = game(name="Automne 1901 à Anjou")
    assert order_parsing.other_phase_named("Re: Automne 1901 à Anjou", one) == ""
    with override("fr"):
        assert order_parsing.other_phase_named(f"Re: {order_parsing.subject_tag(one)}", one) == ""
