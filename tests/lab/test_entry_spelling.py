from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.lab.entry_spelling import entry_label, read_entry, split_list


def test_commas_inside_brackets_do_not_split() -> None:
    assert split_list("a, b(n=1,m=2),c,") == ["a", "b(n=1,m=2)", "c"]


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), st.integers() | st.booleans(), max_size=3))
def test_a_label_reads_back(params: dict[str, Any]) -> None:
    assert read_entry(entry_label("some-name", params), "judge") == ("some-name", params)


def test_a_mistake_is_named_by_what_it_was_meant_to_be() -> None:
    with pytest.raises(ConfigError, match="The judge 'a b' is not spelt like"):
        read_entry("a b", "judge")
    with pytest.raises(ConfigError, match="'mode' is not of the form name=value"):
        read_entry("blocks(mode)", "judge")
