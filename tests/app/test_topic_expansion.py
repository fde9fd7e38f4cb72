from pathlib import Path

import pytest

from scenthound.app.topic_expansion import expand_topic, words_to_expand
from scenthound.errors import ConfigError


def test_words_of_a_person_and_of_a_folder(tmp_path: Path) -> None:
    asked = words_to_expand(["dog", " cat "])
    assert [keyword.term for keyword in asked.keywords] == ["dog", "cat"]
    (tmp_path / "topic.toml").write_text('[topic]\nkeywords = ["fern"]\n')
    assert [keyword.term for keyword in words_to_expand([str(tmp_path)]).keywords] == ["fern"]
    with pytest.raises(ConfigError, match="Give the words of a topic"):
        words_to_expand([" "])


def test_synonyms_come_with_their_weights() -> None:
    found = expand_topic(words_to_expand(["dog"]), distance=0)
    assert not found.unknown_to
    assert "domestic dog" in {each.term for each in found.additions}
    assert expand_topic(words_to_expand(["xyzzy"])).unknown_to
