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

A target among the training pages is compared with the other targets only: with itself it would teach that targets have
a cosine of 1, which no page found later has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from scenthound import urls
from scenthound.learn.naive_bayes import Terms
from scenthound.model import Keyword, Link, Page, Topic
from scenthound.protocols import Idf
from scenthound.text import idf
from scenthound.text.analysis import analyzer
from scenthound.text.nearest import Nearest
from scenthound.text.query import Query
from scenthound.text.vectors import norm

Floats = npt.NDArray[np.float64]
FeatureSet = Literal["all", "words", "no-words"]
FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

Part = Mapping[str, float]
"""Named features with their values: what one page, or one link, adds to a place of a sequence."""

MOST_TARGETS = 30
"""Targets a page is compared with. More of them cost time on every page, and hardly change which is nearest."""

TARGET_TERMS = 100
"""Terms of a target that are kept."""

MOST_WORDS = 200
"""Words of title, meta data and headings that are looked at: a page of nothing but headings is no more telling."""

DEEPEST = 6

PLACES = ("shape same folder or below", "shape same host", "shape other host")

TOPIC = "(topic)"
"""Stands where a word would; brackets, because no word has them."""

REMEMBERED = 50_000
"""Folders, and pieces of paths, whose features are remembered."""

_pieces = re.compile(r"[^\W_]{2,40}").findall
_digits = re.compile(r"\d").sub
_digit = re.compile(r"\d").search
_index = re.compile(r"(index|default|home|welcome)\.\w+$", re.IGNORECASE | re.ASCII).match


class Targets:
    """Target pages as tf vectors of length 1, reduced to their most frequent terms (Liu 3.4 speaks of reduced vectors).

    What `text.nearest` does for any idf, this does for none, in a third of the time: every page of a crawl comes by.
    """

    def __init__(self, targets: Sequence[Terms], most: int = TARGET_TERMS) -> None:
        reduced = [sorted(terms.items(), key=lambda entry: (-entry[1], entry[0]))[:most] for terms in targets]
        self._column: dict[str, int] = {}
        columns = [self._column.setdefault(term, len(self._column)) for terms in reduced for term, _ in terms]
        counts = [np.array([n for _, n in terms], dtype=np.float64) for terms in reduced]
        self._columns = np.array(columns, dtype=np.intp)
        self._weights = np.concatenate(
            [row / np.sqrt(row @ row) if len(row) else row for row in counts] or [np.zeros(0)]
        )
        self._ends = np.cumsum([0, *map(len, counts)])

    def cosines(self, terms: Terms) -> tuple[Floats, float]:
        """With each target; and the length of the page's own vector."""
        none = len(self._column)
        document = np.zeros(none + 1)
        where = [self._column.get(term, none) for term in terms]
        counts = np.array(list(terms.values()), dtype=np.float64)
        length = float(np.sqrt(counts @ counts))
        if not length:
            return np.zeros(len(self._ends) - 1), 0.0
        document[where] = counts
        document[none] = 0.0
        sums = np.zeros(len(self._columns) + 1)
        np.cumsum(self._weights * document[self._columns], out=sums[1:])
        return np.minimum(np.diff(sums[self._ends]) / length, 1.0), length


class Reader:
    """Reads features off pages and links, given what is known of the targets."""

    def __init__(
        self,
        topic: Topic,
        weights: Idf,
        targets: Sequence[Terms] = (),
        description: Terms | None = None,
        features: FeatureSet = "all",
    ) -> None:
        self.query = Query(topic, weights)
        self.words = features in ("all", "words")
        self.others = features in ("all", "no-words")
        self.analyzer = analyzer(topic.language)
        self._query_length = norm(self.query.vector)
        self.targets = Targets(targets)
        self.description = Nearest([description] if description else [], idf.none())
        self._folders: dict[str, list[str]] = {}
        self.keywords = tuple(dict.fromkeys(_stems(topic.keywords, topic.language)))

    def of_page(self, page: Page, itself: int = -1) -> dict[str, float]:
        """What the page says, whichever way one came; `itself`: its place among the targets, if it is one of them."""
        found: dict[str, float] = {}
        if self.others:
            found["text"], found["topic"] = self._likeness(page.terms, itself)
            if page.description or page.keywords:
                said = self.analyzer.counts(f"{page.description}\n{page.keywords}")
                found["description"] = self.description.similarity(said)
            if self.keywords and self._on_topic("\n".join([link.url for link in page.links])):
                found["leads on"] = 1.0
        if self.words:
            told = "\n".join((page.title, page.description, page.keywords, *page.headings[:MOST_WORDS]))
            for word in self.analyzer.terms(told)[:MOST_WORDS]:
                found["word " + word] = 1.0
        return found

    def of_anchor(self, text: str, kind: str = "anchor ") -> dict[str, float]:
        """What the words of a link say, of where it leads or (`kind` "child ") of where it stands."""
        if not self.others:
            return {}
        terms = self.analyzer.terms(text)
        found = {kind + term: 1.0 for term in terms}
        if not self.query.vector.keys().isdisjoint(terms):
            found[kind + TOPIC] = self.query.of_counts(Counter(terms))
        return found

    def of_url(self, url: str) -> dict[str, float]:
        """What the address says by itself."""
        if not self.others:
            return {}
        path = urls.path(url)
        folder, _, file = path.rpartition("/")
        if (known := self._folders.get(folder)) is None:
            known = self._of_folder(folder)
        found = dict.fromkeys(known, 1.0)
        for word in _pieces(file.lower()):
            found[_PATH[word]] = 1.0
        found[_file_shape(file)] = 1.0
        if "?" in url:
            found["shape query"] = 1.0
        if self._on_topic(url):
            found["keyword in url"] = 1.0
        return found

    def _of_folder(self, folder: str) -> list[str]:
        """What the folders say; remembered, because the pages of a site share them."""
        if len(self._folders) >= REMEMBERED:
            self._folders.clear()
        names = [_PATH[word] for word in _pieces(folder.lower())]
        names.append(f"shape depth {min(folder.count('/') + 1, DEEPEST)}")
        if "~" in folder:
            names.append("shape ~ home" if "/" not in folder.partition("~")[2] else "shape below ~")
        self._folders[folder] = names
        return names

    def of_place(self, url: str, source: str) -> str:
        """Where a link leads, as seen from the page it stands on."""
        if not source:
            return "shape from nowhere"
        return PLACES[place(url, *surroundings(source))]

    def of_link(self, link: Link, heading: str = "") -> dict[str, float]:
        """All that is known of a page before it is fetched."""
        found = self.of_anchor(link.anchor or link.title) | self.of_url(link.url) | self.of_anchor(heading, "near ")
        if self.others:
            found[self.of_place(link.url, link.source)] = 1.0
        return found

    def _likeness(self, terms: Terms, itself: int) -> tuple[float, float]:
        """Cosine with the nearest target, and with the keywords."""
        cosines, length = self.targets.cosines(terms)
        if 0 <= itself < len(cosines):
            cosines[itself] = 0.0
        shared = sum(terms[term] * weight for term, weight in self.query.vector.items() if term in terms)
        topic = shared / (length * self._query_length) if shared else 0.0
        return float(cosines.max(initial=0.0)), min(topic, 1.0)

    def _on_topic(self, text: str) -> bool:
        text = text.lower()
        return any(keyword in text for keyword in self.keywords)


def surroundings(source: str) -> tuple[str, str]:
    """The folder of a page, and its host: what the URLs of links begin with that stay there."""
    return source.rpartition("/")[0] + "/", urls.origin(source) + "/"


def place(url: str, folder: str, host: str) -> int:
    """0: in the same folder or below it, 1: on the same host, 2: elsewhere."""
    return 0 if url.startswith(folder) else 1 if url.startswith(host) else 2


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


class _PathWords(dict[str, str]):
    """Piece of a path -> its feature. Digits are written 0, and what is long is not a word."""

    def __missing__(self, piece: str) -> str:
        if len(self) >= REMEMBERED:
            self.clear()
        name = self[piece] = "path " + _digits("0", piece)
        return name


_PATH = _PathWords()


def _file_shape(file: str) -> str:
    """No file: a folder; index.html and the like: its index; else by whether the name has digits."""
    if not file:
        return "shape folder"
    if _index(file):
        return "shape index"
    return "shape file with digits" if _digit(file) else "shape file"
