"""`talleyrand simulate results | openings | chart | export`: what the games of a folder have to tell."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talleyrand.drawing.png import png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.records import write_record

from .failures import DONE, FAULT, CommandError
from .output import as_json, print_json
from .sentences import CATALOGUE, Speaker

if TYPE_CHECKING:
    from talleyrand.simulation.shards.asking import Results

FOLDER = "simulation"
NEEDED = ("numpy", "duckdb")
WIDTH = 1600
Row = dict[str, Any]


def describe(parser: argparse.ArgumentParser, say: Speaker) -> None:
    """Add the commands below `simulate`."""
    commands = parser.add_subparsers(title=say("help.commands"), metavar=say("metavar.command"))

    def command(name: str, run: Any) -> argparse.ArgumentParser:
        text = say(f"help.simulate.{name}")
        below = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        below.add_argument(
            "folder", type=Path, metavar=say("metavar.folder"), help=say("help.simulate.folder")
        )
        below.add_argument("--lang", choices=("fr", "en"), default=argparse.SUPPRESS, help=say("help.lang"))
        below.set_defaults(run=run)
        return below

    _describe_tables(command, say)
    _describe_files(command, say)


def _describe_tables(command: Any, say: Speaker) -> None:
    below = command("results", results)
    below.add_argument("--by", choices=("bot", "power", "both"), default="bot", help=say("help.simulate.by"))
    below.add_argument("--json", action="store_true", help=say("help.json"))
    below = command("openings", openings)
    below.add_argument("--power", metavar=say("metavar.power"), help=say("help.simulate.power"))
    below.add_argument("--bot", metavar=say("metavar.bot"), help=say("help.simulate.bot"))
    below.add_argument(
        "--depth", type=int, default=1, metavar=say("metavar.number"), help=say("help.simulate.depth")
    )
    below.add_argument(
        "--most", type=int, default=5, metavar=say("metavar.number"), help=say("help.simulate.most")
    )
    below.add_argument("--json", action="store_true", help=say("help.json"))


def _describe_files(command: Any, say: Speaker) -> None:
    below = command("chart", chart)
    below.add_argument("--out", type=Path, required=True, metavar="X.svg|X.png", help=say("help.out"))
    below.add_argument("--by", choices=("bot", "power"), default="power", help=say("help.simulate.by"))
    below.add_argument("--game", type=int, metavar=say("metavar.number"), help=say("help.simulate.game"))
    below.add_argument("--width", type=int, default=WIDTH, help=say("help.width"))
    below = command("export", export)
    below.add_argument("game", type=int, metavar=say("metavar.number"), help=say("help.simulate.game"))
    below.add_argument("--out", type=Path, metavar=say("metavar.file"), help=say("help.simulate.record"))


# tables


def results(options: argparse.Namespace, say: Speaker) -> int:
    """Print what every bot or power reached."""
    with faults():
        found = _found(options.folder)
        rows = found.reached(by_bot=options.by != "power", by_power=options.by != "bot")
        if options.json:
            print_json([_rounded(row) for row in rows])
            return DONE
        print(_overall(found, say))
    words = found.plan.loaded.names(say.language).powers
    called = [{**row, "power": row["power"] and words[row["power"]].name} for row in rows]
    kinds = ("bot", "power", "games", "seats", "centres", "solos", "survivals", "share", "share_error")
    _print_table([kind for kind in kinds if any(row[kind] is not None for row in rows)], called, say)
    print(say("results.explained", equal=_percent(1 / len(found.plan.loaded.board.powers), say)))
    return DONE


def _overall(found: Results, say: Speaker) -> str:
    whole, plan = found.overall(), found.plan
    return say(
        "results.overall",
        games=str(whole.games),
        asked=str(plan.games),
        shards=str(len(found.shards)),
        of=str(plan.shards),
        solos=str(whole.solos),
        year=_decimal(whole.last_year, 1, say),
        engine=_percent(whole.by_engine / max(1, whole.phases), say, 2),
    )


def openings(options: argparse.Namespace, say: Speaker) -> int:
    """Print the openings of each power."""
    if options.depth < 1 or options.most < 1:
        raise CommandError("simulate.at_least_one")
    with faults():
        found = _found(options.folder)
        power, bot = _power(options.power, found), _bot(options.bot, found)
        rows = found.openings(power, bot, min(options.depth, 99), min(options.most, 1 << 30))
    if options.json:
        print_json([_rounded(row) for row in rows])
        return DONE
    words = found.plan.loaded.names(say.language).powers
    for which in dict.fromkeys(row["power"] for row in rows):
        print(words[which].name)
        for row in rows:
            if row["power"] == which:
                _print_opening(row, say)
    return DONE


def _print_opening(row: Row, say: Speaker) -> None:
    orders = " | ".join(", ".join(phase) for phase in row["opening"])
    told = {"part": _percent(row["part"], say), "centres": _decimal(row["centres"], 2, say), "orders": orders}
    print(say("openings.line", games=str(row["games"]), share=_percent(row["share"], say), **told))


def _power(text: str | None, found: Results) -> str | None:
    powers = found.plan.loaded.board.powers
    if text is not None and text.upper() not in powers:
        raise CommandError("simulate.unknown_seat", power=text[:40], known=", ".join(powers))
    return text and text.upper()


def _bot(text: str | None, found: Results) -> str | None:
    bots = tuple(dict.fromkeys(found.plan.bots))
    if text is not None and text not in bots:
        raise CommandError("simulate.no_such_bot", bot=text[:40], known=", ".join(bots))
    return text


def _print_table(kinds: Sequence[str], rows: Iterable[Row], say: Speaker) -> None:
    """Names to the left, numbers to the right."""
    lines = [[say(f"results.{kind}") for kind in kinds]]
    lines += [[_cell(kind, row[kind], say) for kind in kinds] for row in rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(kinds))]
    for line in lines:
        cells = zip(kinds, line, widths, strict=True)
        print(
            "  ".join(
                f"{cell:{'<' if kind in ('bot', 'power') else '>'}{width}}" for kind, cell, width in cells
            )
        )


def _cell(kind: str, value: Any, say: Speaker) -> str:
    if value is None:
        return "–"
    if kind in ("share", "share_error"):
        return _percent(value, say)
    return _decimal(value, 2, say) if kind == "centres" else str(value)


def _percent(value: float, say: Speaker, places: int = 1) -> str:
    return say("number.percent", number=_decimal(100 * value, places, say))


def _decimal(value: float, places: int, say: Speaker) -> str:
    return f"{value:.{places}f}".replace(".", say("number.point"))


def _rounded(row: Row) -> Row:
    """A row for programs: no digit beyond what can be meant."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}


# files


def chart(options: argparse.Namespace, say: Speaker) -> int:
    """Draw the centres of every year."""
    if options.out.suffix not in (".svg", ".png"):
        raise CommandError("error.picture", file=str(options.out))
    with faults():
        found = _found(options.folder)
        svg = _drawn(found, options, say)
    if options.out.suffix == ".svg":
        options.out.write_text(svg, "utf-8")
    else:
        options.out.write_bytes(png(svg, options.width))
    return DONE


def _drawn(found: Results, options: argparse.Namespace, say: Speaker) -> str:
    from talleyrand.drawing.charts import Words, chart
    from talleyrand.simulation.shards import charts

    variant, game, by_bot = found.plan.loaded, options.game, options.by == "bot"
    seats = [] if game is None else found.game(game)
    called = {power: name.name for power, name in variant.names(say.language).powers.items()}
    called |= {row["power"]: f"{called[row['power']]} ({row['bot']})" for row in seats}
    title = say("chart.title") if game is None else say("chart.game", game=str(game))
    words = Words(
        f"{variant.title[say.language]} – {title}",
        _subtitle(found, say, alone=game is not None),
        say("chart.years"),
        say("chart.centres"),
        lambda centres: _decimal(centres, int(centres != round(centres)), say),
    )
    return chart(charts.lines(found.years(by_bot=by_bot, game=game), variant.colours, called), words)


def _subtitle(found: Results, say: Speaker, *, alone: bool) -> str:
    bots, book = found.plan.bots, found.plan.book.title[say.language]
    if alone:
        return say("chart.subtitle.alone", seed=str(found.plan.seed), book=book)
    table = ", ".join(
        f"{bot} × {bots.count(bot)}" if bots.count(bot) > 1 else bot for bot in dict.fromkeys(bots)
    )
    return say("chart.subtitle", bots=table, games=str(found.overall().games), book=book)


def export(options: argparse.Namespace, say: Speaker) -> int:  # noqa: ARG001 (commands take both)
    """Write one game as a record."""
    with faults():
        found = _found(options.folder)
        from talleyrand.simulation.shards.exporting import record_of

        record = write_record(record_of(found, options.game))
    if options.out is None:
        print_json(record)
    else:
        options.out.write_bytes(as_json(record))
    return DONE


# what they share


def need() -> None:
    """Refuse where the extra is not installed."""
    missing = [name for name in NEEDED if util.find_spec(name) is None]
    if missing:
        raise CommandError("simulate.no_extra", missing=", ".join(missing))


def _found(path: Path) -> Results:
    need()
    from talleyrand.simulation.shards.asking import Results

    return Results(path)


@contextmanager
def faults() -> Iterator[None]:
    """What shards and bots refuse, in the words of this command."""
    try:
        yield
    except TalleyrandError as fault:
        code = f"simulate.{fault.code}"
        if not CATALOGUE.knows(code):
            raise
        raise CommandError(code, FAULT, **fault.facts) from None
