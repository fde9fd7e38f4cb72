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
    topic            0..1    cosine of the page and the topic's keywords, tf-idf                     ours
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
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from scenthound import urls
from scenthound.learn.naive_bayes import Terms
from scenthound.model import Keyword, Link, Page, Topic
from scenthound.protocols import Idf
from scenthound.text import idf
from scenthound.text.analysis import analyzer
from scenthound.text.nearest import Nearest
from scenthound.text.query import Query

FeatureSet = Literal["all", "words", "no-words"]
FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

Part = Mapping[str, float]
"""Named features with their values: what one page, or one link, adds to a place of a sequence."""

MOST_TARGETS = 50
"""Targets a page is compared with. More of them cost time on every page, and hardly change which is nearest."""

MOST_WORDS = 200
"""Words of title, meta data and headings that are looked at: a page of nothing but headings is no more telling."""

DEEPEST = 6

TOPIC = "(topic)"
"""Stands where a word would; brackets, because no word has them."""

_digits = re.compile(r"\d").sub
_file = re.compile(r"^(index|default|home|welcome)?\.?\w{0,5}$", re.ASCII).match


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
        self.targets = Nearest(targets, idf.none())
        self.description = Nearest([description] if description else [], idf.none())
        self.keywords = tuple(dict.fromkeys(_stems(topic.keywords, topic.language)))

    def of_page(self, page: Page, itself: int = -1) -> dict[str, float]:
        """What the page says, whichever way one came; `itself`: its place among the targets, if it is one of them."""
        found: dict[str, float] = {}
        if self.others:
            found["text"] = self._nearest(page.terms, itself)
            found["topic"] = self.query.of_counts(page.terms)
            found["description"] = self.description.similarity(self._described(page))
            if self.keywords and self._on_topic("\n".join([link.url for link in page.links])):
                found["leads on"] = 1.0
        if self.words:
            said = "\n".join((page.title, page.description, page.keywords, *page.headings[:MOST_WORDS]))
            for word in self.analyzer.terms(said)[:MOST_WORDS]:
                found["word " + word] = 1.0
        return found

    def of_anchor(self, text: str, kind: str = "anchor ") -> dict[str, float]:
        """What the words of a link say, of where it leads or (`kind` "child ") of where it stands."""
        if not self.others:
            return {}
        found = {kind + word: 1.0 for word in self.analyzer.terms(text)}
        if (likeness := self.query.of_text(text)) > 0.0:
            found[kind + TOPIC] = likeness
        return found

    def of_url(self, url: str) -> dict[str, float]:
        """What the address says by itself."""
        if not self.others:
            return {}
        path = urls.path(url)
        found = {"path " + _digits("0", word): 1.0 for word in self.analyzer.terms(path)}
        found.update((f"shape {shape}", 1.0) for shape in _shapes(path, "?" in url))
        if self._on_topic(url):
            found["keyword in url"] = 1.0
        return found

    def of_place(self, url: str, source: str) -> str:
        """Where a link leads, as seen from the page it stands on."""
        if not source:
            return "shape from nowhere"
        if url.startswith(source.rpartition("/")[0] + "/"):
            return "shape same folder or below"
        return "shape same host" if url.startswith(urls.origin(source)) else "shape other host"

    def of_link(self, link: Link, heading: str = "") -> dict[str, float]:
        """All that is known of a page before it is fetched."""
        found = self.of_anchor(link.anchor or link.title) | self.of_url(link.url) | self.of_anchor(heading, "near ")
        if self.others:
            found[self.of_place(link.url, link.source)] = 1.0
        return found

    def _nearest(self, terms: Terms, itself: int) -> float:
        cosines = self.targets.cosines(terms)
        if 0 <= itself < len(cosines):
            cosines[itself] = 0.0
        return float(cosines.max(initial=0.0))

    def _described(self, page: Page) -> dict[str, int]:
        said = f"{page.description}\n{page.keywords}"
        return self.analyzer.counts(said) if len(said) > 1 else {}

    def _on_topic(self, text: str) -> bool:
        text = text.lower()
        return any(keyword in text for keyword in self.keywords)


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


def _shapes(path: str, query: bool) -> Iterator[str]:
    folders, _, file = path.rpartition("/")
    yield f"depth {min(path.count('/'), DEEPEST)}"
    if "~" in path:
        yield "~"
        rest = path.partition("~")[2].partition("/")[2]
        if _file(rest):
            yield "~ home"
    if not file:
        yield "folder"
    elif _file(file):
        yield "index"
    if query:
        yield "query"
    if _digits("", folders + file) != folders + file:
        yield "digits"
