"""A tournament on a laptop and its public copy, each a site of its own; the network goes and comes back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.ports import free_port
from tests.waiting import PATIENCE, wait_until

SITE = """
import sys
from talleyrand.web.server.site_server import serve_site
sys.exit(serve_site("127.0.0.1", int(sys.argv[1]), sys.argv[2]))
"""
BEGIN = """
import django
django.setup()
from django.utils import timezone
from talleyrand.tournament.acts.ruling_acts import AddRuling
from talleyrand.tournament.model import DirectorRuling
from talleyrand.web.accounts.models import Person
from talleyrand.web.tournaments import event_journal, tournament_creation
from talleyrand.web.tournaments.copies import copy_links, held_copies
from talleyrand.web.tournaments.copies.models import CopyLink
from talleyrand.web.tournaments.models import Tournament
"""
HOLD = """
copy, secret = held_copies.create_copy(Person.objects.create(name="Edmond"), "a form")
print(f"{copy.tournament.key}#{secret}")
"""
DIRECT = """
event = tournament_creation.event_from_preset("Angers 2026", "anjou_feu")
row = tournament_creation.create_tournament(event, Person.objects.create(name="Flora"))
copy_links.set_copy_link(row, {written!r}, timezone.now())
"""
RULE = """
ruling = DirectorRuling("2026-07-04T10:00:00Z", "Ordre illisible", shown=True)
event_journal.perform_acts(Tournament.objects.get(), [AddRuling(ruling)], event_journal.JournalActor())
"""
TOLD = "print(CopyLink.objects.get().error)"


def surroundings(folder: Path) -> dict[str, str]:
    mine = {"TALLEYRAND_DATA": str(folder), "TALLEYRAND_COPIES_LOCAL": "1"}
    ours = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    return {**ours, **mine, "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"}


def do(folder: Path, what: str) -> str:
    """Something done on a site, by a process of its own."""
    command = [sys.executable, "-c", BEGIN + what]
    done = subprocess.run(command, env=surroundings(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def serving(folder: Path, port: int) -> Iterator[None]:
    command = [sys.executable, "-c", SITE, str(port), str(folder)]
    site = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings(folder))
    assert site.stdout is not None
    with site:
        site.stdout.readline()
        try:
            yield
        finally:
            site.terminate()


def page(port: int, path: str) -> str:
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())
    except HTTPError:
        return ""


def test_a_copy_follows_over_a_network_that_goes_and_comes_back(
    tmp_path: Path, full: bool, prepare_site: Callable[[Path], Path]
) -> None:
    if not full:
        pytest.skip("starts three sites: --full")
    public, laptop, port = prepare_site(tmp_path / "public"), prepare_site(tmp_path / "laptop"), free_port()
    key, _mark, secret = do(public, HOLD).partition("#")
    written = f"http://127.0.0.1:{port}/tournois/copies/{key}/#{secret}"
    do(laptop, DIRECT.format(written=written))
    rulings = f"/tournois/{key}/ecrans/rulings/"
    with serving(laptop, free_port()):
        with serving(public, port):
            wait_until(lambda: "Angers 2026" in page(port, f"/tournois/{key}/"))
            assert "Ordre illisible" not in page(port, rulings)
        do(laptop, RULE)
        wait_until(lambda: do(laptop, TOLD) == "refused")
        with serving(public, port):
            wait_until(lambda: "Ordre illisible" in page(port, rulings))
            wait_until(lambda: do(laptop, TOLD) == "")
