"""Pages that are made to look relevant, and an ordinary web of honest ones to hold them against.

stage = honest_stage("orchids")
judge = stage.begun("auto", "keywords")
stage.beaten(judge, keyword_stuffing(stage.topic))     # share of the honest topic pages that score lower
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct

from scenthound import registry
from scenthound.crawler import assemble
from scenthound.judges.threshold import own_threshold
from scenthound.lab.generated.vocabulary import FOREIGN
from scenthound.lab.judges.judge_experiment import Given, JudgeEntry, JudgeExperiment, Trial, settings
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.topics import LabTopic
from scenthound.lab.webs import MadeUpWeb, WebSpec
from scenthound.model import Link, Page, Response
from scenthound.parse.page import parse
from scenthound.protocols.crawl import Judge, Watches
from scenthound.protocols.hooks import hook

TOPICS = ("orchids", "beekeeping")
PLAN = JudgeExperiment(judges=["auto"], generated=600, web_seed=3)


def keyword_stuffing(topic: LabTopic) -> Page:
    """Five words of the topic, two hundred times each, and nothing else."""
    words = _words(topic)[:5]
    return _page("http://stuffed.test/", " ".join(words), f"<p>{' '.join(words * 200)}</p>")


def stuffed_article(topic: LabTopic) -> Page:
    """The same in sentences: an ordinary letter to the editor between every few words of the topic."""
    words = _words(topic)[:5]
    text = " ".join(
        f"<p>{' '.join(words * 10)}. We met at the town hall and talked about the weather.</p>" for _ in "x" * 20
    )
    return _page("http://article.test/", "Our town hall", text)


def foreign_prose(topic: LabTopic) -> Page:
    """An ordinary page in German into which the topic's words are strewn, one a sentence."""
    words = _words(topic)
    sentences = [
        f"{sentence.rstrip('.')} {words[number % len(words)]}." for number, sentence in enumerate(FOREIGN["de"] * 4)
    ]
    text = "".join(f"<p>{' '.join(sentences[start : start + 4])}</p>" for start in range(0, len(sentences), 4))
    return _page("http://verein.test/", "Aus dem Vereinsleben", text, language="de")


def link_list(topic: LabTopic) -> Page:
    """Thirty links, ten of them with the topic's word, and no text about it."""
    word = _words(topic)[0]
    others = ("football", "weather", "kitchen", "bridge", "letters", "museum", "travel", "cinema", "chess", "harbour")
    named = [f"{word} page {n}" for n in range(1, 11)]
    anchors = [*named, *(f"{other} news" for other in others), *(f"more on {other}" for other in others)]
    items = "".join(f'<li><a href="http://links.test/{n}">{anchor}</a></li>' for n, anchor in enumerate(anchors))
    return _page("http://links.test/", "Links of the week", f"<p>Things we read this week.</p><ul>{items}</ul>")


HOSTILE = {
    "keyword stuffing": keyword_stuffing,
    "stuffed article": stuffed_article,
    "foreign prose": foreign_prose,
    "link list": link_list,
}


def mirror_of(page: Page, banner: str = "") -> Page:
    """The same page on another host, perhaps below a banner of its own."""
    answer = _web().answer(Link(page.url))
    assert isinstance(answer, Response)
    body = answer.body.replace(b"<body>", f"<body>{banner}".encode())
    return parse(Response("http://mirror.test/copy", 200, answer.headers, body), "en")


class HonestStage(Struct):
    """A small ordinary web: some pages are about the topic, most are not."""

    topic: LabTopic
    pages: dict[str, Page]

    def honest(self) -> list[Page]:
        """Pages about the topic that no judge is shown as examples."""
        return [page for url, page in self.pages.items() if url in self.topic.scored_targets()]

    def begun(self, judge: str, given: Given) -> Judge:
        """A judge as a crawl would have it that has seen this web; raises ConfigError where it needs more."""
        config = settings(PLAN, Trial(JudgeEntry(judge), self.topic, given))
        examples, others = (
            tuple(self.pages[url] for url in urls if url in self.pages)
            for urls in (config.topic.examples, config.topic.counterexamples)
        )
        made: Any = assemble.build(registry.judge, judge, assemble.make_context(config, examples, others))
        if (watcher := hook(made, Watches)) is not None:
            for page in self.pages.values():
                watcher.saw(page)
        judged: Judge = made
        return judged

    def beaten(self, judge: Judge, page: Page) -> float:
        """Share of the honest pages about the topic that score lower than this one."""
        score, honest = judge(page), self.honest()
        return sum(judge(each) < score for each in honest) / len(honest)

    def verdict(self, judge: str, given: Given, page: Page) -> str:
        """What the judge makes of a hostile page.

        `wins`: it scores higher than half of the honest pages. `kept`: it counts as found. `refused`: neither.
        """
        begun = self.begun(judge, given)
        if self.beaten(begun, page) >= 0.5:
            return "wins"
        return "kept" if begun(page) >= own_threshold(judge) else "refused"


@cache
def honest_stage(name: str) -> HonestStage:
    return HonestStage(next(topic for topic in _web().topics() if topic.name == name), _pages())


@cache
def _web() -> MadeUpWeb:
    return MadeUpWeb(WebSpec(generated=PLAN.generated, seed=PLAN.web_seed))


@cache
def _pages() -> dict[str, Page]:
    everywhere = settings(PLAN, Trial(JudgeEntry("auto"), _web().topics()[0], "keywords"))
    return WebPages(_web()).in_scope(everywhere)


def _words(topic: LabTopic) -> list[str]:
    return [word for keyword in topic.keywords for word in keyword.term.split()]


def _page(url: str, title: str, body: str, language: str = "en") -> Page:
    html = f'<html lang="{language}"><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>'
    answer = Response(url, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())
    return parse(answer, "en")
