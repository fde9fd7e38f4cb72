import json
import zipfile
from pathlib import Path

import pytest

from scenthound.errors import RecordingError
from scenthound.fetch.replay import ReplayFetcher
from scenthound.library.warc_output import WarcOutput
from scenthound.model import Failed, Link, Response

PAGE = b"<title>Otters</title><p>Otters swim."


def replayed(source: Path, cache: Path, dated: bool = True) -> dict[str, Response | Failed]:
    fetcher = ReplayFetcher([source], index_folder=cache, dated=dated)
    found = {url: fetcher.answer(Link(url)) for url in fetcher.urls()}
    fetcher.close_files()
    return found


def warc_bytes(tmp_path: Path, *pages: str) -> bytes:
    path = tmp_path / "made.warc.gz"
    with path.open("wb") as stream:
        output = WarcOutput(stream, "made.warc.gz", 0.0)
        for page in pages:
            output.add(Response(page, 200, (("Content-Type", "text/html"),), PAGE + page.encode(), 1_500_000_000.0))
    return path.read_bytes()


def test_a_wacz_file(tmp_path: Path) -> None:
    source = tmp_path / "x.wacz"
    with zipfile.ZipFile(source, "w") as container:
        container.writestr("archive/a.warc.gz", warc_bytes(tmp_path, "http://a.example/"))
        container.writestr("archive/b.warc.gz", warc_bytes(tmp_path, "http://b.example/"))
        container.writestr("datapackage.json", "{}")
    found = replayed(source, tmp_path / "cache")
    assert list(found) == ["http://a.example/", "http://b.example/"]
    answer = found["http://a.example/"]
    assert isinstance(answer, Response)
    assert (answer.body, answer.at) == (PAGE + b"http://a.example/", 1_500_000_000.0)


def test_names_in_a_wacz_file_are_nobodys_paths(tmp_path: Path) -> None:
    source, inside = tmp_path / "slip.wacz", warc_bytes(tmp_path, "http://a.example/")
    with zipfile.ZipFile(source, "w") as container:
        container.writestr("archive/../../../escaped.warc.gz", inside)
        container.writestr("archive//etc/absolute.warc.gz", inside)
        container.writestr("../outside.warc.gz", inside)
    before = set(tmp_path.rglob("*"))
    assert list(replayed(source, tmp_path / "deep" / "cache")) == ["http://a.example/"]
    new = {path for path in set(tmp_path.rglob("*")) - before if path.is_file()}
    assert all(path.parent == tmp_path / "deep" / "cache" for path in new)
    assert not list(tmp_path.rglob("*escaped*")) + list(tmp_path.rglob("*absolute*"))


def test_a_wacz_file_that_unpacks_to_far_more_than_it_is(tmp_path: Path) -> None:
    source = tmp_path / "bomb.wacz"
    with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr("archive/a.warc", bytes(30_000_000))
    with pytest.raises(RecordingError, match="far more than"):
        replayed(source, tmp_path / "cache")


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04" + bytes(50)])
def test_what_is_no_wacz_file_is_said(data: bytes, tmp_path: Path) -> None:
    source = tmp_path / "x.wacz"
    source.write_bytes(data)
    with pytest.raises(RecordingError, match="no WACZ file"):
        replayed(source, tmp_path / "cache")


def test_a_wacz_file_without_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.wacz", "w") as container:
        container.writestr("pages/pages.jsonl", "")
    with pytest.raises(RecordingError, match="no WARC file under archive/"):
        replayed(tmp_path / "x.wacz", tmp_path / "cache")


def test_a_mirror_of_hosts_and_a_folder_of_pages(tmp_path: Path) -> None:
    for name in ("mirror/www.zoo.example/otters/index.html", "mirror/b.example/a b.htm", "My Notes/x.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAGE)
    (tmp_path / "mirror" / "b.example" / "c.txt").write_bytes(b"no page")
    assert list(replayed(tmp_path / "mirror", tmp_path / "cache")) == [
        "http://b.example/a%20b.htm",
        "http://www.zoo.example/otters/",
    ]
    assert list(replayed(tmp_path / "My Notes", tmp_path / "cache")) == ["http://my-notes.invalid/x.html"]


def test_a_folder_is_read_again_when_it_has_changed_and_no_link_leads_out(tmp_path: Path) -> None:
    folder, secret = tmp_path / "pages", tmp_path / "secret.html"
    folder.mkdir()
    secret.write_bytes(b"<p>secret")
    (folder / "a.html").write_bytes(PAGE)
    (folder / "b.html").symlink_to(secret)
    assert list(replayed(folder, tmp_path / "cache")) == ["http://pages.invalid/a.html"]
    (folder / "c.html").write_bytes(PAGE + b"c")
    assert len(replayed(folder, tmp_path / "cache")) == 2
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordingError, match="no HTML file"):
        replayed(tmp_path / "empty", tmp_path / "cache")


def test_json_lines_of_a_spider(tmp_path: Path) -> None:
    items: list[object] = [
        {"url": "http://a.example/", "body": "<p>Otter – ö"},
        {"url": "http://b.example/", "html": "<p>x", "status": 404, "timestamp": 1_600_000_000},
        {
            "url": "http://c.example/",
            "body_base64": "PHA+eA==",
            "headers": {"Content-Type": ["text/html; charset=koi8-r"]},
        },
        {"url": "javascript:x", "body": "x"},
        {"title": "no url"},
        [1],
    ]
    source = tmp_path / "items.jsonl"
    source.write_text("\n".join(map(json.dumps, items)))
    found = replayed(source, tmp_path / "cache")
    assert list(found) == ["http://a.example/", "http://b.example/", "http://c.example/"]
    first, third = found["http://a.example/"], found["http://c.example/"]
    assert isinstance(first, Response)
    assert first.body == "<p>Otter – ö".encode()
    assert first.header("content-type") == "text/html; charset=utf-8"
    assert isinstance(found["http://b.example/"], Failed)
    assert isinstance(third, Response)
    assert third.header("content-type") == "text/html; charset=koi8-r"


def test_lines_that_are_no_items(tmp_path: Path) -> None:
    source = tmp_path / "items.jl"
    source.write_text('{"url": "http://a.example/"}\n')
    with pytest.raises(RecordingError, match="no line with a `url` and a `body`"):
        replayed(source, tmp_path / "cache")
    source.write_text("{not json\n\n")
    with pytest.raises(RecordingError, match="line 1, is not JSON"):
        replayed(source, tmp_path / "cache")
