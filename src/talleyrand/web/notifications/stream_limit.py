"""How many streams this process may hold: each is a file that stays open, and systems limit those."""

from __future__ import annotations

import sys

from . import stream_hub

SPARE = 300  # open files for everything else: pages, the database, mail
ENOUGH = 2000  # streams; fewer are worth a word to whoever runs the site


def raise_file_limit() -> None:
    """Open the limit of this process as far as it may, keep within it, and say where that is little."""
    stream_hub.MOST_STREAMS = min(
        stream_hub.MOST_STREAMS, max(0, _files(stream_hub.MOST_STREAMS + SPARE) - SPARE)
    )
    if stream_hub.MOST_STREAMS < ENOUGH:
        sys.stderr.write(_few_files_warning(stream_hub.MOST_STREAMS))


def _files(wanted: int) -> int:
    """As many open files as wanted, or as many as there may be."""
    try:
        import resource
    except ImportError:  # no such limit here
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):  # some systems allow less than they say
        return soft
    return most


def _few_files_warning(streams: int) -> str:
    return (
        f"Peu de fichiers ouverts permis (ulimit -n) : {streams} pages au plus apprennent les nouvelles en "
        f"direct, les autres les demandent de temps en temps. Pour {ENOUGH} : ulimit -n {ENOUGH + SPARE}.\n"
        f"Few open files are allowed (ulimit -n): at most {streams} pages hear news live, the others ask now "
        f"and then. For {ENOUGH}: ulimit -n {ENOUGH + SPARE}.\n"
    )
