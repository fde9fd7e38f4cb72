"""Words and seeds of a topic.toml, added and struck: noted, logged, taken back, refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound import config as toml
from scenthound.app.steering import SteeringLog
from scenthound.app.topic_steering import TopicSteering, words_of
from scenthound.errors import ConfigError, UsageError

TOML = """# ours
[topic]
name = "otters"
keywords = ["otter", "river"]  # what we look for
[crawl]
seeds = ["https://a.example/"]
"""


def steering(folder: Path, text: str = TOML) -> TopicSteering:
    (folder / "topic.toml").write_text(text)
    return TopicSteering(folder, SteeringLog(folder, clock=lambda: 7.0))


def test_words_are_added_struck_and_taken_back(tmp_path: Path) -> None:
    topic = steering(tmp_path)
    added = topic.add_word(" sea   otter ")
    assert words_of(topic.settings()) == ["otter", "river", "sea otter"]
    struck = topic.strike_word("OTTER")
    assert words_of(topic.settings()) == ["river", "sea otter"]
    assert [(rule.action, rule.rule) for rule in SteeringLog(tmp_path).rules()] == [
        ("add-word", "sea otter"),
        ("strike-word", "otter"),
    ]
    topic.undo(struck)
    topic.undo(added)
    assert sorted(words_of(topic.settings())) == ["otter", "river"]
    assert SteeringLog(tmp_path).rules() == []
    assert "# ours" in (tmp_path / "topic.toml").read_text()


def test_a_struck_word_comes_back_with_its_weight(tmp_path: Path) -> None:
    weighted = '[topic]\nkeywords = [{ term = "otter", weight = 0.8 }, { term = "river", weight = 0.2 }]\n'
    topic = steering(tmp_path, weighted)
    before = {keyword.term: keyword.weight for keyword in topic.settings().make_topic().keywords}
    topic.undo(topic.strike_word("river"))
    assert {keyword.term: keyword.weight for keyword in topic.settings().make_topic().keywords} == before
    topic.add_word("bank")
    weights = {keyword.term: keyword.weight for keyword in topic.settings().make_topic().keywords}
    assert weights["bank"] == pytest.approx(0.5 / 1.5)


def test_a_topic_that_is_a_name_keeps_it_as_a_word(tmp_path: Path) -> None:
    topic = steering(tmp_path, '[topic]\nname = "otters"\n')
    topic.add_word("river")
    assert words_of(topic.settings()) == ["otters", "river"]


def test_seeds(tmp_path: Path) -> None:
    topic, log = steering(tmp_path), SteeringLog(tmp_path)
    added = topic.add_seed("b.example/x")
    assert topic.settings().crawl.seeds == ["https://a.example/", "https://b.example/x"]
    struck = topic.strike_seed("https://a.example")
    assert topic.settings().crawl.seeds == ["https://b.example/x"]
    assert log.struck_seeds() == {"https://a.example/"}
    topic.undo(added)
    assert log.struck_seeds() == {"https://a.example/", "https://b.example/x"}
    topic.undo(struck)
    assert topic.settings().crawl.seeds == ["https://a.example/"]
    assert log.struck_seeds() == {"https://b.example/x"}


@pytest.mark.parametrize(
    ("does", "text", "message"),
    [
        ("add_word", "River", "already"),
        ("add_word", "  ", "characters"),
        ("add_word", "x" * 101, "characters"),
        ("strike_word", "walrus", "It has: otter, river"),
        ("add_seed", "https://a.example/", "already"),
        ("strike_seed", "https://z.example/", "no seed"),
    ],
)
def test_what_cannot_be_meant_changes_nothing(tmp_path: Path, does: str, text: str, message: str) -> None:
    topic = steering(tmp_path)
    with pytest.raises(UsageError, match=message):
        getattr(topic, does)(text)
    assert (tmp_path / "topic.toml").read_text() == TOML
    assert SteeringLog(tmp_path).rules() == []


def test_the_last_word_stays_and_bad_seeds_are_named(tmp_path: Path) -> None:
    topic = steering(tmp_path, '[topic]\nkeywords = ["otter"]\n')
    with pytest.raises(UsageError, match="needs a word"):
        topic.strike_word("otter")
    with pytest.raises(ConfigError, match="no usable URL"):
        topic.add_seed("http://")
    assert toml.load(tmp_path / "topic.toml").crawl.seeds == []


def test_a_folder_without_topic(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no"):
        TopicSteering(tmp_path, SteeringLog(tmp_path)).add_word("otter")
