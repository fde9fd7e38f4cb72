"""Which strategies and forms are measured for docs/. `benchmarks/doc_figures.py` runs them; tables name the missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scenthound import registry
from scenthound.lab.crawls.experiment import strategy_entry
from scenthound.protocols.crawl import Trains
from scenthound.protocols.hooks import hook

WEBS = ("webkb", "schools-wikipedia")
EVERY_WEB = (*WEBS, "apache")
BOUNDS = ("oracle", "random")
EXTRA = ("classifier(model=svm)", "tunnelling(strategy=blocks)")
REFERENCES = ("breadth-first", "best-first", "best-first-anchor", "best-first-targets")
DISCOUNTED = ("memm(discount=0.3)", "crf(discount=0.3)")
SCALED = tuple(f"{name}(scaled=true)" for name in ("hmm", "hmm-xmeans", "hybrid-hmm", "hybrid-hmm-anchor"))


def forms(name: str) -> Iterator[str]:
    """A strategy as it is, and each published form that differs from that."""
    yield name
    yield from (f"{name}(published={form})" for form, params in registry.strategy.presets(name).items() if params)


def untaught() -> list[str]:
    names = [name for name in registry.strategy.names() if not _must_be_taught(name) and name != "random"]
    return [label for name in names for label in forms(name)] + list(EXTRA)


def taught() -> list[str]:
    names = [name for name in registry.strategy.names() if hook(registry.strategy.get(name), Trains) is not None]
    return [*REFERENCES, *(label for name in names for label in forms(name)), *DISCOUNTED, *SCALED]


def _must_be_taught(name: str) -> bool:
    made = registry.strategy.get(name)
    return hook(made, Trains) is not None and not getattr(made, "can_do_without", False)


def spelt(labels: Iterable[str]) -> tuple[str, ...]:
    """As results name them."""
    return tuple(strategy_entry(label).label for label in labels)
