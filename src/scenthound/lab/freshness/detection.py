"""How good the tests for change are on real versions: what each catches, what its code misses, what noise is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from scenthound.lab.freshness.page_histories import VersionPair
from scenthound.revisit.detect.changes import PageFingerprints

ORDER = ("structure", "text", "images", "links", "noise")


class Detection(Struct):
    """Counts over pairs of versions that follow each other; all of them differ in some byte."""

    pairs: int = 0
    first: Counter[str] = field(default_factory=Counter)  # the first test to fire, in the documents' order
    noise_of: Counter[str] = field(default_factory=Counter)  # what noise would have been taken for
    differs: Counter[str] = field(default_factory=Counter)  # pairs whose digest of a part differs
    caught: Counter[str] = field(default_factory=Counter)  # of those, noticed by the document's code
    alone: int = 0  # pairs that any of the documents' tests notices
    prints: dict[str, set[str]] = field(default_factory=lambda: {"text": set(), "structure": set()})
    codes: dict[str, set[str]] = field(default_factory=lambda: {"text": set(), "structure": set()})

    def take(self, pair: VersionPair) -> None:
        self.pairs += 1
        tests: set[str] = set(pair.change.tests)
        self.first[pair.change.kind] += 1
        if pair.change.kind == "noise":
            self.noise_of[_named(tests)] += 1
        if "structure-digest" in tests:
            self.differs["structure"] += 1
            self.caught["structure"] += bool(tests & {"structure-first", "structure-last"})
            self.caught["structure, first string"] += "structure-first" in tests
        if "text-digest" in tests:
            self.differs["text"] += 1
            self.caught["text"] += "text-code" in tests
            self.caught["simhash"] += "simhash" in tests
        self.alone += bool(tests & {"structure-first", "structure-last", "text-code", "image-list"})
        for prints in (pair.old, pair.new):
            self._collect(prints)

    def _collect(self, given: PageFingerprints) -> None:
        self.prints["text"].add(given.text)
        self.codes["text"].add(repr(given.text_code))
        self.prints["structure"].add(given.structure.digest)
        self.codes["structure"].add(f"{given.structure.first} {given.structure.last}")

    def collisions(self, part: str) -> int:
        """Different texts (or structures) of all pages and times that share their code with another one."""
        return len(self.prints[part]) - len(self.codes[part])


def _named(tests: set[str]) -> str:
    if tests & {"structure-first", "structure-last", "structure-digest"}:
        return "structure"
    return "text" if tests & {"text-code", "text-digest"} else "nothing seen"


def markdown(found: Detection) -> str:
    """The counts as tables for people."""
    if not found.pairs:
        return "No page has two versions."
    share = 100.0 / found.pairs
    lines = [
        f"{found.pairs:,} pairs of versions that follow each other.",
        "",
        "| first test that fires | pairs | share |",
        "|---|---:|---:|",
        *(f"| {kind} | {found.first[kind]:,} | {found.first[kind] * share:.1f} % |" for kind in ORDER),
        "",
        "| part | pairs whose digest differs | noticed by the document's code | missed |",
        "|---|---:|---:|---:|",
        *(_code_line(found, part, name) for part, name in _PARTS),
        "",
        f"Any of the documents' tests fires on {found.alone:,} pairs ({found.alone * share:.1f} %). Noise would "
        f"have been taken for: {_listed(found.noise_of)}.",
        "",
        f"Over all pages and times {len(found.prints['text']):,} different texts have {len(found.codes['text']):,} "
        f"different codes, {len(found.prints['structure']):,} different structures "
        f"{len(found.codes['structure']):,} pairs of strings.",
    ]
    return "\n".join(lines)


_PARTS: Sequence[tuple[str, str]] = (
    ("structure, first string", "first string alone"),
    ("structure", "both strings"),
    ("text", "text code"),
    ("simhash", "(SimHash, not the document's)"),
)


def _code_line(found: Detection, part: str, name: str) -> str:
    differs = found.differs["structure" if part.startswith("structure") else "text"]
    caught = found.caught[part]
    return f"| {name} | {differs:,} | {caught:,} | {differs - caught:,} |"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "nothing"
