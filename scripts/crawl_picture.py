"""Draws docs/crawl.svg: the live view in the middle of the demo crawl.

./run python scripts/crawl_picture.py
"""

import asyncio
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console

from scenthound.cli import demo
from scenthound.cli.crawl_settings import CrawlOptions
from scenthound.cli.views.live import Screen
from scenthound.cli.watch import CrawlWatch
from scenthound.crawl.assemble import assembled
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.model import Step

PAGES, WIDTH, HEIGHT = 340, 110, 26
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


async def main() -> None:
    web = GeneratedWeb(seed=1, pages=demo.PAGES, hosts=demo.HOSTS, topics=demo.TOPICS)
    watch = CrawlWatch()
    console = Console(record=True, width=WIDTH, height=HEIGHT, file=io.StringIO(), color_system="truecolor")

    def photograph(step: Step) -> None:
        if watch.crawl is not None and watch.crawl.tally.pages == PAGES and step.visit is not None:
            console.print(Screen(watch, "crawls/demo"))
            watch.crawl.stop()

    with tempfile.TemporaryDirectory() as folder:
        plan = demo.make_plan(demo.choose(web.topics(), None), CrawlOptions(into=Path(folder)))
        fetcher = demo.Distant(GeneratedFetcher(web), demo.LATENCY)
        async with assembled(plan.config, plan.folder, fetcher=fetcher, observers=[watch, photograph]) as crawl:
            watch.attach(crawl)
            await crawl.run()
    target = Path(__file__).parents[1] / "docs" / "crawl.svg"
    # Without the font it would fetch from elsewhere: the reader's own monospace font does.
    target.write_text(_FONTS.sub("", console.export_svg(title="scenthound crawl --demo")), encoding="utf-8")
    print(f"wrote {target.name}")


if __name__ == "__main__":
    asyncio.run(main())
