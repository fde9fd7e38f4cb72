"""Draws docs/crawl.svg: the live view in the middle of the demo crawl.

./run python scripts/crawl_picture.py
"""

import asyncio
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console

from scenthound.app import demo
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.events import Visited
from scenthound.cli.views.live_screen import Screen
from scenthound.lab.generated.web import GeneratedFetcher

PAGES, WIDTH, HEIGHT = 340, 110, 26
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


async def main() -> None:
    console = Console(record=True, width=WIDTH, height=HEIGHT, file=io.StringIO(), color_system="truecolor")
    with tempfile.TemporaryDirectory() as folder:
        plan = demo.plan_demo(None, CrawlOptions(into=Path(folder)))
        fetcher = demo.DistantFetcher(GeneratedFetcher(demo.demo_web()), demo.LATENCY)
        session = CrawlSession(plan, fetcher=fetcher)
        pages = 0
        async for event in session.events():
            pages += isinstance(event, Visited)
            if pages == PAGES:
                console.print(Screen(session.progress, "crawls/demo"))
                break
    target = Path(__file__).parents[1] / "docs" / "crawl.svg"
    # Without the font it would fetch from elsewhere: the reader's own monospace font does.
    target.write_text(_FONTS.sub("", console.export_svg(title="scenthound crawl --demo")), encoding="utf-8")
    print(f"wrote {target.name}")


if __name__ == "__main__":
    asyncio.run(main())
