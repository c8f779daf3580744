"""The closing line of ./test."""

from pathlib import Path

import pytest

from tests.packaging.tally import main


@pytest.fixture
def report(tmp_path: Path) -> str:
    """A report of five tests: three passed, one failed, one skipped."""
    path = tmp_path / "tests.xml"
    path.write_text(
        '<testsuites><testsuite tests="5" failures="1" errors="0" skipped="1"></testsuite></testsuites>'
    )
    return str(path)


def test_it_adds_up_the_reports(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(1, 12, [report, report]) == 1
    assert capsys.readouterr().out == "== 6 passed, 2 failed, 2 skipped, 1 stage FAILED, 12 s ==\n"


def test_a_failed_stage_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(2, 3, []) == 1
    assert "2 stages FAILED" in capsys.readouterr().out


def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(0, 3, []) == 0
    assert "all stages passed" in capsys.readouterr().out
