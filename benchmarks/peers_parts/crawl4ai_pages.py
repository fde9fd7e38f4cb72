"""crawl4ai through its plain HTTP strategy: best-first by keywords, and adaptive by its statistical strategy.

Adaptive stops when it is confident, at twenty pages by default: here it goes on for the whole budget.
"""

import asyncio

from crawl4ai import (
    AdaptiveConfig,
    AdaptiveCrawler,
    AsyncWebCrawler,
    BestFirstCrawlingStrategy,
    CacheMode,
    CrawlerRunConfig,
    KeywordRelevanceScorer,
)
from crawl4ai.adaptive_crawler import StatisticalStrategy
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from race import TASK, finish, page


async def best_first(crawler):
    strategy = BestFirstCrawlingStrategy(
        max_depth=1000,
        max_pages=TASK["pages"],
        include_external=True,
        url_scorer=KeywordRelevanceScorer(keywords=TASK["query"].split()),
    )
    config = CrawlerRunConfig(
        deep_crawl_strategy=strategy, stream=True, cache_mode=CacheMode.BYPASS, verbose=False, mean_delay=0, max_range=0
    )
    async for result in await crawler.arun(TASK["start"], config=config):
        if result.success:
            page(result.url)


class Told(StatisticalStrategy):
    """Its own strategy, which says what it takes in while it does: a crawl that is ended leaves what it had."""

    async def update_state(self, state, new_results):
        for result in new_results:
            page(result.url)
        await super().update_state(state, new_results)


async def adaptive(crawler):
    config = AdaptiveConfig(
        confidence_threshold=1.0,
        saturation_threshold=1.0,
        min_gain_threshold=0.0,
        max_pages=TASK["pages"],
        max_depth=TASK["pages"],
        top_k_links=3,
    )
    await AdaptiveCrawler(crawler, config, Told()).digest(TASK["start"], TASK["query"])


async def main():
    async with AsyncWebCrawler(crawler_strategy=AsyncHTTPCrawlerStrategy()) as crawler:
        await {"best-first": best_first, "adaptive": adaptive}[TASK["strategy"]](crawler)


asyncio.run(main())
finish()
