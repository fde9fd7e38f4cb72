"""What a model of relevance is taught with: the pages people vouched for, and where these are few, likely ones.

Relevant are the examples; and where there are fewer than `LIKELY_WORTH`, pages that say most of the topic's words stand
in for the missing ones (feedback from the best pages): those whose evidence is more than `LIKELY` of that of the best
five, each the more the higher.

Not relevant are the counterexamples; up to `ENOUGH` of them, pages of the sample that do not say the topic's words
stand in. No more than that: examples often come from other sites than the crawl, and with a site's ordinary pages on
one side only, its own words would be learned in place of the topic's. Labels are about the crawl's own pages, and of
these the doubtful ones: they do not count towards `ENOUGH`, for they do not say what an ordinary page is.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from scenthound.learn.relevance.keyword_evidence import KeywordEvidence
from scenthound.learn.relevance.page_rows import PageRow
from scenthound.learn.relevance.relevance_model import KnownPage

LIKELY, BEST, MOST_LIKELY, LEAST_EVIDENCE = 0.6, 5, 60, 0.5
LIKELY_WORTH = 5
ENOUGH, MOST_ORDINARY, SET_ASIDE = 20, 120, 100


def known_pages(
    relevant: Sequence[PageRow],
    irrelevant: Sequence[PageRow],
    seen: Sequence[PageRow],
    evidence: KeywordEvidence,
    labels: Container[str] = (),
) -> tuple[list[KnownPage], int]:
    """The pages to learn from, and how many relevant ones somebody vouched for. `labels`: URLs of labelled pages."""
    vouched = {row.url for row in (*relevant, *irrelevant)}
    others = [row for row in seen if row.url not in vouched]
    said = evidence.of_all(others)
    order = sorted(range(len(others)), key=lambda number: (-said[number], others[number].url))
    known = [KnownPage(row, True, labelled=row.url in labels) for row in relevant]
    known += [KnownPage(row, False, labelled=row.url in labels) for row in irrelevant]
    if (missing := LIKELY_WORTH - len(relevant)) > 0:
        best = order[:MOST_LIKELY]
        known += _likely([others[number] for number in best], [said[number] for number in best], missing)
    if (missing := ENOUGH - sum(row.url not in labels for row in irrelevant)) > 0:
        # Those that say most of the topic are set aside; of the others the first are taken, in the order of the sample.
        aside = set(order[:SET_ASIDE]) if len(order) > 2 * SET_ASIDE else {n for n in order if said[n] > 0}
        ordinary = [row for number, row in enumerate(others) if number not in aside][:MOST_ORDINARY]
        known += [KnownPage(row, False, missing / len(ordinary)) for row in ordinary]
    return known, len(relevant)


def _likely(rows: Sequence[PageRow], said: Sequence[float], worth: float) -> list[KnownPage]:
    best = sum(said[:BEST]) / max(1, len(said[:BEST]))
    excess = [value / best - LIKELY if best and value >= LEAST_EVIDENCE else 0.0 for value in said]
    whole = sum(value for value in excess if value > 0)
    return [KnownPage(row, True, worth * value / whole) for row, value in zip(rows, excess, strict=True) if value > 0]
