"""Site classifiers on trial, on a small generated web."""

from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.lab.sites.site_trials import (
    SiteWalker,
    generated_labelled_sites,
    homepages_of,
    read_labels,
    recorded_labelled_sites,
    try_sites,
)
from scenthound.model import Failed, Link, Response
from scenthound.sites.cross_validation import HOMEPAGE, CrossValidationSettings
from scenthound.text.idf import background

HTML = (("Content-Type", "text/html"),)


def moved(url: str, to: str) -> Response:
    return Response(url, 302, (("Location", to),))


def test_redirects_are_followed_and_each_page_is_read_once() -> None:
    web = {
        "http://a.test/": moved("http://a.test/", "/b"),
        "http://a.test/b": Response("http://a.test/b", 200, HTML, b'<p>words <a href="/c">c</a></p>'),
        "http://a.test/loop": moved("http://a.test/loop", "/loop"),
        "http://a.test/broken": moved("http://a.test/broken", "mailto:x"),
    }
    asked: list[str] = []

    def answer(link: Link) -> Response | Failed:
        asked.append(link.url)
        return web.get(link.url, Failed(link.url, "status", status=404))

    look = SiteWalker(answer)
    page = look(Link("http://a.test/"))
    assert page is not None
    assert page.url == "http://a.test/b"
    assert [link.url for link in page.links] == ["http://a.test/c"]
    assert page.text == ""
    assert look(Link("http://a.test/")) is page
    assert asked == ["http://a.test/", "http://a.test/b"]
    assert [look(Link(f"http://a.test/{path}")) for path in ("loop", "broken", "gone")] == [None, None, None]


def test_the_website_classifier_beats_the_homepage_on_a_generated_web() -> None:
    web = SiteWeb(7, 75, classes=3)
    look = SiteWalker(GeneratedFetcher(web).answer)
    settings = CrossValidationSettings(clusters=4, thresholds=(0.9,), site_pages=15, training_pages=10, folds=4)
    trial = try_sites("orchids", generated_labelled_sites(web, "orchids", look), settings, idf=background("en"))
    assert (trial.sites, trial.relevant) == (75, 15)
    assert set(trial.scores) == {HOMEPAGE, "0.9"}
    assert trial.scores["0.9"].f.mean > 0.7
    assert trial.gains["0.9"].mean > 0.1
    assert 1 < trial.scores["0.9"].pages.mean < 10
    assert trial.scores[HOMEPAGE].pages.mean == 1


def test_labelled_sites_of_a_recording(tmp_path: Path) -> None:
    table = tmp_path / "sites.tsv"
    table.write_text("host\tpages\tcategories\na.test\t3\tdatabase,big-data\nb.test\t2\t\nc.test\t0\tdatabase\n")
    labels = read_labels(table)
    assert labels == {"a.test": {"database", "big-data"}, "b.test": frozenset(), "c.test": {"database"}}
    homepages = homepages_of(
        ["http://b.test/", "http://a.test/x", "http://a.test/", "https://a.test/", "http://c.test/x"]
    )
    assert homepages == {"a.test": "https://a.test/", "b.test": "http://b.test/"}
    found = recorded_labelled_sites(labels, "database", homepages, SiteWalker(lambda link: Failed(link.url, "dns")))
    assert [(one.site, one.relevant) for one in found] == [("a.test", True), ("b.test", False)]


def test_a_table_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_labels(tmp_path / "none.tsv")
    (tmp_path / "odd.tsv").write_text("site\tkind\na\tb\n")
    with pytest.raises(ConfigError, match="has no column 'host'"):
        read_labels(tmp_path / "odd.tsv")
