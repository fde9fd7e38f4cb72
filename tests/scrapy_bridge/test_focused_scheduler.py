"""A real spider of Scrapy's, over real HTTP, with our scheduler: in a process of its own, since a reactor runs once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scenthound.app.search import search_library
from scenthound.errors import ConfigError
from scenthound.library import open_library
from scenthound.scrapy_bridge.focused_scheduler import crawl_settings
from tests.served_pages import serving_pages

pytest.importorskip("scrapy")

SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

address, library, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
seen = []

class Links(scrapy.Spider):
    name = "links"
    start_urls = [address + "/"]

    def parse(self, response):
        seen.append([response.url.removeprefix(address), response.meta.get("relevance")])
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, callback=self.parse)
        if response.url.endswith("/"):
            yield scrapy.Request(address + "/form", method="POST", callback=self.posted)

    def posted(self, response):
        seen.append(["POST", None])

# The pause is longer than a busy machine takes from an answer to what the spider makes of it: so the order is sure.
process = CrawlerProcess({
    "SCHEDULER": "scenthound.scrapy_bridge.FocusedScheduler",
    "SCENTHOUND": {"topic": {"name": "corals", "keywords": ["corals", "reefs"]},
                   "crawl": {"strategy": "best-first", "judge": "keywords"}},
    "SCENTHOUND_LIBRARY": library or None,
    "CONCURRENT_REQUESTS": 1, "CLOSESPIDER_PAGECOUNT": most, "DOWNLOAD_DELAY": 0.2, "ROBOTSTXT_OBEY": True,
    "RETRY_TIMES": 1, "HTTPERROR_ALLOW_ALL": True, "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
})
crawler = process.create_crawler(Links)
process.crawl(crawler)
process.start()
stats = crawler.stats.get_stats()
print(json.dumps({"seen": seen, "pages": stats.get("scenthound/pages"), "reason": stats["finish_reason"],
                  "out": stats.get("scenthound/out_of_scope")}))
"""
CORALS = "<title>Corals</title><p>Corals and reefs, reefs and corals. "
SHOES = "<title>Shoes</title><p>Shoes and boots, boots and shoes, in all sizes. "
PAGES = {
    "/robots.txt": "User-agent: *\nDisallow: /private",
    "/": f"{CORALS}<p><a href=/shoes>cheap shoes</a><p><a href=/private/corals>corals and reefs</a>"
    "<p><a href=/corals>corals and reefs</a>",
    "/shoes": f"{SHOES}<a href=/boots>boots</a> <a href=/boots.pdf>all boots</a>",
    "/boots": SHOES,
    "/corals": f"{CORALS}<a href=/reefs>more about corals and reefs</a> <a href=/missing>old reefs</a>",
    "/reefs": f"{CORALS}And nothing else.",
}


def crawl(folder: Path, address: str, library: str = "", most: int = 0) -> dict[str, object]:
    spider = folder / "spider.py"  # Scrapy reads the source of callbacks
    spider.write_text(SPIDER)
    arguments = [sys.executable, str(spider), address, library, str(most)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_a_spider_gets_the_best_links_first_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "corals"
    asked: list[str] = []
    with serving_pages(PAGES, asked) as address:
        first = crawl(tmp_path, address, str(folder), most=3)
        second = crawl(tmp_path, address, str(folder))
    assert first["reason"] == "closespider_pagecount"
    seen = [*first["seen"], *second["seen"]]  # type: ignore[misc]
    order = [path for path, _ in seen if path != "POST"]
    assert order[:2] == ["/", "/corals"]
    assert set(order) == {"/", "/corals", "/reefs", "/missing", "/shoes", "/boots"}
    assert order.index("/shoes") > order.index("/reefs")
    assert len(order) == len(set(order))
    judged = dict(seen)
    assert judged["/corals"] > judged["/shoes"]
    assert second["reason"] == "finished"
    assert "/private/corals" not in asked
    with open_library(folder, write=False) as library:
        counts = library.counts()
        assert (counts.fetched, counts.waiting) == (5, 0)
        assert len(library.runs()) == 2
    assert search_library(folder, ["corals"]).total == 3


def test_a_spider_without_a_library_posts_forms_as_ever(tmp_path: Path) -> None:
    asked: list[str] = []
    with serving_pages(PAGES, asked) as address:
        told = crawl(tmp_path, address)
    assert (told["pages"], told["out"]) == (5, 1)
    assert "/boots.pdf" not in asked
    assert ["POST", None] in told["seen"]  # type: ignore[operator]


def test_the_spider_of_the_examples_fills_a_library(tmp_path: Path) -> None:
    spider = Path(__file__).parents[2] / "examples" / "scrapy-focused" / "reef_spider.py"
    reef = "Coral bleaching happens to a reef in warm water. "
    with serving_pages(
        {"/": f"<title>Reefs</title><p>{reef}<a href=/more>More</a>", "/more": f"<p>{reef * 2}"}
    ) as address:
        options = ["-a", f"start={address}/", "-O", "pages.jsonl", "-s", "DOWNLOAD_DELAY=0", "-s", "LOG_ENABLED=0"]
        command = [sys.executable, "-m", "scrapy", "runspider", str(spider), *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert [line["title"] for line in lines] == ["Reefs", ""]
    assert search_library(tmp_path / "crawls" / "reefs", ["coral", "bleaching"]).total == 2


def test_what_the_crawl_is_about_has_to_be_said() -> None:
    from scrapy.settings import Settings

    with pytest.raises(ConfigError, match='SCENTHOUND = "coral'):
        crawl_settings(Settings())
    config = crawl_settings(Settings({"SCENTHOUND": "coral reefs", "DOWNLOAD_DELAY": 2}))
    assert (config.topic.name, config.politeness.delay, config.politeness.robots) == ("coral reefs", 2.0, False)


def test_a_topic_file_says_it_as_well(tmp_path: Path) -> None:
    from scrapy.settings import Settings

    (tmp_path / "topic.toml").write_text('[topic]\nname = "reefs"\n')
    assert crawl_settings(Settings({"SCENTHOUND": str(tmp_path / "topic.toml")})).topic.name == "reefs"
