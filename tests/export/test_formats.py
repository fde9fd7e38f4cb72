"""What single formats promise beyond what all of them do: see test_conformance."""

import io
import json
import zipfile
from pathlib import Path

import networkx
import pytest

from scenthound.app.export import export
from scenthound.errors import UsageError
from scenthound.export.exporter import ChosenPages, ExportChoice
from scenthound.export.page_filter import PageFilter
from scenthound.export.waiting import WaitingExport
from scenthound.fetch.recording import Recording
from scenthound.model import Link
from tests.conformance.exporters import shelf
from tests.library.collection import collect, stored, zoo


def test_a_folder_of_markdown(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert export(folder, tmp_path / "notes", form="markdown").number == 7
    [otters] = (tmp_path / "notes" / "www.zoo.example").glob("otters-*.md")
    head, _, text = otters.read_text().removeprefix("---\n").partition("---\n")
    assert 'url: "https://www.zoo.example/otters"\n' in head
    assert "relevance: 0.9\n" in head
    assert text.startswith("\nOtters swim")
    with pytest.raises(UsageError, match="is there already"):
        export(folder, tmp_path / "notes", form="markdown")


def test_the_relevant_part_as_a_web_to_crawl(tmp_path: Path) -> None:
    choice = ExportChoice(filter=PageFilter(relevant=True))
    written = export(zoo(tmp_path / "zoo"), tmp_path / "zoo.warc.gz", choice)
    assert str(written) == "4 pages (1 more left out, as no answer of them is stored)"
    recording = Recording([tmp_path / "zoo.warc.gz"], tmp_path / "index")
    assert "https://www.zoo.example/otters" in list(recording.urls())
    assert len(recording) == 4, "one asked not to be kept"


def test_what_a_web_archive_has_no_answer_of_is_said(tmp_path: Path) -> None:
    written = export(zoo(tmp_path / "zoo"), tmp_path / "zoo.wacz")
    with zipfile.ZipFile(tmp_path / "zoo.wacz") as archive:
        listed = archive.read("pages/pages.jsonl").splitlines()[1:]
    assert (written.number, written.left_out) == (len(listed), 7 - len(listed)) == (6, 1)


def test_a_name_with_an_ending_is_a_folder_all_the_same(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    export(folder, tmp_path / "notes.2026", form="markdown")
    assert list((tmp_path / "notes.2026").rglob("*.md"))
    export(folder, tmp_path / "notes.ZIP", form="markdown")
    assert zipfile.is_zipfile(tmp_path / "notes.ZIP")


def test_the_same_body_is_written_once(tmp_path: Path) -> None:
    body = b"<p>" + bytes(range(32, 127)) * 100
    steps = [stored(f"http://a.example/{n}", "x", body=body, at=1000.0 + n) for n in range(3)]
    export(collect(tmp_path / "same", steps), tmp_path / "same.warc.gz")
    recording = Recording([tmp_path / "same.warc.gz"], tmp_path / "index")
    assert sorted(recording.urls()) == [f"http://a.example/{n}" for n in range(3)]
    assert (tmp_path / "same.warc.gz").read_bytes().count(b"\x1f\x8b\x08") == 4


def test_the_graph_of_links(tmp_path: Path) -> None:
    home, other = "http://a.example/", "http://a.example/b"
    links = (Link(other, home, "to <b> & \x01on"), Link("http://elsewhere.example/", home))
    steps = [stored(home, "Home", title="Home", links=links), stored(other, "Other", title="B")]
    export(collect(tmp_path / "graph", steps), tmp_path / "web.graphml")
    graph = networkx.read_graphml(tmp_path / "web.graphml")
    assert [data["title"] for _, data in graph.nodes(data=True)] == ["Home", "B"]
    assert [(start, end, data["anchor"]) for start, end, data in graph.edges(data=True)] == [
        ("n0", "n1", "to <b> &  on")
    ]


def test_links_that_wait() -> None:
    stream = io.BytesIO()
    pages = ChosenPages(shelf(3))
    WaitingExport().write(pages, stream)
    head, first, second = stream.getvalue().decode().splitlines()
    assert head.startswith("url,priority,host,depth,source,anchor")
    assert first.startswith("https://host0.example/waits/0,0.9,host0.example,0,,'=1+1,a")
    assert second.startswith("https://host0.example/waits/1,0.8")
    assert pages.taken == 2


def test_links_are_not_told_as_pages(tmp_path: Path) -> None:
    steps = [stored("http://a.example/", "Home", links=(Link("http://a.example/next", "http://a.example/"),))]
    written = export(collect(tmp_path / "zoo", steps), tmp_path / "queue.waiting")
    lines = (tmp_path / "queue.waiting").read_text().splitlines()
    assert str(written) == f"{len(lines) - 1} link{'' if len(lines) == 2 else 's'}"


def test_pieces_for_retrieval_keep_their_ids(tmp_path: Path) -> None:
    body = "<h1>Otters</h1><p>They swim.</p><h2>Food</h2><p>Fish and crabs.</p>"
    more = "<p>What was added at the top of the page, later on.</p>"

    def pieces(name: str, html: str) -> list[dict[str, object]]:
        folder = collect(tmp_path / name, [stored("http://a.example/", "", title="O", body=html.encode())])
        stream = io.BytesIO()
        export(folder, stream, form="chunks")
        return [json.loads(line) for line in stream.getvalue().splitlines()]

    first, second = pieces("first", body), pieces("second", more + body)
    assert [piece["headings"] for piece in first] == [["Otters"], ["Otters", "Food"]]
    assert [piece["chunk"] for piece in first] == ["They swim.", "Fish and crabs."]
    assert first[0]["title"] == "O"
    assert [piece["id"] for piece in second[1:]] == [piece["id"] for piece in first]
