"""The examples of the reference and of the READMEs are run: each line they show comes out, in that order."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tests.cli.run import Run

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [DOCS / "fr/reference/ligne-de-commande.md", DOCS / "en/reference/command-line.md"]
FILE = re.compile(r"^```(?:file|fichier) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n\$ talleyrand ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

BOOKS = [DOCS / "fr/reference/reglements.md", DOCS / "en/reference/rulebooks.md"]
EVENTS = [DOCS / "fr/reference/evenement.md", DOCS / "en/reference/event.md"]
TOURNAMENTS = [DOCS / "fr/howto/diriger-un-tournoi.md", DOCS / "en/howto/run-a-tournament.md"]
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
READMES = [ROOT / "README.md", ROOT / "README.en.md"]
COMMANDS = (
    "adjudicate",
    "read",
    "play",
    "draw",
    "history",
    "rulebooks",
    "variants",
    "score",
    "standings",
    "seat",
    "serve",
    "clock",
    "pages",
    "events",
    "worker",
    "health",
    "smtp",
    "backup",
    "restore",
    "move",
)
EXAMPLES = {
    **dict.fromkeys(PAGES, 7),
    **dict.fromkeys(BOOKS, 1),
    **dict.fromkeys(READMES, 2),
    **dict.fromkeys(EVENTS, 1),
    **dict.fromkeys(TOURNAMENTS, 1),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("page", "count"), EXAMPLES.items(), ids=lambda value: getattr(value, "name", None))
def test_examples(run: Run, page: Path, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for name, content in FILE.findall(text):
        Path(name).write_text(content, "utf-8")
    examples = CONSOLE.findall(text)
    assert len(examples) == count
    for command, shown in examples:
        ran = run(*shlex.split(command))
        assert ran.status == 0, ran.err
        _comes_out(shown, ran.out)


@pytest.mark.parametrize("page", TOURNAMENTS, ids=["fr", "en"])
def test_the_regulations_shown_are_those_that_are_tried(page: Path) -> None:
    text = page.read_text("utf-8")
    ((_, event),) = FILE.findall(text)
    (table,) = TOML.findall(text)
    assert json.loads(event)["regulations"] == tomllib.loads(table)


def _comes_out(shown: str, printed: str) -> None:
    lines = iter(printed.replace("\u00a0", " ").splitlines())
    for line in filter(None, shown.splitlines()):
        assert any(found.startswith(line) for found in lines), f"{line}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_every_option_is_in_the_reference(run: Run, page: Path) -> None:
    text = page.read_text("utf-8")
    for command in COMMANDS:
        options = set(re.findall(r"--[a-z-]+", run(command, "--help").out)) - {"--help"}
        assert not {option for option in options if option not in text}, command
