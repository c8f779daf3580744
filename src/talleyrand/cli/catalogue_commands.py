"""`talleyrand variants`, `rulebooks`, `check-variant`: what is at hand, where books differ, what is wrong."""

from __future__ import annotations

import argparse
from pathlib import Path

from talleyrand import rulebooks, variants
from talleyrand.formats.catalogue_json import rulebook_json, variant_json
from talleyrand.formats.question_input import read_rulebook
from talleyrand.formats.rulebook_comparison import option_origin
from talleyrand.rulebooks import LoadedRulebook, RulebookOption
from talleyrand.variant_check import VariantFinding, VariantReport, check_variant, finding_sentence
from talleyrand.variants import LANGUAGES, Variant, all_names, variant_folder

from .answer_output import silent_option_note
from .console import (
    DONE,
    FAULT,
    USAGE,
    AddCommand,
    CliSentences,
    CommandError,
    parse_rulebook_option,
    print_json,
)


def describe_catalogue_commands(command: AddCommand) -> None:
    """Add both commands."""
    parser = command("rulebooks", list_rulebooks)
    parser.add("--json", told="help.json", action="store_true")
    parser.add("books", told="help.rulebooks.books", shown="metavar.rulebook", nargs="*")
    parser = command("variants", list_variants)
    parser.add("--json", told="help.json", action="store_true")


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


def describe_check_variant(command: AddCommand) -> None:
    """Add the command."""
    parser = command("check-variant", check_variant_command)
    parser.add("variant", told="help.check-variant.variant", shown="metavar.variant_or_folder")
    parser.add("--json", told="help.json", action="store_true")


def check_variant_command(options: argparse.Namespace, say: CliSentences) -> int:
    """Print what was found; the status is 1 if the variant's own list does not admit all of it."""
    done = check_variant(
        variant_folder(options.variant) if options.variant in all_names() else Path(options.variant)
    )
    if options.json:
        print_json(variant_report_json(done))
    else:
        _print_report(done, say)
    return FAULT if done.findings else DONE


def variant_report_json(done: VariantReport) -> dict[str, object]:
    """A report as JSON: findings with their codes and sentences, what is admitted, the tightest measures."""
    return {
        "variant": done.name,
        "findings": [_finding(finding) for finding in done.findings],
        "admitted": [_finding(finding) for finding in done.admitted],
        "tightest": {what: dict(places) for what, places in done.measures.items()},
    }


def _finding(finding: VariantFinding) -> dict[str, object]:
    said = {language: finding_sentence(finding, language) for language in LANGUAGES}
    return {"finding": finding.code, "about": list(finding.about), "facts": dict(finding.facts), **said}


def _print_report(done: VariantReport, say: CliSentences) -> None:
    for finding in done.findings:
        print(finding_sentence(finding, say.language))
    for finding in done.admitted:
        print(say("check.admitted", sentence=finding_sentence(finding, say.language)))
    for what, places in done.measures.items():
        tightest = ", ".join(f"{name} {value:g}" for name, value in places[:4])
        print(say(f"check.{what}", places=tightest))
    count = len(done.findings)
    print(say("check.clean" if not count else "check.found", variant=done.name, count=str(count)))
