"""A strategy that must be taught: from its model file, from lessons, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.config import from_dict
from scenthound.crawler.assemble import assembled, build, make_context
from scenthound.errors import ConfigError, ModelError
from scenthound.learn import model_file
from scenthound.learn.model_file import path_of, save
from tests.conformance import strategies as suite
from tests.small_web import ScriptedFetcher, page

CONTEXT = suite.make_context()


def bare(models: Path | None) -> suite.Context:
    return replace(CONTEXT, lessons=None, models=models)


def kept(folder: Path, name: str, **params: object) -> None:
    trained = registry.strategy.build(name, params)
    trained.train(CONTEXT)
    save(path_of(folder, name, trained), name, trained)


def priorities(strategy: object) -> list[float]:
    return [one.priority for one in strategy.rank(suite.make_visit(suite.make_page(1)))]  # type: ignore[attr-defined]


def test_lessons_teach_where_there_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="scenthound train FOLDER --model context-graph"):
        build(registry.strategy, "context-graph", bare(tmp_path))
    taught = build(registry.strategy, "context-graph", CONTEXT)
    kept(tmp_path, "context-graph")
    assert priorities(build(registry.strategy, "context-graph", bare(tmp_path))) == priorities(taught)


def test_a_model_goes_before_lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, "hmm")
    monkeypatch.setattr(registry.strategy.get("hmm"), "train", lambda self, context: pytest.fail("trained again"))
    build(registry.strategy, "hmm", replace(CONTEXT, models=tmp_path))


def test_each_set_of_parameters_has_its_model(tmp_path: Path) -> None:
    kept(tmp_path, "hmm", k=3)
    entry = {"name": "hmm", "k": 3}
    assert build(registry.strategy, entry, bare(tmp_path)).model_.clusters.max() <= 2
    with pytest.raises(ConfigError, match="must be trained"):
        build(registry.strategy, "hmm", bare(tmp_path))


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    kept(tmp_path, "hmm")
    (tmp_path / "hmm.model").rename(tmp_path / "context-graph.model")
    with pytest.raises(ModelError, match="is a model for hmm, not for context-graph"):
        build(registry.strategy, "context-graph", bare(tmp_path))


def test_a_tunneller_s_strategy_is_taught_too(tmp_path: Path) -> None:
    entry = {"name": "tunnelling", "strategy": {"name": "context-graph", "confidence": 0.5}}
    assert priorities(build(registry.strategy, entry, CONTEXT))
    kept(tmp_path, "context-graph", confidence=0.5)
    assert priorities(build(registry.strategy, entry, bare(tmp_path)))


def test_those_that_can_do_without_lessons_do() -> None:
    assert priorities(build(registry.strategy, "classifier", bare(None)))


async def test_a_crawl_finds_the_model_in_its_folder(tmp_path: Path) -> None:
    settings = from_dict(
        {
            "topic": {"name": "dengue"},
            "crawl": {"seeds": ["http://a.test/"], "strategy": "context-graph"},
            "politeness": {"delay": 0.0, "robots": False},
        }
    )
    web = {"http://a.test/": page("dengue", "/b"), "http://a.test/b": page("fever")}
    with pytest.raises(ConfigError, match="must be trained"):
        async with assembled(settings, tmp_path, fetcher=ScriptedFetcher(web)):
            pass
    kept(tmp_path / model_file.FOLDER, "context-graph")
    async with assembled(settings, tmp_path, fetcher=ScriptedFetcher(web)) as crawl:
        await crawl.run()
    assert crawl.tally.pages == 2


def test_no_folder_no_models() -> None:
    config = from_dict({"topic": {"name": "dengue"}})
    assert make_context(config).models is None
    assert make_context(config, folder=Path("x")).models == Path("x/models")
