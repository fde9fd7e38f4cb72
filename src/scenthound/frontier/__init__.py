"""Which link is next, and when may its host be asked?

A link comes in through `put` (`link_intake.py`). If its fingerprint was never seen it is new: it gets the next number
of the discovery order and a place in the queue of its host. If it waits already, what the strategy says now is merged
into what it said before (`found_again.py`). If it was taken before, nothing happens: `fingerprints.py` remembers every
URL ever seen in a few bytes. What is learned later moves links that wait (`priority_changes.py`).

Its host's best links are in memory, the others in the library's tables (`memory_queue.py`). Every link in memory is in
those tables too, so making room is nothing but forgetting; `lazy_heap.py` knows the best and the worst of all hosts.

A host gets its turn when it has rested long enough since its last answer and has no request under way (`host_table.py`,
`host_schedule.py`, `host_state.py`); among the hosts that may be asked now, the one with the best link goes first.
Before a host's first link goes out, a robots request asks for its robots.txt, and what that file denies is refused on
the way out.

`draw` lets a link that comes up at random be next, in memory or not (`random_draw.py`): that is how a crawl learns what
waits where its strategy does not look.

What `take` hands out is a lease: it lives in memory only. `done` ends it, `give_back` lets it wait again; after a crash
it was never taken, for in the library it still waits. Several engines may take from one frontier: nothing is leased
twice, `leased` says whether somebody may still bring links, and `tell_change` wakes who waits for them.

A page that is put together by scripts asks for more while it is leased (`side_requests.py`): not links, but requests
like any other to those who answer them.

`polite_frontier.py` puts these together as the `Frontier` of the protocols.
"""
