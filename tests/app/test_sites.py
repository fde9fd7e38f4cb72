"""A search for websites as a second face would run it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app import site_demo
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.events import Event, Learned, Stopped, Visited
from scenthound.app.judge import JudgeSession
from scenthound.app.site_table import plain_site
from scenthound.app.sites import SiteOptions, SiteSearch, listed_sites, plan_sites
from scenthound.config import Config
from scenthound.errors import ConfigError, UsageError
from scenthound.lab.generated.sites import SiteWeb
from scenthound.library.label_file import LabelFile
from scenthound.model import Label
from scenthound.sites.evidence import ClassifierEvidence

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


async def test_a_list_made_in_a_folder_that_is_there_leaves_its_strategy_alone() -> None:
    """`judge`, `label` and `crawl` build the strategy that topic.toml names."""
    async with SiteSearch(plan_sites(None, CrawlOptions(into=Path("d")), SiteOptions(), demo=True)) as search:
        await search.crawl().run()
    async with SiteSearch(plan_sites("d", CrawlOptions(pages=45), SiteOptions())) as search:
        outcome = await search.crawl().run()
    assert outcome.summary.pages == 45
    settings = toml.load(Path("d/topic.toml"))
    assert (settings.crawl.pages, settings.crawl.strategy) == (45, Config().crawl.strategy)
    assert (await JudgeSession(Path("d")).run()).judged.pages == 45
    assert listed_sites(Path("d"))


def training_sites(topic: str) -> SiteOptions:
    good = [site.homepage for site in WEB.sites if site.key in set(WEB.relevant(topic))][:4]
    bad = [site.homepage for site in WEB.sites if site.key not in set(WEB.relevant(topic))][:4]
    Path("good.txt").write_text("\n".join(good))
    Path("bad.txt").write_text("\n".join(bad))
    return SiteOptions(relevant=Path("good.txt"), other=Path("bad.txt"))


def directory_of(categories: dict[str, str]) -> Path:
    """The sites of some lists, each list in a category, as a directory of the web has them."""
    pages = "".join(
        f'<ExternalPage about="{homepage}"><topic>Top/{category}</topic></ExternalPage>'
        for path, category in categories.items()
        for homepage in Path(path).read_text().split()
    )
    dump = Path("dump.rdf")
    dump.write_text(f'<RDF xmlns="http://dmoz.org/rdf/">{pages}</RDF>')
    return dump


async def test_training_sites_are_learned_once() -> None:
    topic, heard = WEB.classes[0], list[Event]()
    lists = training_sites(topic)
    plan = plan_sites(topic, CrawlOptions(into=Path("d"), pages=5), lists, demo=True)
    async with SiteSearch(plan, [heard.append]) as search:
        assert search.must_learn()
        search.teach(await search.gather())
        await search.crawl().run()
        assert [event.what for event in heard if isinstance(event, Learned)] == ["sites"]
        asked = sum(isinstance(event, Visited) for event in heard)
        search.teach(await search.gather())  # now that there is a result to be better than
        assert not search.too_early
        assert sum(isinstance(event, Visited) for event in heard) == asked
    async with SiteSearch(plan) as again:
        assert not again.must_learn()
        assert again.taught is not None
        assert again.labels == again.taught.labels


async def test_as_published_training_sites_speak_alone_and_have_to_be_there() -> None:
    topic = WEB.classes[0]
    alone = plan_sites(topic, CrawlOptions(into=Path("e"), pages=5), SiteOptions(published=True), demo=True)
    async with SiteSearch(alone) as search:
        with pytest.raises(ConfigError, match=r"published = true under \[sites\].*--relevant-sites"):
            search.must_learn()
    lists = replace(training_sites(topic), published=True)
    plan = plan_sites(topic, CrawlOptions(into=Path("d"), pages=20), lists, demo=True)
    async with SiteSearch(plan) as search:
        assert search.must_learn()
        taught = search.teach(await search.gather())
        assert (taught.check, taught.classifier.bias) == (None, 0.0)
        await search.crawl().run()
        crawl = search.site_crawl()
        assert crawl is not None
        assert isinstance(crawl.evidence, ClassifierEvidence)
        assert not search.must_learn()
    assert listed_sites(Path("d"), everything=True)


async def test_training_sites_from_a_subtree_of_a_directory_and_an_end_at_enough() -> None:
    """Ester 5.2 and 3.3, as one would ask for both."""
    topic = WEB.classes[0]
    lists = training_sites(topic)
    dump = directory_of({"good.txt": "Shopping/Plants/Orchids", "bad.txt": "Business"})
    subtree = SiteOptions(directory=dump, category="Shopping/Plants", published=True, enough=2)
    plan = plan_sites(topic, CrawlOptions(into=Path("d"), pages=400), subtree, demo=True)
    told, listed = plan.config.sites, lists.apply(plan.config.sites)
    assert (set(told.relevant), set(told.other)) == (set(listed.relevant), set(listed.other))
    async with SiteSearch(plan) as search:
        search.teach(await search.gather())
        outcome = await search.crawl().run()
    assert outcome.summary.pages < 400
    assert len([row for row in listed_sites(Path("d")) if row.decided]) >= 2
    with pytest.raises(UsageError, match="choose one of them"):
        plan_sites(topic, CrawlOptions(into=Path("e")), replace(subtree, relevant=lists.relevant, other=lists.other))


async def test_labels_on_a_result_that_is_there_do_not_take_sites_away() -> None:
    """Stored pages hold what the topic's judge said: read as the classifier's word, they spoke against every site."""
    topic = WEB.classes[0]
    async with SiteSearch(plan_sites(topic, CrawlOptions(into=Path("d")), SiteOptions(), demo=True)) as search:
        await search.crawl().run()
    before = {row.site for row in listed_sites(Path("d"))}
    lists = training_sites(topic)
    async with SiteSearch(plan_sites("d", CrawlOptions(), lists)) as search:
        assert search.must_learn()
        said = search.labels
        taught = search.teach(await search.gather())
        await search.crawl().run()
    truth = set(WEB.relevant(topic))
    after = {row.site for row in listed_sites(Path("d"))}
    assert before & truth
    assert after & truth >= before & truth
    assert len(after - truth) <= len(before - truth)
    rows = {row.site: row for row in listed_sites(Path("d"), everything=True)}
    assert all(row.label is said[site] for site, row in rows.items() if row.label is not None)
    assert {row.check for row in rows.values()} == {str(taught.check)}


async def test_a_label_wins_over_any_score_and_can_be_taken_back() -> None:
    async with SiteSearch(plan_sites(None, CrawlOptions(into=Path("d")), SiteOptions(), demo=True)) as search:
        await search.crawl().run()
    rows = listed_sites(Path("d"), everything=True)
    best, worst = rows[0].site, rows[-1].site
    store = LabelFile(Path("d"))
    store.add_labels([Label(best, False, kind="site"), Label(worst, True, kind="site")])
    labelled = listed_sites(Path("d"), everything=True)
    assert [(row.site, row.label, row.confidence, row.by) for row in (labelled[0], labelled[-1])] == [
        (worst, True, 1.0, "label"),
        (best, False, 0.0, "label"),
    ]
    assert best not in {row.site for row in listed_sites(Path("d"))}
    async with SiteSearch(plan_sites("d", CrawlOptions(), SiteOptions())) as search:
        assert search.labels == {best: False, worst: True}
        assert not search.must_learn()  # one of a kind cannot be held back
    store.add_labels([Label(best, None, kind="site"), Label(worst, None, kind="site")])
    assert listed_sites(Path("d"), everything=True) == rows


def test_mistakes() -> None:
    with pytest.raises(UsageError, match="Say what to look for"):
        plan_sites(None, CrawlOptions(), SiteOptions())
    with pytest.raises(UsageError, match="It takes both"):
        plan_sites(None, CrawlOptions(), SiteOptions(relevant=Path("good.txt")), demo=True)
