"""What every listed form of every variant is read as, under every rulebook and naming profile.

python -m tests.notation.listed_forms FILE           writes the table, a line for each form
python -m tests.notation.listed_forms OLD NEW        the lines in which two tables differ

Written by the code before and after a change, the two say whose meaning has changed: the provinces that the
letters stand for, and the order `F form H` (or A) of a unit that stands in each of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import ReadingContext, naming_profiles, read_line
from talleyrand.notation.vocabulary import without_article
from talleyrand.variants import LANGUAGES, Variant


def forms(variant: Variant) -> dict[str, set[str]]:
    """Each form as a list writes it, and in small letters and capitals, with the provinces it may mean."""
    found: dict[str, set[str]] = {}
    for form, code in _listed(variant):
        for written in (form, form.lower(), form.upper()) if code in variant.board.provinces else ():
            found.setdefault(written, set()).add(code)
    return found


def _listed(variant: Variant) -> Iterator[tuple[str, str]]:
    yield from ((code, code) for code in variant.board.provinces)
    for tongue in LANGUAGES:
        names = variant.names(tongue)
        for code, place in names.provinces.items():
            yield from ((form, code) for form in (place.name, *place.other_forms))
        for table in names.abbreviations.values():
            yield from ((form, code) for code, written in table.items() for form in written)
        for shared in names.shared.values():
            yield from ((form, code) for form, codes in shared.items() for code in codes)


def rows() -> Iterator[str]:
    """Every form: variant, rulebook, profile, the form, what it means, and the orders read."""
    for name in variants.all_names():
        variant = variants.load_board(name)
        listed = sorted(forms(variant).items())
        for book in rulebooks.names():
            for naming in (None, *naming_profiles(variant)) if book == "datc" else (None,):
                for form, codes in listed:
                    meant, read = _meaning(variant, book, naming, form, sorted(codes))
                    yield "\t".join((name, book, naming or "-", form, meant, read))


def _meaning(variant: Variant, book: str, naming: str | None, form: str, codes: list[str]) -> tuple[str, str]:
    power = variant.board.powers[0]
    loaded = rulebooks.load(book)
    orders = []
    meant: tuple[str, ...] = ()
    for code in codes:
        kind, place = next(
            (kind, place)
            for kind in variant.board.kinds
            for place in variant.board.standable_locations(kind, code)
        )
        position = Position(_moves(variant), (Unit(kind, place, power),))
        context = ReadingContext(variant, position, power, loaded, naming)
        line = read_line(f"{kind} {form} H", context, suggest=False)
        orders.append(str(line.order) if line.refusal is None else str(line.refusal.code))
        meant = context.index.listed_provinces(_key(form), form)
    return ",".join(sorted(meant)) or "?", ", ".join(orders)


def _moves(variant: Variant) -> Phase:
    """A phase in which units move."""
    calendar = variant.definition.calendar
    code = next(code for code in (*calendar.opening, *calendar.cycle) if code[1] == "M")
    return Phase(code[0], calendar.first.year, "M")


def _key(form: str) -> str:
    return " ".join(without_article(form))


def _differences(old: Path, new: Path) -> Iterator[str]:
    before, after = (dict(_split(path)) for path in (old, new))
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield f"{'  '.join(key)}: {before.get(key, 'not listed')} → {after.get(key, 'not listed')}"


def _split(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    for line in path.read_text("utf-8").splitlines():
        *key, meant, read = line.split("\t")
        yield tuple(key), f"{meant} ({read})"


def main(arguments: list[str]) -> int:
    """Writes the table, or prints the differences of two; gives the exit status."""
    paths = [Path(argument) for argument in arguments]
    if len(paths) == 1:
        paths[0].write_text("".join(f"{row}\n" for row in rows()), "utf-8")
    elif len(paths) == 2:
        print("\n".join(_differences(*paths)))
    else:
        print("Give one file to write the table to, or two tables to compare.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
