"""Training sites: walked politely through the engine, 25 pages each, and gone on with after a stop."""

from pathlib import Path

import pytest

from scenthound.config import Config, from_dict
from scenthound.errors import ConfigError, ModelError
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.library import open_library
from scenthound.model import Link, Page, Response
from scenthound.sites.definition import site_of
from scenthound.sites.training import FOLDER, SiteTraining, TrainingSite, gather, named_sites, teach
from tests.small_web import ScriptedFetcher, answer, page


def settings(relevant: list[str], other: list[str], **more: object) -> Config:
    return from_dict(
        {
            "topic": {"name": "orchids"},
            "crawl": {"parsers": 0},
            "sites": {"relevant": relevant, "other": other, **more},
            "politeness": {"delay": 0.0, "robots": False},
        }
    )


def silent(page: Page) -> float:
    return 0.0


class Counting(GeneratedFetcher):
    """Notes what is asked for."""

    asked: list[str]

    async def __call__(self, link: Link) -> Response:  # type: ignore[override]
        self.asked.append(link.url)
        return await super().__call__(link)  # type: ignore[return-value]


def counting(web: SiteWeb) -> Counting:
    fetcher = Counting(web)
    fetcher.asked = []
    return fetcher


def chosen(web: SiteWeb, n: int = 4) -> Config:
    relevant = set(web.relevant("orchids"))
    front = {side: [site.homepage for site in web.sites if (site.key in relevant) is side] for side in (True, False)}
    return settings(front[True][:n], front[False][:n])


async def test_sites_are_walked_and_a_classifier_learns_from_them(tmp_path: Path) -> None:
    web = SiteWeb(3, 60, classes=3)
    config, fetcher = chosen(web), counting(web)
    training = await gather(config, tmp_path, lambda library: silent, fetcher=fetcher, pages=10)
    assert (len(training.of_kind(True)), len(training.of_kind(False)), training.missing) == (4, 4, ())
    for pages in (site.pages for site in training.sites):
        assert 2 <= len(pages) <= 10
        assert len({site_of(page.url) for page in pages}) == 1
        assert pages[0].url.endswith(".test/")
    assert {site_of(url) for url in fetcher.asked} == {site_of(url) for url in named_sites(config)}
    with open_library(tmp_path / FOLDER, write=False) as library:
        kinds = {page.host: page.relevant for page in library.pages()}
    assert sum(kinds.values()) == 4
    taught = teach(training, config, {"x.test": True}, clusters=4)
    assert 0 < taught.classifier.p_err <= 0.5
    assert taught.labels == {"x.test": True}
    assert taught.check is not None
    assert (taught.check.sites, taught.check.by_topic, taught.check.by_chance) == (8, 4, 4)  # a silent judge knows none


async def test_what_is_there_is_not_asked_for_again(tmp_path: Path) -> None:
    web = SiteWeb(3, 60, classes=3)
    config = chosen(web, 2)
    first = await gather(config, tmp_path, lambda library: silent, fetcher=counting(web), pages=5)
    again = counting(web)
    assert await gather(config, tmp_path, lambda library: silent, fetcher=again, pages=5) == first
    assert again.asked == []


async def test_a_site_that_has_moved_is_walked_where_it_is(tmp_path: Path) -> None:
    moved = {
        "http://old.test/": answer("http://old.test/", status=301, location="http://www.new.test/"),
        "http://www.new.test/": page("http://www.new.test/a", "http://third.test/", text="orchid"),
        "http://www.new.test/a": page(text="petal"),
        "http://rail.test/": page("http://www.new.test/b", text="engine"),
    }
    config = settings(["http://old.test/"], ["http://rail.test/"])
    for _ in range(2):  # and so it is after a restart
        fetcher = ScriptedFetcher(moved)
        training = await gather(config, tmp_path, lambda library: silent, fetcher=fetcher)
        good, bad = training.sites
        assert [page.url for page in good.pages] == ["http://www.new.test/", "http://www.new.test/a"]
        assert "http://third.test/" not in fetcher.asked
        assert "engin" in bad.pages[0].terms


async def test_folders_on_a_shared_host_are_limited_each(tmp_path: Path) -> None:
    script = {
        f"http://h.test/~{name}/": page(*(f"http://h.test/~{name}/{n}" for n in range(5)), text=f"{name} words")
        for name in ("jo", "amy")
    } | {f"http://h.test/~{name}/{n}": page(text=f"{name} {n}") for name in ("jo", "amy") for n in range(5)}
    config = settings(["http://h.test/~jo/"], ["http://h.test/~amy/"], kind="folder")
    training = await gather(config, tmp_path, lambda library: silent, fetcher=ScriptedFetcher(script), pages=3)
    assert [len(site.pages) for site in training.sites] == [3, 3]


async def test_sites_that_do_not_answer_are_named(tmp_path: Path) -> None:
    script = {"http://a.test/": page(text="orchid bloom"), "http://b.test/": page(text="engine steam")}
    config = settings(["http://a.test/", "http://gone.test/"], ["http://b.test/"])
    training = await gather(config, tmp_path, lambda library: lambda page: 0.25, fetcher=ScriptedFetcher(script))
    assert training.missing == ("http://gone.test/",)
    assert [site.relevances for site in training.sites] == [(0.25,), (0.25,)]


def test_both_kinds_are_needed_and_no_site_is_both() -> None:
    with pytest.raises(ConfigError, match="takes both kinds"):
        named_sites(settings(["http://a.test/"], []))
    with pytest.raises(ConfigError, match=r"a\.test is named both"):
        named_sites(settings(["http://a.test/"], ["http://a.test/x"]))


def test_nothing_to_learn_from() -> None:
    config, site = settings(["http://a.test/"], ["http://b.test/"]), TrainingSite("a.test", True, (), ())
    with pytest.raises(ModelError, match="None of the relevant training sites gave pages, and it takes 2"):
        teach(SiteTraining(sites=()), config)
    with pytest.raises(ModelError, match="1 of the relevant training sites gave pages"):
        teach(SiteTraining(sites=(site,)), config)
