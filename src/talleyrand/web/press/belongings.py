"""The letters that a person wrote, for his copy of what the site keeps."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.belongings import Belongings
from talleyrand.web.accounts.models import Person

from .models import Letter

Json = dict[str, Any]


def export(person: Person) -> list[Json]:
    """One's own letters, to whom, and what became of each."""
    mine = Letter.objects.filter(person=person).select_related("room__game").order_by("written", "pk")
    return [_letter(letter) for letter in mine]


def _letter(letter: Letter) -> Json:
    told = ("signed", "number", "about", "text", "state", "reason", "doubts", "written", "delivered")
    room = {"game": letter.room.game.key, "kind": letter.room.kind, "powers": letter.room.powers}
    return {**room, **{name: getattr(letter, name) for name in told}}


BELONGINGS = Belongings("letters", export)
