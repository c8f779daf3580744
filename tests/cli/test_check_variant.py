"""`talleyrand check-variant`: exit codes, JSON, both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import Run

SOUND = {"en": "classic: no faults.", "fr": "classic : aucun défaut."}


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_classic_variant_is_sound(run: Run, language: str) -> None:
    ran = run("check-variant", "classic", "--lang", language)
    assert ran.status == 0
    assert ran.out.replace("\u202f", " ").replace("\u00a0", " ").endswith(f"{SOUND[language]}\n")


def test_json_tells_findings_and_measures(run: Run, tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text("name = 3", "utf-8")
    ran = run("check-variant", str(tmp_path), "--json")
    value = json.loads(ran.out)
    assert ran.status == 1
    assert {"finding": "file_missing", "about": ["map.svg"], "facts": {}} in [
        {key: finding[key] for key in ("finding", "about", "facts")} for finding in value["findings"]
    ]
    assert all(finding["fr"] and finding["en"] for finding in value["findings"])


@pytest.mark.parametrize("name", ["no-such-folder", "pyproject.toml", "", "\0"])
def test_a_folder_that_is_none_is_a_sentence(run: Run, name: str) -> None:
    ran = run("check-variant", name, "--lang", "en")
    assert ran.status == 1
    assert "Traceback" not in ran.err
    assert ran.err.startswith("talleyrand: ") or ran.out


def test_a_file_is_not_said_to_be_absent(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    file.write_text("<svg/>", "utf-8")
    ran = run("check-variant", str(file), "--lang", "fr")
    assert ran.status == 1
    assert ran.err.rstrip().endswith("ce n’est pas un dossier.")
