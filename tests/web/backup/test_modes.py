"""What a site keeps is read by nobody else on the machine, whichever command has written it."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from talleyrand.web.backup import data_folder
from tests.each import each
from tests.waiting import PATIENCE, wait_until
from tests.web.backup.folder import old_folder, with_former_caches

COMMAND = [sys.executable, "-m", "talleyrand"]
ADDRESS = re.compile(r"http://\S+")
UNITS = Path(__file__).parents[3] / "deploy" / "systemd"


def environment(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")} | more


def ask(*words: str | Path, **more: str) -> None:
    """A command as most people run it: what it makes, others may read unless it takes care."""
    done = subprocess.run(
        [*COMMAND, *words], umask=0o022, env=environment(**more), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@contextmanager
def running(*words: str | Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*COMMAND, *words], umask=0o022, env=environment(**more), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)


def is_open(folder: Path) -> dict[str, str]:
    """What somebody else could read or write, with its mode."""
    found = {str(one): stat.S_IMODE(one.lstat().st_mode) for one in (folder, *folder.rglob("*"))}
    return {name: oct(mode) for name, mode in found.items() if mode & 0o077}


def wide(folder: Path) -> Path:
    """A folder as an earlier version made it."""
    for one in (folder, *folder.rglob("*")):
        one.chmod(0o755 if one.is_dir() else 0o644)
    return folder


@pytest.mark.long
def test_serving_leaves_nothing_open(tmp_path: Path) -> None:
    site = tmp_path / "a" / "site"
    with running("serve", "--port", "0", "--data", site) as process:
        assert process.stdout is not None
        found = ADDRESS.search(process.stdout.readline())
        assert found
        with urlopen(f"{found[0]}reglements/regles/", timeout=PATIENCE) as page:
            assert page.status == 200
        names = {one.name for one in site.iterdir()}
        assert names >= {"talleyrand.sqlite3", "talleyrand.sqlite3-wal", "secret_key", "push_key", "static"}
        assert is_open(site) == {}
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert is_open(tmp_path / "a") == {}


@pytest.mark.long
def test_commands_leave_nothing_open_and_close_what_was(tmp_path: Path) -> None:
    site, copies = old_folder(tmp_path / "site"), tmp_path / "copies"
    with running("serve", "--port", "0", "--data", wide(site)) as process:
        assert process.stdout is not None
        process.stdout.readline()
    assert (site / "backups").is_dir()  # it was brought up to date after a copy
    assert is_open(site) == {}
    ask("backup", copies / "one.zip", "--data", wide(site))
    assert is_open(copies) == {}
    ask("restore", copies / "one.zip", "--data", wide(site))
    assert next(site.glob("before-restore-*")).is_dir()
    assert is_open(site) == {}
    ask("restore", copies / "one.zip", "--data", tmp_path / "new")
    assert is_open(tmp_path / "new") == {}
    done = subprocess.run(
        [*COMMAND, "password", "Nobody", "--data", wide(site)], umask=0o022, env=environment(), check=False
    )
    assert done.returncode != 0
    assert is_open(site) == {}


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("clock",), {}),
        (
            ("smtp", "--port", "0"),
            {
                "TALLEYRAND_SMTP": "smtp://127.0.0.1:9?tls=none",
                "TALLEYRAND_MAIL_FROM": "a@jeu.example",
                "TALLEYRAND_MAIL_DOMAIN": "jeu.example",
            },
        ),
    ],
)
def test_what_runs_beside_closes_what_was_open(
    words: tuple[str, ...], more: dict[str, str], tmp_path: Path, prepare_site: Callable[[Path], Path]
) -> None:
    site = prepare_site(tmp_path / "site")
    with running("serve", "--port", "0", "--data", site) as process:
        assert process.stdout is not None
        process.stdout.readline()
    with running(*words, "--data", wide(site), **more):
        wait_until(lambda: not is_open(site), lambda: is_open(site))


def test_a_folder_that_is_not_the_site_s_alone_is_told_and_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    site = old_folder(home)
    (home / "letters.txt").write_text("mine", "utf-8")
    wide(home)
    assert data_folder.restrict_permissions(site) == [home]
    assert f"chmod go= {home}" in capsys.readouterr().err
    assert stat.S_IMODE(home.stat().st_mode) == 0o755
    assert set(is_open(home)) == {str(home), str(home / "letters.txt")}


def test_caches_of_earlier_versions_are_the_site_s_too(tmp_path: Path) -> None:
    site = wide(with_former_caches(old_folder(tmp_path / "site")))
    assert data_folder.restrict_permissions(site) == [site]  # somebody keeps papers of their own there
    assert {Path(one).name for one in is_open(site)} == {"site", "papers", "statutes.pdf", f"{'0e' * 16}.pdf"}
    (site / "papers" / "statutes.pdf").unlink()
    assert data_folder.restrict_permissions(site) == []
    assert is_open(site) == {}


def test_a_folder_that_everybody_shares_is_left(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    assert data_folder.restrict_permissions(tmp_path) == [tmp_path]
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


def test_what_a_link_leads_to_is_left(tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("", "utf-8")
    wide(elsewhere)
    site.mkdir()
    (site / "static").symlink_to(elsewhere)
    (site / "secret_key").symlink_to(elsewhere / "file")
    (tmp_path / "by a link").symlink_to(site)
    assert data_folder.restrict_permissions(tmp_path / "by a link") == []
    assert set(is_open(elsewhere)) == {str(elsewhere), str(elsewhere / "file")}
    assert stat.S_IMODE(site.stat().st_mode) == 0o700


def test_a_disk_that_knows_no_modes_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_path: Path, _mode: int) -> None:
        raise PermissionError

    site = old_folder(tmp_path / "site")
    wide(site)
    monkeypatch.setattr(Path, "chmod", refused)
    assert site in data_folder.restrict_permissions(site)


@each("unit", sorted(UNITS.iterdir()))
def test_every_unit_keeps_its_folder_to_itself(unit: Path) -> None:
    lines = unit.read_text("utf-8").splitlines()
    assert {"UMask=0077", "StateDirectory=talleyrand", "StateDirectoryMode=0700"} <= set(lines)
