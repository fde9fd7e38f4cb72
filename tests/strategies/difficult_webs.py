"""Small webs that are made to mislead: each with a topic, start pages, and the pages that are about it.

All are built around one wood of ordinary pages and a community of pages on the topic, which is linked from some of
them; what is special comes on top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct, field

TOPIC = ["orchid", "pseudobulb", "epiphyte", "bloom", "greenhouse", "repotting", "petal", "vanda"]
ORDINARY = ["council", "bridge", "ticket", "museum", "engine", "recipe", "football", "weather", "school", "harbour"]
GERMAN = ["der", "Hafen", "liegt", "am", "Fluss", "die", "Schule", "ist", "alt", "das", "Museum", "zeigt", "Bilder"]


class DifficultWeb(Struct):
    keywords: list[str]
    seeds: list[str]
    pages: dict[str, str] = field(default_factory=dict)
    targets: set[str] = field(default_factory=set)

    def add(self, url: str, words: Sequence[str], links: Sequence[tuple[str, str]], title: str) -> None:
        items = "".join(f'<p>{" ".join(words[:6])} <a href="{to}">{anchor}</a></p>' for to, anchor in links)
        text = " ".join(words)
        self.pages[url] = f"<html><title>{title}</title><body><h1>{title}</h1><p>{text}</p>{items}</body></html>"


def _words(random: Random, vocabulary: Sequence[str], number: int = 60) -> list[str]:
    return [random.choice(vocabulary) + random.choice(("", "", "s", "ing")) for _ in range(number)]


def _title(random: Random, vocabulary: Sequence[str]) -> str:
    return " ".join(random.sample(vocabulary, 3))


def wood(seed: int, pages: int = 140, targets: int = 30, entrances: int = 8) -> DifficultWeb:
    """Ordinary pages on ten hosts; `entrances` of them link into the community of the topic."""
    random = Random(seed)
    there = [f"http://h{number % 10}.test/{number}" for number in range(pages)]
    about = [f"http://t{number % 3}.test/{number}" for number in range(targets)]
    titles = {url: _title(random, ORDINARY) for url in there} | {url: _title(random, TOPIC) for url in about}
    leads_in = set(random.sample(there[2:], entrances))
    web = DifficultWeb(["orchid", "pseudobulb", "greenhouse"], there[:2], targets=set(about))
    for number, url in enumerate(there):
        links = [*random.sample(there, 6), there[(number + 1) % pages]]
        if url in leads_in:
            links.append(random.choice(about))
        web.add(url, _words(random, ORDINARY), [(to, titles[to]) for to in links], titles[url])
    for number, url in enumerate(about):
        links = [*random.sample(about, min(4, targets)), about[(number + 1) % targets], *random.sample(there, 3)]
        words = _words(random, TOPIC) + _words(random, ORDINARY, 30)
        web.add(url, words, [(to, titles[to]) for to in links], titles[url])
    return web


def stuffed(seed: int) -> DifficultWeb:
    """Forty pages that repeat the topic's words, linked from every third page of the wood, and from each other."""
    random, web = Random(seed), wood(seed)
    spam = [f"http://spam.test/{number}" for number in range(40)]
    for url in list(web.pages)[::3]:
        links = "".join(f'<p><a href="{to}">cheap orchid offers</a></p>' for to in random.sample(spam, 2))
        web.pages[url] = web.pages[url].replace("</body>", f"{links}</body>")
    for url in spam:
        onward = [(to, "cheap orchid offers") for to in random.sample(spam, 8)]
        web.add(url, ["orchid", "pseudobulb", "greenhouse"] * 200, onward, "orchid orchid orchid")
    return web


def endless(seed: int) -> DifficultWeb:
    """A host on which every page mentions the topic in passing and leads to eight more of its kind."""
    random, web = Random(seed), wood(seed)
    shop = [f"http://shop.test/item/{number}" for number in range(400)]
    for number, url in enumerate(shop):
        onward = [(to, _title(random, [*ORDINARY, "greenhouse"])) for to in shop[number + 1 : number + 9]]
        web.add(url, [*_words(random, ORDINARY), "greenhouse"], onward, _title(random, [*ORDINARY, "greenhouse"]))
    for url in list(web.pages)[:140:10]:
        web.pages[url] = web.pages[url].replace("</body>", f'<p><a href="{shop[0]}">greenhouse shop</a></p></body>')
    return web


def nothing_there(seed: int) -> DifficultWeb:
    """A topic of which no page says a word."""
    web = wood(seed, targets=1, entrances=1)
    web.keywords = ["zeppelin", "gondola"]
    return web


def misspelt(seed: int) -> DifficultWeb:
    """Two of three keywords are spelt as nobody spells them."""
    web = wood(seed)
    web.keywords = ["orchidd", "pseudobulp", "greenhouse"]
    return web


def foreign_start(seed: int) -> DifficultWeb:
    """The start pages are in another language, and so is all around them; one page of them links to the wood."""
    random, web = Random(seed), wood(seed)
    abroad = [f"http://de.test/{number}" for number in range(12)]
    for number, url in enumerate(abroad):
        links = [(to, " ".join(random.sample(GERMAN, 3))) for to in random.sample(abroad, 4)]
        links += [(list(web.pages)[7], "english pages")] if number == 5 else []
        links += [(abroad[5], "mehr")] if number < 2 else []
        web.add(url, [random.choice(GERMAN) for _ in range(60)], links, " ".join(random.sample(GERMAN, 3)))
    web.seeds = abroad[:2]
    return web


def needle(seed: int) -> DifficultWeb:
    """Two pages in a thousand, and links that name them."""
    return wood(seed, pages=998, targets=2, entrances=12)


WEBS: dict[str, Callable[[int], DifficultWeb]] = {
    made.__name__: made for made in (stuffed, endless, nothing_there, misspelt, foreign_start, needle)
}
