import io
from pathlib import Path

from scenthound.app.export import export
from scenthound.app.library_status import read_status
from scenthound.app.search import search_library
from scenthound.export.exporter import ExportChoice
from scenthound.export.page_filter import PageFilter
from scenthound.library import open_library
from scenthound.library.label_figures import LabelTally
from scenthound.model import Label
from scenthound.protocols.records import SearchFilters
from scenthound.report.crawl_report import gather
from tests.library.collection import collect, stored, zoo


def test_it_is_read_without_disturbing_the_library(tmp_path: Path) -> None:
    status = read_status(zoo(tmp_path / "zoo"))
    assert (status.pages, status.waiting, status.failed, status.refused) == (7, 3, 1, 1)
    assert status.folder == str(tmp_path / "zoo")


def test_labels_and_judging_again(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert read_status(folder).judged_again is None
    with open_library(folder, clock=lambda: 5.0) as library:
        library.add_labels([Label("https://www.zoo.example/otters", False), Label("zoo.example", True, kind="site")])
        library.judge_again([("https://www.zoo.example/otters", 0.0, False)])
        library.note_judged_by("digest", "auto")
    status = read_status(folder)
    assert (status.labels.pages, status.labels.sites) == (LabelTally(0, 1), LabelTally(1, 0))
    assert status.judged_again is not None
    assert (status.judged_again.at, status.judged_again.judge) == (5.0, "auto")


def test_everybody_counts_the_same(tmp_path: Path) -> None:
    """Status, report, hosts, export and search, also after the pages were judged again."""
    urls = [f"http://{'ab'[n % 2]}.example/{n}" for n in range(8)]
    copies = [stored("http://c.example/", "otter 0 swims", relevance=0.9, duplicate_of=urls[0])]
    folder = collect(
        tmp_path, [*(stored(url, f"otter {n} swims", relevance=n / 8) for n, url in enumerate(urls)), *copies]
    )
    search_library(folder, ["otter"])
    with open_library(folder) as library:
        library.judge_again((url, 1 - n / 8, n < 3) for n, url in enumerate(urls))
    status, facts, stream = read_status(folder), gather(folder), io.BytesIO()
    assert export(folder, stream, ExportChoice(filter=PageFilter(relevant=True)), "urls").number == 3
    assert stream.getvalue().decode().split() == urls[:3]
    listed = sum(line.counts for line in facts.pages)
    assert (status.relevant, facts.counts.relevant, listed, len(status.best)) == (3, 3, 3, 3)
    assert sum(share.relevant for share in status.top_hosts) == sum(host.relevant for host in facts.hosts) == 3
    found = search_library(folder, ["otter"], SearchFilters(relevant=True))
    assert sorted(hit.url for hit in found.hits if hit.host != "c.example") == sorted(urls[:3])
    assert sum(counted for _, counted in facts.harvest) == 5, "the curve is of then"
