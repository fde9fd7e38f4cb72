"""Whose scripts run, who is asked for what they need, and what a page is not shown. Without a browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.errors import UsageError
from scenthound.fetch.logins import Logins
from scenthound.fetch.rendering import chromium, rendering_fetcher
from scenthound.fetch.rendering.rendering_fetcher import RenderingFetcher
from scenthound.model import Failed, Link, Rendering, Response

SHELL = b"<div id=root></div><script src=/app.js></script>"
FULL = b"<script src=/count.js></script><p>" + b"Corals bleach in warm water. " * 10
PAGE = "http://a.test/"


class Web:
    parallel = 2
    conditional = True

    def __init__(self, body: bytes = SHELL, kind: str = "text/html", status: int = 200) -> None:
        self.body, self.kind, self.status = body, kind, status
        self.asked: list[tuple[str, Mapping[str, str] | None]] = []

    async def __call__(self, link: Link, headers: Mapping[str, str] | None = None) -> Response | Failed:
        self.asked.append((link.url, headers))
        if link.url.endswith(".js"):
            return Response(link.url, 200, (("Content-Type", "text/javascript"),), b"1")
        return Response(link.url, self.status, (("Content-Type", self.kind), ("ETag", "x")), self.body)

    def ask_only_while(self, may: Callable[[], bool]) -> None:
        self.may = may

    async def close(self) -> None:
        pass


class Gate:
    """Lets everything through."""

    def __init__(self) -> None:
        self.came: list[str] = []

    def page_came(self, page: Link) -> None:
        self.came.append(page.url)

    async def __call__(
        self, page: Link, part: Link, request: Callable[[Link], Awaitable[Response | Failed]]
    ) -> Response | Failed | str:
        return await request(part)


class Run:
    """In the place of a page in a browser: asks for what it is told to, and keeps the answers."""

    wants: tuple[str, ...] = ()
    answers: list[Any] = []

    def __init__(self, response: Response, ask: Any, seconds: float, most_bytes: int) -> None:
        self.response, self.ask = response, ask

    async def run(self, chromium: Any, agent: str) -> Response | None:
        for url in self.wants:
            self.answers.append(await self.ask(Link(url, kind="part"), {"Accept": "*/*"}))
        return Response(self.response.url, 200, body=b"made", rendering=Rendering())


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering_fetcher, "PageRun", Run)
    monkeypatch.setattr(chromium, "installed_chromium", lambda: "chromium")
    monkeypatch.setattr(Run, "wants", ())
    monkeypatch.setattr(Run, "answers", [])


def fetcher(web: Web, logins: Logins | None = None, **settings: Any) -> RenderingFetcher:
    made = RenderingFetcher(web, FetchSection(**{"render": "auto", **settings}), PolitenessSection(), logins)
    made.ask_through(Gate())
    return made


async def made(web: Web, link: Link | None = None, **settings: Any) -> bool:
    answer = await fetcher(web, **settings)(link or Link(PAGE))
    return isinstance(answer, Response) and answer.body == b"made"


async def test_scripts_run_of_pages_that_need_it_or_of_all() -> None:
    assert await made(Web())
    assert not await made(Web(FULL))
    assert await made(Web(FULL), render="always")


async def test_scripts_run_of_pages_alone() -> None:
    assert not await made(Web(kind="text/plain"), render="always")
    assert not await made(Web(status=404), render="always")
    assert not await made(Web(), Link(PAGE, kind="sitemap"), render="always")


async def test_until_it_is_told_whom_to_ask_through_no_scripts_run() -> None:
    plain = RenderingFetcher(Web(), FetchSection(render="always"), PolitenessSection())
    answer = await plain(Link(PAGE))
    assert isinstance(answer, Response)
    assert answer.body == SHELL


async def test_a_script_that_many_pages_share_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    web = Web()
    monkeypatch.setattr(Run, "wants", ("http://a.test/app.js",))
    both = fetcher(web)
    for page in ("http://a.test/1", "http://a.test/2"):
        await both(Link(page))
    assert [url for url, _ in web.asked] == ["http://a.test/1", "http://a.test/app.js", "http://a.test/2"]
    assert len(Run.answers) == 2


async def test_a_page_is_not_shown_what_another_host_tells_those_who_log_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "logins.toml").write_text('["b.test"]\nheaders = { Authorization = "Bearer x" }\n')
    logins = Logins([tmp_path / "logins.toml"])
    monkeypatch.setattr(Run, "wants", ("https://b.test/secret", "https://c.test/known"))
    web = Web()
    await fetcher(web, logins)(Link("https://a.test/"))
    refused, known = Run.answers
    assert isinstance(refused, Failed)
    assert isinstance(known, Response)
    assert "https://b.test/secret" not in [url for url, _ in web.asked]
    await fetcher(web, logins)(Link("https://b.test/"))  # its own pages are, as any page of a host one logs in to
    assert "https://b.test/secret" in [url for url, _ in web.asked]


async def test_a_browser_that_does_not_start_is_named_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*ignored: object) -> None:
        raise RuntimeError("no usable sandbox")

    monkeypatch.setattr(Run, "run", fails)
    answer = await fetcher(Web())(Link(PAGE))
    assert isinstance(answer, Failed)
    assert (answer.kind, answer.detail) == ("parser", "the browser did not start: no usable sandbox")


def test_without_a_browser_or_its_packages_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(chromium, "installed_chromium", lambda: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(UsageError, match="playwright install chromium"):
        fetcher(Web())
    (tmp_path / "chromium-1200").mkdir()
    fetcher(Web())
    monkeypatch.setattr(chromium, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"scenthound\[render\]"):
        fetcher(Web())


async def test_it_passes_for_the_fetcher_it_is_around() -> None:
    around = fetcher(Web())
    around.parallel = 5
    assert (around.fetcher.parallel, around.conditional, around.recorded) == (5, True, False)
    await around(Link(PAGE), {"If-None-Match": "x"})
    assert around.fetcher.asked == [(PAGE, {"If-None-Match": "x"})]  # type: ignore[attr-defined]
    around.ask_only_while(lambda: False)
    assert not around.fetcher.may()  # type: ignore[attr-defined]
    await around.close()
