"""A topic.toml is its owner's: what is not to be changed stays as it was written."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.app.settings_file import edited, mark_seeds

OWNED = """# Mine.
[topic]
name = "dengue"  # the fever

[crawl]
pages = 7
seeds = [  # where to start
  "a",  # the best
]

# Be nice.
[politeness]
delay = 2
"""


def edited_seeds(text: str, seeds: list[str]) -> str:
    return edited(text, {"crawl": {"seeds": seeds}}, "topic.toml")


def test_what_is_added_stands_below_what_is_there() -> None:
    assert edited_seeds(OWNED, ["a", "b"]) == OWNED.replace('  "a",  # the best\n', '  "a",  # the best\n  "b",\n')


def test_values_change_in_their_places_and_new_keys_stand_in_their_sections() -> None:
    changes = {"topic": {"name": "malaria"}, "crawl": {"threshold": 0.2}, "scope": {"allow": "site:a.org"}}
    wanted = OWNED.replace('"dengue"', '"malaria"').replace("]\n\n# Be", "]\nthreshold = 0.2\n\n# Be")
    assert edited(OWNED, changes, "x") == wanted + '\n[scope]\nallow = "site:a.org"\n'


def test_a_key_can_be_taken_out() -> None:
    assert edited(OWNED, {"crawl": {"pages": None, "minutes": None}}, "x") == OWNED.replace("pages = 7\n", "")


def test_keywords_are_tables_a_line_each() -> None:
    text = edited("", {"topic": {"keywords": [{"term": "fern", "weight": 0.5}, "spore"]}}, "x")
    assert text == '[topic]\nkeywords = [\n    {term = "fern", weight = 0.5},\n    "spore",\n]\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing",
        '[topic]\nname = "a"',
        "[crawl]",
        "[crawl]\r\npages = 3\r\n[politeness]\r\ndelay = 2.0\r\n",
        "[crawl]\nseeds=[]\n[scope]\nallow = 'site:a.org'",
        '[crawl]\nstrategy = "x"\n[crawl.judge]\nname = "y"\nseeds = ["no"]\n',
        "crawl.pages = 3",
        'crawl.judge.name = "y"',
        'crawl = { pages = 3, seeds = ["x"] }',
        '[crawl]\n"seeds" = []',
        '[crawl.judge]\nname = "y"\n[topic]\nname = "a"\n[crawl]\npages = 3\n',
        '[ crawl ]\nx = """\n[crawl]\nseeds = [1]\n"""\n',
    ],
)
def test_seeds_are_put_into_any_text(text: str) -> None:
    edited = edited_seeds(text, ["http://a.test/'\"\\"])
    before, after = tomllib.loads(text), tomllib.loads(edited)
    assert after.pop("crawl") == {**before.pop("crawl", {}), "seeds": ["http://a.test/'\"\\"]}
    assert after == before


NAMES = st.sampled_from(
    ["[crawl]", "[topic]", "seeds = [", "]", '"a"', ",", "#", "'''", '"""', "x = 1", "\n", "\n", "= ["]
)


@given(st.lists(NAMES).map("".join))
def test_no_text_is_changed_but_for_its_seeds(text: str) -> None:
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    if not isinstance(before.get("crawl", {}), dict):
        return
    after = tomllib.loads(edited_seeds(text, ["http://a.test/"]))
    assert after == {**before, "crawl": {**before.get("crawl", {}), "seeds": ["http://a.test/"]}}


def test_seeds_that_never_answered_are_marked_and_unmarked(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"
    text = '# mine\n[crawl]\nseeds = ["http://a.test/", "http://b.test/"] # two\npages = 5\n'
    path.write_text(text)
    mark_seeds(path, {})
    assert path.read_text() == text
    mark_seeds(path, {"http://b.test/": "404 not\nfound"})
    assert '"http://b.test/",  # brought no page: 404 not found\n' in path.read_text()
    assert path.read_text().startswith("# mine\n")
    assert tomllib.loads(path.read_text()) == tomllib.loads(text)
    mark_seeds(path, {})
    assert "brought no page" not in path.read_text()
    mark_seeds(tmp_path / "none.toml", {"x": "y"})
