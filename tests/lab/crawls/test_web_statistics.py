from pathlib import Path

import pytest

from scenthound.lab.crawls import web_statistics as surveys
from scenthound.lab.crawls.web_statistics import WebStatistics, web_statistics
from scenthound.lab.webs import WebSpec, recorded
from tests.lab.small import HOME, page, write_web

PAGES = {
    HOME: page("hound hound", "/one", "/alias", "/gone"),
    f"{HOME}one": page("hound and fox", "/two"),
    f"{HOME}two": page("fox", "/"),
}


@pytest.fixture
def spec(tmp_path: Path) -> WebSpec:
    return recorded([write_web(tmp_path / "web.warc", PAGES, {f"{HOME}alias": f"{HOME}two"})])


def edges(found: WebStatistics) -> set[tuple[str, str]]:
    pairs = zip(found.sources.tolist(), found.targets.tolist(), strict=True)
    return {(found.pages[source], found.pages[target]) for source, target in pairs}


def test_it_counts_terms_and_knows_who_links_to_whom(spec: WebSpec) -> None:
    found = web_statistics(spec)
    assert set(found.pages) == {*PAGES, f"{HOME}alias"}
    assert found.counts.documents == 3
    assert (found.counts.counts["hound"], found.counts.counts["fox"]) == (2, 2)
    assert (HOME, f"{HOME}one") in edges(found)
    assert (f"{HOME}alias", f"{HOME}two") in edges(found)
    assert not any("gone" in target for _, target in edges(found))


def test_distances_are_counted_against_the_links(spec: WebSpec) -> None:
    found = web_statistics(spec)
    away = dict(zip(found.pages, found.distances([f"{HOME}two"]).tolist(), strict=True))
    assert away == {HOME: 2, f"{HOME}one": 1, f"{HOME}two": 0, f"{HOME}alias": 1}


def test_several_readers_find_the_same(spec: WebSpec) -> None:
    together = surveys._joined(surveys._read_together(spec, "en", 2, lambda done: None), _opened(spec))
    alone = web_statistics(spec)
    assert edges(together) == edges(alone)
    assert together.counts.counts == alone.counts.counts


def test_a_web_is_read_once(spec: WebSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    first = web_statistics(spec)
    monkeypatch.setattr(surveys, "read", lambda *_, **__: pytest.fail("read again"))
    again = web_statistics(spec)
    assert (again.pages, again.counts.counts) == (first.pages, first.counts.counts)


def test_a_damaged_cache_is_made_anew(spec: WebSpec, cache_of_its_own: Path) -> None:
    before = web_statistics(spec)
    for kept in (cache_of_its_own / "scenthound" / "surveys").glob("*.npz"):
        kept.write_bytes(kept.read_bytes()[:100])
    assert web_statistics(spec).pages == before.pages


def test_an_address_that_only_a_link_names_is_followed_once() -> None:
    """Generated webs list their pages only; links to old addresses of pages lead to them all the same."""
    found = web_statistics(WebSpec(generated=300))
    assert len(found.pages) == 300
    assert len(found.sources) > 1000


def _opened(spec: WebSpec) -> surveys.Web:
    from scenthound.lab.webs import open_web

    return open_web(spec)
