"""`talleyrand variants` and `talleyrand rulebooks`: what is at hand, and where two books differ."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from talleyrand import rulebooks, variants
from talleyrand.formats.catalogue_json import rulebook_json, variant_json
from talleyrand.formats.question_input import read_rulebook
from talleyrand.formats.rulebook_comparison import option_origin
from talleyrand.rulebooks import LoadedRulebook, RulebookOption
from talleyrand.variants import Variant

from .console import CliSentences
from .failures import USAGE, CommandError
from .inputs import parse_rulebook_option
from .output import print_json

Command = Callable[[str], argparse.ArgumentParser]


def describe(command: Command, say: CliSentences) -> None:
    """Add both commands."""
    parser = command("rulebooks")
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.add_argument("books", nargs="*", metavar=say("metavar.rulebook"), help=say("help.rulebooks.books"))
    parser.set_defaults(run=list_rulebooks)
    parser = command("variants")
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.set_defaults(run=list_variants)


# variants


def list_variants(options: argparse.Namespace, say: CliSentences) -> int:
    """Print the variants."""
    loaded = [variants.load(name) for name in variants.playable_names()]
    if options.json:
        print_json([variant_json(variant) for variant in loaded])
        return 0
    for variant in loaded:
        _print_variant(variant, say)
    return 0


def _print_variant(variant: Variant, say: CliSentences) -> None:
    board, names = variant.board, variant.names(say.language)
    powers = ", ".join(names.powers[power].name for power in board.powers)
    kinds = ", ".join(f"{letter} ({names.units[letter].name})" for letter in board.kinds)
    calendar = variant.definition.calendar
    print(f"{variant.name}: {variant.title[say.language]}")
    print(f"  {say('variants.powers', count=str(len(board.powers)), names=powers)}")
    facts = {
        "provinces": str(len(board.provinces)),
        "centres": str(len(board.centres)),
        "needed": str(variant.definition.victory.centres_needed(board)),
    }
    victory = variant.sentence(say.language, "terms", "victory")
    if victory:
        print(f"  {say('variants.ground', **facts)}")
        print(f"  {victory}")
    else:
        print(f"  {say('variants.board', **facts)}")
    print(f"  {say('variants.units', kinds=kinds)}")
    print(f"  {say('variants.phases', phases=', '.join((*calendar.opening, *calendar.cycle)))}")


# rulebooks


def list_rulebooks(options: argparse.Namespace, say: CliSentences) -> int:
    """Print the books, one book's choices, or the rows in which two differ."""
    if len(options.books) > 2:
        raise CommandError("error.two_books", USAGE)
    books = [read_rulebook(parse_rulebook_option(name)) for name in options.books]
    chosen = books or [rulebooks.load(name) for name in rulebooks.names()]
    rows = differing_options(books) if len(books) == 2 else list(rulebooks.options().values())
    if options.json:
        print_json([rulebook_json(book, rows) for book in chosen])
    elif books:
        _print_choices(books, rows, say)
    else:
        _print_books(chosen, say)
    return 0


def differing_options(books: list[LoadedRulebook]) -> list[RulebookOption]:
    """The options on which two books differ."""
    first, second = books
    return [row for row in rulebooks.options().values() if first.value(row.name) != second.value(row.name)]


def _print_books(books: list[LoadedRulebook], say: CliSentences) -> None:
    for book in books:
        print(f"{book.name}: {book.title[say.language]}")
    print(say("rulebooks.hint"))


def _print_choices(books: list[LoadedRulebook], rows: list[RulebookOption], say: CliSentences) -> None:
    for row in rows:
        print(f"{row.row or row.datc} {row.title[say.language]}")
        for book in books:
            value = book.value(row.name)
            called = row.value_titles[value][say.language]
            print(f"  {book.name}: {row.name} = {value}{_source(book, row, say)} – {called}")
    if not rows:
        print(say("rulebooks.same"))


def _source(book: LoadedRulebook, row: RulebookOption, say: CliSentences) -> str:
    origin = option_origin(book, row.name)
    if origin is not None:
        return f" ({silent_option_note(origin, say)})"
    source = book.sources.get(row.name)
    return f" [{rulebooks.translate_citation(source, say.language)}]" if source else ""


_SILENT = {
    "default": "rulebooks.silent.default",
    "first": "rulebooks.silent.first",
    "compatible": "rulebooks.silent.compatible",
}


def silent_option_note(origin: str, say: CliSentences) -> str:
    """That a value is our reading of what a book leaves open, and where it comes from."""
    if origin in _SILENT:
        return say(_SILENT[origin])
    return say("rulebooks.silent.book", book=rulebooks.load(origin).title[say.language])
