"""What was said of a page counts more than any score: examples, counterexamples and labels go before the judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenthound.model import Page
from scenthound.protocols.crawl import Context, Judge


class LabelledJudge:
    """A judge around another one: a page that somebody spoke about is 1 or 0, and on all others the judge speaks.

    Hooks and attributes are the judge's own.
    """

    def __init__(self, judge: Judge, labels: Mapping[str, bool]) -> None:
        self.judge = judge
        self.labels = labels

    def __call__(self, page: Page) -> float:
        said = self.labels.get(page.url)
        return self.judge(page) if said is None else float(said)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.judge, name)


def labels_of(context: Context) -> dict[str, bool]:
    """URL -> what was said of the page: as an example, as a counterexample, or, which is later, by a label."""
    examples = {page.url: True for page in context.examples}
    return examples | {page.url: False for page in context.counterexamples} | dict(context.labels)


def counts(judge: Judge, url: str, relevance: float, threshold: float) -> bool:
    """Whether a page of this relevance counts as found. One said to be off the topic never does, even from 0 on."""
    said = judge.labels.get(url) if isinstance(judge, LabelledJudge) else None
    return relevance >= threshold if said is None else said
