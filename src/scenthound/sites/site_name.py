"""What a site is called: six homepages that say "Welcome" are not six sites named Welcome.

Most titles of a site end or begin with its name: `Orchid care – The Fern House`. So the part that most of its titles
share is the name. Else it is the title of its homepage, unless that is a word of greeting; else what the link called it
by which it was found; else its address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_SEPARATORS = re.compile(r"\s+[-–—|·•»:]+\s+|:\s+")
GREETINGS = frozenset({
    "welcome", "home", "homepage", "index", "start", "main", "default", "untitled", "willkommen", "startseite",
    "bienvenue", "accueil", "bienvenidos", "inicio", "benvenuti", "here", "click", "link", "website", "more", "enter",
})  # fmt: skip
LONGEST = 80


def site_name(site: str, homepage_title: str, titles: Sequence[str], anchor: str = "") -> str:
    """`titles`: of pages of the site that were looked at, the homepage's among them."""
    shared = _shared_part(titles)
    for name in (shared, homepage_title, anchor):
        if _says_something(name):
            return " ".join(name.split())[:LONGEST]
    return site


def _shared_part(titles: Sequence[str]) -> str:
    """The part between separators that at least two titles, and half of all that are told apart, have; else nothing."""
    distinct = {" ".join(title.split()) for title in titles if title.strip()}
    parts: Counter[str] = Counter()
    for title in sorted(distinct):
        # The name stands at an end of a title; which end, the others tell.
        pieces = _SEPARATORS.split(title)
        parts.update({pieces[0], pieces[-1]})
    told = [(number, part) for part, number in parts.items() if _says_something(part)]
    number, part = max(told, key=lambda each: (each[0], len(each[1])), default=(0, ""))
    return part if number >= 2 and 2 * number >= len(distinct) else ""


def _says_something(name: str) -> bool:
    words = re.findall(r"\w+", name.lower())
    return any(word not in GREETINGS for word in words) and "://" not in name
