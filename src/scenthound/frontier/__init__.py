"""Which link is next, and when may its host be asked?

A link comes in through `put`. If its fingerprint was never seen it is new: it gets the next number of the
discovery order and a place in the queue of its host. If it waits already, what the strategy says now is merged
into what it said before (`merging.py`). If it was taken before, nothing happens: `fingerprints.py` remembers every
URL ever seen in a few bytes.

Its host's best links lie on the desk, in memory; the others lie on the shelf, in the library (`desk.py`). Every link
of the desk is on the shelf too, so clearing the desk is nothing but forgetting.

A host gets its turn when it has rested long enough since its last answer and has no request under way
(`turns.py`, `hosts.py`); among the hosts that may be asked now, the one with the best link goes first. Before a
host's first link goes out, an errand asks for its robots.txt, and what that file denies is refused on the way out.

What `take` hands out is a lease: it lives in memory only. `done` ends it; after a crash it was never taken, for on the
shelf it still waits.

`polite.py` puts these together as the `Frontier` of the protocols.
"""
