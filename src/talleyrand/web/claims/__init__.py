"""One engine for what a row says is due: any number of processes may look, and whoever claims it does it.

A table names what sets it apart as a `Queue`, and has it swept:

    QUEUE = Queue(_due, each(_send), timedelta(minutes=1), "a copy", seconds=20.0)
    Sweep(QUEUE, now).run()

A claim outlives a transaction, because what is done under it happens outside of any. Its laws:

- two at once: one does it, and who was taken for dead meanwhile leaves nothing (`Sweep.leave`);
- a claim runs from when it is made or kept, however long its sweep has lasted (`Sweep.now`, `Sweep.keep`);
- what fails stops no other; it is the database that ends a sweep, by failing several times in a row;
- rows of one destination leave in order, and one destination holds up no other (`Sweep.while_claimed`).
"""

from .claimed_rows import ClaimLost, Counted, own_rows, release, unclaimed
from .sweeps import Queue, Sweep, each

__all__ = ["ClaimLost", "Counted", "Queue", "Sweep", "each", "own_rows", "release", "unclaimed"]
