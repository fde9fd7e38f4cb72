"""The vector space model on plain dicts (Batsakis eq. 1 and 2).

    tf_ij = f_ij / max f_i         w_ij = tf_ij * idf_j
    cosine(a, b) = sum_j a_j * b_j / (|a| * |b|)

Plain dicts, because for one topic they are faster than arrays: a page shares few terms with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from operator import mul

from scenthound.protocols.crawl import Idf

Vector = dict[str, float]


def tf(counts: Mapping[str, int]) -> Vector:
    """Counts over the largest count: 1 for the document's most frequent term."""
    most = max(counts.values(), default=0)
    return {term: n / most for term, n in counts.items()} if most else {}


def weigh(counts: Mapping[str, int], idf: Idf) -> Vector:
    """tf-idf. Terms that say nothing (idf 0) stay in, with weight 0."""
    most = max(counts.values(), default=0)
    return {term: n / most * idf(term) for term, n in counts.items()} if most else {}


def norm(vector: Mapping[str, float]) -> float:
    values = vector.values()
    return sqrt(sum(map(mul, values, values)))


def cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """0 (nothing in common) to 1 (same direction); 0 where either is empty."""
    if len(a) > len(b):
        a, b = b, a
    shared = sum(weight * b[term] for term, weight in a.items() if term in b)
    if not shared:
        return 0.0
    lengths = norm(a) * norm(b)
    return min(1.0, shared / lengths) if lengths else 0.0


def centroid(vectors: Iterable[Mapping[str, float]]) -> Vector:
    """The mean of the vectors."""
    total: Vector = {}
    n = 0
    for vector in vectors:
        n += 1
        for term, weight in vector.items():
            total[term] = total.get(term, 0.0) + weight
    return {term: weight / n for term, weight in total.items()}
