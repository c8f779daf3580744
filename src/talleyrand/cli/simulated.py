"""`talleyrand simulate results | openings | chart | export`: what the games of a folder have to tell."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talleyrand.drawing.png import render_png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.game_record import write_game_record

from .console import CATALOGUE, CliSentences
from .failures import DONE, FAULT, CommandError
from .output import json_line, print_json

if TYPE_CHECKING:
    from talleyrand.simulation.shards.result_queries import SimulationResults

DEFAULT_FOLDER = "simulation"
SIMULATION_PACKAGES = ("numpy", "duckdb")
WIDTH = 1600
ResultRow = dict[str, Any]


def describe(parser: argparse.ArgumentParser, say: CliSentences) -> None:
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


def _describe_tables(command: Any, say: CliSentences) -> None:
    below = command("results", print_results)
    below.add_argument("--by", choices=("bot", "power", "both"), default="bot", help=say("help.simulate.by"))
    below.add_argument("--json", action="store_true", help=say("help.json"))
    below = command("openings", print_openings)
    below.add_argument("--power", metavar=say("metavar.power"), help=say("help.simulate.power"))
    below.add_argument("--bot", metavar=say("metavar.bot"), help=say("help.simulate.bot"))
    below.add_argument(
        "--depth", type=int, default=1, metavar=say("metavar.number"), help=say("help.simulate.depth")
    )
    below.add_argument(
        "--most", type=int, default=5, metavar=say("metavar.number"), help=say("help.simulate.most")
    )
    below.add_argument("--json", action="store_true", help=say("help.json"))


def _describe_files(command: Any, say: CliSentences) -> None:
    below = command("chart", write_chart)
    below.add_argument("--out", type=Path, required=True, metavar="X.svg|X.png", help=say("help.out"))
    below.add_argument("--by", choices=("bot", "power"), default="power", help=say("help.simulate.by"))
    below.add_argument("--game", type=int, metavar=say("metavar.number"), help=say("help.simulate.game"))
    below.add_argument("--width", type=int, default=WIDTH, help=say("help.width"))
    below = command("export", export_game)
    below.add_argument("game", type=int, metavar=say("metavar.number"), help=say("help.simulate.game"))
    below.add_argument("--out", type=Path, metavar=say("metavar.file"), help=say("help.simulate.record"))


# tables


def print_results(options: argparse.Namespace, say: CliSentences) -> int:
    """Print what every bot or power reached."""
    with simulation_errors():
        found = _found(options.folder)
        rows = found.results_by(by_bot=options.by != "power", by_power=options.by != "bot")
        if options.json:
            print_json([_rounded(row) for row in rows])
            return DONE
        print(_overall(found, say))
    words = found.plan.loaded_variant.names(say.language).powers
    called = [{**row, "power": row["power"] and words[row["power"]].name} for row in rows]
    kinds = ("bot", "power", "games", "seats", "centres", "solos", "survivals", "share", "share_error")
    _print_table([kind for kind in kinds if any(row[kind] is not None for row in rows)], called, say)
    print(say("results.explained", equal=_percent(1 / len(found.plan.loaded_variant.board.powers), say)))
    return DONE


def _overall(found: SimulationResults, say: CliSentences) -> str:
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


def print_openings(options: argparse.Namespace, say: CliSentences) -> int:
    """Print the openings of each power."""
    if options.depth < 1 or options.most < 1:
        raise CommandError("simulate.at_least_one")
    with simulation_errors():
        found = _found(options.folder)
        power, bot = _power(options.power, found), _bot(options.bot, found)
        rows = found.openings(power, bot, min(options.depth, 99), min(options.most, 1 << 30))
    if options.json:
        print_json([_rounded(row) for row in rows])
        return DONE
    words = found.plan.loaded_variant.names(say.language).powers
    for which in dict.fromkeys(row["power"] for row in rows):
        print(words[which].name)
        for row in rows:
            if row["power"] == which:
                _print_opening(row, say)
    return DONE


def _print_opening(row: ResultRow, say: CliSentences) -> None:
    orders = " | ".join(", ".join(phase) for phase in row["opening"])
    told = {"part": _percent(row["part"], say), "centres": _decimal(row["centres"], 2, say), "orders": orders}
    print(say("openings.line", games=str(row["games"]), share=_percent(row["share"], say), **told))


def _power(text: str | None, found: SimulationResults) -> str | None:
    powers = found.plan.loaded_variant.board.powers
    if text is not None and text.upper() not in powers:
        raise CommandError("simulate.unknown_seat", power=text[:40], known=", ".join(powers))
    return text and text.upper()


def _bot(text: str | None, found: SimulationResults) -> str | None:
    bots = tuple(dict.fromkeys(found.plan.bots))
    if text is not None and text not in bots:
        raise CommandError("simulate.no_such_bot", bot=text[:40], known=", ".join(bots))
    return text


def _print_table(kinds: Sequence[str], rows: Iterable[ResultRow], say: CliSentences) -> None:
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


def _cell(kind: str, value: Any, say: CliSentences) -> str:
    if value is None:
        return "–"
    if kind in ("share", "share_error"):
        return _percent(value, say)
    return _decimal(value, 2, say) if kind == "centres" else str(value)


def _percent(value: float, say: CliSentences, places: int = 1) -> str:
    return say("number.percent", number=_decimal(100 * value, places, say))


def _decimal(value: float, places: int, say: CliSentences) -> str:
    return f"{value:.{places}f}".replace(".", say("number.point"))


def _rounded(row: ResultRow) -> ResultRow:
    """A row for programs: no digit beyond what can be meant."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}


# files


def write_chart(options: argparse.Namespace, say: CliSentences) -> int:
    """Draw the centres of every year."""
    if options.out.suffix not in (".svg", ".png"):
        raise CommandError("error.picture", file=str(options.out))
    with simulation_errors():
        found = _found(options.folder)
        svg = _drawn(found, options, say)
    if options.out.suffix == ".svg":
        options.out.write_text(svg, "utf-8")
    else:
        options.out.write_bytes(render_png(svg, options.width))
    return DONE


def _drawn(found: SimulationResults, options: argparse.Namespace, say: CliSentences) -> str:
    from talleyrand.drawing.line_chart import ChartLabels, draw_chart
    from talleyrand.simulation.shards import year_charts

    variant, game, by_bot = found.plan.loaded_variant, options.game, options.by == "bot"
    seats = [] if game is None else found.game(game)
    called = {power: name.name for power, name in variant.names(say.language).powers.items()}
    called |= {row["power"]: f"{called[row['power']]} ({row['bot']})" for row in seats}
    title = say("chart.title") if game is None else say("chart.game", game=str(game))
    words = ChartLabels(
        f"{variant.title[say.language]} – {title}",
        _subtitle(found, say, alone=game is not None),
        say("chart.years"),
        say("chart.centres"),
        lambda centres: _decimal(centres, int(centres != round(centres)), say),
    )
    return draw_chart(
        year_charts.chart_lines(found.years(by_bot=by_bot, game=game), variant.colours, called), words
    )


def _subtitle(found: SimulationResults, say: CliSentences, *, alone: bool) -> str:
    bots, book = found.plan.bots, found.plan.loaded_rulebook.title[say.language]
    if alone:
        return say("chart.subtitle.alone", seed=str(found.plan.seed), book=book)
    table = ", ".join(
        f"{bot} × {bots.count(bot)}" if bots.count(bot) > 1 else bot for bot in dict.fromkeys(bots)
    )
    return say("chart.subtitle", bots=table, games=str(found.overall().games), book=book)


def export_game(options: argparse.Namespace, say: CliSentences) -> int:  # noqa: ARG001 (commands take both)
    """Write one game as a record."""
    with simulation_errors():
        found = _found(options.folder)
        from talleyrand.simulation.shards.record_export import record_of

        record = write_game_record(record_of(found, options.game))
    if options.out is None:
        print_json(record)
    else:
        options.out.write_bytes(json_line(record))
    return DONE


# what they share


def require_simulation_extra() -> None:
    """Refuse where the extra is not installed."""
    missing = [name for name in SIMULATION_PACKAGES if util.find_spec(name) is None]
    if missing:
        raise CommandError("simulate.no_extra", missing=", ".join(missing))


def _found(path: Path) -> SimulationResults:
    require_simulation_extra()
    from talleyrand.simulation.shards.result_queries import SimulationResults

    return SimulationResults(path)


@contextmanager
def simulation_errors() -> Iterator[None]:
    """What shards and bots refuse, in the words of this command."""
    try:
        yield
    except TalleyrandError as fault:
        code = f"simulate.{fault.code}"
        if not CATALOGUE.has_sentence(code):
            raise
        raise CommandError(code, FAULT, **fault.facts) from None
