"""A web that grows by preference, and a crawl of it that goes where a strategy says: for comparing with networkx."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.model import Keyword, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.text import idf

Web = dict[str, list[str]]


def context() -> Context:
    return Context(topic=Topic("x", (Keyword("dengue", 1.0),)), idf=idf.none(), random=Random(1))


def grow(pages: int, seed: int) -> Web:
    """Each page links to some before it, popular ones more often, to some after it, and to a few at the ends."""
    random = Random(seed)
    urls = [f"http://host{i % 11}.example/{i}" for i in range(pages)]
    popular, web = [urls[0]], Web()
    for i, url in enumerate(urls):
        targets = random.choices(popular, k=random.randint(1, 12)) + random.choices(urls[i:], k=random.randint(0, 6))
        web[url] = list(dict.fromkeys(target for target in targets if target != url))
        popular += [url, *web[url]]
    return web


def visit(url: str, *targets: str, **more: Any) -> Visit:
    page = Page(url, links=tuple(Link(target, url) for target in targets), **more)
    return Visit(Link(url), page, 0.0, False, 0)


def crawl(strategy: Any, web: Web, pages: int) -> Web:
    """Reads so many pages, best first, as the engine does with the rule `last`; says what was read."""
    read, waiting = Web(), {next(reversed(web)): 0.0}
    while waiting and len(read) < pages:
        url = max(waiting, key=lambda one: (waiting[one], one))
        del waiting[url]
        read[url] = web[url]
        seen = visit(url, *web[url])
        strategy.learn(seen)
        waiting |= {one.link.url: one.priority for one in strategy.rank(seen) if one.link.url not in read}
        if hasattr(strategy, "rescore") and len(read) % strategy.rescore_every == 0:
            waiting = dict(zip(waiting, strategy.rescore([Link(one) for one in waiting]), strict=True))
    return read


def rank_correlation(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Spearman's, ties sharing the mean of their ranks."""
    return float(np.corrcoef(_ranks(a), _ranks(b))[0, 1])


def _ranks(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    # The twelfth digit is noise of the summing order; what differs there is meant to be equal.
    rounded = np.array([float(f"{value:.12g}") for value in np.asarray(values)])
    _, inverse, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    mean: npt.NDArray[np.float64] = (ends - (counts - 1) / 2)[inverse]
    return mean
