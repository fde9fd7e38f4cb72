from pathlib import Path

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.errors import ConfigError
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.logins import Logins
from scenthound.model import Link
from tests.fetch.serving import answer, serving

COOKIES = """# Netscape HTTP Cookie File
.example.org\tTRUE\t/\tTRUE\t0\tsession\thush
www.example.org\tFALSE\t/club\tFALSE\t0\tclub\tmember
.example.org\tTRUE\t/\tFALSE\t1000\told\tgone
"""
HEADERS = """
["intranet.example.net"]
headers = { Authorization = "Bearer hush" }
cookies = { who = "me" }

["127.0.0.1"]
headers = { X-Key = "hush" }
plain_http = true
"""


@pytest.fixture
def logins(tmp_path: Path) -> Logins:
    (tmp_path / "cookies.txt").write_text(COOKIES)
    (tmp_path / "headers.toml").write_text(HEADERS)
    return Logins([tmp_path / "cookies.txt", tmp_path / "headers.toml"], clock=lambda: 2000.0)


@pytest.mark.parametrize(
    ("scheme", "host", "path", "sent"),
    [
        ("https", "example.org", "/", {"Cookie": "session=hush"}),
        ("https", "www.example.org", "/club/x", {"Cookie": "session=hush; club=member"}),
        ("https", "www.example.org", "/clubs", {"Cookie": "session=hush"}),
        ("http", "www.example.org", "/club", {"Cookie": "club=member"}),
        ("https", "evilexample.org", "/", {}),
        ("https", "intranet.example.net", "/", {"Authorization": "Bearer hush", "Cookie": "who=me"}),
        ("http", "intranet.example.net", "/", {}),
        ("https", "www.intranet.example.net", "/", {}),
        ("http", "127.0.0.1", "/", {"X-Key": "hush"}),
    ],
)
def test_who_is_told_what(logins: Logins, scheme: str, host: str, path: str, sent: dict[str, str]) -> None:
    found = logins.headers(scheme, host, path)
    pairs = {name: "; ".join(sorted(value.split("; "))) for name, value in found.items()}
    assert pairs == {name: "; ".join(sorted(value.split("; "))) for name, value in sent.items()}


async def test_a_request_brings_them(logins: Logins) -> None:
    async with serving({"/": answer(b"<p>x")}) as web:
        fetcher = HttpFetcher(FetchSection(private_addresses=True), PolitenessSection(), logins=logins)
        await fetcher(Link(f"http://127.0.0.1:{web.port}/"))
        await fetcher.close()
        [(_, headers)] = web.requests
    assert headers["X-Key"] == "hush"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("c.txt", "session=hush", "no cookies.txt"),
        ("c.toml", "session = 'hush'", "no file of logins"),
        ("c.toml", "['a.test']\nheader = { a = 'hush' }", "no file of logins"),
        ("c.toml", "['a.test']\nheaders = { 'a b' = 'hush' }", "cannot stand in a header"),
        ("c.toml", "['a.test']\nheaders = { a = \"hush\\n\" }", "cannot stand in a header"),
        ("c.toml", "['a.test']\nheaders = { Host = 'hush' }", "belongs to the request"),
    ],
)
def test_a_slip_is_told_without_telling_the_secret(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=words) as told:
        Logins([tmp_path / name])
    assert "hush" not in str(told.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Logins(["nowhere.txt"])
