"""One engine for what a row says is due to be sent, read or made: any number of processes may look, and
the one that claims it does it. The clock of games and the bots have claims of their own.

A table names what sets it apart as a `Queue`, and has it swept:

    QUEUE = Queue(_due, each(_send), timedelta(minutes=1), "a copy", seconds=20.0)
    Sweep(QUEUE, now).run()

A claim outlives a transaction, because what is done under it happens outside of any. Its laws:

- two at once: one does it, and who was taken for dead meanwhile leaves nothing (`Sweep.leave`);
- a claim runs from when it is made, however long its sweep has lasted (`Sweep.now`);
- what fails stops no other; it is the database that ends a sweep, by failing several times in a row;
- rows of one destination leave in order, and one destination holds up no other (`Sweep.while_claimed`).
"""

from .claimed_rows import Counted, unclaimed
from .sweeps import Queue, Sweep, each

__all__ = ["Counted", "Queue", "Sweep", "each", "unclaimed"]
