"""How soon it shows that somebody steers a crawl: from the click to the effect on the screen, while the crawl runs.

| done | its effect |
|---|---|
| raise | the top of the frontier begins with links of the host |
| lower, ban | the top of the frontier has none of the host any more |
| undo | the rule is gone from the list |
| add-word, strike-word | the topic that is shown has it, or has it no more, and a page has come since, judged by that |
| threshold | a page has come since, which counts by it |
| label | the judge in charge knows it, and a page has come since |
| judged again | after each of these: all pages are, links have new places, it is said so; grows with the library |
| add-seed, strike-seed | the list has it, or has it no more; before that it was put at the top of the frontier |
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Container
from typing import Any, NamedTuple

from scenthound.app.crawl_view import WaitingLine
from scenthound.app.live_crawl import LiveCrawl
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.engine import SEED_PRIORITY
from scenthound.judges.labelled import LabelledJudge
from scenthound.web.shelf import Shelf

TIMES = 3
MORE = 2_500
REST = 1.1  # seconds between two of them, so that none is helped by the one before
PATIENCE = 600_000  # ms

FIRST = "(host) => document.querySelector('#frontier .where')?.innerText.startsWith(host)"
NONE_OF = (
    "(host) => { const rows = [...document.querySelectorAll('#frontier .where')]; "
    "return rows.length > 0 && !rows.some((row) => row.innerText.startsWith(host)) }"
)
NO_RULE = "() => document.querySelectorAll('#rules li').length === 0"
TOLD = "(before) => document.querySelector('#judged').innerText !== before"
LISTED = "([list, text]) => [...document.querySelectorAll(`${list} li`)].some((row) => row.innerText.includes(text))"
UNLISTED = LISTED.replace("=> [", "=> ![")
LAST_PAGE = "new URL(document.querySelector('#arrived .title').href).searchParams.get('url')"
LABEL = (
    "([url, relevant]) => fetch('/api/libraries/demo/labels', {method: 'POST', "
    "headers: {'Content-Type': 'application/json'}, body: JSON.stringify({url, relevant})}).then((a) => a.json())"
)
MORE_PAGES = "(before) => Number(document.querySelector('#f-pages').innerText.replaceAll(',', '')) > before"


async def measured(browser: Any, base: str, shelf: Shelf) -> AsyncIterator[dict[str, list[Effect]]]:
    """What was done -> ms, for hosts, seeds, words, thresholds and labels."""
    page = await browser.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(f"{base}watch")
    await page.fill("#start-pages", str(MORE))
    await page.click("[data-crawl=start]")
    await page.wait_for_selector("#state[data-state=running]")
    live = shelf.get("demo").live
    while len({link.host for link in _ranked(live)}) < 3:  # noqa: ASYNC110  (nobody tells of links that came)
        await asyncio.sleep(0.1)
    clicks = SteeringClicks
    for kind in (clicks.hosts, clicks.seeds, clicks.words, clicks.thresholds, clicks.labels):
        steering = SteeringClicks(page, live)
        for _ in range(TIMES):
            await kind(steering)
        if not live.under_way:
            raise RuntimeError("The crawl was over before all was measured: let it fetch more pages.")
        yield steering.times
    await page.close()
    await live.close()


def _ranked(live: LiveCrawl) -> list[WaitingLine]:
    """What waits but for seeds, in the order of the frontier."""
    return [link for link in live.frontier(400) if link.priority < SEED_PRIORITY]


def _shown(text: str) -> str:
    """A host or URL as the page writes it."""
    return text.removeprefix("http://").removeprefix("https://").removeprefix("www.").rstrip("/")


class Effect(NamedTuple):
    """How long it took: on the clock, and of the processor in the process that crawls and serves. On a busy machine
    only the second says something; what Chromium needs to show it is not in it."""

    milliseconds: float
    processor: float

    @classmethod
    def now(cls) -> Effect:
        return cls(1000 * time.perf_counter(), 1000 * time.process_time())


class SteeringClicks:
    """Somebody at the page of a running crawl."""

    def __init__(self, page: Any, live: LiveCrawl) -> None:
        self._page = page
        self._live = live
        self.times: dict[str, list[Effect]] = {}

    async def hosts(self) -> None:
        links = _ranked(self._live)
        low = next(link.host for link in reversed(links) if link.host != links[0].host)
        await self._rule("raise", low, FIRST)
        await self._undo()
        await self._rule("lower", _ranked(self._live)[0].host, NONE_OF)
        await self._undo()
        await self._rule("ban", _ranked(self._live)[0].host, NONE_OF)
        await self._undo()

    async def words(self) -> None:
        word = f"nectar{sum(map(len, self.times.values()))}"  # another each time
        await self._page.fill("#word", word)
        await self._word("add-word", "#add-word button", LISTED, word)
        await self._word("strike-word", f"[aria-label='Strike the word {word}']", UNLISTED, word)
        await self._clear()

    async def _word(self, name: str, button: str, effect: str, word: str) -> None:
        told, started = await self._told(), Effect.now()
        pages = await self._changed(button, "**/steering")
        await self._page.wait_for_function(effect, arg=["#words", word])
        await self._page_since(name, pages, told, started)

    async def thresholds(self) -> None:
        """Up a little, and down again."""
        value = float(await self._page.input_value("#s-threshold"))
        for name, now in (("threshold", value + 0.03), ("threshold", value)):
            await self._page.fill("#s-threshold", f"{now:.3f}")
            told, started = await self._told(), Effect.now()
            pages = await self._changed("#settings button", "**/crawl")
            await self._page_since(name, pages, told, started)

    async def labels(self) -> None:
        """As a page does that has the key: it posts the label; the effect is seen on the page that watches."""
        url = await self._page.evaluate(LAST_PAGE)
        told, started = await self._told(), Effect.now()
        pages = self._live.view().pages
        await self._page.evaluate(LABEL, [url, True])
        if url not in self._heard_of():
            raise RuntimeError("The judge in charge does not know a label that was set, or the crawl is over.")
        await self._page_since("label", pages, told, started)

    def _heard_of(self) -> Container[str]:
        """Labels that the judge in charge goes by."""
        crawl = self._live.session.crawl if self._live.session is not None else None
        judge = crawl.digest.judge if crawl is not None and isinstance(crawl.digest, PageDigest) else None
        return judge.labels if isinstance(judge, LabelledJudge) else ()

    async def _changed(self, button: str, address: str) -> int:
        """Clicks, and says how many pages there were when the crawl had heard of it."""
        async with self._page.expect_response(address) as answer:
            await self._page.click(button)
        return int((await (await answer.value).json())["pages"])

    async def _page_since(self, name: str, pages: int, told: str, started: Effect) -> None:
        """Until a page more than those is on the screen; and then until all stored ones were judged again."""
        await self._page.wait_for_function(MORE_PAGES, arg=pages)
        self._note(name, started)
        if "judged again" not in self.times:  # once is enough: it takes as long as the library is large
            await self._page.wait_for_function(TOLD, arg=told)
            self._note("judged again", started)
        await asyncio.sleep(REST)

    async def seeds(self) -> None:
        url = _ranked(self._live)[-1].url
        await self._page.fill("#seed", url)
        await self._timed("add-seed", "#seeds button", LISTED, ["#seed-list", _shown(url)])
        await self._timed("strike-seed", f"[aria-label='Strike the seed {url}']", UNLISTED, ["#seed-list", _shown(url)])
        await self._clear()

    async def _rule(self, action: str, host: str, effect: str) -> None:
        await self._page.select_option("#steer-action", action)
        await self._page.fill("#steer-rule", f"host:{host}")
        await self._timed(action, "#steer button", effect, _shown(host))

    async def _undo(self) -> None:
        await self._timed("undo", "#rules button", NO_RULE, None)

    async def _clear(self) -> None:
        """Takes back all that was said, unmeasured."""
        for rule in self._live.steering.rules():
            self._live.unsteer(rule.id)
        await self._page.wait_for_function(NO_RULE)

    async def _told(self) -> str:
        return str(await self._page.inner_text("#judged")) if await self._page.is_visible("#judged") else ""

    async def _timed(self, name: str, button: str, effect: str, given: str | list[str] | None) -> None:
        started = Effect.now()
        await self._page.click(button)
        await self._page.wait_for_function(effect, arg=given)
        self._note(name, started)
        await asyncio.sleep(REST)

    def _note(self, name: str, started: Effect) -> None:
        now = Effect.now()
        took = Effect(now.milliseconds - started.milliseconds, now.processor - started.processor)
        self.times.setdefault(name, []).append(took)
