from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from scenthound.bounded_cache import BoundedCache
from scenthound.learn.links.agents import Agent
from scenthound.learn.links.interest import RunningMean
from scenthound.learn.links.small_net import Floats, SmallNet
from scenthound.learn.snapshot_arrays import column, keys_of, refill
from scenthound.model import Link, Page, Ranked, Visit
from scenthound.protocols.crawl import Context, Idf, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.text.analysis import Analyzer
from scenthound.text.query import Query
from scenthound.urls import fingerprint

PARENTS = 100_000
"""Pages whose reader and relevance are kept for rescoring their links, about 20 MB."""


@strategy("infospiders")
@dataclass
class InfoSpiders:
    """A population of agents that read the words near a link and live on what they find (Menczer, Belew).

    Believes that what words near a link are worth differs from one corner of the web to the next, so that many
    readers, each taught where it is and bred where it thrives, do better than one.

        priority   = Q_a(link) = v . tanh(W in(link) + b) + c          of the agent a that read the page
        in_k(link) = s / (1 + s),  s = sum over occurrences of keyword k near the link of 1 / distance
        target     = relevance(page) + discount * max over its links of Q_a     Q-learning, by back-propagation
        energy_a  += relevance(page) / (mean relevance so far) - 1     birth at `birth`, death below 0

    | symbol | parameter |
    |---|---|
    | agents | `agents`: places in the population; at first all are taken, each net with its own noise |
    | hidden units of a net | `hidden` |
    | keywords of an agent | the topic's, or else the heaviest words of the examples; `keywords` at most |
    | step of back-propagation | `rate` |
    | discount | `discount` |
    | birth | `birth`: energy at which an agent shares it with a child; all begin with half of that |

    Kept of the paper: agents with keywords and a net whose inputs are the keywords' nearness to the link; Q-learning on
    the relevance found; energy from relevance against a cost for each page; local selection, each agent for itself; a
    child whose net is mutated and which takes up a word of the page where its parent throve (its heaviest by tf-idf)
    for the keyword that mattered least.

    Left or changed, since here one frontier takes the best link of all: an agent does not walk and draw its next link
    by chance, but its links wait with its estimate; links belong to a place in the population (one byte that travels
    with them), and those of a dead agent pass to the richest one until a child takes the place; the relevance of the
    page is one more input; a page costs what the usual page is worth, so that energy needs no scale; targets are held
    to 1; no agents on servers, no feedback by the user.

    Links that wait are valued anew every `rescore_every` pages by the agents as they are then.

    Source: Batsakis 2.3 and Liu 1, on Menczer, Belew, "Adaptive retrieval agents" (2000).
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    agents: int = 8
    hidden: int = 4
    keywords: int = 16
    rate: float = 0.1
    discount: float = 0.2
    birth: float = 20.0
    rescore_every: int = 50

    analyzer_: Analyzer = field(init=False, repr=False)
    idf_: Idf = field(init=False, repr=False)
    chance_: np.random.Generator = field(init=False, repr=False)
    places_: list[Agent | None] = field(init=False, repr=False)
    usual_: RunningMean = field(init=False, repr=False)
    read_: BoundedCache[int, tuple[int, float]] = field(
        init=False, repr=False
    )  # page -> place of its reader, relevance

    def __post_init__(self) -> None:
        if not 1 <= self.agents <= 256:
            raise ValueError("agents must be between 1 and 256")
        if not (1 <= self.hidden <= 1_000 and 1 <= self.keywords <= 1_000):
            raise ValueError("hidden and keywords must be from 1 to 1000")
        if self.rescore_every < 1:
            raise ValueError("rescore_every must be at least 1")
        if not 0.0 < self.rate <= 1.0 or not 0.0 <= self.discount < 1.0:
            raise ValueError("rate must be above 0 and at most 1, discount at least 0 and below 1")
        if self.birth <= 0.0:
            raise ValueError("birth must be above 0")

    def begin(self, context: Context) -> None:
        keywords = self._keywords(context)
        self.idf_ = context.idf
        self.chance_ = np.random.default_rng(context.random.getrandbits(64))
        self.places_ = [Agent.newborn(keywords, self.hidden, self.birth / 2, self.chance_) for _ in range(self.agents)]
        self.usual_ = RunningMean()
        self.read_ = BoundedCache(PARENTS)

    def _keywords(self, context: Context) -> dict[str, float]:
        query = Query(context.topic, context.idf)
        self.analyzer_ = query.analyzer
        weights: dict[str, float] = query.vector if query else {}
        if not weights:
            for page in context.examples:
                for term, n in page.terms.items():
                    weights[term] = weights.get(term, 0.0) + n * context.idf(term)
        if not any(weights.values()):
            Query.of(context)  # says what is missing
        heaviest = sorted(weights, key=lambda term: (-weights[term], term))[: self.keywords]
        return {term: weights[term] for term in heaviest}

    def learn(self, visit: Visit) -> None:
        place = self._place(visit)
        agent = self._reader(place)
        self.usual_.saw(visit.relevance)
        if visit.link.kind != "seed":
            source = self.read_.get(fingerprint(visit.link.source))
            parent = source[1] if source is not None else self.usual_.mean
            onward = self._values(agent, visit.page.links, [visit.relevance] * len(visit.page.links))
            target = visit.relevance + self.discount * max(0.0, float(onward.max(initial=0.0)))
            lesson = agent.inputs([visit.link], [parent], self.analyzer_)[0]
            agent.net.learn(lesson, min(target, 1.0), self.rate)
        self.read_.put(fingerprint(visit.page.url), (place, visit.relevance))
        self._live(agent, visit)

    def missed(self, link: Link) -> None:
        """A page that is not there costs its reader as much as one that is."""
        place, _ = self.read_.get(fingerprint(link.source)) or (0, 0.0)
        agent = self._reader(place)
        agent.energy -= 1.0
        self._bury(agent)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links, place = visit.page.links, self._place(visit)
        values = self._values(self._reader(place), links, [visit.relevance] * len(links))
        memory = bytes([place])
        return [Ranked(link, value, memory) for link, value in zip(links, values.tolist(), strict=True)]

    def rescore(self, links: Sequence[Link]) -> list[float]:
        values = [0.0] * len(links)
        by_place: dict[int, list[tuple[int, float]]] = {}
        for number, link in enumerate(links):
            place, relevance = self.read_.get(fingerprint(link.source)) or (self._default(link), self.usual_.mean)
            by_place.setdefault(place, []).append((number, relevance))
        for place, waiting in by_place.items():
            chosen, relevances = [links[number] for number, _ in waiting], [relevance for _, relevance in waiting]
            found = self._values(self._reader(place), chosen, relevances).tolist()
            for (number, _), value in zip(waiting, found, strict=True):
                values[number] = value
        return values

    def snapshot(self) -> Snapshot:
        agents = [agent and {"keywords": agent.keywords, "energy": agent.energy} for agent in self.places_]
        nets = {place: agent.net for place, agent in enumerate(self.places_) if agent is not None}
        read, size = self.read_.entries.values(), len(self.read_)
        arrays = {
            "pages": keys_of(self.read_),
            "readers": column((place for place, _ in read), size, np.int16),
            "relevances": column((relevance for _, relevance in read), size),
        }
        arrays |= {f"first {place}": net.first.copy() for place, net in nets.items()}
        arrays |= {f"second {place}": net.second.copy() for place, net in nets.items()}
        values = {"agents": agents, "usual": self.usual_.kept(), "chance": self.chance_.bit_generator.state}
        return Snapshot(1, values, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        self.places_ = [
            None if kept is None else Agent(kept["keywords"], _net(arrays, place), kept["energy"])
            for place, kept in enumerate(values["agents"])
        ]
        self.usual_.take_back(values["usual"])
        self.chance_.bit_generator.state = values["chance"]
        refill(self.read_, arrays["pages"], zip(arrays["readers"].tolist(), arrays["relevances"].tolist(), strict=True))

    def _values(self, agent: Agent, links: Sequence[Link], relevances: Sequence[float]) -> Floats:
        return agent.net(agent.inputs(links, relevances, self.analyzer_))

    # The population

    def _place(self, visit: Visit) -> int:
        """Whose link it was that led here; seeds, and links ranked by others, are dealt out by their URL."""
        memory = visit.memory
        return memory[0] if memory and len(memory) == 1 and memory[0] < self.agents else self._default(visit.link)

    def _default(self, link: Link) -> int:
        return fingerprint(link.url) % self.agents

    def _reader(self, place: int) -> Agent:
        """The agent at that place, or the richest where it is empty."""
        return self.places_[place] or max(filter(None, self.places_), key=lambda agent: agent.energy)

    def _live(self, agent: Agent, visit: Visit) -> None:
        usual = self.usual_.mean
        agent.energy += visit.relevance / usual - 1.0 if usual else 0.0
        if agent.energy > self.birth and None in self.places_:
            self.places_[self.places_.index(None)] = agent.child(self._heaviest(visit.page), self.chance_)
        agent.energy = min(agent.energy, self.birth)
        self._bury(agent)

    def _bury(self, agent: Agent) -> None:
        """The last agent does not die, however poor."""
        if agent.energy < 0.0 and sum(other is not None for other in self.places_) > 1:
            self.places_[self.places_.index(agent)] = None

    def _heaviest(self, page: Page) -> str | None:
        terms, idf = page.terms, self.idf_
        return max(terms, key=lambda term: (terms[term] * idf(term), term), default=None)


def _net(arrays: Mapping[str, Any], place: int) -> SmallNet:
    return SmallNet(arrays[f"first {place}"].copy(), arrays[f"second {place}"].copy())
