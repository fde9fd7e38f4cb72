import tomllib
from pathlib import Path

import pytest

from scenthound.app.topic import TopicOptions, plain_topic, read_topic, update_topic
from scenthound.errors import LibraryMissing


async def test_a_topic_is_made_and_changed(tmp_path: Path) -> None:
    await update_topic(TopicOptions(folder=tmp_path / "x", keywords=["dengue fever=0.75", "mosquito"]))
    await update_topic(TopicOptions(folder=tmp_path / "x", name="dengue", seeds=["example.org"]))
    told = plain_topic(read_topic(tmp_path / "x"))
    assert (told["name"], told["seeds"]) == ("dengue", ["https://example.org/"])
    assert told["keywords"] == [{"term": "dengue fever", "weight": 0.75}, {"term": "mosquito", "weight": 0.25}]
    assert "dengue fever" in (tmp_path / "x/topic.toml.old").read_text()


async def test_only_what_changes_is_rewritten(tmp_path: Path) -> None:
    text = '# Mine.\n[topic]\nname = "ferns"  # and mosses\n\n[crawl]\npages = 5\n'
    (tmp_path / "topic.toml").write_text(text)
    await update_topic(TopicOptions(folder=tmp_path, language="de"))
    now = (tmp_path / "topic.toml").read_text()
    assert now == text.replace("mosses\n", 'mosses\nlanguage = "de"\n')
    assert tomllib.loads(now)["topic"]["language"] == "de"


def test_no_topic(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing, match=r"has no topic\.toml yet"):
        read_topic(tmp_path)
