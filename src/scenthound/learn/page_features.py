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

**Sets**: `words` is the feature Ow alone, `no-words` all others, `all` both.

**What a feature is called** is up to whoever reads: in training its name, in a crawl the row of the model's weights,
so that no name is put together only to be looked up.

A target among the training pages is compared with the other targets only: with itself it would teach that targets have
a cosine of 1, which no page found later has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from math import hypot
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from scenthound import urls
from scenthound.learn.naive_bayes import Terms
from scenthound.model import Keyword, Link, Page, Topic
from scenthound.protocols import Idf
from scenthound.text.analysis import analyzer
from scenthound.text.query import Query
from scenthound.text.vectors import norm

Floats = npt.NDArray[np.float64]
FeatureSet = Literal["all", "words", "no-words"]
FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

Called = Callable[[str, Iterable[str]], Iterable[Any]]
"""Given a kind and words: the features."""

Part = Mapping[Any, float]
"""Features, by name or row, with their values: what one page, or one link, adds to a place of a sequence."""

MOST_TARGETS = 30
"""Targets a page is compared with. More of them cost time on every page, and hardly change which is nearest."""

TARGET_TERMS = 100
"""Terms of a target that are kept."""

MOST_WORDS = 200
"""Words of title, meta data and headings that are looked at: a page of nothing but headings is no more telling."""

DEEPEST = 6

PLACES = ("shape same folder or below", "shape same host", "shape other host")
NOWHERE = "shape from nowhere"

TOPIC = "(topic)"
"""Stands where a word would; brackets, because no word has them."""

REMEMBERED = 50_000
"""Folders whose features are remembered."""

SHAPES = tuple(f"shape {how}" for how in ("folder", "index", "file", "file with digits", "query", "~ home", "below ~"))
DEPTHS = tuple(f"shape depth {depth}" for depth in range(1, DEEPEST + 1))
PLAIN = ("text", "topic", "description", "leads on", "keyword in url", *SHAPES, *DEPTHS, *PLACES, NOWHERE)

KINDS = ("word ", "anchor ", "near ", "child ", "path ", "")
"""What the names of features begin with where a word follows; those without a word are of the last kind."""

LONGEST = 40
"""Characters of a word in a path; what is longer is cut."""

_pieces = re.compile(rf"[^\W_]{{2,{LONGEST}}}").findall
_WORDS_OR_SPACE = bytes(
    ord("0") if chr(byte).isdigit() else ord(chr(byte).lower()) if byte < 128 and chr(byte).isalnum() else ord(" ")
    for byte in range(256)
)
_digits = re.compile(r"\d").sub
_digit = re.compile(r"\d").search
_index = re.compile(r"(index|default|home|welcome)\.\w+$", re.IGNORECASE | re.ASCII).match


class Targets:
    """Target pages as tf vectors of length 1, reduced to their most frequent terms (Liu 3.4 speaks of reduced vectors).

    A page's cosines with all of them are one product, over the terms it shares with any: what `text.nearest` does for
    any number of examples and any idf, this does for few and none, in a third of the time. Every page of a crawl comes
    by.
    """

    def __init__(self, targets: Sequence[Terms], most: int = TARGET_TERMS) -> None:
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

    def cosines(self, terms: Terms) -> tuple[Floats, float]:
        """With each target; and the length of the page's own vector."""
        length = hypot(*terms.values())
        if not length:
            return np.zeros(self._weights.shape[1]), 0.0
        shared = list(filter(self._row.__contains__, terms))
        counts = np.array([terms[term] for term in shared], dtype=np.float64)
        cosines: Floats = counts @ self._weights[[self._row[term] for term in shared]]
        return np.minimum(cosines / length, 1.0), length


def by_name(kind: str, words: Iterable[str]) -> Iterable[str]:
    """What features are called in training."""
    return map(kind.__add__, words)


def by_row(columns: Mapping[str, int]) -> Called:
    """What they are called where only their weights matter: rows, one more than there are for all that are unknown."""
    rows: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for name, row in columns.items():
        kind = next(kind for kind in KINDS if name.startswith(kind))
        rows[kind][name[len(kind) :]] = row
    unknown = len(columns)
    return lambda kind, words: map(rows[kind].get, words, repeat(unknown))


class Reader:
    """Reads features off pages and links, given what is known of the targets."""

    def __init__(
        self,
        topic: Topic,
        weights: Idf,
        targets: Sequence[Terms] = (),
        description: Terms | None = None,
        features: FeatureSet = "all",
        called: Called = by_name,
    ) -> None:
        self.query = Query(topic, weights)
        self._asked = self.query.vector.keys()
        self.words = features in ("all", "words")
        self.others = features in ("all", "no-words")
        self.analyzer = analyzer(topic.language)
        self._query_length = norm(self.query.vector)
        self.targets = Targets(targets)
        self.description = dict(description or {})
        self._description_length = hypot(*self.description.values())
        self._called = called
        self._plain = dict(zip(PLAIN, called("", PLAIN), strict=True))
        self._topic = {kind: feature for kind in KINDS for feature in called(kind, [TOPIC])}
        self._folders: dict[str, list[Any]] = {}
        self.keywords = tuple(dict.fromkeys(_stems(topic.keywords, topic.language)))

    def of_page(self, page: Page, itself: int = -1) -> dict[Any, float]:
        """What the page says, whichever way one came; `itself`: its place among the targets, if it is one of them."""
        found: dict[Any, float] = {}
        plain = self._plain
        if self.others:
            found[plain["text"]], found[plain["topic"]] = self._likeness(page.terms, itself)
            if page.description or page.keywords:
                found[plain["description"]] = self._described(f"{page.description}\n{page.keywords}")
            if self.keywords and self._on_topic("\n".join([link.url for link in page.links])):
                found[plain["leads on"]] = 1.0
        if self.words:
            told = "\n".join((page.title, page.description, page.keywords, *page.headings[:MOST_WORDS]))
            words = self.analyzer.terms(told)[:MOST_WORDS]
            found.update(dict.fromkeys(self._called("word ", words), 1.0))
        return found

    def of_anchor(self, text: str, kind: str = "anchor ") -> dict[Any, float]:
        """What the words of a link say, of where it leads or (`kind` "child ") of where it stands."""
        if not text or not self.others:
            return {}
        terms = self.analyzer.terms(text)
        found = dict.fromkeys(self._called(kind, terms), 1.0)
        if not self._asked.isdisjoint(terms):
            found[self._topic[kind]] = self.query.of_counts(Counter(terms))
        return found

    def of_url(self, url: str) -> dict[Any, float]:
        """What the address says by itself."""
        if not self.others:
            return {}
        address, query, _ = url.partition("?")
        folder, _, file = address.rpartition("/")  # a canonical URL has a slash after its host
        known = self._folders.get(folder)
        features = [*(self._of_folder(folder) if known is None else known), self._plain[_file_shape(file)]]
        if file:
            features += self._called("path ", _path_words(file))
        if query:
            features.append(self._plain["shape query"])
        if self._on_topic(url):
            features.append(self._plain["keyword in url"])
        return dict.fromkeys(features, 1.0)

    def _of_folder(self, address: str) -> list[Any]:
        """What the folders say; remembered, because the pages of a site share them."""
        if len(self._folders) >= REMEMBERED:
            self._folders.clear()
        folder = urls.path(address + "/")[:-1]
        features = list(self._called("path ", _path_words(folder)))
        features.append(self._plain[DEPTHS[min(folder.count("/"), DEEPEST - 1)]])
        if "~" in folder:
            features.append(self._plain["shape ~ home" if "/" not in folder.partition("~")[2] else "shape below ~"])
        self._folders[address] = features
        return features

    def of_place(self, place: str) -> dict[Any, float]:
        """Where a link leads as seen from the page it stands on, one of `PLACES`."""
        return {self._plain[place]: 1.0} if self.others else {}

    def of_link(self, link: Link, heading: str = "") -> dict[Any, float]:
        """All that is known of a page before it is fetched."""
        found = self.of_anchor(link.anchor or link.title) | self.of_url(link.url) | self.of_anchor(heading, "near ")
        return found | self.of_place(places([link.url], link.source)[0] if link.source else NOWHERE)

    def _likeness(self, terms: Terms, itself: int) -> tuple[float, float]:
        """Cosine with the nearest target, and with the keywords."""
        cosines, length = self.targets.cosines(terms)
        if 0 <= itself < len(cosines):
            cosines[itself] = 0.0
        shared = sum(terms[term] * weight for term, weight in self.query.vector.items() if term in terms)
        topic = shared / (length * self._query_length) if shared else 0.0
        return float(cosines.max(initial=0.0)), min(topic, 1.0)

    def _described(self, text: str) -> float:
        """Cosine with the description of the targets."""
        said = self.analyzer.counts(text)
        shared = sum(count * self.description.get(term, 0) for term, count in said.items())
        return min(shared / (hypot(*said.values()) * self._description_length), 1.0) if shared else 0.0

    def _on_topic(self, text: str) -> bool:
        text = text.lower()
        for keyword in self.keywords:  # noqa: SIM110 (every link comes by, and `any` takes thrice as long)
            if keyword in text:
                return True
        return False


def places(addresses: Sequence[str], source: str) -> list[str]:
    """Where links lead, as seen from the page they stand on: to its folder or below it, to its host, elsewhere."""
    folder, host = source.rpartition("/")[0] + "/", urls.origin(source) + "/"
    below, same, other = PLACES
    return [below if url.startswith(folder) else same if url.startswith(host) else other for url in addresses]


def heading_of(page: Page, link: Link) -> str:
    """The heading under which a link stands on its page."""
    return page.blocks[link.block].heading if link.block < len(page.blocks) else ""


def description_of(topic: Topic, targets: Sequence[Page]) -> dict[str, int]:
    """What the targets are about, in few words: the topic's keywords, and the targets' own titles and descriptions.

    Liu takes it from the directory that lists the targets.
    """
    said = [keyword.term for keyword in topic.keywords]
    said += [f"{page.title}\n{page.description}\n{page.keywords}" for page in targets]
    return analyzer(topic.language).counts("\n".join(said))


def some_targets(targets: Sequence[int], most: int = MOST_TARGETS) -> list[int]:
    """At most so many of them, spread evenly."""
    if len(targets) <= most:
        return list(targets)
    return [targets[number * len(targets) // most] for number in range(most)]


def _stems(keywords: Sequence[Keyword], language: str) -> Iterator[str]:
    """Stems of three letters and more: shorter ones are in every URL."""
    for keyword in keywords:
        yield from (term for term in analyzer(language).terms(keyword.term) if len(term) > 2)


def _path_words(path: str) -> list[str]:
    """Of two characters and more, digits written 0; by bytes where that is possible, in a third of the time."""
    if len(path) <= LONGEST and path.isascii():
        return [word for word in path.encode().translate(_WORDS_OR_SPACE).decode().split() if len(word) > 1]
    words: list[str] = _pieces(_digits("0", path.lower()))
    return words


def _file_shape(file: str) -> str:
    """No file: a folder; index.html and the like: its index; else by whether the name has digits."""
    if not file:
        return "shape folder"
    if _index(file):
        return "shape index"
    return "shape file with digits" if _digit(file) else "shape file"
