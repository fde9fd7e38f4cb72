from scenthound.crawler.coverage.crawl_record import CrawlRecord, FirstTimes
from scenthound.frontier.random_draw import DRAWN
from scenthound.model import Link, Waiting
from scenthound.urls import fingerprint, host


def lease(url: str, source: str = "", *, draw: bool = False) -> Waiting:
    return Waiting(fingerprint(url), Link(url=url, source=source), host(url), DRAWN if draw else 0.5, 0)


def test_figures_worked_by_hand() -> None:
    """Eight pages: a list of three relevant ones, a drawn page that leads to one, and one that is drawn itself."""
    record, hub, found = CrawlRecord(), "http://a.test/list", "http://b.test/drawn"
    record.add(lease(hub), relevant=False)
    for number in range(3):
        record.add(lease(f"http://a.test/{number}", hub), relevant=True)
    record.note_known(4)
    record.add(lease(found, hub, draw=True), relevant=False)
    record.add(lease("http://b.test/behind", found), relevant=True)
    record.add(lease("http://c.test/", hub, draw=True), relevant=True)
    record.add(lease("http://a.test/last", hub), relevant=False)
    record.missed = 2
    figures = record.figures(waiting=6)
    assert (figures.pages, figures.found, figures.doublings) == (8, 5, (2, 4, 5, 5))
    assert figures.brought == 0.8
    # Four from the list, one from the drawn page: (16 + 1) / 5.
    assert figures.clump == 3.4
    assert (figures.draws, figures.draws_brought, figures.all_draws) == (2 / 0.8, 2, 2)
    assert (figures.new_hosts, figures.host_doublings, figures.host_size) == (2, (2, 2, 3, 3), 5 / 3)
    # 16 links are known now. After 4 pages there were 8, so after 6 about 12: two a page, either way.
    assert (figures.new_links, figures.recent_links) == (2.0, 8.0)
    assert [record.recently_found(pages) for pages in (1, 2, 3, 100)] == [0, 1, 2, 5]


def test_new_links_are_those_of_the_stretch_that_brought_more() -> None:
    for known, brought in (({4: 8, 6: 14}, 2.0), ({4: 10, 6: 10}, 3.0)):
        record = CrawlRecord()
        for number in range(8):
            record.add(lease(f"http://a.test/{number}"), relevant=False)
        record.known |= known
        assert record.figures(waiting=8).new_links == brought


def test_an_empty_crawl() -> None:
    figures = CrawlRecord().figures(waiting=3)
    assert (figures.pages, figures.found, figures.new_links, figures.clump) == (0, 0, 0.0, 1.0)


def test_first_times() -> None:
    times = FirstTimes()
    for time, name in enumerate("abacb"):
        times.add(name, time)
    assert times.times == [0, 1, 3]
    assert [times.since(time) for time in range(5)] == [3, 2, 1, 1, 0]
