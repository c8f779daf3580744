"""Runs a command beside a PostgreSQL of its own: python -m tests.postgresql COMMAND…

The cluster is made in a new folder, answers on a socket there and on no port, and is gone afterwards. The
command finds it by TALLEYRAND_DATABASE; its status is ours.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

OWNER = "talleyrand"
# Nothing here has to outlive a power cut.
MANY = "-c max_connections=60"
HASTE = f"-c fsync=off -c full_page_writes=off -c synchronous_commit=off {MANY}"


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest where there are several."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    where = str(found[-1]) if found else shutil.which("initdb")
    return Path(where).parent if where else None


@contextmanager
def cluster(haste: str = HASTE) -> Iterator[str]:
    """The address of a database that lasts as long as the block; needs `programs`. `haste`: more options."""
    where = programs()
    if where is None:
        raise FileNotFoundError("initdb")
    user = _other_user()
    folder = Path(tempfile.mkdtemp(prefix="tg-"))  # short: it holds a socket
    if user:
        shutil.chown(folder, user)
    try:
        _run(where / "initdb", "-D", folder / "base", "-U", OWNER, "-A", "trust", "-E", "UTF8", user=user)
        with _started(where, folder, user, haste):
            yield f"postgresql://{OWNER}@{quote(str(folder), safe='')}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _started(where: Path, folder: Path, user: str | None, haste: str) -> Iterator[None]:
    control = (where / "pg_ctl", "-D", folder / "base", "-w")
    options = f"-k {folder} -c listen_addresses='' {haste}"
    _run(*control, "-l", folder / "log", "-o", options, "start", user=user)
    try:
        yield
    finally:
        _run(*control, "-m", "immediate", "stop", user=user)


def restart(address: str) -> None:
    """End the database of a `cluster` as a power cut would, if it runs, and start it again as it was."""
    where, user = programs(), _other_user()
    assert where is not None
    _run(where / "pg_ctl", "-D", base(address), "-w", "-m", "immediate", "restart", user=user)


def limit_files(pids: Iterable[int], size: int | None) -> None:
    """Let files that these of its processes write grow no further than so many bytes; None: as they like."""
    for pid in pids:
        told = f"--fsize={'unlimited' if size is None else size}:"
        with suppress(RuntimeError):  # it has ended meanwhile
            _run("prlimit", f"--pid={pid}", told, user=_other_user())


def base(address: str) -> Path:
    """The folder that the database of a `cluster` is kept in."""
    host = urlsplit(address).netloc.rpartition("@")[2]
    return Path(unquote(host)) / "base"


def _other_user() -> str | None:
    """PostgreSQL refuses to run as root: the user its package makes does it then."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _run(*command: Path | str, user: str | None) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        user=user,
        group=pwd.getpwnam(user).pw_gid if user else None,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")


def main(command: Sequence[str]) -> int:
    with cluster() as address:
        environment = {**os.environ, "TALLEYRAND_DATABASE": address}
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
