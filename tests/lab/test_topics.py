"""Topics from JSON lines and from folders of settings, and what a person is told who got one wrong."""

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.lab.topics import LabTopic, load, read_lines
from scenthound.model import Link
from scenthound.scope.scope import Scope

BIRDS: dict[str, Any] = {
    "name": "birds",
    "web": "zoo.warc.gz",
    "category": "Biology.Birds",
    "keywords": 'birds nest "bird of prey"',
    "seeds": ["HTTP://Zoo.Example:80/start#top"],
    "pages": 50,
    "scope": ["zoo.example", "*.Farm.example"],
    "relevant_examples": ["http://zoo.example/owl"],
    "irrelevant_examples": ["http://zoo.example/train"],
    "targets": ["http://zoo.example/owl", "http://zoo.example/crow", "http://zoo.example/./crow"],
    "trails": [["http://zoo.example/train", "<", "http://zoo.example/owl"]],
    "seed_distance": 3,
}


def written(folder: Path, *topics: Any) -> Path:
    path = folder / "topics.jsonl"
    path.write_text("\n".join(json.dumps(topic) for topic in topics) + "\n")
    return path


def test_a_line_becomes_a_topic_with_canonical_urls(tmp_path: Path) -> None:
    [topic] = load(written(tmp_path, BIRDS))
    assert topic.name == "birds"
    assert topic.seeds == ("http://zoo.example/start",)
    assert topic.targets == ("http://zoo.example/owl", "http://zoo.example/crow")
    assert topic.trails == (("http://zoo.example/train", "<", "http://zoo.example/owl"),)
    assert [keyword.term for keyword in topic.keywords] == ["birds", "nest", "bird of prey"]
    assert sum(keyword.weight for keyword in topic.make_topic().keywords) == pytest.approx(1)
    assert (topic.pages, topic.web, topic.category) == (50, "zoo.warc.gz", "Biology.Birds")
    assert topic.train_universities == ()


def test_examples_are_taken_out_of_what_is_scored(tmp_path: Path) -> None:
    [topic] = load(written(tmp_path, BIRDS))
    assert topic.scored_targets() == {"http://zoo.example/crow"}


def test_blank_lines_are_passed_over_and_only_name_seeds_and_targets_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text('\n{"name": "a", "seeds": ["http://a.example/"], "targets": []}\n\n')
    [topic] = load(path)
    assert (topic.keywords, topic.scope_rule(), topic.scored_targets()) == ((), "", frozenset())


def test_a_line_ends_at_a_line_feed_only(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text(json.dumps(BIRDS | {"category": "a\u2028b\x85c"}, ensure_ascii=False) + "\r\n", newline="")
    assert load(path)[0].category == "a\u2028b\x85c"


def test_weighted_keywords_are_taken_as_in_settings(tmp_path: Path) -> None:
    [topic] = load(written(tmp_path, BIRDS | {"keywords": ["owl", {"term": "night bird", "weight": 0.75}]}))
    assert {keyword.term: keyword.weight for keyword in topic.keywords} == pytest.approx(
        {"owl": 0.25, "night bird": 0.75}
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("{not json", "line 2: not valid JSON"),
        ('["a list"]', "line 2: a topic is a JSON object"),
        ('{"name": "x", "seeds": ["http://a.example/"]}', "line 2: .*targets"),
        (BIRDS | {"name": "x", "pages": "many"}, "line 2: .*pages"),
        (BIRDS | {"name": "x", "pages": 0}, "line 2: pages, the budget"),
        (BIRDS | {"name": "x", "seeds": ["no url"]}, "line 2: seeds: 'no url' is no usable URL"),
        (BIRDS | {"name": "x", "seeds": []}, "line 2: seeds: give at least one"),
        (BIRDS | {"name": "x", "targets": ["mailto:a@b.example"]}, "line 2: targets: 'mailto:a@b.example'"),
        (BIRDS | {"name": "x", "trails": [["http://a.example/", ">"]]}, "line 2: trails: '>'"),
        (BIRDS | {"name": "x", "scope": ["a b or not"]}, "line 2: scope: 'a b or not' is no domain"),
        (BIRDS | {"name": "  "}, "line 2: the topic needs a name"),
        (BIRDS | {"name": "x", "keywords": [{"term": "a", "weight": -1}]}, "line 2: A keyword's weight"),
        (BIRDS, "two topics are called 'birds'"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, wrong: Any, told: str) -> None:
    path = written(tmp_path, BIRDS)
    with path.open("a") as file:
        file.write(wrong if isinstance(wrong, str) else json.dumps(wrong))
    with pytest.raises(ConfigError, match=told):
        load(path)


def test_a_misspelt_key_is_not_passed_over(tmp_path: Path) -> None:
    misspelt = {("scopes" if key == "scope" else key): value for key, value in BIRDS.items()}
    with pytest.raises(ConfigError, match="line 1: unknown key 'scopes'; did you mean 'scope'"):
        load(written(tmp_path, misspelt))


def test_files_that_are_not_there_or_empty_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no file of topics"):
        load(tmp_path / "nowhere.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(ConfigError, match="There is no topic in"):
        load(tmp_path / "empty.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "binary.jsonl")


@given(st.text(max_size=200) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_raises_anything_else(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"any-{os.getpid()}.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigError):
        read_lines(path)


@given(st.dictionaries(st.sampled_from(sorted(BIRDS)), st.none() | st.integers() | st.text() | st.lists(st.text())))
def test_any_values_make_a_topic_or_a_config_error(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"values-{os.getpid()}.jsonl"
    path.write_text(json.dumps(BIRDS | changes))
    with contextlib.suppress(ConfigError):
        [topic] = read_lines(path)
        assert topic.pages >= 1
        assert topic.seeds
        Scope(topic.scope_rule())  # a ScopeError is no ConfigError


# Scope


def allowed(topic: LabTopic, url: str) -> bool:
    return Scope(topic.scope_rule(), topic.deny).refuses(Link(url=url), 1) is None


def test_the_scope_rule_lets_in_a_domain_and_what_is_below_it(tmp_path: Path) -> None:
    [topic] = load(written(tmp_path, BIRDS))
    assert allowed(topic, "http://zoo.example/owl")
    assert allowed(topic, "http://www.deep.zoo.example/owl")
    assert allowed(topic, "http://farm.example/hen")
    assert not allowed(topic, "http://petzoo.example/owl")
    assert not allowed(topic, "http://zoo.example.org/owl")


def test_a_domain_is_spelt_as_in_canonical_urls(tmp_path: Path) -> None:
    [topic] = load(written(tmp_path, BIRDS | {"scope": ["Bücher.example"]}))
    assert topic.scope == ("xn--bcher-kva.example",)
    for wrong in ("example.org/path", "user@example.org", "(example)", "example.org:8080", ""):
        with pytest.raises(ConfigError, match="is no domain"):
            load(written(tmp_path, BIRDS | {"scope": [wrong]}))


def test_without_a_scope_everything_is_allowed() -> None:
    assert allowed(LabTopic("a", ("http://a.example/",), ()), "http://anywhere.example/")


def test_domains_and_a_rule_hold_together() -> None:
    topic = LabTopic("a", (), (), scope=("a.example", "b.example"), allow="path:/x/* or path:/y/*", deny="path:*/no*")
    assert allowed(topic, "http://b.example/y/1")
    assert not allowed(topic, "http://b.example/z/1")
    assert not allowed(topic, "http://c.example/x/1")
    assert not allowed(topic, "http://a.example/x/no")


# Folders of topic.toml


def settings_in(folder: Path, text: str, targets: str | None = None) -> None:
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text(text)
    if targets is not None:
        (folder / "targets.txt").write_text(targets)


def test_a_folder_of_settings(tmp_path: Path) -> None:
    settings_in(
        tmp_path / "b-owls",
        """
        [topic]
        name = "owls"
        keywords = ["owl", "night bird"]
        examples = ["http://zoo.example/owl", "more.txt"]
        [crawl]
        seeds = ["http://zoo.example"]
        pages = 30
        [scope]
        allow = "host:zoo.example"
        deny = "path:/admin*"
        """,
        targets="# to be found\nhttp://zoo.example/barn-owl\n\nhttp://zoo.example/owl\n",
    )
    (tmp_path / "b-owls" / "more.txt").write_text("http://zoo.example/eagle-owl\n")
    settings_in(tmp_path / "a" / "hens", '[crawl]\nseeds = ["http://farm.example/"]\npages = 0')
    hens, owls = load(tmp_path)
    assert owls.seeds == ("http://zoo.example/",)
    assert owls.relevant_examples == ("http://zoo.example/owl", "http://zoo.example/eagle-owl")
    assert owls.scored_targets() == {"http://zoo.example/barn-owl"}
    assert owls.pages == 30
    assert (owls.scope_rule(), owls.deny) == ("host:zoo.example", "path:/admin*")
    assert (hens.name, hens.targets, hens.pages) == ("hens", (), 1000)
    assert load(tmp_path / "b-owls" / "topic.toml") == [owls]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[crawl]\nseed = []", "did you mean 'seeds'"),
        ("[crawl]\nseeds = []", "give at least one URL to start from"),
        ('[crawl]\nseeds = ["nonsense"]', "'nonsense' is no usable URL"),
        ('[topic]\nexamples = ["page.html"]\n[crawl]\nseeds = ["http://a.example/"]', "URLs of the recorded web"),
        ('[topic]\nexamples = ["absent.txt"]\n[crawl]\nseeds = ["http://a.example/"]', "absent.txt"),
    ],
)
def test_bad_settings_are_named(tmp_path: Path, text: str, told: str) -> None:
    settings_in(tmp_path / "x", text)
    (tmp_path / "x" / "page.html").write_text("<p>owl")
    with pytest.raises(ConfigError, match=told):
        load(tmp_path)


def test_a_folder_without_topics(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no topic\.toml"):
        load(tmp_path)


# The real ones, where they are


def test_the_development_topics_can_all_be_read() -> None:
    path = Path(__file__).parents[4] / "shared" / "data" / "topics.jsonl"
    if not path.is_file():
        pytest.skip("the recorded webs are not here")
    topics = load(path)
    assert len(topics) == 24
    for topic in topics:
        assert topic.scored_targets()
        assert not topic.scored_targets().intersection(topic.relevant_examples)
        assert all(allowed(topic, seed) for seed in topic.seeds)
        assert all(allowed(topic, target) for target in topic.targets)
