"""A topic against an index: addresses that have a whole keyword in them."""

import json
from pathlib import Path

from scenthound.app.import_pages import PageImport
from scenthound.app.index_links import index_links
from scenthound.config import from_dict
from scenthound.library import open_library

ADDRESSES = [
    "https://a.test/coral-bleaching-2024.html",
    "https://a.test/corals/Bleached_Reefs",
    "https://a.test/coral",
    "https://coral.test/bleaching",
    "https://a.test/reefs?page=2",
    "https://a.test/coral-bleaching-2024.html",
]


def index(folder: Path) -> Path:
    path = folder / "cdx-00001"
    path.write_text("".join(f"x 2024 {json.dumps({'url': url, 'mime': 'text/html'})}\n" for url in ADDRESSES))
    return path


def test_words_of_an_address_are_held_against_keywords(tmp_path: Path) -> None:
    topic = from_dict({"topic": {"keywords": ["coral bleaching", "reef"]}}).make_topic()
    assert index_links(index(tmp_path), topic) == [ADDRESSES[0], ADDRESSES[1], ADDRESSES[4]]


async def test_they_wait_for_the_next_crawl(tmp_path: Path) -> None:
    outcome = await PageImport(tmp_path / "reefs", [index(tmp_path)], topic="coral bleaching").run()
    assert (outcome.pages, outcome.links) == (0, 2)
    with open_library(tmp_path / "reefs", write=False) as library:
        assert library.counts().waiting == 2
