"""A command imports what it needs, and help no command at all."""

import subprocess
import sys

import pytest

from talleyrand.cli.console import CliSentences
from talleyrand.cli.parser import DESCRIBED, build_parser

WHAT_IS_LOADED = """
import sys
from talleyrand.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("loaded", *sorted(name for name in sys.modules if name.startswith("talleyrand.")))
"""


def modules_loaded_by(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", WHAT_IS_LOADED, *arguments], capture_output=True, text=True, check=True
    )
    head, *names = done.stdout.splitlines()[-1].split()
    assert head == "loaded"
    return set(names)


def test_help_loads_no_command_and_no_judge() -> None:
    loaded = modules_loaded_by("--help")
    assert "talleyrand.cli.parser" in loaded
    assert not {name for name in loaded if name.endswith("_commands")}
    assert not loaded & {
        "talleyrand.engine.game",
        "talleyrand.notation",
        "talleyrand.variants.variant_loader",
    }


def test_a_command_loads_no_other() -> None:
    loaded = modules_loaded_by("adjudicate", "--help")
    assert "talleyrand.cli.game_commands" in loaded
    for package in ("drawing", "printing", "seating", "tournament", "simulation", "variant_check"):
        assert f"talleyrand.{package}" not in loaded


@pytest.mark.parametrize("name", [name for names in DESCRIBED.values() for name in names])
def test_every_command_is_described_by_the_function_it_is_listed_under(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        build_parser(CliSentences("en")).parse_args([name, "--help"])
    assert stop.value.code == 0
    assert f"talleyrand {name}" in capsys.readouterr().out


def test_names_of_a_package_that_come_on_demand_are_all_there() -> None:
    from talleyrand import messages, variants

    for package in (messages, variants):
        assert all(hasattr(package, name) for name in package.__all__)
        assert not hasattr(package, "nothing_of_this_name")
