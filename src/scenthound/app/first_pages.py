"""What the first pages of a crawl show about its topic: their language, whether they use its words, whether any counts.

The pages it starts from say more about the language than three words of a topic. Where the words did not settle it,
the crawl goes on in the language of these pages; where they did, or somebody said which it is, the difference is told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scenthound.app.crawl_plan import SETTINGS, CrawlPlan
from scenthound.app.events import LanguageRecognized, Listener, NoneRelevant, TopicAbsent
from scenthound.app.settings_file import edit_file
from scenthound.bounded_cache import Memo
from scenthound.model import Page, Step, Topic, Visit
from scenthound.text.analysis import analyzer
from scenthound.text.language_recognition import of_pages
from scenthound.text.languages import UNKNOWN, code

MOST_READ = 5
"""Pages whose language is looked at; fewer where fewer seeds were given."""

ENOUGH = 30
"""Pages after which a word of the topic should have turned up."""

FRUITLESS = 100
"""Pages after which one should have been relevant."""

LANGUAGES = 50  # whose spellings of the keywords are remembered


class SeedLanguage:
    """Reads the first pages, then tells where their language is not the topic's.

    `settle`: who lets the crawl go on in another language, where the topic's is open to doubt.
    """

    def __init__(self, plan: CrawlPlan, tell: Listener, settle: Callable[[str], None] | None = None) -> None:
        words = plan.words
        self._language = plan.config.topic.language
        self._tell = tell
        self._settle = settle if words is not None and not words.said and not words.sure else None
        self._wanted = min(MOST_READ, max(1, len(plan.config.crawl.seeds)))
        self._pages: list[Page] = []

    def __call__(self, page: Page) -> None:
        if len(self._pages) == self._wanted:
            return
        self._pages.append(page)
        if len(self._pages) == self._wanted:
            self._compare(of_pages(self._pages))

    def _compare(self, read: str) -> None:
        if not read or read == self._language or code(read) == code(self._language) != UNKNOWN:
            return
        self._tell(LanguageRecognized(read, self._language, changed=self._settle is not None))
        if self._settle is not None:
            self._settle(read)


class TopicSightings:
    """Looks for the words of the topic, in the spelling of each page's language, until one is seen."""

    def __init__(self, topic: Topic, tell: Listener, folder: str = "") -> None:
        self._folder = folder
        self.absent = 0  # pages, as long as no word was seen in any
        self._topic = topic
        self._tell = tell
        self._seen = not topic.keywords
        self._told = False
        self._stems = Memo(self._stemmed, LANGUAGES)

    def __call__(self, page: Page) -> None:
        if self._seen:
            return
        spoken = {page.language or self._topic.language, self._topic.language}
        self._seen = any(not self._stems[language].isdisjoint(page.terms) for language in spoken)
        self.absent = 0 if self._seen else self.absent + 1
        if self.absent == ENOUGH:
            self.end()

    def end(self) -> None:
        """Says, once, that the topic was nowhere."""
        if self.absent and not self._told:
            self._told = True
            keywords = tuple(keyword.term for keyword in self._topic.keywords)
            self._tell(TopicAbsent(self.absent, keywords, self._folder))

    def _stemmed(self, language: str) -> frozenset[str]:
        return frozenset(term for keyword in self._topic.keywords for term in analyzer(language).terms(keyword.term))


class RelevantSightings:
    """Waits for the first page that counts, and says so when a hundred have come without."""

    def __init__(self, tell: Listener, folder: str = "") -> None:
        self._tell = tell
        self._folder = folder
        self._pages = 0
        self._best: tuple[float, str] = (0.0, "")
        self._over = True  # until it is known what the library has

    def begin(self, pages: int, relevant: int) -> None:
        """A crawl sets out, with what the library has so far."""
        self._over = relevant > 0 or pages >= FRUITLESS
        self._pages = pages

    def __call__(self, visit: Visit) -> None:
        if self._over:
            return
        self._pages += 1
        self._best = max(self._best, (visit.relevance, visit.page.url))
        self._over = visit.relevant
        if self._pages >= FRUITLESS:
            self.end()

    def end(self) -> None:
        """Says it, once; also of a crawl that ended earlier, if it had some pages to find one among."""
        if not self._over and self._pages >= ENOUGH:
            self._over = True
            relevance, url = self._best
            self._tell(NoneRelevant(self._pages, url, round(relevance, 6), self._folder))


class FirstPages:
    """An observer of a crawl; most of it does nothing unless the crawl is new.

    `language`: the one to go on in, if any.
    """

    def __init__(self, plan: CrawlPlan, tell: Listener, settle: Callable[[], None] | None = None) -> None:
        self.language = ""
        self.new = False
        self._settle = settle
        self._seeds = SeedLanguage(plan, tell, self._settled if settle is not None else None)
        self._sightings = TopicSightings(plan.config.make_topic(), tell, str(plan.folder))
        self._relevant = RelevantSightings(tell, str(plan.folder))

    def begin(self, pages: int, relevant: int) -> None:
        """The crawl sets out, or goes on in another language; so many pages are there."""
        self.new |= not pages
        self._relevant.begin(pages, relevant)

    def __call__(self, step: Step) -> None:
        if step.visit is not None:
            self._relevant(step.visit)
        if self.new and step.visit is not None and not step.duplicate_of:
            self._seeds(step.visit.page)
            self._sightings(step.visit.page)

    def end(self) -> int:
        """The crawl is over. In how many pages was no word of the topic? 0 where one was seen."""
        self._sightings.end()
        if not self._sightings.absent:  # which says more
            self._relevant.end()
        return self._sightings.absent

    def _settled(self, language: str) -> None:
        self.language = language
        if self._settle is not None:
            self._settle()


def note_language(folder: Path, language: str) -> None:
    """Writes the language into the topic.toml of a crawl that has just begun."""
    path = folder / SETTINGS
    if path.is_file():
        edit_file(path, {"topic": {"language": language}})
