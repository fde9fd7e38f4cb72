"""News as a page of Markdown, to mail or to keep: what is new first, then what changed, then what is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from scenthound.revisit.detect.text_diff import Piece, to_markdown
from scenthound.revisit.tell.atom_feed import sentence
from scenthound.revisit.tell.change_log import SORTS, ChangeLog, Sort

MOST_LINES = 6
HEADINGS: dict[Sort, str] = {
    "new": "New pages",
    "became relevant": "About the topic now",
    "changed": "Changed pages",
    "lost its relevance": "No longer about the topic",
    "moved": "Moved",
    "missing": "Not found at the last look",
    "gone": "Gone",
    "back": "Back after they were gone",
    "noise": "Changed in nothing but dates, counters and the like",
}
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")


def markdown(news: Sequence[tuple[ChangeLog, list[Piece]]], topic: str, since: float, now: float) -> str:
    span = f"{_day(since)} to {_day(now)}" if since > 0 else f"up to {_day(now)}"
    lines = [f"# {escaped(topic) or 'The library'}: {span}", ""]
    if not news:
        lines += ["Nothing new.", ""]
    for sort in SORTS:
        chosen = [entry for entry in news if entry[0].sort == sort]
        if chosen:
            lines += [f"## {HEADINGS[sort]} ({len(chosen)})", ""]
            for item, parts in chosen:
                lines += [*_item(item, parts), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _item(item: ChangeLog, parts: list[Piece]) -> list[str]:
    link = f"[{escaped(item.title) or escaped(item.url)}](<{item.url.replace('>', '%3E').replace('<', '%3C')}>)"
    lines = [f"- {link}, {_day(item.at)}: {escaped(sentence(item))}"]
    changed = [line for line in to_markdown(parts).splitlines() if line.startswith("- ")] if parts else []
    lines += [f"  {line}" for line in changed[:MOST_LINES]]
    if len(changed) > MOST_LINES:
        lines.append(f"  - and {len(changed) - MOST_LINES} more")
    return lines


def escaped(text: str) -> str:
    """As text and nothing else, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join("".join(c if c.isprintable() else " " for c in text).split()))


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d")
