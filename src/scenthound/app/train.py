"""Teaches a strategy ahead of the crawl, and knows what was taught before."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import registry
from scenthound.app.crawl_plan import parameter
from scenthound.app.strategies import trainable
from scenthound.crawler import assemble
from scenthound.errors import ModelError, UsageError
from scenthound.learn import model_file
from scenthound.learn.assessment import Assessment, assess
from scenthound.learn.chains import fitting
from scenthound.protocols.crawl import Trains
from scenthound.protocols.hooks import hook
from scenthound.training.lessons import Kind, load_lessons, settings_of

EXAMPLES = 50
"""Targets among the lessons that stand for the topic, where it has no keywords."""


class TrainedModel(Struct):
    """A model and how its training went."""

    model: str  # the name of its file, without the ending
    strategy: str
    parameters: dict[str, Any]
    made: float  # unix time
    bytes: int
    report: Assessment


def train_strategy(
    folder: Path,
    name: str,
    params: Sequence[str] = (),
    kind: Kind | None = None,
    seed: int = 0,
    *,
    watch: Callable[[str, int, int], None] = lambda doing, done, whole: None,
) -> TrainedModel:
    """Teaches it with what `trails` gathered, and keeps what it learned. `watch` is told what is done, and how far."""
    strategy = registry.strategy.build(name, dict(map(parameter, params)))
    if hook(strategy, Trains) is None:
        raise UsageError(f"The strategy {name!r} needs no training. Those that learn: {', '.join(trainable())}.")
    lessons = load_lessons(folder, kind, progress=partial(watch, "Pages read:"))
    context = assemble.make_context(settings_of(folder), lessons.targets[:EXAMPLES], folder=folder)
    context = msgspec.structs.replace(context, lessons=lessons, random=Random(seed))
    token = fitting.watch.set(partial(watch, f"Training {name}, iterations:"))
    try:
        report = assess(strategy, context, Random(seed))
    finally:
        fitting.watch.reset(token)
    path = model_file.path_of(folder / model_file.FOLDER, name, strategy)
    model_file.save(path, name, strategy, msgspec.to_builtins(report))
    return _read(path)


def kept_models(folder: Path) -> list[TrainedModel]:
    """The models of a folder, by name."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    return [_read(path) for path in sorted((folder / model_file.FOLDER).glob("*.model"))]


def model_called(name: str, found: Sequence[TrainedModel], folder: Path) -> TrainedModel:
    names = [each.model for each in found]
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = (
            f"Did you mean {near[0]!r}?"
            if near
            else f"Train it: scenthound train {shlex.quote(str(folder))} --model {name}"
        )
        raise UsageError(f"{folder} has no model called {name!r}. {hint}")
    return found[names.index(name)]


def _read(path: Path) -> TrainedModel:
    header = model_file.read_header(path)
    try:
        report = msgspec.convert(header.report, Assessment)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path} does not tell how its training went: {error}.") from error
    there = path.stat()
    return TrainedModel(path.stem, header.strategy, header.parameters, there.st_mtime, there.st_size, report)
