"""A waiting link is found again: what does it wait with from now on?

    max    the higher of both priorities        (the usual rule: the best word about a link counts)
    min    the lower of both
    last   the new one
    mean   (old * evidence + new) / (evidence + 1), evidence = pages it was found on before

The link itself (anchor, surroundings, memory, redirects on the way) is kept from the page that spoke better of it: the
one whose priority rules under max, min and last, the one above the mean so far under mean. The depth is the smaller
of both whatever the rule. The place in the discovery order, the tries and the time before which it must rest stay.
"""

from __future__ import annotations

from scenthound.frontier.fingerprints import UNKNOWN, WAITS, Note
from scenthound.model import MergeRule, Ranked, Waiting

BOUND = 1e300
"""Priorities live within this: sums of them stay finite, and infinity stays free for robots requests."""


def finite(priority: float) -> float:
    """The priority as a number that sorts: what is not a number goes last, infinities to the ends."""
    priority = float(priority)
    if -BOUND <= priority <= BOUND:
        return priority
    return BOUND if priority > 0 else -BOUND


def prevails(priority: float, old: float, rule: MergeRule) -> bool:
    """Does the link that comes with `priority` replace the one that waits with `old`?"""
    if rule == "last":
        return True
    return priority < old if rule == "min" else priority > old


def merge(old: Waiting, new: Ranked, priority: float, depth: int, hops: int, rule: MergeRule) -> Waiting | None:
    """`old` with the word of `new` merged in, or None if that changes nothing."""
    wins = prevails(priority, old.priority, rule)
    if not wins and depth >= old.depth and rule != "mean":
        return None
    evidence = old.evidence
    if rule == "mean":
        priority = (old.priority * evidence + priority) / (evidence + 1)
        evidence += 1
    elif not wins:
        priority = old.priority
    return Waiting(
        id=old.id,
        link=new.link if wins else old.link,
        host=old.host,
        priority=priority,
        order=old.order,
        depth=min(depth, old.depth),
        memory=new.memory if wins else old.memory,
        evidence=evidence,
        tries=old.tries,
        hops=hops if wins else old.hops,
        not_before=old.not_before,
    )


def merge_note(note: Note, priority: float, depth: int, rule: MergeRule) -> Note:
    """What is known of a link in the store after the library merged this into it, as far as that can be known here."""
    if rule == "last":
        return priority, min(depth, note[1])
    if rule == "mean" or note[0] == UNKNOWN:
        return WAITS
    if prevails(priority, note[0], rule):
        return priority, min(depth, note[1])
    return note if depth >= note[1] else (note[0], depth)
