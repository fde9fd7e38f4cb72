"""How much a text is worth reading, by figures of its Markdown: what it repeats, and how many links it has.

Repetition is the share of words that stand in a line said before, or in five words said before, whichever is more
(after Rae et al. 2021, table A1: repeated lines and n-grams are what spoils collections for language models).
"""

from __future__ import annotations

import re

RUN = 5
_words = re.compile(r"\w+").findall
_targets = re.compile(r"(?<=\])\([^()\s]*\)")
_links = re.compile(r"(?<!\\)\]\(http").findall


def without_targets(markdown: str) -> str:
    """The text as it is read: links without their addresses."""
    return _targets.sub("", markdown)


def links_in(markdown: str) -> int:
    return len(_links(markdown))


def words_per_link(markdown: str, words: int) -> float:
    """How many words stand there for each link; all of them where there is none."""
    return words / max(1, links_in(markdown))


def repetition(markdown: str) -> float:
    """The share of a text's words that it says again, 0 to 1."""
    lines = [found for line in without_targets(markdown).lower().split("\n") if (found := _words(line))]
    words = [word for line in lines for word in line]
    return max(_repeated_lines(lines), _repeated_runs(words)) / len(words) if words else 0.0


def _repeated_lines(lines: list[list[str]]) -> int:
    seen: set[tuple[str, ...]] = set()
    repeated = 0
    for line in map(tuple, lines):
        repeated += len(line) if line in seen else 0
        seen.add(line)
    return repeated


def _repeated_runs(words: list[str]) -> int:
    seen: set[tuple[str, ...]] = set()
    covered = [False] * len(words)
    for start in range(len(words) - RUN + 1):
        run = tuple(words[start : start + RUN])
        if run in seen:
            covered[start : start + RUN] = [True] * RUN
        seen.add(run)
    return sum(covered)
