"""Pages and sites by hand, for tests."""

from __future__ import annotations

from collections import Counter
from random import Random

from scenthound.model import Link, Page

TEXTS = {
    "orchid": "orchid petal bloom pot moss root spike sepal shade humidity",
    "rail": "engine boiler steam track signal coal tender wheel brake piston",
    "bread": "dough oven flour crust yeast loaf starter crumb proof rye",
    "common": "company contact order price team news office welcome form page",
}
WORDS = {theme: text.split() for theme, text in TEXTS.items()}


def page(url: str, text: str = "", *links: str) -> Page:
    """A page with these words and links."""
    return Page(url=url, terms=dict(Counter(text.split())), links=tuple(Link(link, source=url) for link in links))


def text_of(theme: str, random: Random, words: int = 30, share: float = 0.6) -> str:
    """Words on a theme, and others that every site uses."""
    return " ".join(random.choice(WORDS[theme if random.random() < share else "common"]) for _ in range(words))


def site(theme: str, number: int, pages: int = 6) -> list[Page]:
    """A homepage without words, and pages on the theme that it links to."""
    random, root = Random(f"{theme} {number}"), f"http://{theme}{number}.test"
    inner = [f"{root}/{place}.html" for place in range(1, pages)]
    return [page(f"{root}/", "", *inner), *(page(url, text_of(theme, random), f"{root}/") for url in inner)]
