"""topic.toml: what is refused, what is shared out, and that it survives a round trip."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound import config
from scenthound.config import (
    Config,
    CrawlSection,
    PolitenessSection,
    TopicSection,
    WeightedTerm,
    from_dict,
    named,
    share_weights,
)
from scenthound.errors import ConfigError
from scenthound.model import Keyword

EXAMPLE = """
[topic]
name = "dengue fever"
keywords = ["dengue fever", "mosquito", { term = "aedes aegypti", weight = 0.4 }]
language = "en"

[crawl]
seeds = ["https://example.org/health"]
strategy = { name = "best-n-first", n = 10 }
pages = 50

[scope]
allow = "site:example.org or path:/health"
"""


def test_a_topic_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "topic.toml"
    file.write_text(EXAMPLE)
    settings = config.load(file)
    assert settings.crawl.pages == 50
    assert settings.politeness.delay == Config().politeness.delay
    weights = {keyword.term: keyword.weight for keyword in settings.make_topic().keywords}
    assert weights == pytest.approx({"dengue fever": 0.3, "mosquito": 0.3, "aedes aegypti": 0.4})


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    settings = from_dict(
        {"topic": {"name": "x", "keywords": ["a", {"term": "b", "weight": 0.4}]}, "crawl": {"pages": 7}}
    )
    config.save(settings, tmp_path / "topic.toml")
    assert config.load(tmp_path / "topic.toml") == settings


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"crawl": {"page": 3}}, "did you mean 'pages'"),
        ({"crowl": {}}, "did you mean 'crawl'"),
        ({"crawl": {"zzz": 3}}, "known: seeds"),
        ({"crawl": {"pages": "many"}}, "Expected `int`"),
        ({"topic": {"keywords": [{"term": "a"}]}}, "weight"),
    ],
)
def test_what_is_not_known_is_refused_with_the_nearest_key(data: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match="settings") as refusal:
        from_dict(data)
    assert words in str(refusal.value)


def test_a_missing_or_broken_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no"):
        config.load(tmp_path / "topic.toml")
    (tmp_path / "topic.toml").write_text("[topic\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        config.load(tmp_path / "topic.toml")


def test_weights_that_leave_nothing_for_the_others_are_refused() -> None:
    with pytest.raises(ConfigError, match="use up"):
        share_weights([WeightedTerm("a", 1.0), "b"])
    with pytest.raises(ConfigError, match="above 0"):
        share_weights([WeightedTerm("a", 0.0)])


@given(
    st.lists(st.text(min_size=1), min_size=1, unique=True),
    st.dictionaries(st.text(min_size=1), st.floats(0.01, 0.1), max_size=5),
)
def test_weights_sum_to_one(plain: list[str], weighted: dict[str, float]) -> None:
    keywords = share_weights([*plain, *(WeightedTerm(term, weight) for term, weight in weighted.items())])
    assert sum(keyword.weight for keyword in keywords) == pytest.approx(1.0)


def test_a_strategy_is_a_name_or_a_table() -> None:
    assert named("best-first", "strategy") == ("best-first", {})
    assert named({"name": "best-n-first", "n": 10}, "strategy") == ("best-n-first", {"n": 10})
    with pytest.raises(ConfigError, match="needs a name"):
        named({"n": 10}, "strategy")


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: TopicSection(keywords=[Keyword("dengue", 1.0)]), "keywords"),  # type: ignore[list-item]
        (lambda: CrawlSection(pages="many"), "pages"),  # type: ignore[arg-type]
        (lambda: CrawlSection(pages=-1), "pages"),
        (lambda: CrawlSection(threshold=1.5), "threshold"),
        (lambda: PolitenessSection(delay=float("nan")), "delay"),
        (lambda: Config(topic="dengue"), "topic"),  # type: ignore[arg-type]
        (lambda: replace(CrawlSection(), minutes="five"), "minutes"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_at_once(make: Callable[[], object], word: str) -> None:
    with pytest.raises(ConfigError, match=f"{word} = .* cannot be meant"):
        make()


def test_numbers_that_may_be_negative() -> None:
    assert CrawlSection(parsers=-1, random_seed=-5).random_seed == -5
