"""Example pages from files, lists and URLs; each fetched once, however often the crawl is started."""

from pathlib import Path

import pytest

from scenthound.config import from_dict
from scenthound.crawl import examples
from scenthound.errors import ConfigError
from tests.small_web import ScriptedFetcher, answer, page

A = "http://a.test/"


def settings(*given: str):  # type: ignore[no-untyped-def]
    return from_dict({"topic": {"name": "x", "examples": list(given)}, "politeness": {"delay": 0.0}})


async def test_files_lists_and_urls(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(page(text="from a file"))
    (tmp_path / "list.txt").write_text(f"# known good\n\none.html\n{A}x#part\n")
    fetcher = ScriptedFetcher({f"{A}x": page(text="from the web")})
    found, _ = await examples.load(settings("list.txt"), tmp_path, fetcher)
    assert [example.text for example in found] == ["from a file", "from the web"]
    assert found[1].url == f"{A}x"


async def test_what_was_fetched_once_is_kept(tmp_path: Path) -> None:
    latin = answer(A, "<p>caf\u00e9".encode("latin-1"), content_type="text/html; charset=iso-8859-1")
    fetcher = ScriptedFetcher({A: latin})
    first, _ = await examples.load(settings(A), tmp_path, fetcher)
    second, _ = await examples.load(settings(A), tmp_path, fetcher)
    assert (first[0].text, second[0].text) == ("caf\u00e9", "caf\u00e9")
    assert fetcher.asked == [A]


async def test_redirects_are_followed_and_end(tmp_path: Path) -> None:
    fetcher = ScriptedFetcher({A: answer(A, status=301, location="/x"), f"{A}x": page(text="there")})
    found, _ = await examples.load(settings(A), tmp_path, fetcher)
    assert found[0].text == "there"


@pytest.mark.parametrize(
    ("entry", "words"),
    [("none.html", "neither a URL nor a file"), (f"{A}gone", "could not be fetched"), ("ftp://a.test/", "no usable")],
)
async def test_an_example_that_cannot_be_had_is_an_error(tmp_path: Path, entry: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        await examples.load(settings(entry), tmp_path, ScriptedFetcher({}))


async def test_a_list_that_names_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("list.txt\n")
    with pytest.raises(ConfigError, match="lists itself"):
        await examples.load(settings("list.txt"), tmp_path, ScriptedFetcher({}))
