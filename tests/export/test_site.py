import json
import re
from pathlib import Path

import pytest

from scenthound.app.export import export
from scenthound.export.site_clusters import clusters
from tests.library.collection import collect, stored, zoo


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    export(zoo(folder / "zoo"), folder / "public", form="site")
    return folder / "public"


def test_every_link_inside_leads_somewhere(site: Path) -> None:
    files = list(site.rglob("*.html"))
    assert files
    for file in files:
        for target in re.findall(r'(?:href|src)="([^":]+)"', file.read_text().partition("<iframe")[0]):
            assert (file.parent / target).resolve().is_file(), f"{target} in {file}"


def test_pages_by_site_time_and_content(site: Path) -> None:
    sites = (site / "sites.html").read_text()
    assert "zoo.example" in sites
    assert "birds.example" in sites
    assert "2023-11" in (site / "months.html").read_text()
    assert (site / "clusters.html").read_text().count("<li>") >= 1


def test_the_search_knows_every_page(site: Path) -> None:
    data = (site / "search-data.js").read_text().removeprefix("const PAGES = ").rstrip(";\n")
    found = json.loads(data.replace("<\\/", "</"))
    assert len(found) == 7
    assert all((site / "pages" / f"{name}.html").is_file() for name, _, _ in found)
    assert any("otters swim" in text for _, _, text in found)


def test_nothing_of_a_page_runs_or_is_loaded(tmp_path: Path) -> None:
    bad = (
        b'<title></title><script>alert(1)</script></title><p onclick="x()">Otters <img src=http://track.example/p.gif>'
    )
    title = '</title><script>alert("t")</script>'
    folder = collect(tmp_path / "bad", [stored("http://a.example/", "Otters", title=title, body=bad)])
    export(folder, tmp_path / "public", form="site")
    for file in (tmp_path / "public").rglob("*"):
        if not file.is_file():
            continue
        text = file.read_text()
        if file.suffix == ".html":
            assert "Content-Security-Policy" in text
            outside = re.sub(r'srcdoc="[^"]*"', "", text)
            assert "<script>alert" not in outside
            assert "track.example" not in outside
        else:
            assert "</script>" not in text
    [copy] = (tmp_path / "public" / "copies").iterdir()
    assert "<iframe sandbox srcdoc=" in copy.read_text()
    assert "img-src data:" in copy.read_text()


def test_groups_of_like_content() -> None:
    pages = [{"otter": 5, "river": 3}, {"otter": 4, "fish": 2}, {"tax": 6, "income": 2}, {"tax": 3, "form": 3}] * 5
    found = clusters(pages)
    assert sorted(number for _, members in found for number in members) == list(range(20))
    for _, members in found:
        assert len({"tax" in pages[number] for number in members}) == 1
    assert clusters([]) == []
    assert len(clusters([{}])) == 1
