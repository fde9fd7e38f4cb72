"""A Scrapy spider that asks for the best links first: our frontier, strategies and judges as its scheduler.

    # settings.py of a Scrapy project
    SCHEDULER = "scenthound.scrapy_bridge.FocusedScheduler"
    SCENTHOUND = "coral bleaching"            # words, the path of a topic.toml, or tables as topic.toml has them
    SCENTHOUND_LIBRARY = "crawls/corals"      # optional: keep what was crawled in a library, and go on from there

The spider stays as it is: it says which links are to be followed, and what to make of pages. Each page that comes is
judged before the spider sees it (`response.meta["relevance"]`), the strategy ranks its links, and of all requests that
wait the best one goes next whose host may be asked.

    topic_focus.py        what is known of the crawl: judges pages, ranks links, keeps what waits; knows no Scrapy
    focused_scheduler.py  that as a scheduler: requests in, requests out, and what became of each
"""

from scenthound.scrapy_bridge.focused_scheduler import FocusedScheduler

__all__ = ["FocusedScheduler"]
