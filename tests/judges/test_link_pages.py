"""A page that merely links to pages about the topic is not about it: a made web, crawled from end to end.

Of 300 pages a hundred are about ferns. The others speak of something else, and on each thirty links lead on, ten of
them with the word. Where the text of links counts, these are found relevant, too: far more than there are.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scenthound.library import open_library
from tests.crawler.judged_library import SITE, crawl, settings

PAGES, ABOUT, LINKS, NAMED = 300, 3, 30, 10
"""Every third page is about the topic."""

FERNS = "fern frond spore rhizome sporangium fiddlehead moss shade woodland bracken maidenhair prothallium"
OTHERS = {
    "trains": "train rail station ticket signal locomotive driver platform carriage timetable freight tunnel",
    "bread": "bread flour yeast oven crust dough baker loaf butter sourdough knead rye",
    "ships": "ship harbour anchor sail captain cargo deck mast rope lighthouse tide wharf",
}
PLAIN = "people often find that there is something to see when they come back in the evening of a long day"


def address(number: int) -> str:
    return f"{SITE}/{number}"


def is_about(number: int) -> bool:
    return number % ABOUT == 0


def made_web(seed: int = 7) -> dict[str, str]:
    dice = Random(seed)
    return {address(number): made_page(number, dice) for number in range(PAGES)}


def made_page(number: int, dice: Random) -> str:
    name = "ferns" if is_about(number) else list(OTHERS)[number % len(OTHERS)]
    words, plain = (FERNS if is_about(number) else OTHERS[name]).split(), PLAIN.split()
    text = " ".join(dice.choice(words if dice.random() < 0.3 else plain) for _ in range(160))
    where = [dice.randrange(PAGES) for _ in range(LINKS - 1)] + [(number + 1) % PAGES]
    links = "".join(
        f'<li><a href="{address(to)}">{"all about the fern" if at < NAMED else dice.choice(words)}</a>'
        for at, to in enumerate(where)
    )
    return f"<title>{name} {number}</title><h1>{dice.choice(words)}</h1><p>{text}</p><ul>{links}</ul>"


async def counted(folder: Path, judge: str) -> tuple[int, int]:
    """How many pages count that are about ferns, and how many that only link to such pages."""
    web = made_web()
    config = settings("fern", pages=PAGES, crawl={"seeds": [address(1)], "judge": judge})
    await crawl(folder, config, web=web)
    with open_library(folder, write=False) as library:
        pages = list(library.pages())
        assert len(pages) == PAGES
        found = [page.relevant for page in pages if is_about(int(page.url.rpartition("/")[2]))]
        others = [page.relevant for page in pages if not is_about(int(page.url.rpartition("/")[2]))]
    return sum(found), sum(others)


async def test_the_default_judge_counts_what_is_about_it(tmp_path: Path) -> None:
    found, others = await counted(tmp_path / "x", "auto")
    assert others <= PAGES // 100
    assert found >= 0.9 * PAGES / ABOUT


@pytest.mark.parametrize("judge", ["keywords", "topic-vector"])
async def test_a_judge_that_reads_links_as_text_does_not(tmp_path: Path, judge: str) -> None:
    """So the web above is one on which it shows."""
    _, others = await counted(tmp_path / "x", judge)
    assert others > PAGES / 2
