"""Which word on a page or a site counts, of all that were said.

    rank    who
    2       a person
    1       bookmarks, a list, a file
    0       a program

A word of lower rank than the one that counts changes nothing; of equal or higher rank the last one counts. Where the
word that counts is taken back, nothing counts any more, and the next word does, whoever says it.
"""

from __future__ import annotations

from collections.abc import Iterable

from scenthound.model import Label, LabelKind

PROGRAM = "program:"
PERSON = frozenset({"person", "asked"})  # so training/marks.jsonl called the person before the screen


def rank(label: Label) -> int:
    if label.by in PERSON:
        return 2
    return 0 if label.by.startswith(PROGRAM) else 1


class LabelLedger:
    """Every word that was said, and what counts after the last of them."""

    def __init__(self) -> None:
        self._said: dict[str, list[Label]] = {}
        self._counting: dict[LabelKind, dict[str, Label]] = {"page": {}, "site": {}}

    def add(self, labels: Iterable[Label]) -> tuple[list[Label], list[Label]]:
        """Takes words in; those worth keeping, and of these the ones that changed what counts."""
        kept, changed = [], []
        for label in labels:
            if not self.is_repeated(label):
                kept.append(label)
                changed += [label] if self.take_in(label) else []
        return kept, changed

    def take_in(self, label: Label) -> bool:
        """Did it change what counts, or who says so?"""
        self._said.setdefault(label.subject, []).append(label)
        counting = self._counting[label.kind]
        before = counting.get(label.subject)
        if before is not None and rank(label) < rank(before):
            return False
        if label.relevant is None:
            return counting.pop(label.subject, None) is not None
        counting[label.subject] = label
        return before is None or (before.relevant, before.by) != (label.relevant, label.by)

    def is_repeated(self, label: Label) -> bool:
        """Would it say once more what its speaker said last, and change nothing? A list that is read again does."""
        if label.relevant is None and label.subject not in self._counting[label.kind]:
            return True
        last = next((each for each in reversed(self.history(label.subject)) if each.by == label.by), None)
        if last is None or (last.relevant, last.kind) != (label.relevant, label.kind):
            return False
        counts = self._counting[label.kind].get(label.subject)
        if counts is None:
            return False
        return rank(label) < rank(counts) or (rank(label) == rank(counts) and counts.relevant is label.relevant)

    def counting(self, kind: LabelKind) -> dict[str, Label]:
        return dict(self._counting[kind])

    def words(self) -> list[Label]:
        """All that was said, each subject's words in their order."""
        return [word for said in self._said.values() for word in said]

    def history(self, subject: str) -> list[Label]:
        return list(self._said.get(subject, ()))
