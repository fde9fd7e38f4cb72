"""Pages with one template have addresses of one form, and change together.

`/errata52.html` and `/errata78.html` are of the form `/errata#.html`. As soon as `FAMILY` pages have a form, they are a
kind of their own; all others are of the kind of their folder, `/sun3.html` beside `/alpha.html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

FAMILY = 3
_DIGITS = re.compile(r"\d+")


def form_of(url: str) -> tuple[str, str]:
    """The folder, digits left out; and the same with the name of the page, which is "" where that has no digits."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    folder, _, name = parts.path.rpartition("/")
    place = f"{parts.netloc}{_DIGITS.sub('#', folder)}/"
    masked = _DIGITS.sub("#", name)
    return place, place + masked if masked != name else ""


class UrlTemplates:
    """Numbers the kinds of pages as these come. A page may change its kind: when the third of its form appears."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._families: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, page: int, url: str) -> list[tuple[int, int]]:
        """Page numbers with the kinds that are theirs from now on: this one's, and those of its form that join it."""
        folder, form = form_of(url)
        if not form:
            return [(page, self._number(folder))]
        family = self._families.setdefault(form, [])
        family.append(page)
        if len(family) < FAMILY:
            return [(page, self._number(folder))]
        joined = family if len(family) == FAMILY else [page]
        return [(member, self._number(form)) for member in joined]

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))


def kinds_of(urls: Iterable[str]) -> list[int]:
    """The kind of each, all of them known."""
    kinds, found = UrlTemplates(), dict[int, int]()
    for page, url in enumerate(urls):
        found.update(kinds.add(page, url))
    return list(found.values())
