"""What an ontology adds to a topic, as a table, TOML or JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import tomli_w

from scenthound.model import Keyword
from scenthound.ontology.expansion import Addition

DIGITS = 3  # of a weight


def as_json(found: Sequence[Addition]) -> str:
    return "\n".join(msgspec.json.encode(each).decode() for each in found)


def as_toml(keywords: Sequence[Keyword], found: Sequence[Addition]) -> str:
    """All keywords, weights summing to 1, what was added with the reason beside it."""
    whole = sum(keyword.weight for keyword in keywords) + sum(each.weight for each in found)
    lines = ["[topic]", "keywords = ["]
    lines += [f"  {_entry(keyword.term, keyword.weight / whole)}," for keyword in keywords]
    lines += [f"  {_entry(each.term, each.weight / whole)},  # {_reason(each)}: {each.meaning}" for each in found]
    return "\n".join([*lines, "]"])


def _entry(term: str, weight: float) -> str:
    return f"{{ {tomli_w.dumps({'term': term}).strip()}, weight = {max(weight, 10**-DIGITS):.{DIGITS}f} }}"


def as_table(keywords: Sequence[Keyword], found: Sequence[Addition], limit: int) -> str:
    rows = [(f"{keyword.weight:.{DIGITS}f}", keyword.term, "keyword", "") for keyword in keywords]
    rows += [(f"{each.weight:.{DIGITS}f}", each.term, _reason(each), each.meaning) for each in found[:limit]]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows
    ]
    if len(found) > limit:
        lines.append(f"... and {len(found) - limit} more; see them with --limit {len(found)}")
    return "\n".join(line.rstrip() for line in lines)


def _reason(addition: Addition) -> str:
    word = f"{addition.relation} of" if addition.relation == "synonym" else f"{addition.relation} than"
    if addition.relation == "related":
        word = "related to"
    return f"{word} {addition.keyword}" + (f", {addition.distance} edges away" if addition.distance > 1 else "")
