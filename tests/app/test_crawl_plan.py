from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import config as toml
from scenthound.app.crawl_plan import CrawlOptions, apply_options, folder_name, plan_crawl
from scenthound.config import Config
from scenthound.errors import ConfigError, LibraryMissing, RecordingError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def library(folder: Path, name: str = "dengue fever", **crawl: object) -> Path:
    folder.mkdir(parents=True)
    settings = toml.from_dict({"topic": {"name": name}, "crawl": {"seeds": ["https://example.org/"], **crawl}})
    toml.save(settings, folder / "topic.toml")
    return folder


SEED = CrawlOptions(seeds=["https://example.org/"])


def test_words_are_a_topic() -> None:
    plan = plan_crawl("Dengue  fever", SEED)
    assert plan.folder == Path("crawls/dengue-fever")
    assert plan.config.topic.name == "Dengue fever"
    assert plan.config.topic.keywords == ["Dengue fever"]
    assert plan.config.crawl.seeds == ["https://example.org/"]


def test_commas_separate_keywords() -> None:
    assert plan_crawl("dengue fever, mosquito", SEED).config.topic.keywords == ["dengue fever", "mosquito"]


def test_options_given_later_are_kept_and_nothing_else_is_touched(here: Path) -> None:
    plan = plan_crawl("dengue", CrawlOptions(seeds=["https://example.org/"], pages=5, into=here / "x"))
    plan.folder.mkdir()
    plan.write()
    path = here / "x" / "topic.toml"
    path.write_text(f"# mine\n{path.read_text()}")
    later = CrawlOptions(pages=9, delay=0.5, allow_private=True, seeds=["https://example.net/"], into=here / "x")
    again = plan_crawl("dengue", later)
    assert toml.load(path).crawl.pages == 5, "it is not under way yet"
    again.write()
    kept = toml.load(path)
    assert (kept.crawl.pages, kept.politeness.delay, kept.fetch.private_addresses) == (9, 0.5, True)
    assert kept.crawl.seeds == again.config.crawl.seeds == ["https://example.org/", "https://example.net/"]
    assert path.read_text().startswith("# mine\n")
    before = path.read_bytes()
    plan_crawl("dengue", CrawlOptions(into=here / "x")).write()
    assert path.read_bytes() == before


def test_the_same_topic_goes_on() -> None:
    library(Path("crawls/dengue-fever"), pages=7)
    plan = plan_crawl("Dengue Fever", CrawlOptions())
    assert plan.keep is None
    assert plan.config.crawl.pages == 7


def test_a_crawl_called_what_is_typed_goes_on_though_it_is_a_sentence() -> None:
    said = "pages about coral bleaching and what warm water does"
    library(Path("crawls/pages-about-coral-bleaching-and-what-warm-water-does"), name=said, pages=7)
    assert plan_crawl(said, CrawlOptions()).config.crawl.pages == 7
    library(Path("x"), name=said, pages=8)
    assert plan_crawl(said, CrawlOptions(into=Path("x"))).config.crawl.pages == 8


def test_a_sentence_is_kept_under_what_it_is_about() -> None:
    plan = plan_crawl("pages about coral bleaching and what warm water does", SEED)
    assert plan.folder == Path("crawls/coral-bleaching-warm-water")
    assert plan.words is not None
    assert plan.words.sentence


def test_another_topic_in_the_folder_is_refused() -> None:
    library(Path("x"), name="bird song")
    with pytest.raises(ConfigError, match=r"about 'bird song' already.*--into.*scenthound crawl x"):
        plan_crawl("dengue", CrawlOptions(seeds=["https://example.org/"], into=Path("x")))


def test_a_folder_goes_on_and_options_override() -> None:
    library(Path("x"), pages=7)
    plan = plan_crawl("x", CrawlOptions(pages=20, strategy="random"))
    assert plan.folder == Path("x")
    assert (plan.config.crawl.pages, plan.config.crawl.strategy) == (20, "random")
    assert plan.keep is None


def test_a_file_starts_a_crawl_of_its_own() -> None:
    Path("dengue.toml").write_text('[topic]\nname = "dengue"\nexamples = ["list.txt"]\n')
    Path("list.txt").write_text("https://example.org/\n")
    plan = plan_crawl("dengue.toml", SEED)
    assert plan.folder == Path("crawls/dengue")
    assert plan.keep is not None
    assert plan.keep.topic.examples == [str(Path("list.txt").resolve())]


def test_topic_toml_means_its_folder() -> None:
    library(Path("x"))
    assert plan_crawl("x/topic.toml", CrawlOptions()).folder == Path("x")


@pytest.mark.parametrize("topic", ["crawls/nothing", "./nothing", "nothing.toml", "/no/such"])
def test_a_missing_path_is_no_topic(topic: str) -> None:
    with pytest.raises(LibraryMissing, match="does not exist"):
        plan_crawl(topic, CrawlOptions())


def test_a_slash_alone_makes_no_path() -> None:
    assert plan_crawl("TCP/IP", SEED).folder == Path("crawls/tcp-ip")


def test_a_folder_that_is_no_library_may_share_a_topics_name() -> None:
    Path("birds").mkdir()
    assert plan_crawl("birds", SEED).folder == Path("crawls/birds")


def test_a_library_without_its_settings_asks_for_them() -> None:
    Path("x").mkdir()
    Path("x/library.db").touch()
    with pytest.raises(ConfigError, match=r"lost its topic.toml.*--into x"):
        plan_crawl("x", CrawlOptions())


def test_into_means_nothing_for_a_library() -> None:
    library(Path("x"))
    with pytest.raises(ConfigError, match="no meaning"):
        plan_crawl("x", CrawlOptions(into=Path("y")))


def test_seeds_come_from_a_file_too() -> None:
    Path("seeds.txt").write_text("# mine\nhttps://a.example/\n\n  https://b.example/#x\n")
    plan = plan_crawl("birds", CrawlOptions(seeds=["https://c.example/"], seeds_file=Path("seeds.txt")))
    assert plan.config.crawl.seeds == ["https://c.example/", "https://a.example/", "https://b.example/#x"]


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00"])
def test_a_bad_seeds_file_is_named(content: bytes | None) -> None:
    if content is not None:
        Path("seeds.txt").write_bytes(content)
    with pytest.raises(ConfigError, match=r"seeds\.txt"):
        plan_crawl("birds", CrawlOptions(seeds_file=Path("seeds.txt")))


@pytest.mark.parametrize(
    ("text", "value"), [("n=10", 10), ("n=0.5", 0.5), ("n=true", True), ("n=all", "all"), ('n="10"', "10"), ("n=", "")]
)
def test_parameters_are_read_as_toml(text: str, value: object) -> None:
    plan = plan_crawl("birds", CrawlOptions(seeds=["https://a.example/"], strategy="best-n-first", params=[text]))
    assert plan.config.crawl.strategy == {"name": "best-n-first", "n": value}


def test_parameters_add_to_those_of_the_file() -> None:
    library(Path("x"), strategy={"name": "best-n-first", "n": 3, "k": 1})
    assert plan_crawl("x", CrawlOptions(params=["n=5"])).config.crawl.strategy == {
        "name": "best-n-first",
        "n": 5,
        "k": 1,
    }
    assert plan_crawl("x", CrawlOptions(strategy="random")).config.crawl.strategy == "random"


def test_a_parameter_needs_a_name() -> None:
    with pytest.raises(ConfigError, match="name=value"):
        plan_crawl("birds", CrawlOptions(seeds=["https://a.example/"], params=["ten"]))


def test_a_replay_is_kept_as_one(tmp_path: Path) -> None:
    recorded = tmp_path / "web.warc.gz"
    recorded.write_bytes(b"")
    plan = plan_crawl("birds", CrawlOptions(seeds=["https://a.example/"], replay=[recorded]))
    assert plan.keep is not None
    assert plan.keep.fetch.recorded == [str(recorded.resolve())]
    assert (plan.keep.politeness.robots, plan.keep.politeness.delay) == (True, 1.0)


def test_a_folder_of_pages_is_replayed_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mirror = tmp_path / "mirror" / "www.zoo.example"
    mirror.mkdir(parents=True)
    options = CrawlOptions(seeds=["http://www.zoo.example/"], replay=[mirror.parent])
    with pytest.raises(RecordingError, match=r"There is no HTML file in .*Name a folder with pages"):
        plan_crawl("birds", options)
    (mirror / "index.html").write_text("<title>Birds</title><p>Birds sing")
    plan = plan_crawl("birds", options)
    assert plan.config.fetch.recorded == [str(mirror.parent.resolve())]


def test_an_example_must_be_there() -> None:
    with pytest.raises(ConfigError, match="neither a URL nor a file"):
        plan_crawl("birds", CrawlOptions(seeds=["https://a.example/"], examples=["none.html"]))


def test_options_leave_the_settings_they_came_from_alone() -> None:
    settings = Config()

    changed = apply_options(
        settings, CrawlOptions(pages=3, examples=["https://a.example/"], delay=9.0, allow="site:a.example")
    )
    assert settings == Config()
    assert (changed.crawl.pages, changed.politeness.delay, changed.scope.allow) == (3, 9.0, "site:a.example")


@pytest.mark.parametrize(
    ("topic", "folder"),
    [
        ("Dengue  fever!", "dengue-fever"),
        ("TCP/IP", "tcp-ip"),
        ("Übergang", "übergang"),
        ("../..", ""),
        ("東京", "東京"),
    ],
)
def test_folder_names(topic: str, folder: str) -> None:
    assert folder_name(topic) == folder


@given(st.text())
def test_a_folder_name_is_one_safe_folder_name(topic: str) -> None:
    name = folder_name(topic)
    assert "/" not in name
    assert "\\" not in name
    assert not name.startswith((".", "-"))
    assert len(name) <= 60
