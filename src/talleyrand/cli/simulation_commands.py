"""`talleyrand simulate`: games between bots by the thousand, in shards, and what they have to tell."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from talleyrand.drawing.png import render_png
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.game_record import write_game_record
from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import find_split, load

from .console import (
    CATALOGUE,
    DONE,
    FAULT,
    INTERRUPTED,
    USAGE,
    AddCommand,
    CliSentences,
    CommandError,
    CommandParser,
    ProgressLine,
    RunCommand,
    json_line,
    parse_rulebook_option,
    print_json,
    require_packages,
)

if TYPE_CHECKING:
    from talleyrand.simulation.shards.result_queries import SimulationResults
    from talleyrand.simulation.shards.simulation_folder import SimulationFolder
    from talleyrand.simulation.shards.simulation_plan import SimulationPlan

DEFAULT_GAMES, DEFAULT_BOTS, DEFAULT_VARIANT = 100, "values", "classic"
DEFAULT_FOLDER = "simulation"
SIMULATION_PACKAGES = ("numpy", "duckdb")
MAX_WORKERS = 1024
WIDTH = 1600
MIN_ESTIMATE_SECONDS = 2.0  # seconds before which nobody can say how long the rest will take
PART = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)
ResultRow = dict[str, Any]


def describe_simulation_commands(command: AddCommand) -> None:
    """Add the command and those below it."""
    parser = command("simulate", simulate)
    parser.add("--out", told="help.simulate.out", shown="metavar.folder", type=Path)
    parser.add("--games", told="help.simulate.games", shown="metavar.number", type=int)
    parser.add("--bots", told="help.simulate.bots", shown="metavar.bots")
    parser.add("--variant", told="help.simulate.variant", shown="metavar.name")
    parser.add("--rulebook", told="help.simulate.rulebook", shown="metavar.rulebook")
    parser.add("--split", told="help.simulate.split", shown="metavar.name")
    parser.add("--first-year", told="help.simulate.first_year", shown="metavar.year", type=int)
    parser.add("--until", told="help.simulate.until", shown="metavar.year", type=int)
    parser.add("--seed", told="help.simulate.seed", shown="metavar.number", type=int)
    parser.add("--shards", told="help.simulate.shards", shown="metavar.number", type=int)
    parser.add("--shard", told="help.simulate.shard", metavar="I/N")
    where = parser.one_of()
    where.add("--workers", told="help.simulate.workers", shown="metavar.number", type=int)
    where.add("--dask", told="help.simulate.dask", shown="metavar.address")
    _describe_results(parser)


def _describe_results(parser: CommandParser) -> None:
    """Add the commands below `simulate`."""
    say = parser.say
    commands = parser.arguments.add_subparsers(title=say("help.commands"), metavar=say("metavar.command"))

    def command(name: str, run: RunCommand) -> CommandParser:
        text = say(f"help.simulate.{name}")
        below = CommandParser(commands.add_parser(name, help=text, description=text, allow_abbrev=False), say)
        below.add("folder", told="help.simulate.folder", shown="metavar.folder", type=Path)
        below.add("--lang", told="help.lang", choices=("fr", "en"), default=argparse.SUPPRESS)
        below.arguments.set_defaults(run=run)
        return below

    below = command("results", print_results)
    below.add("--by", told="help.simulate.by", choices=("bot", "power", "both"), default="bot")
    below.add("--json", told="help.json", action="store_true")
    below = command("openings", print_openings)
    below.add("--power", told="help.simulate.power", shown="metavar.power")
    below.add("--bot", told="help.simulate.bot", shown="metavar.bot")
    below.add("--depth", told="help.simulate.depth", shown="metavar.number", type=int, default=1)
    below.add("--most", told="help.simulate.most", shown="metavar.number", type=int, default=5)
    below.add("--json", told="help.json", action="store_true")
    below = command("chart", write_chart)
    below.add("--out", told="help.out", metavar="X.svg|X.png", type=Path, required=True)
    below.add("--by", told="help.simulate.by", choices=("bot", "power"), default="power")
    below.add("--game", told="help.simulate.game", shown="metavar.number", type=int)
    below.add("--width", told="help.width", type=int, default=WIDTH)
    below = command("export", export_game)
    below.add("game", told="help.simulate.game", shown="metavar.number", type=int)
    below.add("--out", told="help.simulate.record", shown="metavar.file", type=Path)


def simulate(options: argparse.Namespace, say: CliSentences) -> int:
    """Play the shards that are missing."""
    part, workers = _part(options.shard), _workers(options.workers)
    with simulation_errors():
        folder = _folder(options)
        shards = folder.missing_shards(_wanted(part, folder.plan))
        if not shards:
            print(say("simulate.nothing", folder=str(folder.path)), file=sys.stderr)
            return DONE
        return _play(folder, shards, workers, options.dask, say)


def _play(
    folder: SimulationFolder, shards: Sequence[int], workers: int, address: str | None, say: CliSentences
) -> int:
    from talleyrand.simulation import batch_adjudicator, numba_compiler

    progress = SimulationProgress(folder.plan, shards, say)
    if not numba_compiler.NUMBA_AVAILABLE:
        print(say("simulate.slow"), file=sys.stderr)
        warnings.simplefilter("ignore", batch_adjudicator.NumbaMissingWarning)
    try:
        if address is None:
            import_module("talleyrand.simulation.shards.process_pool").run_shards(
                folder, shards, workers, progress
            )
        else:
            cluster = import_module("talleyrand.simulation.shards.dask_cluster")
            cluster.run_on_cluster(folder, shards, address, progress)
    except KeyboardInterrupt:
        _tell(folder, shards, progress, say("simulate.interrupted"), say)
        return INTERRUPTED
    except BaseException:
        progress.end()
        raise
    _tell(folder, shards, progress, "", say)
    return DONE


def _tell(
    folder: SimulationFolder,
    shards: Sequence[int],
    progress: SimulationProgress,
    more: str,
    say: CliSentences,
) -> None:
    """How many shards the folder holds now."""
    progress.end()
    left = len(folder.missing_shards(shards))
    kept = say(
        "simulate.kept",
        done=str(len(shards) - left),
        asked=str(len(shards)),
        folder=str(folder.path),
        time=format_duration(monotonic() - progress.begun, say),
    )
    print(" ".join(filter(None, (kept, more))), file=sys.stderr)


# what is asked


def _folder(options: argparse.Namespace) -> SimulationFolder:
    """The folder that is asked for: what it holds already speaks where the options do not."""
    require_packages(SIMULATION_PACKAGES, "simulate.no_extra")
    from talleyrand.simulation.shards.simulation_folder import SimulationFolder, existing_plan

    path = options.out or Path(DEFAULT_FOLDER)
    plan = _plan(options, existing_plan(path))
    plan.check()
    return SimulationFolder.open(path, plan)


def _plan(options: argparse.Namespace, kept: SimulationPlan | None) -> SimulationPlan:
    """What is asked: by the options, else as it was asked before, else as usual."""
    from talleyrand.simulation.shards import simulation_plan as plans
    from talleyrand.simulation.shards.simulation_plan import read_seats

    def first(*values: Any) -> Any:
        return next(value for value in values if value is not None)

    def before(name: str) -> Any:
        return None if kept is None else getattr(kept, name)

    variant = first(options.variant, before("variant"), DEFAULT_VARIANT)
    split = find_split(load(variant), first(options.split, before("split"), ""))
    begins = first(options.first_year, before("begins"), 0)
    start = load(variant).begun(split, begins).definition.start
    if kept is not None and options.bots is None:
        seats = kept.seats
    else:
        seats = read_seats(first(options.bots, DEFAULT_BOTS), [share[0] for share in split.shares])
    games = first(options.games, before("games"), DEFAULT_GAMES)
    return plans.SimulationPlan(
        variant=variant,
        rulebook=first(parse_rulebook_option(options.rulebook), before("rulebook"), FALLBACK),
        bots=seats.bots,
        rotating=seats.rotating,
        games=games,
        shards=first(options.shards, before("shards"), plans.default_shard_count(games, seats.bots)),
        seed=first(options.seed, before("seed"), 0),
        until=first(options.until, before("until"), start.phase.year + plans.USUAL_YEARS - 1),
        split=split.name,
        begins=begins,
    )


def _part(text: str | None) -> tuple[int, int]:
    """Which of how many machines this is."""
    found = PART.fullmatch(text or "1/1")
    part, parts = map(int, found.groups()) if found else (0, 0)
    if not 1 <= part <= parts:
        raise CommandError("simulate.bad_part", USAGE, text=str(text))
    return part, parts


def _wanted(part: tuple[int, int], plan: SimulationPlan) -> range:
    """Every n-th shard, from the i-th on."""
    wanted = range(part[0], plan.shards + 1, part[1])
    if not wanted:
        raise CommandError("simulate.no_such_part", part=str(part[0]), shards=str(plan.shards))
    return wanted


def _workers(number: int | None) -> int:
    if number is None:
        return os.cpu_count() or 1
    if not 1 <= number <= MAX_WORKERS:
        raise CommandError("simulate.bad_workers", USAGE, number=str(number), most=str(MAX_WORKERS))
    return number


# progress


class SimulationProgress(ProgressLine):
    """A line that says how much is done and how long the rest will take."""

    def __init__(self, plan: SimulationPlan, shards: Sequence[int], say: CliSentences) -> None:
        super().__init__(at_once=True)
        self.begun, self._say = monotonic(), say
        self._games = sum(len(plan.games_of(shard)) for shard in shards)

    def __call__(self, done: float) -> None:
        """Tell how much is done, from 0 to 1, unless that was told just now."""
        if not self.is_due():
            return
        games, passed = round(done * self._games), monotonic() - self.begun
        line = self._say(
            "simulate.progress", percent=f"{100 * done:.0f}", games=str(games), all=str(self._games)
        )
        if done > 0 and passed > MIN_ESTIMATE_SECONDS:
            line += self._say("simulate.left", time=format_duration(passed / done - passed, self._say))
        self.write(line)


def format_duration(seconds: float, say: CliSentences) -> str:
    """A time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return say("duration.seconds", seconds=str(whole))
    if whole < 3600:
        return say("duration.minutes", minutes=str(whole // 60), seconds=f"{whole % 60:02}")
    return say("duration.hours", hours=str(whole // 3600), minutes=f"{whole % 3600 // 60:02}")


# tables


def print_results(options: argparse.Namespace, say: CliSentences) -> int:
    """Print what every bot or power reached."""
    with simulation_errors():
        found = _open_results(options.folder)
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
        found = _open_results(options.folder)
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
        found = _open_results(options.folder)
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
        found = _open_results(options.folder)
        from talleyrand.simulation.shards.record_export import record_of

        record = write_game_record(record_of(found, options.game))
    if options.out is None:
        print_json(record)
    else:
        options.out.write_bytes(json_line(record))
    return DONE


# what they share


def _open_results(path: Path) -> SimulationResults:
    require_packages(SIMULATION_PACKAGES, "simulate.no_extra")
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
