"""`talleyrand simulate` where its extra is not installed."""

from pathlib import Path

import pytest

from tests.cli.run import Run


@pytest.mark.parametrize(
    "arguments", [(), ("results", "games"), ("openings", "games"), ("export", "games", "1")]
)
def test_a_sentence_says_what_to_install(
    run: Run, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("talleyrand.cli.simulation_commands.SIMULATION_PACKAGES", ("nowhere_to_be_found",))
    ran = run("simulate", *arguments, "--lang", "en")
    assert ran.status == 1
    assert 'need an extra (missing: nowhere_to_be_found): pip install "talleyrand[simulation]"' in ran.err
    assert not list(tmp_path.iterdir())


def test_its_help_needs_nothing(run: Run) -> None:
    assert "--bots" in run("simulate", "--help").out
