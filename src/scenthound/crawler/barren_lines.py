"""Lines of pages that bring nothing but more of themselves, whatever their URLs look like.

A trap makes up its pages, so each leads on to others of it that no other page knows, and none says anything. A page is
*barren* where it repeats a stored page, but for four words: a counter, a date; or where all that is new on it are links
to its own kind, and its text is

    nearly the same     as that of the page it was found on: three words in five, and so in a template with some words
                        thrown in
    without new words   but for one in twenty: drawn from a list that pages of this host have used up
    all new words       three in four: letters thrown together, which no other page of this host has

Writing that people do is neither: on the three recorded webs a tenth of the words of a page are new to its host.

A barren page found on a barren page continues a line. When `LINES` did on a host, nine in ten of what barren pages led
to, then what is found on barren pages alone is not followed any more; what other pages show is.
So whoever is taken for a trap wrongly loses what can be reached through its barren pages only.

What is remembered is bounded: the hosts visited last, and for each a table of its words and its last barren pages. It
has snapshots, so that a crawl that goes on is as far along a line as it was.
Pages of words drawn from thousands cannot be told from writing; `scope.host_pages` bounds what they cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from xxhash import xxh3_64_intdigest

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.learn.snapshot_arrays import joined, keys_of, parted, refill
from scenthound.model import Page, Visit, Waiting
from scenthound.page_memo import of_a_page
from scenthound.protocols.snapshots import Snapshot
from scenthound.text.simhash import FEWEST_TERMS
from scenthound.text.term_digests import term_digests

LINES, SHARE = 24, 0.9
A_SOURCE = 8  # pages found on one page that count: thirty pages alike in one list are no line
READY, UNCLEAR = 16, 32  # pages of a host before its words say something; and before they say that a page is no trap
FEW_NEW, MOST_NEW = 0.05, 0.75  # shares of a page's words that are new on the host
UNLIKE, UNLIKE_WORDS = 0.4, 4  # share, or number, of words that the page before did not have

MAX_HOSTS = 256
MAX_LINES = 1_024
PAGES_A_HOST = 128  # that are known as barren, and as many of which nothing is known yet
SLOTS = 1 << 15
PAGES_COUNTED = 64  # pages after which the words of a host count half
REMEMBERED_WORDS = 500_000  # of the last pages of all hosts, 4 MB
REMEMBERED_TEXTS = 20_000  # short texts
WIDE = 12  # folders in a folder from which their names do not matter
MAX_FOLDERS = 256

Words = npt.NDArray[np.int64]
"""The distinct words of a page, as numbers."""

Slots = npt.NDArray[np.uint16]

_LARGEST = (1 << 63) - 1
_number = re.compile(r"[^/]*\d[^/]*")


def _word(term: str) -> int:
    """A number that stands for a word: the same one in every process, so that the same web gives the same crawl."""
    return xxh3_64_intdigest(term.encode("utf-8", "surrogatepass")) >> 1


@of_a_page("follow")
def _words_of(page: Page) -> Words:
    """As `_word` for each of them. Whoever parsed the page may have done most of it, in another process."""
    made = len(page.term_digests) == 8 * len(page.terms)
    digests = np.frombuffer(page.term_digests if made else term_digests(page.terms), ">u8")
    numbers: Words = (digests >> 1).astype(np.int64)
    return numbers


class LineState(Struct):
    """What is known of a host's lines: what a library keeps of them."""

    barren: dict[int, int] = field(default_factory=dict)  # fingerprint of a page -> barren pages it led to
    unclear: dict[int, int] = field(default_factory=dict)  # the same of pages visited before words said something
    visits: int = 0  # of barren pages, and of others that they led to
    continued: int = 0  # barren pages in a line
    causes: dict[str, int] = field(default_factory=dict)
    closed: str = ""  # why its barren pages are not followed


class _HostWords:
    """The words of a host, and its folders."""

    __slots__ = ("counts", "folders", "pages")

    def __init__(self) -> None:
        self.counts = np.zeros(SLOTS, np.uint8)  # slot of a word -> pages it was on
        self.pages = 0
        self.folders: dict[str, set[str]] = {}  # folder -> folders in it, up to `WIDE`

    def add(self, words: Words) -> None:
        self.pages += 1
        if not self.pages % PAGES_COUNTED:
            self.counts //= 2
        slots = words % SLOTS
        counts = self.counts[slots]
        self.counts[slots] = counts + (counts < 255)

    def kept(self) -> tuple[Slots, npt.NDArray[np.uint8]]:
        """The slots that count something, and their counts: mostly a tenth of all."""
        slots = np.flatnonzero(self.counts).astype(np.uint16)
        return slots, self.counts[slots]

    def share_of_rare(self, words: Words, times: int) -> float:
        """The share of words that were on no more than so many pages."""
        return int(np.count_nonzero(self.counts[words % SLOTS] <= times)) / len(words)

    def leads_on(self, url: str, new: Sequence[str]) -> bool:
        """Whether links are all to the kind of the page they are on: of its folder, or narrowing down its query."""
        own, keys = self._folder(url), _keys(url)
        return all(self._folder(other) == own and keys <= _keys(other) for other in new)

    def _folder(self, url: str) -> str:
        """The folder of a page, up to where names are too many to mean something; with a query the page in it."""
        path, _, query = url[8:].partition("?")
        *folders, last = path.split("/")[1:]
        folder = ""
        for name in folders[:8]:
            inside = self.folders.get(folder)
            if inside is None:
                if len(self.folders) >= MAX_FOLDERS:
                    break
                inside = self.folders[folder] = set()
            name = _number.sub("0", name)
            if len(inside) < WIDE:
                inside.add(name)
            if len(inside) >= WIDE:
                break
            folder = f"{folder}/{name}"
        return f"{folder}?{_number.sub('0', last)}" if query else folder


class BarrenLines:
    """Says of a waiting link whether only barren pages lead there. `learn` from every visit, and what was found."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self.lines: dict[str, LineState] = {}  # by host; the one visited last stands last
        self.on_change = on_change  # is told when a host's lines are closed
        self._hosts: dict[str, _HostWords] = {}
        self._words: BoundedCache[int, Words] = BoundedCache(REMEMBERED_WORDS, weigh=len)
        self._short: BoundedCache[int, bool] = BoundedCache(REMEMBERED_TEXTS)

    def gives_up(self, waiting: Waiting) -> str | None:
        lines = self.lines.get(waiting.host)
        if lines is None or not lines.closed or not waiting.link.source:
            return None
        return lines.closed if urls.fingerprint(waiting.link.source) in lines.barren else None

    def learn(self, visit: Visit, new: Sequence[str], *, duplicate: bool) -> bool:
        """Takes note of a visit, and says whether the page repeats one that is stored.

        `new`: the links that nobody had seen; `duplicate`: whether it is known to repeat a stored page nearly.
        """
        page, name = visit.page, urls.host(visit.page.url)
        host, lines = self._host(name), self._lines(name)
        words = _words_of(page)
        short = self._is_known(page, name)
        if short or (duplicate and (not len(words) or host.share_of_rare(words, 0) * len(words) <= UNLIKE_WORDS)):
            cause = "the same text"
        else:
            cause = self._cause(visit, words, host, new, name, known=bool(lines.closed))
        number = urls.fingerprint(page.url)
        self._note(lines, number, urls.fingerprint(visit.link.source), cause, unclear=host.pages < UNCLEAR)
        host.add(words)
        self._words.put(number, words)
        if not lines.closed and lines.continued >= LINES and lines.continued >= SHARE * lines.visits:
            self._close(lines, host)
        return duplicate or short

    def twin(self, url: str, original: str) -> None:
        """A page is that page once more, under http and https: what one is to its line the other is."""
        lines, number = self._lines(urls.host(url)), urls.fingerprint(original)
        for pages in (lines.barren, lines.unclear):
            if number in pages:
                _put(pages, urls.fingerprint(url))

    def _note(self, lines: LineState, number: int, source: int, cause: str, unclear: bool) -> None:
        in_line = source in lines.barren or source in lines.unclear
        if lines.visits >= 2 * LINES:
            lines.visits, lines.continued = lines.visits // 2, lines.continued // 2
        if cause:
            _put(lines.barren, number)
            lines.visits += 1
            led_to = lines.barren.get(source) or lines.unclear.get(source) or 0
            if in_line and led_to < A_SOURCE:
                (lines.barren if source in lines.barren else lines.unclear)[source] = led_to + 1
                lines.continued += 1
                lines.causes[cause] = lines.causes.get(cause, 0) + 1
        elif unclear:
            _put(lines.unclear, number)
        else:
            # What led to a page with something to say is no trap.
            lines.unclear.pop(source, None)
            lines.visits += source in lines.barren
            if not lines.closed:
                lines.barren.pop(source, None)

    def _cause(self, visit: Visit, words: Words, host: _HostWords, new: Sequence[str], name: str, known: bool) -> str:
        """Why a page that repeats no other is barren all the same; empty where it is not. `known`: here are traps."""
        if not len(words) or not new or any(urls.host(url) != name for url in new):
            return ""
        before = self._words.get(urls.fingerprint(visit.link.source)) if visit.link.source else None
        unlike = len(words) - (len(np.intersect1d(words, before, assume_unique=True)) if before is not None else 0)
        if unlike <= UNLIKE_WORDS and len(words) > 2 * UNLIKE_WORDS:
            return "nearly the same text"
        if len(words) < FEWEST_TERMS or not (known or host.leads_on(visit.page.url, new)):
            return ""
        if unlike <= UNLIKE * len(words):
            return "nearly the same text"
        if host.pages < READY:
            return ""
        rare = host.share_of_rare(words, 0)
        return "no new words" if rare <= FEW_NEW else "words that no other page has" if rare >= MOST_NEW else ""

    def _close(self, lines: LineState, host: _HostWords) -> None:
        cause = max(lines.causes, key=lambda cause: lines.causes[cause])
        lines.closed = f"trap: {lines.continued} pages in a row, each found on another of them, had {cause}"
        for number in lines.unclear:
            # Pages that came before the words were known are now like the others, or not.
            words = self._words.get(number)
            rare = host.share_of_rare(words, 1) if words is not None and len(words) else 0.5
            if (cause == "no new words" and rare <= FEW_NEW) or (
                cause == "words that no other page has" and rare >= MOST_NEW - 0.1  # by now some share a slot
            ):
                _put(lines.barren, number)
        lines.unclear.clear()
        self.on_change()

    def _is_known(self, page: Page, host: str) -> bool:
        """Whether a page too short for a fingerprint has the words of another of its host, but for numbers."""
        if page.simhash:
            return False
        text = _word(host) + sum(_word(word) for word in page.terms if not word.isdecimal()) & _LARGEST
        known = self._short.use(text) is not None
        self._short.put(text, True)
        return known

    def _host(self, name: str) -> _HostWords:
        host = self._hosts.pop(name, None) or _HostWords()
        if len(self._hosts) >= MAX_HOSTS:
            del self._hosts[next(iter(self._hosts))]
        self._hosts[name] = host
        return host

    def _lines(self, name: str) -> LineState:
        lines = self.lines.pop(name, None) or LineState()
        if len(self.lines) >= MAX_LINES:
            # Traps that are left are visited no more; they would be the first to be forgotten, and entered again.
            oldest = next((name for name, state in self.lines.items() if not state.closed), next(iter(self.lines)))
            del self.lines[oldest]
        self.lines[name] = lines
        return lines

    # Going on

    def snapshot(self) -> Snapshot:
        words, lengths = joined(list(self._words.entries.values()), np.int64)
        hosts = [host.kept() for host in self._hosts.values()]
        slots, slots_each = joined([slots for slots, _ in hosts], np.uint16)
        marks = [*chain.from_iterable((state.barren, state.unclear) for state in self.lines.values())]
        values = {
            "hosts": [[name, host.pages, _listed(host.folders)] for name, host in self._hosts.items()],
            "lines": [
                [name, len(state.barren), len(state.unclear), state.visits, state.continued, state.causes, state.closed]
                for name, state in self.lines.items()
            ],
        }
        arrays = {
            "slots": slots,
            "slots of each": slots_each,
            "counts": joined([counts for _, counts in hosts], np.uint8)[0],
            "words": words,
            "words of": keys_of(self._words),
            "lengths": lengths,
            "short": keys_of(self._short),
            "marked": np.array([page for pages in marks for page in pages], np.int64),
            "led to": np.array([times for pages in marks for times in pages.values()], np.int32),
        }
        return Snapshot(2, values, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(2)
        refill(self._words, arrays["words of"], parted(arrays["words"], arrays["lengths"]))
        self._short.refill((text, True) for text in arrays["short"].tolist())
        self._hosts = {}
        slots, counts = (parted(arrays[name], arrays["slots of each"]) for name in ("slots", "counts"))
        for (name, pages, folders), known, times in zip(values["hosts"], slots, counts, strict=True):
            host = self._hosts[name] = _HostWords()
            host.pages, host.counts[known] = pages, times
            host.folders = {folder: set(inside) for folder, inside in folders.items()}
        marks = zip(arrays["marked"].tolist(), arrays["led to"].tolist(), strict=True)
        self.lines = {
            name: LineState(_first(barren, marks), _first(unclear, marks), visits, continued, dict(causes), closed)
            for name, barren, unclear, visits, continued, causes, closed in values["lines"]
        }


def _listed(folders: dict[str, set[str]]) -> dict[str, list[str]]:
    return {folder: sorted(inside) for folder, inside in folders.items()}


def _first(n: int, marks: Iterator[tuple[int, int]]) -> dict[int, int]:
    return dict(islice(marks, n))


def _keys(url: str) -> frozenset[str]:
    query = url.partition("?")[2]
    return frozenset(pair.partition("=")[0] for pair in query.split("&")) if query else frozenset()


def _put(pages: dict[int, int], number: int) -> None:
    if number not in pages and len(pages) >= PAGES_A_HOST:
        del pages[next(iter(pages))]
    pages.setdefault(number, 0)
