"""A web of a few pages written out by hand, and a crawl over it through the real frontier, parser and library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.crawl_parts import CrawlParts, put_together
from scenthound.crawler.engine import Crawl
from scenthound.fetch.answer import classify
from scenthound.library import open_library
from scenthound.model import Failed, Link, Page, Ranked, Response, Step, Visit


def page(*links: str, text: str = "", head: str = "") -> str:
    """A page that links to the given URLs; `anchor=url` gives the link a text."""
    items = "".join(
        f'<p><a href="{url}">{anchor}</a></p>' for anchor, _, url in (link.rpartition("=") for link in links)
    )
    return f"<html><head><title>t</title>{head}</head><body><p>{text}</p>{items}</body></html>"


def answer(url: str, body: str | bytes = "", status: int = 200, **headers: str) -> Response:
    named = tuple((name.replace("_", "-"), value) for name, value in ({"content_type": "text/html"} | headers).items())
    return Response(url=url, status=status, headers=named, body=body.encode() if isinstance(body, str) else body)


Script = Mapping[str, "str | Response | Failed | list[str | Response | Failed]"]


@dataclass
class ScriptedFetcher:
    """Answers from a script: a page's HTML, an answer, or a list of what comes first, second, ...; else 404."""

    script: Script
    parallel: int = 1
    asked: list[str] = field(default_factory=list)

    async def __call__(self, link: Link) -> Response | Failed:
        given = self.script.get(link.url)
        if isinstance(given, list):
            given = given[min(self.asked.count(link.url), len(given) - 1)]
        self.asked.append(link.url)
        if given is None:
            return Failed(url=link.url, kind="status", status=404, detail="404")
        if isinstance(given, str):
            given = answer(link.url, given)
        return classify(given, link.kind) if isinstance(given, Response) else given

    async def close(self) -> None:
        pass


@dataclass
class ByAnchor:
    """Ranks a link by the number its anchor shows."""

    merge: str = "max"
    learned: list[str] = field(default_factory=list)
    seen: list[Visit] = field(default_factory=list)

    def learn(self, visit: Visit) -> None:
        self.learned.append(visit.page.url)

    def rank(self, visit: Visit) -> list[Ranked]:
        assert self.learned[-1] == visit.page.url, "learning comes before ranking"
        self.seen.append(visit)
        memory = b"from " + visit.page.url.encode()
        return [Ranked(link=link, priority=float(link.anchor or 0), memory=memory) for link in visit.page.links]


def counts_word(word: str) -> Any:
    def judge(page: Page) -> float:
        return float(word in page.text)

    return judge


@contextmanager
def crawl_of(
    folder: Path,
    script: Script | ScriptedFetcher,
    settings: dict[str, Any] | None = None,
    *,
    strategy: Any = None,
    seeds: tuple[str, ...] = ("http://a.test/",),
    clock: Any = None,
    pacing: Any = None,
    steps: list[Step] | None = None,
) -> Iterator[Crawl]:
    config: Config = from_dict(settings or {})
    config.politeness.delay = config.politeness.delay if "politeness" in (settings or {}) else 0.0
    config.politeness.robots = (settings or {}).get("politeness", {}).get("robots", False)
    config.scope.traps = (settings or {}).get("scope", {}).get("traps", False)  # pages written by hand are much alike
    config.scope.mirrors = (settings or {}).get("scope", {}).get("mirrors", False)
    fetcher = script if isinstance(script, ScriptedFetcher) else ScriptedFetcher(script)
    strategy = strategy or ByAnchor()
    ticking = {"clock": clock, "pacing": pacing} if clock else {}
    parts = CrawlParts(strategy, counts_word("hound"), make_scope(config))
    observers = [steps.append] if steps is not None else []
    with open_library(folder, create=True) as library:
        crawl = put_together(config, parts, library, fetcher, observers=observers, **ticking)
        crawl.add_seeds(seeds)
        yield crawl
