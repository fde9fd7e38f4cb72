"""Agents that live on relevance: each reads links in its own way, and those that read well have children.

An agent is a list of keywords, a small net that values a link by the keywords near it, and energy. It lives in one
place of a population of fixed size; places fall empty when agents die and are filled by the children of others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.learn.links.small_net import Floats, SmallNet
from scenthound.model import Link
from scenthound.text.analysis import Analyzer

MUTATION = 0.1
"""Standard deviation of the noise on the weights of a newborn's net."""


class Agent:
    """One reader of links."""

    __slots__ = ("_input", "energy", "keywords", "net")

    def __init__(self, keywords: Sequence[str], net: SmallNet, energy: float) -> None:
        self.keywords = tuple(keywords)
        self.net = net
        self.energy = energy
        self._input = {term: n for n, term in enumerate(self.keywords)}

    @classmethod
    def newborn(cls, keywords: Mapping[str, float], hidden: int, energy: float, chance: np.random.Generator) -> Agent:
        """Finds each keyword as good as the topic does, more or less, and a relevant page good too."""
        wanted = np.array([*keywords.values(), max(keywords.values())])
        first = chance.normal(0.0, MUTATION, (hidden, len(wanted) + 1))
        first[:, :-1] += wanted / np.linalg.norm(wanted)
        second = np.append(np.full(hidden, 1.0 / hidden), 0.0)
        return cls(list(keywords), SmallNet(first, second), energy)

    def inputs(self, links: Sequence[Link], relevances: Sequence[float], analyzer: Analyzer) -> Floats:
        """A row for each link: how near each keyword stands, and how relevant the page is.

            in_k = s / (1 + s),  s = sum over occurrences of k of 1 / distance

        Distance is 1 inside the anchor, 2 for the word beside it, and so on, as far as the context goes.
        """
        rows = np.zeros((len(links), len(self.keywords) + 1))
        known = self._input.keys()
        for row, link in enumerate(links):
            words = analyzer.terms(link.context or link.anchor or link.title)
            if not known.isdisjoint(words):
                for term, weight in _nearness(link, words, analyzer):
                    if term in known:
                        rows[row, self._input[term]] += weight
        rows /= 1.0 + rows
        rows[:, -1] = relevances
        return rows

    def child(self, term: str | None, chance: np.random.Generator) -> Agent:
        """Takes half the energy, a mutated copy of the net, and `term` instead of the keyword that matters least."""
        self.energy /= 2
        keywords, first = list(self.keywords), self.net.first.copy()
        first += chance.normal(0.0, MUTATION, first.shape)
        second = self.net.second + chance.normal(0.0, MUTATION, self.net.second.shape)
        if term is not None and term not in self._input:
            matters = np.abs(self.net.second[:-1] @ self.net.first[:, : len(keywords)])
            least = int(matters.argmin())
            keywords[least] = term
            first[:, least] = first[:, : len(keywords)].mean(axis=1)
        return Agent(keywords, SmallNet(first, second), self.energy)


def _nearness(link: Link, words: Sequence[str], analyzer: Analyzer) -> list[tuple[str, float]]:
    """Each word of the context and 1 / its distance from the link."""
    before, found, after = link.context.partition(link.anchor) if link.anchor else ("", "", "")
    if not found:
        return [(term, 1.0) for term in words]  # what stands around a picture is all there is
    left, inside, right = analyzer.terms(before), analyzer.terms(link.anchor), analyzer.terms(after)
    return [
        *((term, 1.0) for term in inside),
        *((term, 1.0 / distance) for distance, term in enumerate(reversed(left), 2)),
        *((term, 1.0 / distance) for distance, term in enumerate(right, 2)),
    ]
