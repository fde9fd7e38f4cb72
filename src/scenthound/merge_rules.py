"""A waiting link is found again: what does it wait with from now on?

    max    the higher of both priorities        (the usual rule: the best word about a link counts)
    min    the lower of both
    last   the new one
    mean   the mean over the pages it was found on, `evidence` saying how many those are

The link itself (anchor, surroundings, memory, redirects on the way) is kept from the page that spoke better of it: the
one whose priority rules under max, min and last, the one above the mean so far under mean. The depth is the smaller
of both whatever the rule. The place in the discovery order, the tries and the time before which it must rest stay.

A frontier applies this to what it holds in memory, a library to what it stores: in SQL, where it is one, and a test
holds the SQL against these lines.
"""

from __future__ import annotations

from scenthound.model import Link, MergeRule, Waiting


def prevails(priority: float, old: float, rule: MergeRule) -> bool:
    """Does the link that comes with `priority` replace the one that waits with `old`?"""
    if rule == "last":
        return True
    return priority < old if rule == "min" else priority > old


def merged_priority(old: float, old_evidence: int, new: float, new_evidence: int, rule: MergeRule) -> tuple[float, int]:
    """The priority a link waits with after both words about it, and the evidence for it."""
    if rule == "mean":
        both = old_evidence + new_evidence
        return (old * old_evidence + new * new_evidence) / both, both
    return new if prevails(new, old, rule) else old, old_evidence


def merged(old: Waiting, new: Waiting, rule: MergeRule) -> Waiting:
    """`old`, which waits, with the word of `new` merged in."""
    return merged_parts(old, new.link, new.memory, new.priority, new.evidence, new.depth, new.hops, rule)


def merged_parts(
    old: Waiting,
    link: Link,
    memory: bytes | None,
    priority: float,
    evidence: int,
    depth: int,
    hops: int,
    rule: MergeRule,
) -> Waiting:
    """The same for a link that is not a row yet: a frontier meets many, and need not make a row of each."""
    wins = prevails(priority, old.priority, rule)
    priority, evidence = merged_priority(old.priority, old.evidence, priority, evidence, rule)
    return Waiting(
        id=old.id,
        link=link if wins else old.link,
        host=old.host,
        priority=priority,
        order=old.order,
        depth=min(depth, old.depth),
        memory=memory if wins else old.memory,
        evidence=evidence,
        tries=old.tries,
        hops=hops if wins else old.hops,
        not_before=old.not_before,
    )
