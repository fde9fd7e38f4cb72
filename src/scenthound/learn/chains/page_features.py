"""A page and a link as named features, for models of whole ways (Liu 3.2, Table 1).

    name             value   what                                                                   Liu
    text             0..1    cosine of the page and the nearest target page, tf                      O1
    description      0..1    cosine of its description (meta) and that of the targets, tf            O2
    word W           1       W is in its title, meta data or headings                                Ow
    leads on         1       some URL on it holds a keyword of the topic                             O3
    keyword in url   1       its own URL does, as the link to it shows                               O4
    anchor W         1       W is in the anchor that points to it                                    O5
    child W          1       W is in the anchor that points from it to the next page                 O6
    near W           1       W is in the heading under which the link to it stands                   O5
    topic            0..1    cosine of the page, tf, and the topic's keywords, tf-idf                ours
    anchor (topic)   0..1    cosine of the anchor that points to it and the keywords                 ours
    near (topic)     0..1    cosine of that heading and the keywords                                 ours
    path W           1       W is in the path of its URL                                             ours
    shape S          1       how its URL is made, and where it lies as seen from the page before     ours

The edge features of the table are the transition weights of the models themselves. Liu's "anchor surrounding text" is
the anchor and the heading above it, kept apart. The likenesses to the keywords let a model that was trained on one
site know on another at least what best-first knows. `path` and `shape` say more of a URL than whether it holds a
keyword: that it is somebody's (`~`), an index, in the same folder. Digits in paths are written 0, because the course
CS 312 of one department is the CS 514 of another.

**Sets**: `words` is the feature Ow alone, `no-words` all others, `all` both. `table-1`, `table-1-words` and
`table-1-no-words` are the same of what Liu's table has, and no more: nothing that is marked "ours", no headings beside
anchors (his formulas read the anchor, and only his table says "surrounding"); with the alternative texts of images
among the words, and with a target compared with all targets, itself among them.

**What a feature is called** is up to whoever reads: in training its name, in a crawl the row of the model's weights,
so that no name is put together only to be looked up. And a crawl reads all links of a page at once that it has not seen
before, which is most of them; training reads one by one (`of_...`).

A target among the training pages is compared with the other targets only: with itself it would teach that targets have
a cosine of 1, which no page found later has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import repeat
from math import hypot
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from scenthound import urls
from scenthound.learn.pages.naive_bayes import Terms
from scenthound.model import Keyword, Link, Page, Topic
from scenthound.protocols.crawl import Idf
from scenthound.text.analysis import analyzer
from scenthound.text.query import Query
from scenthound.text.vectors import norm

Floats = npt.NDArray[np.float64]
FeatureSet = Literal["all", "words", "no-words", "table-1", "table-1-words", "table-1-no-words"]
FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

Called = Callable[[str], Callable[[str, Any], Any]]
"""Given a kind: what makes features of words; like `dict.get` it is told what to say where a word is no feature."""

Part = Mapping[Any, float]
"""Features, by name or row, with their values: what one page, or one link, adds to a place of a sequence."""


class SeenFeatures(NamedTuple):
    """What each of several texts says, or what a page does. Few features have a value other than 1: they go apart."""

    there: list[Collection[Any]]  # of each the features whose value is 1
    valued: Mapping[int, Part]  # of some, by their places in the list, the others

    def part(self) -> dict[Any, float]:
        """All features of the first, who is alone."""
        found = dict.fromkeys(self.there[0], 1.0) | dict(self.valued.get(0, {}))
        found.pop(None, None)
        return found


MOST_TARGETS = 30
"""Targets a page is compared with. More of them cost time on every page, and hardly change which is nearest."""

TARGET_TERMS = 100
"""Terms of a target that are kept."""

MOST_WORDS = 200
"""Words of title, meta data and headings that are looked at: a page of nothing but headings is no more telling."""

DEEPEST = 6

AFTER_SCHEME = len("https://")
"""Where to look for the slash after the host; with `http` one character of the host is skipped, which is no slash."""

PLACES = ("shape same folder or below", "shape same host", "shape other host")
NOWHERE = "shape from nowhere"

TOPIC = "(topic)"
"""Stands where a word would; brackets, because no word has them."""

SHAPES = tuple(f"shape {how}" for how in ("folder", "index", "file", "file with digits", "query", "~ home", "below ~"))
DEPTHS = tuple(f"shape depth {depth}" for depth in range(1, DEEPEST + 1))
PLAIN = ("text", "topic", "description", "leads on", "keyword in url", *SHAPES, *DEPTHS, *PLACES, NOWHERE)

KINDS = ("word ", "anchor ", "near ", "child ", "path ", "")
"""What the names of features begin with where a word follows; those without a word are of the last kind."""

LONGEST = 40
"""Characters of a word in a path; what is longer is cut."""

_pieces = re.compile(rf"[^\W_]{{1,{LONGEST}}}").findall
_EVENED = bytes(
    ord("0") if chr(byte).isdigit() else ord(chr(byte).lower()) if chr(byte).isalnum() else ord(" ")
    for byte in range(128)
).ljust(256)
"""A path in lower case, with 0 for every digit and a space for all that is no word, as long as it was."""

INDEXES = ("index", "default", "home", "welcome")
_index = re.compile(rf"({'|'.join(INDEXES)})\.\w+$", re.IGNORECASE | re.ASCII).match


class TargetVectors:
    """Target pages as tf vectors of length 1, reduced to their most frequent terms (Liu 3.4 speaks of reduced vectors).

    A page's cosines with all of them are one product, over the terms it shares with any: what `text.nearest` does for
    any number of examples and any idf, this does for few and none, in a third of the time. Every page of a crawl comes
    by.
    """

    def __init__(self, targets: Sequence[Terms], most: int | None = TARGET_TERMS) -> None:
        """`most`: terms of each that are kept; None: all."""
        reduced = [sorted(terms.items(), key=lambda entry: (-entry[1], entry[0]))[:most] for terms in targets]
        self._row: dict[str, int] = {}
        for terms in reduced:
            for term, _ in terms:
                self._row.setdefault(term, len(self._row))
        self._weights: Floats = np.zeros((len(self._row), len(reduced)))
        for number, terms in enumerate(reduced):
            length = hypot(*(count for _, count in terms))
            for term, count in terms:
                self._weights[self._row[term], number] = count / length

    def nearest(self, terms: Terms, itself: int = -1) -> tuple[float, float]:
        """The highest cosine, the target at that place left out; and the length of the page's own vector."""
        length = hypot(*terms.values())
        shared = list(filter(self._row.__contains__, terms))
        if not shared:
            return 0.0, length
        counts = np.array([*map(terms.__getitem__, shared)], dtype=np.float64)
        products: Floats = counts @ self._weights.take([*map(self._row.__getitem__, shared)], axis=0)
        if 0 <= itself < len(products):
            products[itself] = 0.0
        return min(max(products.tolist()) / length, 1.0), length


def by_name(kind: str) -> Callable[[str, Any], Any]:
    """What features are called in training. Single characters of a path are none; those of a text may be words."""
    least = 2 if kind == "path " else 1
    return lambda word, unknown: kind + word if len(word) >= least else unknown


def by_row(columns: Mapping[str, int]) -> Called:
    """What they are called where only their weights matter: the rows of these."""
    rows: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for name, row in columns.items():
        kind = next(kind for kind in KINDS if name.startswith(kind))
        rows[kind][name[len(kind) :]] = row
    return lambda kind: rows[kind].get


class FeatureReader:
    """Reads features off pages and links, given what is known of the targets."""

    def __init__(
        self,
        topic: Topic,
        weights: Idf,
        targets: Sequence[Terms] = (),
        description: Terms | None = None,
        features: FeatureSet = "all",
        called: Called = by_name,
        unknown: Any = None,
    ) -> None:
        """`unknown`: what stands for all features that `called` does not know; None where they are to be left out."""
        self.query = Query(topic, weights)
        self._unasked = frozenset(self.query.vector).isdisjoint
        self.ours = not is_table_one(features)
        self.words = not features.endswith("no-words")
        self.others = features in ("all", "table-1") or features.endswith("no-words")
        self.analyzer = analyzer(topic.language)
        self._query_length = norm(self.query.vector)
        self.targets = TargetVectors(targets, TARGET_TERMS if self.ours else None)
        self.description = dict(description or {})
        self._description_length = hypot(*self.description.values())
        self._called, self._unknown = {kind: called(kind) for kind in KINDS}, repeat(unknown)
        self._plain = {name: called("")(name, unknown) for name in PLAIN}
        self._depths = [self._plain[depth] for depth in (DEPTHS[0], *DEPTHS)]  # by slashes, one at least
        self._files = [self._plain[f"shape {how}"] for how in ("folder", "index", "file with digits", "file")]
        self._topic = {kind: called(kind)(TOPIC, unknown) for kind in KINDS}
        self.keywords = tuple(dict.fromkeys(_stems(topic.keywords, topic.language)))

    def page(self, page: Page, itself: int = -1) -> SeenFeatures:
        """What a page says, whichever way one came; `itself`: its place among the targets, if it is one of them."""
        there: list[Any] = []
        valued: dict[Any, float] = {}
        plain = self._plain
        if self.others:
            valued[plain["text"]], topic = self._likeness(page.terms, itself)
            if self.ours:
                valued[plain["topic"]] = topic
            if page.description or page.keywords:
                valued[plain["description"]] = self._described(f"{page.description}\n{page.keywords}")
            if self._keywords_in("\n".join([link.url for link in page.links])):
                there.append(plain["leads on"])
        if self.words:
            images = () if self.ours else (image.alt for image in page.images[:MOST_WORDS])
            told = "\n".join((page.title, page.description, page.keywords, *page.headings[:MOST_WORDS], *images))
            words = self.analyzer.terms(told)[:MOST_WORDS]
            there += dict.fromkeys(map(self._called["word "], words, self._unknown))
        return SeenFeatures([there], {0: valued})

    def anchors(self, texts: Sequence[str], kind: str = "anchor ") -> SeenFeatures:
        """What the words of links say, of where they lead or (`kind` "child ") of where they stand."""
        if not self.others or (kind == "near " and not self.ours):
            return SeenFeatures([()] * len(texts), {})
        terms_of, feature, unknown, unasked = self.analyzer.terms, self._called[kind], self._unknown, self._unasked
        there: list[Collection[Any]] = []
        likeness: dict[int, Part] = {}
        for text in texts:
            terms = terms_of(text)
            if self.ours and not unasked(terms):
                likeness[len(there)] = {self._topic[kind]: self.query.of_counts(Counter(terms))}
            there.append(dict.fromkeys(map(feature, terms, unknown)))
        return SeenFeatures(there, likeness)

    def urls(self, addresses: Sequence[str]) -> SeenFeatures:
        """What addresses say by themselves."""
        if not self.others:
            return SeenFeatures([()] * len(addresses), {})
        if not self.ours:
            there = (self._plain["keyword in url"],)
            return SeenFeatures([there if self._keywords_in(url) else () for url in addresses], {})
        feature, unknown, plain, depths = self._called["path "], self._unknown, self._plain, self._depths
        folder, index, digits, other = self._files
        keywords = self._keywords_in("\n".join(addresses))  # mostly none, and then none need be looked for in each
        found: list[Collection[Any]] = []
        for url in addresses:
            path, query = url[url.find("/", AFTER_SCHEME) :], ""  # a canonical URL has a slash there
            if "?" in path:
                path, _, query = path.partition("?")
            even = path.encode("ascii", "replace").translate(_EVENED).decode()
            words = even.split() if len(even) <= LONGEST else _pieces(even)
            file = path.rfind("/") + 1
            if file == len(path):
                shape = folder
            elif even.startswith(INDEXES, file) and _index(path, file):
                shape = index
            else:
                shape = digits if "0" in even[file:] else other
            features = [*dict.fromkeys(map(feature, words, unknown)), shape, depths[min(path.count("/"), DEEPEST)]]
            if "~" in path and (above := path.find("~", 0, file)) >= 0:
                features.append(plain["shape below ~" if "/" in path[above : file - 1] else "shape ~ home"])
            if query:
                features.append(plain["shape query"])
            if keywords and self._keywords_in(url):
                features.append(plain["keyword in url"])
            found.append(features)
        return SeenFeatures(found, {})

    def places(self, those: Sequence[str]) -> SeenFeatures:
        """Where links lead as seen from the page they stand on, each one of `PLACES`."""
        return SeenFeatures([(self._plain[place],) if self.others and self.ours else () for place in those], {})

    # One by one

    def of_page(self, page: Page, itself: int = -1) -> dict[Any, float]:
        return self.page(page, itself).part()

    def of_anchor(self, text: str, kind: str = "anchor ") -> dict[Any, float]:
        return self.anchors([text], kind).part()

    def of_url(self, url: str) -> dict[Any, float]:
        return self.urls([url]).part()

    def of_place(self, place: str) -> dict[Any, float]:
        return self.places([place]).part()

    def of_link(self, link: Link, heading: str = "") -> dict[Any, float]:
        """All that is known of a page before it is fetched."""
        found = self.of_anchor(link.anchor or link.title) | self.of_url(link.url) | self.of_anchor(heading, "near ")
        return found | self.of_place(places([link.url], link.source)[0] if link.source else NOWHERE)

    def _likeness(self, terms: Terms, itself: int) -> tuple[float, float]:
        """Cosine with the nearest target, and with the keywords."""
        nearest, length = self.targets.nearest(terms, itself)
        shared = sum(terms[term] * weight for term, weight in self.query.vector.items() if term in terms)
        topic = shared / (length * self._query_length) if shared else 0.0
        return nearest, min(topic, 1.0)

    def _described(self, text: str) -> float:
        """Cosine with the description of the targets."""
        said = self.analyzer.counts(text)
        shared = sum(count * self.description.get(term, 0) for term, count in said.items())
        return min(shared / (hypot(*said.values()) * self._description_length), 1.0) if shared else 0.0

    def _keywords_in(self, text: str) -> list[str]:
        text = text.lower()
        return [keyword for keyword in self.keywords if keyword in text]


def places(addresses: Sequence[str], source: str) -> list[str]:
    """Where links lead, as seen from the page they stand on: to its folder or below it, to its host, elsewhere."""
    folder, host = source.rpartition("/")[0] + "/", urls.origin(source) + "/"
    below, same, other = PLACES
    return [below if url.startswith(folder) else same if url.startswith(host) else other for url in addresses]


def heading_of(page: Page, link: Link) -> str:
    """The heading under which a link stands on its page."""
    return page.blocks[link.block].heading if link.block < len(page.blocks) else ""


def description_of(topic: Topic, targets: Sequence[Page]) -> dict[str, int]:
    """What the targets are about, in few words: as the editors of a directory say it, which is what Liu takes.

    Where no editor said anything, the topic's keywords, and the targets' own titles and descriptions.
    """
    if topic.description:
        return analyzer(topic.language).counts(topic.description)
    said = [keyword.term for keyword in topic.keywords]
    said += [f"{page.title}\n{page.description}\n{page.keywords}" for page in targets]
    return analyzer(topic.language).counts("\n".join(said))


def is_table_one(features: FeatureSet) -> bool:
    """Whether these are Liu's features, and nothing of ours."""
    return features.startswith("table-1")


def some_targets(targets: Sequence[int], most: int = MOST_TARGETS) -> list[int]:
    """At most so many of them, spread evenly."""
    if len(targets) <= most:
        return list(targets)
    return [targets[number * len(targets) // most] for number in range(most)]


def _stems(keywords: Sequence[Keyword], language: str) -> Iterator[str]:
    """Stems of three letters and more: shorter ones are in every URL."""
    for keyword in keywords:
        yield from (term for term in analyzer(language).terms(keyword.term) if len(term) > 2)
