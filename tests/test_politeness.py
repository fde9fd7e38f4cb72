"""The politeness proof: every request of a crawl over many hosts, as the servers saw it.

No host has two requests at once, nor less than its delay between the end of one and the start of the next, whether
for pages, robots.txt files, redirects or retries, and across a restart.
"""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.generated.web_server import DemoResolver, ServedRequest, serve

DELAY = 0.05


def settings(web: GeneratedWeb, pages: int) -> Config:
    topic = web.topics()[0]
    config = Config()
    config.topic.name = topic.name
    config.crawl.seeds = [*topic.seeds, *(f"http://{host}/" for host in web.hosts())]
    config.crawl.pages = pages
    config.politeness.delay = DELAY
    config.fetch.private_addresses = True
    config.fetch.backoff = 0.1
    return config


async def crawl(web: GeneratedWeb, folder: Path, pages: int, log: list[ServedRequest], examples: bool = False) -> None:
    config = settings(web, pages)
    config.topic.examples = list(web.topics()[0].relevant_examples) if examples else []
    async with serve(web, log=log) as address:
        fetcher = fetcher_for(config, resolver=DemoResolver(web, address))
        async with assembled(config, folder, fetcher=fetcher) as crawl:
            await crawl.run()


async def test_no_host_is_asked_twice_at_once_or_too_soon(tmp_path: Path) -> None:
    web = GeneratedWeb(seed=5, pages=1500, hosts=25, topics=5)
    log: list[ServedRequest] = []
    await crawl(web, tmp_path, 200, log)
    before_restart = len(log)
    await crawl(web, tmp_path, 400, log)

    by_host: dict[str, list[ServedRequest]] = defaultdict(list)
    for asked in sorted(log, key=lambda asked: asked.start):
        by_host[asked.host].append(asked)
    gaps = [later.start - earlier.end for requests in by_host.values() for earlier, later in pairwise(requests)]
    assert min(gaps) >= DELAY

    paths = [asked.path for asked in log]
    assert len(by_host) >= 25
    assert before_restart < len(log)
    assert paths.count("/robots.txt") >= 25
    assert max(len(requests) for requests in by_host.values()) >= 10
    hosts_of_both_runs = {asked.host for asked in log[:before_restart]} & {asked.host for asked in log[before_restart:]}
    assert len(hosts_of_both_runs) >= 10


async def test_example_pages_are_asked_for_as_politely(tmp_path: Path) -> None:
    """Between two of them, and between the last of them and the crawl's first request to the same host."""
    web = GeneratedWeb(seed=5, pages=1500, hosts=25, topics=5)
    log: list[ServedRequest] = []
    await crawl(web, tmp_path, 40, log, examples=True)
    asked = defaultdict(list)
    for request in sorted(log, key=lambda request: request.start):
        asked[request.host].append(request)
    examples = {url.split("/")[2] for url in web.topics()[0].relevant_examples}
    assert all(requests[0].path == "/robots.txt" for requests in asked.values())
    assert any(len([request for request in asked[host] if request.path == "/robots.txt"]) > 1 for host in examples)
    gaps = [later.start - earlier.end for requests in asked.values() for earlier, later in pairwise(requests)]
    assert min(gaps) >= DELAY


async def test_a_crawl_delay_is_kept_across_a_restart(tmp_path: Path) -> None:
    web = GeneratedWeb(seed=5, pages=1500, hosts=25, topics=5)
    slow_hosts = {host for host in web.hosts() if "crawl-delay: 0.2" in web.robots(host).lower()}
    log: list[ServedRequest] = []
    await crawl(web, tmp_path, 150, log)
    await crawl(web, tmp_path, 300, log)
    gaps = []
    for host in slow_hosts:
        requests = sorted((asked for asked in log if asked.host == host), key=lambda asked: asked.start)
        while requests and requests[0].path == "/robots.txt":
            requests.pop(0)  # until the first page nobody knows of the delay
        gaps += [later.start - earlier.end for earlier, later in pairwise(requests)]
    assert len(gaps) >= 10
    assert min(gaps) >= 0.2
