from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.library import open_library
from scenthound.model import Label
from scenthound.sites.site_list import found_sites, report_lines, write_sites_report
from scenthound.sites.site_runs import settings_of
from scenthound.sites.taught import TaughtSites
from tests.sites.small_sites import SaysItself, crawl, said, settings
from tests.small_web import crawl_of, page

WEB = {
    "http://a.test/": said(0.9, "http://a.test/1", "The b=http://b.test/deep", "http://c.test/"),
    "http://a.test/1": said(0.7),
    "http://b.test/": said(0.95, "http://d.test/", words="bee"),
    "http://c.test/": said(0.05, words="sea"),
    "http://d.test/": said(0.6, words="dee"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("scenthound.sites.model_file.load", lambda folder: TaughtSites(SaysItself()))
    crawl(tmp_path, WEB, settings("http://a.test/", p_threshold=0.8))
    return tmp_path


def test_relevant_sites_best_first(folder: Path) -> None:
    rows = found_sites(folder)
    assert rows is not None
    assert [row.site for row in rows] == ["b.test", "a.test", "d.test"]
    assert [row.decided for row in rows] == [True, True, False]
    assert all(row.relevant for row in rows)


def test_a_line_tells_how_the_site_was_found_and_what_speaks_for_it(folder: Path) -> None:
    rows = {row.site: row for row in found_sites(folder) or []}
    found = rows["b.test"]
    assert (found.homepage, found.found_on, found.anchor) == ("http://b.test/", "http://a.test/", "The b")
    assert (rows["a.test"].way, found.way, rows["d.test"].way) == ([], ["a.test"], ["a.test", "b.test"])
    assert [strong.confidence for strong in rows["a.test"].strongest] == [0.9, 0.7]
    assert rows["a.test"].found_on == ""


def test_the_list_is_what_the_crawl_knew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.sites.model_file.load", lambda folder: TaughtSites(SaysItself()))
    done = crawl(tmp_path, WEB, settings("http://a.test/", p_threshold=0.8))
    for row in found_sites(tmp_path, everything=True) or []:
        site = done.sites.sites[row.site]
        assert row.confidence == pytest.approx(site.probability, abs=1e-4)
        assert (row.relevant, row.pages) == (site.relevant, len(site.pages))


def test_all_sites_on_request(folder: Path) -> None:
    assert [row.site for row in found_sites(folder, everything=True) or []][-1] == "c.test"


def test_a_crawl_for_pages_has_no_such_list(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {"http://a.test/": page()}):
        pass
    assert found_sites(tmp_path) is None
    with open_library(tmp_path, write=False) as library:
        assert settings_of(library) is None


def test_the_report_shows_the_list(folder: Path) -> None:
    from scenthound.report.crawl_report import write_report

    html = write_report(folder, sites=report_lines(found_sites(folder) or [])).read_text()
    assert "relevant sites</h2>" in html
    assert "b.test" in html
    assert "relevant sites</h2>" not in write_report(folder).read_text()


def test_the_report_says_what_labels_were_good_for(folder: Path) -> None:
    rows = found_sites(folder) or []
    labelled = [replace(rows[0], label=True, check="What labelled sites teach is not used."), *rows[1:]]
    html = write_sites_report(folder, labelled).read_text()
    assert "What labelled sites teach is not used." in html
    assert html.count(">labelled<") == 1


def test_labelled_sites_stand_at_the_ends(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        library.add_labels([Label("d.test", True, kind="site"), Label("b.test", False, kind="site")])
    rows = found_sites(folder, everything=True) or []
    assert [(row.site, row.label) for row in (rows[0], rows[-1])] == [("d.test", True), ("b.test", False)]
    assert [row.by for row in rows].count("label") == 2
