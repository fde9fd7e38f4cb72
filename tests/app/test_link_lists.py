import gzip
from pathlib import Path

import pytest

from scenthound.app.link_lists import is_link_list, links_of
from scenthound.errors import UsageError

OPML = (
    b'<?xml version="1.0"?><opml><body><outline text="O" xmlUrl="http://a.example/feed" htmlUrl="http://a.example/"/>'
)
LIST = b"# mine\nhttp://a.example/\n\nnonsense\nhttp://a.example/#top\nhttp://b.example/ note"
SITEMAP = b"<urlset><url><loc>http://a.example/x</loc></url><url><loc>http://a.example/y</loc></url></urlset>"
BOOKMARKS = b"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF='http://a.example/z'>Z</A></DL>"


@pytest.mark.parametrize(
    ("name", "data", "links"),
    [
        ("list.txt", LIST, "a.example/ b.example/"),
        ("short.txt", b"a.example/x\nno address here.\n#b.example\nreadme\n", "https://a.example/x"),
        ("table.csv", b'url,title\nhttp://a.example/x,"Two, words"\n3,http://a.example/y\n', "a.example/x a.example/y"),
        ("feeds.opml", OPML, "a.example/ a.example/feed"),
        ("sitemap.xml", SITEMAP, "a.example/x a.example/y"),
        ("sitemap.xml.gz", gzip.compress(SITEMAP, mtime=0), "a.example/x a.example/y"),
        ("bookmarks.html", BOOKMARKS, "a.example/z"),
        ("Bookmarks", b'{"roots": {"bar": {"children": [{"url": "http://a.example/c"}]}}}', "a.example/c"),
    ],
)  # fmt: skip
def test_lists(tmp_path: Path, name: str, data: bytes, links: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert is_link_list(path)
    assert " ".join(link.removeprefix("http://") for link in links_of(path)) == links


def test_what_holds_no_links_is_said(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"nothing here\n\xff\xfe")
    with pytest.raises(UsageError, match="holds no links"):
        links_of(path)


@pytest.mark.parametrize("name", ["a.warc.gz", "a.wacz", "items.jsonl"])
def test_what_holds_pages_is_no_list(tmp_path: Path, name: str) -> None:
    assert not is_link_list(tmp_path / name)
    assert not is_link_list(tmp_path)
