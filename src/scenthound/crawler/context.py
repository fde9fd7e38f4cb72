"""What a strategy or judge may know before the first page, and how one is built from its name in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from scenthound import registry
from scenthound.config import Config, named
from scenthound.errors import ConfigError
from scenthound.learn import model_file
from scenthound.model import Page
from scenthound.ontology import open_ontology
from scenthound.protocols.crawl import Begins, Context, Idf, Trains
from scenthound.protocols.hooks import hook
from scenthound.text import idf


def make_context(
    config: Config, relevant: tuple[Page, ...] = (), irrelevant: tuple[Page, ...] = (), folder: Path = Path()
) -> Context:
    """What a strategy may know. Files that the topic names are looked for in the folder, then where we stand."""
    topic = config.make_topic()
    if not topic.keywords and not relevant:
        raise ConfigError("The topic is empty: give it a name, keywords, or example pages.")
    return Context(
        topic=topic,
        idf=_idf(config, relevant + irrelevant),
        random=Random(config.crawl.random_seed),
        examples=relevant,
        counterexamples=irrelevant,
        ontology=open_ontology.beside(config.topic.ontology, folder),
        models=folder / model_file.FOLDER if folder != Path() else None,
    )


def _idf(config: Config, pages: Sequence[Page]) -> Idf:
    source = config.crawl.idf
    if source == "background":
        return idf.background(config.topic.language)
    if source == "none":
        return idf.none()
    if source == "examples":
        if not pages:
            raise ConfigError('idf = "examples" needs example pages: give examples = [...] under [topic].')
        return idf.trained([page.terms for page in pages])
    raise ConfigError(f"idf = {source!r} is unknown; it is one of: background, examples, none.")


def build(kind: registry.Registry, entry: str | dict[str, Any], context: Context) -> Any:
    """A strategy or judge by its name and parameters, taught if it must be, and introduced to what it may know."""
    name, params = named(entry, kind.noun)
    made = kind.build(name, params)
    _load_or_train(name, made, context)
    if (beginner := hook(made, Begins)) is not None:
        beginner.begin(context)
    return made


def _load_or_train(name: str, made: Any, context: Context) -> None:
    """Gives a strategy that learns ahead of the crawl what it learned before, or else the lessons.

    Where there is neither it is left as it is: some can do without, and the others say so when they begin.
    """
    if isinstance(inner := getattr(made, "strategy", None), (str, dict)):  # one that goes around another
        _load_or_train(named(inner, "strategy")[0], getattr(made, "inner_", None), context)
    if (pupil := hook(made, Trains)) is None or model_file.is_trained(made):
        return
    kept = model_file.path_of(context.models, name, made) if context.models else None
    if kept is not None and kept.exists():
        model_file.load(kept, name, made)
    elif context.lessons is not None:
        pupil.train(context)
