"""requirements/environment.sh: what ./run and ./test say and do when something is missing or unfinished."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_MODULE = "#!/bin/sh\ncase $2 in *venv*) exit 1 ;; esac\n"


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def shell(script: str, *, root: Path = ROOT, path: str = os.defpath) -> subprocess.CompletedProcess[str]:
    """Runs lines of bash after environment.sh, the project being in `root`."""
    lines = f'set -euo pipefail\nroot="$1"\n. "{ROOT}/requirements/environment.sh"\n{script}'
    command = ["/bin/bash", "-c", lines, "bash", str(root)]
    return subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose environment needs no package, in a folder whose name has a blank."""
    root = tmp_path / "a project"
    (root / "requirements").mkdir(parents=True)
    for name in ("pyproject.toml", "requirements/environment.sh", "requirements/run.txt"):
        (root / name).write_text("# nothing\n")
    return root


def test_an_old_python_is_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        program(tmp_path / "bin", name, "#!/bin/sh\nexit 1\n")
    answer = shell("find_python", path=str(tmp_path / "bin"))
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert "Il faut Python 3.11" in answer.stderr
    assert "Python 3.11 or later is needed" in answer.stderr


def test_a_python_without_venv_is_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        program(tmp_path / "bin", name, NO_MODULE)
    answer = shell("find_python", path=str(tmp_path / "bin"))
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert "sudo apt install python3-venv" in answer.stderr


def test_a_newer_python_beside_an_old_one_is_found(tmp_path: Path) -> None:
    program(tmp_path / "bin", "python3", "#!/bin/sh\nexit 1\n")
    for name in ("python3.14", "python3.13", "python3.11"):
        program(tmp_path / "bin", name, "#!/bin/sh\nexit 1\n")
    program(tmp_path / "bin", "python3.12", "#!/bin/sh\nexit 0\n")
    answer = shell("find_python", path=str(tmp_path / "bin"))
    assert answer.stdout.strip() == str(tmp_path / "bin" / "python3.12")


def test_a_folder_of_somebody_else_is_left_alone(project: Path) -> None:
    (project / ".venv").mkdir()
    (project / ".venv" / "precious").write_text("mine")
    answer = shell('environment "$root/.venv" requirements/run.txt', root=project, path=python_path())
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert (project / ".venv" / "precious").read_text() == "mine"


@pytest.mark.long
def test_an_interrupted_installation_is_begun_again(project: Path) -> None:
    venv = project / ".venv"
    venv.mkdir()
    (venv / "talleyrand.made").touch()
    (venv / "half").write_text("a part of a package")
    answer = shell('environment "$root/.venv" requirements/run.txt', root=project, path=python_path())
    assert answer.returncode == 0, answer.stderr
    assert not (venv / "half").exists()
    assert (venv / "bin" / "python").exists()


@pytest.mark.long
def test_an_environment_is_made_anew_when_its_lock_changes(project: Path) -> None:
    lock = "requirements/run.txt"
    made = shell(f'environment "$root/.venv" {lock}', root=project, path=python_path())
    assert made.returncode == 0, made.stderr
    assert shell(f'is_ready "$root/.venv" {lock}', root=project).returncode == 0
    (project / lock).write_text("# something\n")
    assert shell(f'is_ready "$root/.venv" {lock}', root=project).returncode == 1


def test_an_environment_whose_python_is_gone_is_not_ready(project: Path) -> None:
    (project / ".venv").mkdir()
    (project / ".venv" / "talleyrand.ready").write_text("")
    assert shell('is_ready "$root/.venv" requirements/run.txt', root=project).returncode == 1


def python_path() -> str:
    """A search path on which the Python of these tests comes first."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
