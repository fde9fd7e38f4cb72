"""The judge as of now: what the settings, the example pages, the labels and the pages stored so far make of it.

    present = present_judge(config, library, examples.load_kept(config, folder), folder=folder)
    present.judge(page) >= present.threshold

The one place that puts it together, so that a crawl, `judge`, `explain` and whoever asks about pages say the same.
`digest` stands for all that went into it. A library notes the digest its judgements were made with; where it is
another one than today's, its pages are to be judged again (see `judge_again`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from heapq import nlargest, nsmallest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scenthound import registry, urls
from scenthound.config import Config, named
from scenthound.crawler.context import build, make_context
from scenthound.crawler.examples import ExamplePages
from scenthound.judges.in_language import in_languages
from scenthound.judges.labelled import LabelledJudge, labels_of
from scenthound.judges.threshold import threshold_of
from scenthound.library.stored_pages import copy_of, read_page
from scenthound.model import Label, Page
from scenthound.protocols.crawl import Begins, Context, Judge, Progress, Watches
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library, StoredPages
from scenthound.protocols.records import StoredPage

SAMPLE, BEST = 600, 100
"""Stored pages that a judge is shown who learns from pages: those of the smallest fingerprints, which are a fair sample
of what is ordinary here, and those that were the most relevant when they came."""

MOST_LABELLED = 1_000
"""Labelled pages that teach, the latest labels first: more would make the start slow, and the judge no wiser."""


PAGES, LABELS, TOPIC, THRESHOLD = "pages", "labels", "topic", "threshold"
"""What a digest calls the pages that a judge has learned from, what was said of pages, what is looked for, and from
which relevance on a page counts."""


class PresentJudge(Struct, frozen=True):
    judge: Judge  # labels win
    threshold: float  # relevance from which a page counts
    digest: str
    context: Context


def present_judge(
    config: Config,
    library: Library,
    examples: ExamplePages,
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> PresentJudge:
    """`folder`: beside which files of the topic are looked for; the library's own where none is given.

    `progress` is told how many stored pages the judge was shown, if it wants to see any.
    """
    context = present_context(config, library, examples, folder=folder)
    built = in_languages(build(registry.judge, config.crawl.judge, context), config.scope.languages)
    judge = LabelledJudge(built, labels_of(context))
    show_stored(judge, context, library, progress)
    return PresentJudge(judge, threshold_of(config), digest_of(config, library, examples), context)


def present_context(config: Config, library: Library, examples: ExamplePages, *, folder: Path | None = None) -> Context:
    """What is known of the topic: the settings, and as examples its own pages and those that labels speak of.

    An example that a label calls off the topic is none any more, and the other way round.
    """
    said = {url: label.relevant is True for url, label in library.labels().items()}
    yes, no = _labelled_pages(library, library.labels(), config.topic.language)
    relevant = tuple(page for page in examples.relevant if said.get(page.url, True))
    irrelevant = tuple(page for page in examples.irrelevant if not said.get(page.url, False))
    context = make_context(config, relevant + yes, irrelevant + no, folder=folder or library.folder or Path())
    return replace(context, labels=said)


def _labelled_pages(
    library: Library, labels: Mapping[str, Label], language: str
) -> tuple[tuple[Page, ...], tuple[Page, ...]]:
    """The pages that labels speak of, as far as they are stored: on the topic, and off it."""
    latest = nlargest(MOST_LABELLED, labels.values(), key=lambda label: (label.at, label.subject))
    pages: dict[bool, list[Page]] = {True: [], False: []}
    for label in sorted(latest, key=lambda label: label.subject):
        if (page := read_page(library, label.subject, language)) is not None:
            pages[label.relevant is True].append(page)
    return tuple(pages[True]), tuple(pages[False])


def show_stored(judge: Judge, context: Context, library: Library, progress: Progress | None = None) -> None:
    """Lets a judge that learns from pages see those of the library again: a bounded sample that follows from them."""
    if hook(judge, Watches) is not None and (sample := stored_sample(library)):
        show_pages(judge, context, _read(library, sample, context.topic.language, progress))


def _read(library: Library, sample: Sequence[StoredPage], language: str, progress: Progress | None) -> Iterator[Page]:
    for number, stored in enumerate(sample, 1):
        copy = copy_of(library, stored, language, damaged_too=True)
        if copy.has_text:
            yield copy.page
        if progress is not None:
            progress(number, len(sample))


def stored_sample(library: StoredPages) -> list[StoredPage]:
    """The pages that show a judge what is ordinary here, and what is not.

    It follows from the pages and their first judgements, so that judging twice comes to the same.
    """
    fair = nsmallest(SAMPLE, library.pages(), key=lambda stored: urls.fingerprint(stored.url))
    best = nsmallest(BEST, library.pages(), key=lambda stored: (-stored.first_relevance, stored.seq))
    return list({stored.seq: stored for stored in (*fair, *best)}.values())


def show_pages(judge: Judge, context: Context, pages: Iterable[Page]) -> None:
    """Lets a judge that learns from pages see these, and learn from all of them at once."""
    watcher, beginner = hook(judge, Watches), hook(judge, Begins)
    if watcher is None:
        return
    for page in pages:
        watcher.saw(page)
    if beginner is not None:
        beginner.begin(context)  # it fits itself to all of them, not to those up to the last doubling


# What judgements were made with


def digest_of(config: Config, library: Library, examples: ExamplePages) -> str:
    """What decides about judgements, each part by name and a few digits that stand for it.

    For a judge that learns on the way, `pages` counts how often the number of pages has doubled. (Not where the topic
    is rebuilt from pages found: what those were judged by is gone, and the settings would judge them otherwise.)
    """
    digest = judged_with(config, library, examples)
    if not config.crawl.rebuild_topic and hasattr(registry.judge.get(named(config.crawl.judge, "judge")[0]), "saw"):
        return f"{digest} {PAGES}:{library.page_totals().pages.bit_length()}"
    return digest


def judged_with(config: Config, library: Library, examples: ExamplePages) -> str:
    """The same without the pages: what a person has said and set."""
    rebuilt = config.crawl.rebuild_topic  # then the topic of a crawl is not that of the settings for long
    labels = sorted((url, label.relevant) for url, label in library.labels().items())
    languages = config.scope.languages
    parts = {
        TOPIC: _digits([config.make_topic(), config.crawl.idf, rebuilt]),
        "judge": _digits([config.crawl.judge, *languages] if languages else config.crawl.judge),
        THRESHOLD: f"{threshold_of(config):g}",
        "examples": _digits([_texts(examples.relevant), _texts(examples.irrelevant)]),
        LABELS: _digits(labels) if labels else "none",
    }
    return " ".join(f"{name}:{digits}" for name, digits in parts.items())


def differences(before: str, now: str) -> list[str]:
    """The names of what changed between two digests; nothing where the first says nothing."""
    old, new = _parts(before), _parts(now)
    return [name for name in new if old.get(name) != new[name]] if old else []


def _parts(digest: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in digest.split() if ":" in part)


def _texts(pages: Sequence[Page]) -> list[tuple[str, str, str]]:
    return sorted((page.url, page.title, page.text) for page in pages)


def _digits(value: Any) -> str:
    return blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=6).hexdigest()
