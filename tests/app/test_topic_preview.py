import asyncio
from pathlib import Path

import pytest

from scenthound.app.judgement_words import speaking_terms
from scenthound.app.topic_preview import SHOWN, has_pages, preview, sample_crawl, telling
from scenthound.errors import ConfigError
from scenthound.library.label_file import LabelFile
from scenthound.model import Label, Page
from tests.small_web import crawl_of, page

HOUNDS = "Hounds follow a scent with the nose to the ground. "
TEA = "A teapot is warmed before the tea is made, and the cups as well. "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    web = {"http://a.test/": page(*(f"1=http://a.test/{i}" for i in range(60)), text="An index of pages.")}
    for i in range(60):
        hounds, other = i, 60 - i
        web[f"http://a.test/{i}"] = page(
            text=f"Number{i}. {HOUNDS * (hounds // 6)} {TEA * (other // 6)} word{i} more{i}."
        )
    with crawl_of(tmp_path, web) as crawl:
        asyncio.run(crawl.run())
    settings = '[topic]\nname = "hounds"\nkeywords = ["hounds", "scent"]\n[crawl]\njudge = "keywords"\n'
    (tmp_path / "topic.toml").write_text(settings)
    return tmp_path


async def test_pages_it_would_keep_and_would_not(folder: Path) -> None:
    assert has_pages(folder)
    told: list[int] = []
    shown = await preview(folder, progress=lambda done, whole: told.append(whole))
    assert 0 < len(shown.keeps) <= SHOWN
    assert 0 < len(shown.leaves) <= SHOWN
    assert all(page.probability >= shown.threshold for page in shown.keeps)
    assert all(page.probability < shown.threshold for page in shown.leaves)
    assert [page.probability for page in shown.keeps] == sorted(
        (page.probability for page in shown.keeps), reverse=True
    )
    assert {"hounds", "scent"} & {word.word for word in shown.keeps[0].words}, "as the page spells them"
    assert shown.judged == told[-1] > shown.kept


async def test_a_label_wins_and_shows(folder: Path) -> None:
    before = await preview(folder)
    url = before.keeps[0].url
    LabelFile(folder).add_labels([Label(url, False)])
    after = await preview(folder, shown=100)
    (said,) = (page for page in after.leaves if page.url == url)
    assert (said.label, said.probability) == (False, 0.0)


def test_doubtful_ones_are_among_those_shown() -> None:
    pages = [(i / 100, Page(f"http://a.test/{i}")) for i in range(50, 100)]
    chosen = [p for p, _ in telling(pages, 0.5, 10)]
    assert len(chosen) == 10
    assert chosen == sorted(chosen, reverse=True)
    assert chosen[-5:] == [0.54, 0.53, 0.52, 0.51, 0.5]
    assert chosen[0] == 0.99
    assert telling(pages[:3], 0.5, 10) == pages[2::-1]


def test_without_pages_and_seeds_there_is_nothing_to_show(tmp_path: Path) -> None:
    (tmp_path / "topic.toml").write_text('[topic]\nname = "hounds"\n')
    assert not has_pages(tmp_path)
    with pytest.raises(ConfigError, match=r"--seed URL.*--like URL"):
        sample_crawl(tmp_path)


def test_words_of_a_judge_that_says_none() -> None:
    assert speaking_terms(lambda page: 1.0, Page("http://a.test/"), 3) == []
