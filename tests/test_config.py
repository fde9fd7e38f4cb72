"""topic.toml: what is refused, what is shared out, and that it survives a round trip."""

import re
import tomllib
from collections.abc import Callable
from math import inf, nan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from scenthound import config
from scenthound.config import (
    RANGES,
    Config,
    CrawlSection,
    PolitenessSection,
    TopicSection,
    WeightedTerm,
    from_dict,
    from_stored,
    named,
    range_text,
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


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = { b = " * 2000, f"pages = {'9' * 5000}"])
def test_toml_that_breaks_its_reader_is_refused_too(tmp_path: Path, text: str) -> None:
    (tmp_path / "topic.toml").write_text(text)
    with pytest.raises(ConfigError, match="not valid TOML"):
        config.load(tmp_path / "topic.toml")


def test_settings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(tmp_path)


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


NUMBERS = {
    (section.name, setting.name): (section.type, setting)
    for section in fields(Config)
    for setting in fields(section.type)
    if setting.type in (int, float) or setting.type == (float | None)
}


def test_every_number_has_a_range_and_every_range_a_number() -> None:
    assert {name for _, name in NUMBERS} == set(RANGES)
    assert len(NUMBERS) == len(RANGES), "two settings of one name would share a range"


@pytest.mark.parametrize(("section", "name"), NUMBERS)
def test_a_number_is_refused_out_of_its_range(section: str, name: str) -> None:
    kind, setting = NUMBERS[section, name]
    least, most = RANGES[name]
    number = int if setting.type is int else float
    step = 1 if number is int else max(most * 1e-9, 1e-9)
    for allowed in (least, most):
        kind(**{name: number(allowed)})
    for senseless in (nan, inf, -inf, number(least) - step, number(most) + step):
        with pytest.raises(ConfigError, match=f"{name} = .* cannot be meant"):
            kind(**{name: senseless})
        with pytest.raises(ConfigError):
            from_dict(tomllib.loads(f"[{section}]\n{name} = {senseless}\n"))
    with pytest.raises(ConfigError, match=re.escape(range_text(name))):
        kind(**{name: number(least) - step})


@pytest.mark.parametrize("name", ["parallel", "connections", "site_pages", "active", "max_bytes", "total_timeout"])
def test_nothing_is_refused_where_it_means_nothing(name: str) -> None:
    assert RANGES[name][0] > 0


def test_what_was_set_afterwards_is_checked_again() -> None:
    config = Config()
    config.fetch.total_timeout = nan
    with pytest.raises(ConfigError, match="total_timeout"):
        config.check()


def test_stored_settings_are_read_whatever_version_wrote_them() -> None:
    """A NaN is null in JSON; a number may be out of today's range, a key unknown."""
    stored = '{"crawl": {"minutes": null, "pages": 7}, "fetch": {"parallel": 0}, "politeness": {"mood": 1}, "new": 2}'
    config = from_stored(stored)
    assert (config.crawl.pages, config.crawl.minutes, config.fetch.parallel) == (7, 0.0, 32)


@pytest.mark.parametrize("weight", [nan, inf, 0.0, -1.0])
def test_a_weight_that_cannot_be_meant(weight: float) -> None:
    with pytest.raises(ConfigError, match="weight must be above 0"):
        share_weights([WeightedTerm("dengue", weight)])


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("table", ["strategy", "judge", "tunnel"])
def test_numbers_in_tables_of_parameters_are_numbers(tmp_path: Path, table: str, number: str) -> None:
    path = tmp_path / "topic.toml"
    path.write_text(f'[crawl]\n{table} = {{ name = "x", strategy = {{ name = "y", delta = {number} }} }}\n')
    with pytest.raises(ConfigError, match=rf"{table}\.strategy\.delta = -?(nan|inf) cannot be meant"):
        config.load(path)
