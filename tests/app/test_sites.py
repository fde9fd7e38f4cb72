"""A search for websites as a second face would run it."""

from pathlib import Path

import pytest

from scenthound.app import site_demo
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.events import Event, Learned, Stopped, Visited
from scenthound.app.site_table import plain_site
from scenthound.app.sites import SiteOptions, SiteSearch, listed_sites, plan_sites
from scenthound.errors import UsageError
from scenthound.lab.generated.sites import SiteWeb

WEB = SiteWeb(seed=5, sites=60, classes=4)


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(site_demo, "web", lambda: WEB)
    monkeypatch.setattr(site_demo, "BUDGET", 40)
    monkeypatch.setattr(site_demo, "DELAY", 0.0)


async def test_from_plan_to_list() -> None:
    heard: list[Event] = []
    plan = plan_sites(None, CrawlOptions(into=Path("d")), SiteOptions(), demo=True)
    async with SiteSearch(plan, [heard.append]) as search:
        assert not search.must_learn()
        outcome = await search.crawl().run()
        rows = search.found()
        more = await search.collect(rows, 5).run()
    assert outcome.summary.pages == 40
    assert more.summary.new_pages <= 5
    assert sum(isinstance(event, Visited) for event in heard) == 40 + more.summary.new_pages
    assert sum(isinstance(event, Stopped) for event in heard) == 2
    assert rows
    assert {row.site for row in rows} <= {row.site for row in listed_sites(Path("d"), everything=True)}
    assert plain_site(rows[0])["site"] == rows[0].site
    truth = site_demo.measure(plan.config, [row.site for row in rows])
    assert 0 < truth.right <= min(truth.sites, truth.listed)
    assert truth.listed == len(rows)


def training_sites(topic: str) -> SiteOptions:
    good = [site.homepage for site in WEB.sites if site.key in set(WEB.relevant(topic))][:4]
    bad = [site.homepage for site in WEB.sites if site.key not in set(WEB.relevant(topic))][:4]
    Path("good.txt").write_text("\n".join(good))
    Path("bad.txt").write_text("\n".join(bad))
    return SiteOptions(relevant=Path("good.txt"), other=Path("bad.txt"))


async def test_training_sites_are_learned_once() -> None:
    topic, heard = WEB.classes[0], list[Event]()
    lists = training_sites(topic)
    plan = plan_sites(topic, CrawlOptions(into=Path("d"), pages=5), lists, demo=True)
    async with SiteSearch(plan, [heard.append]) as search:
        assert search.must_learn()
        search.teach(await search.gather())
        await search.crawl().run()
    assert [event.what for event in heard if isinstance(event, Learned)] == ["sites"]
    async with SiteSearch(plan) as again:
        assert not again.must_learn()
        assert again.classifier is not None


def test_mistakes() -> None:
    with pytest.raises(UsageError, match="Say what to look for"):
        plan_sites(None, CrawlOptions(), SiteOptions())
    with pytest.raises(UsageError, match="It takes both"):
        plan_sites(None, CrawlOptions(), SiteOptions(relevant=Path("good.txt")), demo=True)
