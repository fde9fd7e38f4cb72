import json
import re
from pathlib import Path

import pytest

from scenthound.app.export import export
from scenthound.export.site import DAYS, ON_A_LIST
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
    assert "2023-11-14" in (site / "times.html").read_text()
    assert (site / "clusters.html").read_text().count("<li>") >= 1


def test_a_page_leads_to_the_others_of_its_site(site: Path) -> None:
    [page] = (file for file in (site / "pages").iterdir() if "otters" in file.read_text().partition("</h1>")[0])
    [of_site] = re.findall(r'href="(\.\./sites/[^"]+)"', page.read_text())
    assert "zoo.example" in (page.parent / of_site).read_text()


def test_a_long_list_goes_on_where_it_says(tmp_path: Path) -> None:
    many = [
        stored(f"http://a.example/{number}", "Otters", title=f"Page {number:03d}") for number in range(ON_A_LIST + 1)
    ]
    export(collect(tmp_path / "many", many), tmp_path / "public", form="site")
    [first] = (file for file in (tmp_path / "public" / "sites").iterdir() if not file.stem.endswith("-2"))
    [onward] = re.findall(r'rel="next" href="([^"]+)"', first.read_text())
    rest = (first.parent / onward).read_text()
    shown = re.findall(r">(Page \d+)</a>", first.read_text()) + re.findall(r">(Page \d+)</a>", rest)
    assert shown == [f"Page {number:03d}" for number in range(ON_A_LIST + 1)]
    assert re.findall(r'rel="prev" href="([^"]+)"', rest) == [first.name]


def test_a_collection_of_months_goes_by_months(tmp_path: Path) -> None:
    day = 86_400.0
    pages = [stored(f"http://a.example/{number}", "Otters", at=1.7e9 + number * day) for number in range(DAYS + 1)]
    export(collect(tmp_path / "long", pages), tmp_path / "public", form="site")
    assert re.findall(r">(\d{4}-[\d-]+)</a>", (tmp_path / "public" / "times.html").read_text()) == [
        "2024-01", "2023-12", "2023-11"
    ]  # fmt: skip


def test_a_page_that_names_a_wrong_language_names_no_group_by_stop_words(tmp_path: Path) -> None:
    text = (
        "The otters of this river are fond of crabs, and they have been seen with them in the reeds where the "
        "water is slow. What they eat is what there is: crabs in the morning, crabs at night, and some of the fish "
        "that swim by. If it were not for the crabs, there would be no otters here at all, as those who keep the "
        "river say to everyone that asks them."
    )
    body = f"<html lang=fi><title>Otters</title><p>{text}".encode()
    pages = [
        stored(f"http://a.example/{number}", text, title="Otters", body=body, language="fi") for number in range(3)
    ]
    export(collect(tmp_path / "false", pages), tmp_path / "public", form="site")
    [name] = re.findall(r'href="clusters/[^"]+">([^<]+)<', (tmp_path / "public" / "clusters.html").read_text())
    assert {"otters", "crabs"} < set(name.split(", "))
    assert not set(name.split(", ")) & {"the", "of", "and", "they", "there", "in"}


def test_the_search_knows_every_page(site: Path) -> None:
    data = (site / "search-data.js").read_text().removeprefix("const PAGES = ").rstrip(";\n")
    found = json.loads(data.replace("<\\/", "</"))
    assert len(found) == 7
    assert all((site / "pages" / f"{name}.html").is_file() for name, *_ in found)
    assert any("Otters swim" in text for *_, text in found)


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
    assert '<iframe sandbox title="archived copy" srcdoc=' in copy.read_text()
    assert "img-src data:" in copy.read_text()


def test_groups_of_like_content() -> None:
    pages = [{"otter": 5, "river": 3}, {"otter": 4, "fish": 2}, {"tax": 6, "income": 2}, {"tax": 3, "form": 3}] * 5
    found = clusters(pages)
    assert sorted(number for _, members in found for number in members) == list(range(20))
    for _, members in found:
        assert len({"tax" in pages[number] for number in members}) == 1
    assert {term for terms, _ in found for term in terms} <= {"otter", "river", "fish", "tax", "income", "form"}
    assert clusters([]) == []
    assert len(clusters([{}])) == 1


def test_groups_are_not_named_by_what_most_pages_say() -> None:
    pages = [{"zoo": 9, "otter": 5}, {"zoo": 9, "otter": 4}, {"zoo": 9, "tax": 6}, {"zoo": 9, "tax": 3}] * 5
    found = clusters(pages)
    assert len(found) > 1
    assert {terms[0] for terms, _ in found} <= {"otter", "tax"}


def test_groups_are_named_by_words_as_they_are_written(tmp_path: Path) -> None:
    texts = ["Libraries of otters swimming", "Libraries of otters"] * 3 + ["Taxes and incomes declared"] * 6
    many = [stored(f"http://a.example/{number}", text) for number, text in enumerate(texts)]
    export(collect(tmp_path / "named", many), tmp_path / "public", form="site")
    shown = (tmp_path / "public" / "clusters.html").read_text()
    assert "libraries" in shown
    assert "librari," not in shown
