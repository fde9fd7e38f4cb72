"""Scrapy, with the priority that its users write for a topic: how many keywords anchor, URL and page have."""

import scrapy
from race import TASK, finish, page
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.linkextractors import LinkExtractor

WORDS = TASK["query"].lower().split()


def matches(text):
    text = text.lower()
    return sum(word in text for word in WORDS)


class Keywords(scrapy.Spider):
    name = "keywords"
    start_urls = TASK["seeds"]
    links = LinkExtractor()
    taken = 0
    custom_settings = {
        "CONCURRENT_REQUESTS": 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": TASK["connections"] or 8,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def parse(self, response):
        if self.taken >= TASK["pages"]:
            raise CloseSpider("as many pages as were asked for")  # CLOSESPIDER_PAGECOUNT would count what is not found
        self.taken += 1
        page(response.url)
        here = matches(" ".join(response.css("body ::text").getall()))
        for link in self.links.extract_links(response):
            priority = 10 * matches(f"{link.text} {link.url}") + here
            yield scrapy.Request(link.url, priority=priority)


process = CrawlerProcess()
process.crawl(Keywords)
process.start()
finish()
