"""A topic in Japanese, from the words to the search; and crawls that stay in one language."""

import asyncio
from pathlib import Path

import pytest

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions, CrawlPlan, plan_crawl
from scenthound.errors import UsageError
from scenthound.library import open_library
from tests.small_web import ScriptedFetcher

HOME = "http://umi.example/"


def page(title: str, text: str, *links: tuple[str, str]) -> str:
    items = "".join(f'<li><a href="/{path}">{anchor}</a></li>' for path, anchor in links)
    return f"<html><head><meta charset=utf-8><title>{title}</title></head><body><p>{text}</p><ul>{items}</ul></body>"


CORAL = "サンゴの白化は、海水温の上昇により褐虫藻が失われることです。白化したサンゴは弱り、サンゴ礁が死にます。"
REEF = "沖縄のサンゴ礁では、夏の高い水温でサンゴの白化が広がりました。研究者は白化したサンゴの回復を調べています。"
TAX = "確定申告の書類は三月十五日までに税務署へ提出してください。医療費の控除には領収書が必要です。"
RAIL = "新しい時刻表では、朝の通勤電車が五分おきに運転されます。切符は駅の窓口で買えます。"
WEB = {
    HOME: page(
        "海の図書館",
        "海と町についての案内です。サンゴの白化について、また税金や電車についての記事があります。",
        ("coral", "サンゴの白化"),
        ("tax", "確定申告"),
        ("rail", "時刻表"),
        ("en", "English"),
    ),
    f"{HOME}coral": page("サンゴの白化とは", CORAL, ("reef", "サンゴ礁の白化"), ("rail", "時刻表")),
    f"{HOME}reef": page("沖縄のサンゴ礁", REEF),
    f"{HOME}tax": page("確定申告", TAX),
    f"{HOME}rail": page("時刻表", RAIL),
    f"{HOME}en": page(
        "Coral bleaching (サンゴの白化)",
        "This page is about the bleaching of corals in the warm water of the summer, and it is in English for the "
        "guests of the library, who may read it at any time of the day and of the year in the rooms of the house. " * 2,
        ("deep", "More"),
    ),
}


def plan(folder: Path, **options: object) -> CrawlPlan:
    chosen = {"seeds": [HOME], "into": folder, "delay": 0} | options
    return plan_crawl("サンゴの白化", CrawlOptions(**chosen))  # type: ignore[arg-type]


def crawled(folder: Path, **options: object) -> list[str]:
    """What was asked for, in its order."""
    fetcher = ScriptedFetcher(WEB)
    asyncio.run(CrawlSession(plan(folder, **options), fetcher=fetcher).run())
    return [url.removeprefix(HOME) for url in fetcher.asked if not url.endswith("robots.txt")]


def test_a_topic_in_japanese_from_words_to_search(tmp_path: Path) -> None:
    folder = tmp_path / "coral"
    assert plan(folder).config.topic.language == "ja", "recognised by its letters"
    asked = crawled(folder)
    assert asked[:3] == ["", "coral", "reef"], "the links that speak of the topic go first"
    with open_library(folder) as library:
        pages = {stored.url.removeprefix(HOME): stored for stored in library.pages()}
        assert pages["coral"].language == "ja"
        assert min(pages[name].relevance for name in ("coral", "reef")) > max(
            pages[name].relevance for name in ("tax", "rail")
        )
        assert [name for name, stored in pages.items() if stored.relevant and name not in ("", "en")] == [
            "coral",
            "reef",
        ]
        library.update_search()
        assert {hit.url.removeprefix(HOME) for hit in library.search(["褐虫藻"]).hits} == {"coral"}
        assert {hit.url.removeprefix(HOME) for hit in library.search(["サンゴ礁"]).hits} == {"coral", "reef"}


def test_a_crawl_stays_in_its_language(tmp_path: Path) -> None:
    folder = tmp_path / "coral"
    asked = crawled(folder, only_languages=["ja"])
    assert "deep" not in asked, "links of a page in English are not followed"
    with open_library(folder, write=False) as library:
        english, reason = library.page(f"{HOME}en"), library.url_row(f"{HOME}deep")
    assert english is None or (english.language, english.relevance, english.relevant) == ("en", 0.0, False)
    assert reason is None or reason.reason == "scope: in another language (en)"
    assert 'languages = [\n    "ja",\n]' in (folder / "topic.toml").read_text()


def test_what_is_no_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no language"):
        plan(tmp_path / "coral", only_languages=["12"])
