"""Marked pages, from whatever they are marked in."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.training.bookmarks import listed, marked, read
from tests.training.browser_files import TYPED, chromium, chromium_bookmarks, firefox

A, B, C = (f"http://a.test/{name}" for name in "abc")

EXPORTED = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks Menu</H1>
<DL><p>
    <DT><A HREF="{A}" ADD_DATE="1">outside</A>
    <DT><H3 ADD_DATE="1">Trams &amp; more</H3>
    <DL><p>
        <DT><A HREF="{B}">inside</A>
        <DT><H3>Deeper</H3>
        <DL><p><DT><A HREF="{C}">deeper</A></DL><p>
    </DL><p>
    <DT><A HREF="http://a.test/after">after</A>
</DL>
"""
BACKUP = f"""{{"guid": "root", "title": "", "root": "placesRoot", "children": [
  {{"title": "menu", "type": "text/x-moz-place-container", "children": [
    {{"title": "Trams & more", "type": "text/x-moz-place-container",
      "children": [{{"title": "b", "type": "text/x-moz-place", "uri": "{B}"}}, 7, {{"children": "odd"}}]}},
    {{"title": "a", "type": "text/x-moz-place", "uri": "{A}"}}]}}]}}"""


def test_every_kind_of_file(tmp_path: Path) -> None:
    folders = {"Trams & more": [B], "Rest": [A]}
    chromium_bookmarks(tmp_path / "Bookmarks", folders)
    firefox(tmp_path / "places.sqlite", [(1, A, 0, 0, TYPED)], folders)
    (tmp_path / "bookmarks.html").write_text(EXPORTED)
    (tmp_path / "backup.json").write_text(BACKUP)
    for name in ("Bookmarks", "places.sqlite", "backup.json"):
        assert read(tmp_path / name, "trams & MORE") == [B], name
        assert sorted(read(tmp_path / name)) == [A, B], name
    assert read(tmp_path / "bookmarks.html", "Trams & more") == [B, C]
    assert read(tmp_path / "bookmarks.html", "deeper") == [C]
    assert read(tmp_path / "bookmarks.html") == [A, B, C, "http://a.test/after"]


def test_a_list(tmp_path: Path) -> None:
    path = tmp_path / "good.txt"
    path.write_text(f"# good ones\n\n{A}\n  {B}  a note\n")
    assert listed(path) == read(path) == [A, B]
    path.write_text(f"{A}\nno url\n")
    with pytest.raises(ConfigError, match=r"line 2: 'no' is no usable URL"):
        listed(path)


def test_marks_are_of_visited_pages_only_and_not_too_strict() -> None:
    visited = [A, "https://b.test/x/", "http://c.test/"]
    given = ["http://b.test/x", "HTTP://a.TEST/a#part", "http://secret.test/", "javascript:alert(1)"]
    assert marked(visited, given) == [A, "https://b.test/x/"]


def test_what_goes_wrong_is_said(tmp_path: Path) -> None:
    path = chromium_bookmarks(tmp_path / "Bookmarks", {"Trams": [A]})
    with pytest.raises(ConfigError, match=r"called 'Ferns'.*There are: Bookmarks bar, Trams\."):
        read(path, "Ferns")
    with pytest.raises(ConfigError, match="beside it, in the file Bookmarks"):
        read(chromium(tmp_path / "History", [(1, A, 0, 0, 0)]))
    with pytest.raises(ConfigError, match="There is no file"):
        read(tmp_path / "nothing")
    (tmp_path / "broken.json").write_text('{"roots": ')
    with pytest.raises(ConfigError, match="not valid JSON"):
        read(tmp_path / "broken.json")


def test_a_line_that_is_no_url_is_not_told_in_full(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("x" * 100_000)
    with pytest.raises(ConfigError) as caught:
        listed(tmp_path / "list.txt")
    assert len(str(caught.value)) < 1_000
