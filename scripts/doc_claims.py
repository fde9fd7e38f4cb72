"""What the documents claim, as comparisons that can be made: who is said to be better than whom, and whether it is so.

Each is held against the result files, so that what is said of a claim in docs/ follows from figures and changes with
them. A claim is about the published form; where ours is another model, that is a row of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from scripts.doc_results import LEADING, KeptResult, by_label, corrected, difference_text, one_to_one, read

from scenthound.lab.report.tables import p_value
from scenthound.lab.statistics import Comparison


class Claim(Struct, frozen=True):
    """`better` is said to be better than `worse`; `files` is where the crawls of both are, without the web's name."""

    source: str
    says: str
    better: str
    worse: str
    files: tuple[str, ...] = ("taught",)


FORMS = ("forms",)


def _forms(model: str) -> tuple[str, str]:
    return f"{model}(published=pseudocode)", f"{model}(published=flow-chart)"


def _only_words(model: str, form: str) -> str:
    return f"{model}(features=table-1-words, published={form})"


BEATS_BEST_FIRST = [
    Claim("Liu 6.1, 6.3", f"{model.upper()} is better than best-first", label, "best-first-targets")
    for model in ("memm", "crf")
    for label in (*_forms(model), model)
]
MARGINALS = [
    Claim("Liu 6.1, 6.3", "marginals are better than Viterbi", label, label.replace(model, f"{model}-viterbi", 1))
    for model in ("memm", "crf")
    for label in (*_forms(model), model)
]
ALL_FEATURES = [
    Claim("Liu 6.2, 6.4", "all features are better than words alone, by little", f"{model}(published={form})",
          _only_words(model, form), ("taught", "features"))
    for model in ("memm", "crf") for form in ("pseudocode", "flow-chart")
]  # fmt: skip
CRF_OVER_MEMM = [
    Claim("Liu 7", "CRF is slightly better than MEMM", crf, memm)
    for crf, memm in zip((*_forms("crf"), "crf"), (*_forms("memm"), "memm"), strict=True)
]
OVER_CONTEXT_GRAPHS = [
    Claim("Liu 7.1", "sequence models are better than context graphs", label, "context-graph")
    for label in ("hmm", *_forms("memm"), *_forms("crf"), "memm", "crf")
]

CLAIMS: Mapping[str, list[Claim]] = {
    "liu": [*BEATS_BEST_FIRST, *MARGINALS, *ALL_FEATURES, *CRF_OVER_MEMM, *OVER_CONTEXT_GRAPHS],
    "batsakis-learners": [
        Claim("Batsakis 4.6", "hybrids are better than the HMM", hybrid, "hmm")
        for hybrid in ("hybrid-hmm", "hybrid-hmm-anchor")
    ],
    "others": [
        *(
            Claim("Batsakis 4.4", "best-first is better than breadth-first", label, "breadth-first", FORMS)
            for label in ("best-first-page", "best-first-anchor", "best-first")
        ),
        Claim("Batsakis 4.4", "anchors are better than pages", "best-first-anchor", "best-first-page", FORMS),
        Claim("Batsakis 4.4", "both together are best", "best-first", "best-first-anchor", FORMS),
        Claim("Batsakis 4.7", "synonyms help, marginally", "synset", "best-first", FORMS),
        *(
            Claim("Batsakis 2.4", "of Ehrig's variants c is best", "ehrig(published=batsakis)", label, FORMS)
            for label in ("ehrig(published=variant-a)", "ehrig(published=variant-b)")
        ),
        *(
            Claim("Batsakis 4.7", "with WordNet, meaning is worse than words", "best-first-anchor", label, FORMS)
            for label in ("ehrig(published=batsakis)", "ssrm(published=batsakis)", "ssrm(published=as-printed)")
        ),
        Claim("Aastha 4.7", "blocks are better than pages", "blocks(published=aastha)", "best-first-page", FORMS),
        Claim("Aastha 2.1", "best-first is better than shark-search", "best-first", "shark-search", FORMS),
        Claim("Aastha 2.1", "best-first is better than InfoSpiders", "best-first", "infospiders", FORMS),
        Claim(
            "Aastha 2.1", "scores are better than yes and no", "shark-search", "fish-search(published=batsakis)", FORMS
        ),
    ],
}


def verdicts(claims: Sequence[Claim], web: str) -> list[str]:
    """Of each claim whether it holds on a web; empty where that was not measured. All of a table are one question."""
    found = corrected({claim: one for claim in claims if (one := _compared(claim, web)) is not None})
    return [_verdict(found[claim]) if claim in found else "" for claim in claims]


def ours_beside_published(rows: Mapping[str, KeptResult], figure: str = LEADING) -> tuple[list[str], list[str]]:
    """Published forms that ours is better, and worse, than: where interval and test (Holm, over all of them) agree."""
    forms = [label for label in rows if "(published=" in label and label.partition("(")[0] in rows]
    found = {label: one_to_one(rows, label.partition("(")[0], label, figure) for label in forms}
    clear = {
        label: one.difference.mean
        for label, one in corrected({label: one for label, one in found.items() if one is not None}).items()
        if one.clear
    }
    return [label for label, gap in clear.items() if gap > 0], [label for label, gap in clear.items() if gap < 0]


def _compared(claim: Claim, web: str) -> Comparison | None:
    rows = by_label([row for file in claim.files for row in read(f"{file}-{web}")])
    return one_to_one(rows, claim.better, claim.worse)


def _verdict(one: Comparison) -> str:
    told = "not shown" if not one.clear else "**holds**" if one.difference.mean > 0 else "**the reverse**"
    return f"{told}: {difference_text(one)}, p {p_value(one.p_holm)}"
