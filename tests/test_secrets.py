"""What nobody should read in a library that is handed on: user and password of a URL, cookies, authorization."""

from __future__ import annotations

import asyncio
import gzip
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import urls
from scenthound.config import CrawlSection, SitesSection, TopicSection, without_password
from tests.fetch.serving import answer, serving

SECRET = "hush"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("http://user:hush@a.test/x", "http://a.test/x"),
        ("HTTPS://hush@a.test", "HTTPS://a.test"),
        (" https://us@er:hush@a.test/?q=b@c", " https://a.test/?q=b@c"),
        ("http:\\\\user:hush@a.test", "http:\\\\a.test"),
        ("http://a.test/@people", "http://a.test/@people"),
        ("http://a.test?to=me@b.test", "http://a.test?to=me@b.test"),
        ("mailto:hush@a.test", "mailto:hush@a.test"),
        ("pages/a@b.txt", "pages/a@b.txt"),
    ],
)
def test_settings_keep_no_password_of_a_url(written: str, kept: str) -> None:
    assert without_password(written) == kept
    assert CrawlSection(seeds=[written]).seeds == [kept]
    assert TopicSection(examples=[written], counterexamples=[written]).counterexamples == [kept]
    assert SitesSection(relevant=[written]).relevant == [kept]


@given(st.text(alphabet="ab:@/\\?#. ", max_size=12), st.text(alphabet="ab:@", max_size=6))
def test_what_is_left_is_the_page_that_was_meant(user: str, rest: str) -> None:
    written = f"http://{user}@a.test/{rest}"
    if isinstance(meant := urls.canonical(written), str):
        assert urls.canonical(without_password(written)) == meant


async def test_a_crawl_leaves_no_password_behind(tmp_path: Path) -> None:
    """Neither that of a seed, nor a cookie that was set: on the screen, in the settings, the report, the archive."""
    page = b"<title>hounds</title><p>The hound is well. " + b"words " * 30
    served = {"/": answer(page, set_cookie=f"session={SECRET}"), "/b": answer(page + b"b", set_cookie="b=1")}
    folder = tmp_path / "library"
    async with serving(served) as web:
        shown = await crawl(folder, [f"http://user:{SECRET}@127.0.0.1:{web.port}{path}" for path in served])
        assert {path for path, _ in web.requests} == {"/", "/b", "/robots.txt"}
        assert not any("Authorization" in headers for _, headers in web.requests)
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(path.name.endswith(".warc.gz") for path in files)
    assert SECRET.encode() not in shown
    for path, content in files.items():
        plain = gzip.decompress(content) if path.suffix == ".gz" else content
        assert SECRET.encode() not in plain, path.name


async def test_a_login_is_sent_and_left_nowhere(tmp_path: Path) -> None:
    login = tmp_path / "login.toml"
    login.write_text(
        f"['127.0.0.1']\nplain_http = true\nheaders = {{ X-Key = '{SECRET}' }}\ncookies = {{ session = '{SECRET}' }}\n"
    )
    page = b"<title>hounds</title><p>The hound is well. " + b"words " * 30
    folder = tmp_path / "library"
    async with serving({"/": answer(page, set_cookie=f"again={SECRET}")}) as web:
        shown = await crawl(folder, [f"http://127.0.0.1:{web.port}/"], "--login", str(login), "--json")
        asked = dict(web.requests)["/"]
        assert (asked["X-Key"], asked["Cookie"]) == (SECRET, f"session={SECRET}")
    assert SECRET.encode() not in shown
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert SECRET.encode() not in (gzip.decompress(content) if path.suffix == ".gz" else content), path.name


async def crawl(folder: Path, seeds: list[str], *more: str) -> bytes:
    """The command, as people run it; what it shows."""
    words = ["crawl", "hound", "--into", str(folder), "--allow-private", "--delay", "0", "--pages", "5"]
    words += [word for seed in seeds for word in ("--seed", seed)] + list(more)
    program = "from scenthound.cli.main import main; main()"
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, *words, stdout=pipe, stderr=pipe)
    out, errors = await process.communicate()
    assert process.returncode == 0, errors
    return out + errors
