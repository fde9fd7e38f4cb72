"""Scenthound, a focused web crawler.

*A strategy turns what was visited into a number per waiting link; everything else moves links.*

    import scenthound

    crawl = scenthound.crawl("dengue fever", seeds=["https://example.org"], pages=200)
    for page in crawl:
        print(f"{page.relevance:.2f}  {page.title}")

What is in `__all__` may be relied on; docs/python.md shows it at work. To read the program itself, start at `model.py`
(the nouns), `protocols/` (the seams) and `crawler/engine.py` (the only crawl loop).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scenthound.version import __version__

if TYPE_CHECKING:
    from scenthound.api.open_library import OpenLibrary, open_library
    from scenthound.api.picture import Picture
    from scenthound.api.topic_crawl import TopicCrawl, crawl
    from scenthound.config import Config
    from scenthound.errors import ScenthoundError
    from scenthound.export.exporter import exporter
    from scenthound.model import Keyword, Link, Page, Ranked, Topic, Visit
    from scenthound.registry import judge, strategy

__all__ = [
    "Config",
    "Keyword",
    "Link",
    "OpenLibrary",
    "Page",
    "Picture",
    "Ranked",
    "ScenthoundError",
    "Topic",
    "TopicCrawl",
    "Visit",
    "__version__",
    "crawl",
    "exporter",
    "judge",
    "open_library",
    "strategy",
]

_HOMES = {
    "Config": "scenthound.config",
    "Keyword": "scenthound.model",
    "Link": "scenthound.model",
    "OpenLibrary": "scenthound.api.open_library",
    "Page": "scenthound.model",
    "Picture": "scenthound.api.picture",
    "Ranked": "scenthound.model",
    "ScenthoundError": "scenthound.errors",
    "Topic": "scenthound.model",
    "TopicCrawl": "scenthound.api.topic_crawl",
    "Visit": "scenthound.model",
    "crawl": "scenthound.api.topic_crawl",
    "exporter": "scenthound.export.exporter",
    "judge": "scenthound.registry",
    "open_library": "scenthound.api.open_library",
    "strategy": "scenthound.registry",
}


def __getattr__(name: str) -> Any:
    """Imported when first asked for: the command's help needs none of it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'scenthound' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
