"""A tiny ontology and topic for the strategies that ask what words mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from scenthound.model import Keyword, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context, Idf
from scenthound.text import idf
from scenthound.text.analysis import analyzer

TURTLE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <urn:x:> .
:insect skos:prefLabel "insect"@en .
:mosquito skos:prefLabel "mosquito"@en ; skos:broader :insect .
:louse skos:prefLabel "louse"@en ; skos:broader :insect .
:fever skos:prefLabel "fever"@en ; skos:altLabel "ague"@en, "high temperature"@en .
:dengue skos:prefLabel "dengue"@en ; skos:broader :fever .
"""
TOPIC = Topic("x", (Keyword("mosquito", 2 / 3), Keyword("fever", 1 / 3)))


def ranks(
    strategy: Any, anchors: list[str], text: str = "", weights: Idf | Callable[[str], float] | None = None
) -> list[float]:
    """The priorities of links with these anchors, on a page with this text."""
    strategy.begin(Context(topic=TOPIC, idf=weights or idf.none(), random=Random(1)))
    links = tuple(Link(f"urn:{number}", anchor=anchor) for number, anchor in enumerate(anchors))
    page = Page("urn:page", text=text, terms=analyzer("en").counts(text), links=links)
    return [ranked.priority for ranked in strategy.rank(Visit(Link("urn:page"), page, 0.0, False, 0))]


def priorities(
    strategy: Any, wanted: Mapping[str, float], text: str = "", weights: Idf | Callable[[str], float] | None = None
) -> list[tuple[float, float]]:
    """What a strategy says to each anchor, beside what it should say."""
    return list(zip(ranks(strategy, list(wanted), text, weights), wanted.values(), strict=True))
