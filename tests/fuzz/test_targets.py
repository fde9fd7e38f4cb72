"""A short run of every target: what is in the corpus, and some hundred inputs made from it, the same every time.

`python -m fuzz --executions 100000 --seed N` is the long one.
"""

from pathlib import Path

import pytest
from fuzz.runner import CORPUS, Failure, corpus_of, fuzz, tried
from fuzz.targets import TARGETS, Target

from scenthound import errors

EXECUTIONS = 400


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_nothing_fails(target: Target) -> None:
    corpus = corpus_of(target)
    outcome = fuzz(target, len(corpus) + EXECUTIONS, 1, corpus)
    assert outcome.executions == len(corpus) + EXECUTIONS
    assert [(failure.kind, failure.data[:200], failure.text) for failure in outcome.failures] == []


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_something_is_read(target: Target) -> None:
    """A corpus that is refused as a whole would try nothing but refusals."""
    results = [tried(target, data) for data in corpus_of(target)]
    names = {name for name in vars(errors) if name[0].isupper()}
    read = [result for result in results if not (isinstance(result, tuple) and result and result[0] in names)]
    assert read
    assert not any(isinstance(result, Failure) for result in results)


def test_every_folder_of_the_corpus_is_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in Path(CORPUS).rglob("*") if path.is_file()) < 1_000_000


def test_every_target_is_described() -> None:
    import fuzz.targets

    assert all(f"| `{name}` |" in (fuzz.targets.__doc__ or "") for name in TARGETS)
