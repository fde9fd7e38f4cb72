"""Every extension point, on one screen. Implement one of these and the rest of Scenthound works with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from scenthound.model import Failed, Lessons, Link, Page, Ranked, Refusal, Response, Topic, Visit, Waiting
from scenthound.protocols.snapshots import Snapshot

if TYPE_CHECKING:  # it takes time to import, and most of those who come here do without
    import numpy as np
    import numpy.typing as npt

Clock = Callable[[], float]
Idf = Callable[[str], float]

Progress = Callable[[int, int], None]
"""Told how much is done, and how much there is to do."""


Presets = Mapping[str, Mapping[str, Any]]
"""The class attribute `published` of a strategy or judge: the parameters that make it what a document describes, by a
name for each reading of it; `published = true` means the first. No parameters: its defaults do. No presets: it is ours.
"""


class Context(Struct, frozen=True):
    """All that a strategy or judge may know before the first page: never an answer, never an unfetched page."""

    topic: Topic
    idf: Idf
    random: Random
    examples: tuple[Page, ...] = ()
    counterexamples: tuple[Page, ...] = ()
    labels: Mapping[str, bool] = {}  # URL -> what was said of the page; those that could be read are examples, too
    lessons: Lessons | None = None  # what there is to train on, for strategies that do
    models: Path | None = None  # where models trained before are kept; read by whoever builds a strategy
    ontology: str = ""  # which one knows what the topic's words mean; see ontology/open_ontology.py
    judge: Judge | None = None  # for strategies: who judges this crawl's pages; it may have learned what words tell


class Strategy(Protocol):
    """Turns what was visited into a number per waiting link. Register with `@strategy("name")`.

    It may have any of the hooks below, and attributes: `merge`, a `MergeRule` for links found again ("max" where
    absent); `batch`, how many links are taken before ranking goes on; `from_examples`, whether a crawl starts from the
    topic's examples as well as from its seeds. See `hooks.hook` for how to ask for a hook.
    """

    def rank(self, visit: Visit) -> Sequence[Ranked]: ...


class Trains(Protocol):
    """Learns from `context.lessons` ahead of the crawl; a model file keeps its attributes that end in `_`.

    With such a file it is not trained again. `can_do_without = True`, where it may crawl untaught.
    """

    def train(self, context: Context) -> None: ...


class Begins(Protocol):
    """Hears what there is to know before the first page. Judges may, too."""

    def begin(self, context: Context) -> None: ...


class Learns(Protocol):
    """Learns from each page, before its links are ranked, and nowhere else: a crawl that goes on after a restart lets
    its strategy relive visits through this, all of them or those since its last snapshot.
    """

    def learn(self, visit: Visit) -> None: ...


class NotesLinks(Protocol):
    """Takes note of links as it ranks them. Of a visit that is relived, it is asked for that alone."""

    def note(self, visit: Visit) -> None: ...


class Retopics(Protocol):
    """Hears that the topic is another one, rebuilt from pages found or changed by somebody who steers.

    Without this, a strategy that does not learn begins anew, and so does a judge. A judge that takes long to begin has
    it, to go by the new words from the next page on, and to learn from pages what else goes with them when it begins.
    """

    def retopic(self, context: Context) -> None: ...


class HearsMisses(Protocol):
    """Hears of each link that brought no page."""

    def missed(self, link: Link) -> None: ...


class HearsMoves(Protocol):
    """Hears of each link that redirects, and where to. Its target is not told apart: it waits in the link's place,
    unless it was known."""

    def moved(self, link: Link, target: str) -> None: ...


class HearsRefusals(Protocol):
    """Hears of each link that was not asked for when its turn came, or that redirects to where the crawl does not go.

    Not `for_good`: one that is found again may come back, as what `gives_up` names and what was one too many.
    """

    def refused(self, link: Link, for_good: bool) -> None: ...


class Rescores(Protocol):
    """Gives the best links that wait new priorities, every `rescore_every` pages (1 where absent).

    With `rescores_rarer = True` less often as the crawl grows, and with `least_move` a link whose priority changed by
    less than that stays where it is: see `rescoring.py`.
    """

    def rescore(self, links: Sequence[Link]) -> Sequence[float]: ...


class GivesUp(Protocol):
    """Says why a link whose turn has come is not to be followed, or None. One that is found again may come back."""

    def gives_up(self, waiting: Waiting) -> str | None: ...


class Justifies(Protocol):
    """Says in words why a waiting link stands where it stands: each reason with what it adds to the priority, the
    strongest first; nothing where it has forgotten. Changes nothing."""

    def why(self, link: Link) -> Sequence[tuple[str, float]]: ...


class Vouches(Protocol):
    """Tells `tunnelling` which links of an irrelevant page are as good as those of a relevant one."""

    def vouches(self, ranked: Ranked) -> bool: ...


class Judge(Protocol):
    """Says how relevant a page is to the topic, 0..1. Register with `@judge("name")`. May have `begin`, too.

    It may be told to begin again at any time, when topic or labels have changed; what it saw of pages it keeps. Its
    attribute `threshold` says from which relevance a page counts where the settings do not (0.5 where absent), and
    `version_` changes whenever what it learned on the way would change its word about pages judged before. One that is
    soon sure may have a `position(relevance)`: the same word on a scale whose steps are equal, 0 for an ordinary page
    and about 1 for one plainly on the topic. Whoever adds up the words of many pages goes by that. `page_reader` names
    a function, `module:function`, that parser processes call with a page and the topic's language, so that the crawl
    need not: what it gives comes as the page's `notes`, on pages that such a process has parsed.
    """

    def __call__(self, page: Page) -> float: ...


class Explains(Protocol):
    """A judge that says why: the n terms that make up most of a page's score, each with its part."""

    def strongest(self, page: Page, n: int) -> Sequence[tuple[str, float]]: ...


class Watches(Protocol):
    """A judge that learns from the pages that come what is ordinary here. A page is judged first, then shown to it."""

    def saw(self, page: Page) -> None: ...


class Imagines(Protocol):
    """A judge that says of words, in the places of a link, what it would think of a page that had them.

    Words are hashes, a row for each link, as `learn.relevance.link_words` lays them out. So are the answers: the
    anchor's words as a title, and as text, those around it as text, those of its address; each in units of log odds,
    0 where it cannot tell.
    """

    def imagine(self, words: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]: ...


class Snapshots(Protocol):
    """Says all it has learned since it began, so that a crawl can go on at once. Belongs together with `restore`.

    It may be asked between any two pages. Strategies and judges that learn and have no snapshots relive every page.
    """

    def snapshot(self) -> Snapshot: ...


class Restores(Protocol):
    """Knows again, after it has begun, what a snapshot of its kind says: from here on all is as if nobody had stopped.

    What it cannot read it refuses with a `ValueError`, before it has changed anything.
    """

    def restore(self, snapshot: Snapshot) -> None: ...


class SharesExperience(Protocol):
    """Says what it learned last, from one page or one link that brought none, so that others learn it without the page.

    None where that was nothing, or was told before. A crawl by several workers asks after every answer. Whoever takes
    in the same experience in the same order has learned the same. Belongs together with `take_experience`; strategies
    and judges that learn and have neither are shown the pages of other workers instead.
    """

    def experience(self) -> Snapshot | None: ...


class TakesExperience(Protocol):
    """Learns what another of its kind has said; `teller` names that one, so that what it says later can replace it."""

    def take_experience(self, experience: Snapshot, teller: str) -> None: ...


STRATEGY_HOOKS = (
    Trains,
    Begins,
    Learns,
    Retopics,
    HearsMisses,
    HearsMoves,
    HearsRefusals,
    NotesLinks,
    Rescores,
    Justifies,
    GivesUp,
    Vouches,
    Snapshots,
    Restores,
    SharesExperience,
    TakesExperience,
)
JUDGE_HOOKS = (Begins, Retopics, Explains, Watches, Imagines, Snapshots, Restores, SharesExperience, TakesExperience)


class Fetcher(Protocol):
    """Makes one request: no redirects followed, nothing retried, nothing raised for what the web may do."""

    parallel: int  # how many requests may be under way at once

    async def __call__(self, link: Link) -> Response | Failed: ...

    async def close(self) -> None: ...


class AsksOnlyWhile(Protocol):
    """A fetcher that looks once more whether it may ask, after all it had to wait for and before it sends anything.

    What may not be sent any more is never answered: whoever says so gives up the requests under way.
    """

    def ask_only_while(self, may: Callable[[], bool]) -> None: ...


class AsksForParts(Protocol):
    """A fetcher whose pages ask for more while they are put together: each such request is made through `ask`."""

    def ask_through(self, ask: PartRequest) -> None: ...


class PartRequest(Protocol):
    """Asks for what a page needs, with the manners of any request: the answer, or why nobody was asked."""

    async def __call__(
        self, page: Link, part: Link, request: Callable[[Link], Awaitable[Response | Failed]]
    ) -> Response | Failed | str: ...  # `request` makes one; it is called when its time has come

    def page_came(self, page: Link) -> None: ...  # the page itself was answered; its parts come next


class RobotsRules(Protocol):
    """What a host's robots.txt says to us. It may have a `weight`, the number of its rules."""

    @property
    def delay(self) -> float | None: ...  # seconds between requests, if it asks for that

    @property
    def expires(self) -> float: ...  # unix time from which it must be read again

    def allows(self, url: str) -> bool: ...


class Steers(Protocol):
    """A person's rules over a running crawl, as a frontier follows them."""

    def shift(self, url: str) -> float: ...  # what is added to a link's priority

    def refuses(self, url: str) -> str | None: ...  # why a link whose turn has come is not asked for

    def strikes(self, url: str) -> str | None: ...  # likewise a seed, which rules over links leave alone


class Frontier(Protocol):
    """Keeps waiting links in order and hosts in peace. Hands out leases; a lease ends with `done`."""

    def put(self, ranked: Sequence[Ranked], depth: int, hops: int = 0) -> list[Waiting]: ...  # rows to store

    def next_order(self) -> int: ...  # the number that the next link gets that nobody had seen

    def take(
        self, n: int, now: float, least: float = -inf, far: float = -inf
    ) -> list[Waiting]: ...  # of priority `least` or more; `far`: the same for hosts far from the start pages

    def done(
        self,
        lease: Waiting,
        now: float,
        retry: Waiting | None = None,
        slow: float = 0.0,
        struggles: bool = False,
        page: bool = True,
    ) -> None: ...  # `slow`: seconds the answer took; `struggles`: the host had trouble to give one; `page`: it is one

    def give_back(self, lease: Waiting, now: float) -> None: ...  # it was not asked for after all, and waits again

    def leased(self) -> int: ...  # how many leases are out, whoever has them

    def tell_change(self, waiter: Callable[[], None]) -> None: ...  # once, when links come in or a lease ends

    def rest(self, host: str, until: float) -> None: ...  # ask this host nothing before then

    def robots_request(
        self, link: Link, owner: str, hops: int = 0
    ) -> None: ...  # a robots.txt, fetched for host `owner`

    def rules(self, host: str, rules: RobotsRules) -> None: ...

    def hold(self, host: str, until: float) -> None: ...  # its robots.txt cannot be read: its links wait

    def held(self) -> dict[str, int]: ...  # such hosts, and how many links wait for each

    def refused(self) -> list[Refusal]: ...  # by robots or limits, since last asked

    def best(self, n: int) -> list[Waiting]: ...

    def rescore(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]: ...

    def next_time(
        self, now: float, least: float = -inf, far: float = -inf
    ) -> float | None: ...  # when to take; None: nothing waits

    def asked_soon(self, name: str, now: float, seconds: float) -> bool: ...  # the host, or it is asked already

    def __len__(self) -> int: ...
