"""How good was a finished crawl, ours or another crawler's?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scenthound.app.user_input import language_code
from scenthound.errors import UsageError
from scenthound.lab import evaluator
from scenthound.lab.evaluator import CrawlScores
from scenthound.lab.measures.registry import measure
from scenthound.lab.report.page import curve_page
from scenthound.report.charts import thinned
from scenthound.report.formatting import plural

DRAWN = ("share", "cosine", "score", "ratio")
"""Units of what makes a curve worth looking at."""


def evaluate_crawl(
    folder: Path | None,
    *,
    warcs: Sequence[Path] = (),
    urls: Path | None = None,
    examples: Path | None = None,
    counterexamples: Path | None = None,
    targets: Path | None = None,
    language: str = "en",
) -> CrawlScores:
    """Measures a crawl against pages known to be relevant, against URLs that were to be found, or both."""
    if examples is None and targets is None:
        raise UsageError(
            "Say what to measure against: --examples FILE (pages known to be relevant), or --targets FILE."
        )
    language = language_code(language)
    crawl = evaluator.finished_crawl(folder, list(warcs), urls, language)
    relevant, named = evaluator.example_pages(examples, crawl, folder, language) if examples else ([], [])
    against = evaluator.example_pages(counterexamples, crawl, folder, language)[0] if counterexamples else []
    wanted = list(evaluator.listed_urls(targets)) if targets else []
    return evaluator.score(crawl, relevant, against, wanted, named, language)


def plain_scores(scores: CrawlScores) -> dict[str, Any]:
    return {
        "crawl": scores.crawl.name,
        "pages": len(scores.crawl.terms),
        "examples": scores.examples,
        "targets": scores.targets,
        "measures": {
            name: None if math.isnan(each.final) else "never" if math.isinf(each.final) else each.final
            for name, each in scores.measured.items()
        },
        "notes": scores.crawl.notes,
    }


def draw_scores(scores: CrawlScores, path: Path) -> None:
    """The curves, as a web page."""
    curves = {}
    for name, each in scores.measured.items():
        known = measure.get(name)
        if known.unit in DRAWN and len(each.curve):
            places = thinned(len(each.curve))
            values = [float(each.curve[place]) for place in places]
            curves[name] = (known.doc, [place + 1 for place in places], values)
    lead = f"{plural(len(scores.crawl.terms), 'page')} against {plural(scores.examples, 'example')} and "
    lead += f"{plural(scores.targets, 'target')}."
    path.write_text(curve_page(f"Evaluation of {scores.crawl.name}", lead, curves), encoding="utf-8")
