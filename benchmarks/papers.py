"""The papers of a large event: python -m benchmarks.papers [--boards 39] [--books] [--keep].

Every paper of the first round and of the whole event, as PDF, asked for by its director: processor seconds of
the request and of all that is made for it, beside the limit. With `--books` the first PDF of a rulebook too,
which is made behind the page once for a version of the site, and so has no limit. Ends with status 1 where a
paper misses its own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import monotonic, process_time

from .load_report import Report

LIMIT = 10.0  # seconds of processor
ROUND = ("slips", "cards", "sheets", "draw")
WHOLE = ("badges", "standings", "results", "diplomas")
RESULTS = Path(__file__).parent / "results"


def measured(boards: int) -> dict[str, tuple[float, float, int]]:
    """Of each paper: seconds of processor, seconds of the clock, bytes."""
    from dataclasses import replace

    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    from talleyrand.printing import pdf
    from talleyrand.web.accounts.models import Person
    from talleyrand.web.tournaments import tournament_creation

    from .load_tournament import event

    call_command("migrate", verbosity=0, skip_checks=True)
    assert pdf.is_available(), "the extra “pdf” is not installed"
    director = Person.objects.create(name="Maëlle")
    preset = tournament_creation.event_from_preset("Championnat d’Europe", "anjou_feu")
    crowd = event(7 * boards, 1901)
    whole = replace(preset, people=crowd.people, rounds=crowd.rounds)
    made = tournament_creation.create_tournament(whole, director)
    client, found = Client(HTTP_HOST="localhost"), {}
    client.force_login(director, backend="django.contrib.auth.backends.ModelBackend")
    for name in (*ROUND, *WHOLE):
        more = [1] if name in ROUND else []
        begun, clock = process_time(), monotonic()
        answer = client.get(reverse(f"tournaments:paper_{name}", args=[made.key, *more]))
        assert answer.headers["Content-Type"] == "application/pdf", (name, answer.status_code)
        found[name] = process_time() - begun, monotonic() - clock, len(answer.content)
    return found


def book() -> tuple[float, float, int]:
    """The same of a rulebook."""
    from talleyrand.web.library import rules_pdf

    begun, clock = process_time(), monotonic()
    content = rules_pdf.make_rules_pdf("anjou_feu", "fr")
    return process_time() - begun, monotonic() - clock, len(content)


def main() -> int:
    """Measure, print, and say whether every paper is made within its limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers")
    parser.add_argument("--boards", type=int, default=39)
    parser.add_argument("--books", action="store_true", help="a rulebook too")
    parser.add_argument("--keep", action="store_true", help="in results/papers.txt")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"TALLEYRAND_DATA": folder, "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"}
        import django

        django.setup()
        from .load import machine

        report = Report()
        report.say(f"{machine()}, load {os.getloadavg()[0]:.1f}")
        report.say(
            f"{wanted.boards} boards, {7 * wanted.boards} people; seconds of processor, of the clock, kB"
        )
        rows = measured(wanted.boards)
        missed = [name for name, (used, _clock, _size) in rows.items() if used > LIMIT]
        if wanted.books:
            rows["a rulebook"] = book()
        for name, (used, clock, size) in rows.items():
            beside = f"{used / LIMIT:6.2f} of the limit" if name != "a rulebook" else ""
            report.say(f"{name:12}{used:8.1f}{clock:8.1f}{size / 1000:8.0f}  {beside}")
        report.say(f"limit {LIMIT:.0f} s of processor each: {len(missed)} missed")
        if wanted.keep:
            (RESULTS / "papers.txt").write_text("\n".join([*report.lines, ""]), encoding="utf-8")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
