"""What every library must do, whatever it is made of. A backend subclasses `LibraryConformance` and gives `open`.

`Ledger` is the whole contract for URLs in thirty lines of dictionaries: the property test holds a library against it,
and with it whatever the library has made of `scenthound.merge_rules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound import urls
from scenthound.merge_rules import merged
from scenthound.model import Link, Step, Waiting
from tests.conformance.library_decisions import DecisionsConformance
from tests.conformance.library_history import HistoryConformance
from tests.conformance.library_judgements import JudgementsConformance
from tests.conformance.library_labels import LabelsConformance
from tests.conformance.library_page_lists import PageListsConformance
from tests.conformance.library_search import SearchConformance
from tests.conformance.library_snapshots import SnapshotsConformance
from tests.library.steps import SEED, entry, fetched, refusal

FINAL = {"fetched", "failed", "moved"}


class Ledger:
    """URL -> (state, reason, row) as the steps leave it, one step after the other."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[str, str, Waiting]] = {}

    def record(self, step: Step) -> None:
        self._end(step)
        for new in step.found:
            self._find(new)
        for refused in step.refused:
            row = Waiting(refused.id, refused.link, refused.host, 0.0, 0, refused.depth)
            self.rows.setdefault(refused.id, ("refused", refused.reason, row))

    def _end(self, step: Step) -> None:
        lease = replace(step.lease, rule=None)
        if step.state == "refused" and lease.id in self.rows:
            lease = self.rows[lease.id][2]
        self.rows[lease.id] = (step.state, step.reason, lease)

    def _find(self, new: Waiting) -> None:
        state, reason, old = self.rows.get(new.id, ("refused", "", new))
        if state in FINAL:
            return
        plain = replace(new, rule=None)
        if state == "refused":
            self.rows[new.id] = ("waiting", "", plain)
        elif new.rule is None:
            self.rows[new.id] = ("waiting", reason, plain)
        else:
            self.rows[new.id] = ("waiting", reason, merged(old, new, new.rule))

    def waiting(self, host: str) -> list[Waiting]:
        rows = [row for state, _, row in self.rows.values() if state == "waiting" and row.host == host]
        return sorted(rows, key=lambda row: (-row.priority, row.order, row.id))


POOL = [f"http://{host}.example/{n}" for host in "ab" for n in range(3)]
# Ties are what rules of merging differ in, so most priorities are among a few.
priorities = st.sampled_from([0.1, 1 / 3]) | st.sampled_from([0.0, 1e6, -1.5, 5e-324]) | st.floats(-1e6, 1e6)


@st.composite
def found_links(draw: st.DrawFn, source: str) -> Waiting:
    return entry(
        draw(st.sampled_from(POOL)),
        draw(priorities),
        draw(st.integers(0, 50)),
        source,
        depth=draw(st.integers(0, 3)),
        memory=draw(st.none() | st.binary(max_size=3)),
        hops=draw(st.integers(0, 2)),
        rule=draw(st.sampled_from([None, "max", "min", "mean", "last"])),
    )


@st.composite
def steps(draw: st.DrawFn) -> Step:
    url = draw(st.sampled_from([*POOL, SEED]))
    lease = entry(url, draw(priorities), draw(st.integers(0, 50)), tries=draw(st.integers(0, 2)), not_before=2.5)
    found = tuple(draw(st.lists(found_links(url), max_size=4)))
    refused = tuple(refusal(draw(st.sampled_from(POOL)), "scope", url) for _ in range(draw(st.integers(0, 2))))
    state = draw(st.sampled_from(["fetched", "waiting", "failed", "refused", "moved"]))
    if state == "fetched":
        return fetched(lease, body=draw(st.sampled_from([b"one", b"two"])), found=found, refused=refused)
    return Step(lease=lease, state=state, at=1.0, reason=f"{state}: why", found=found, refused=refused)


class LibraryConformance(
    HistoryConformance,
    DecisionsConformance,
    SearchConformance,
    JudgementsConformance,
    LabelsConformance,
    PageListsConformance,
    SnapshotsConformance,
):
    """Subclass, name the subclass `Test...`, and say how a library is opened in a folder."""

    def open(self, folder: Path) -> Any:
        raise NotImplementedError

    def open_to_read(self, folder: Path) -> Any:
        raise NotImplementedError

    @contextmanager
    def library(self, folder: Path) -> Iterator[Any]:
        library = self.open(folder)
        try:
            yield library
        finally:
            library.close()

    # The frontier's state

    def test_urls_end_up_as_the_ledger_says(self) -> None:
        @settings(max_examples=40, deadline=None)
        @given(st.lists(st.tuples(steps(), st.booleans()), max_size=12))
        def check(history: list[tuple[Step, bool]]) -> None:
            ledger = Ledger()
            with TemporaryDirectory() as folder:
                with self.library(Path(folder)) as library:
                    for step, flush in history:
                        library.record(step)
                        ledger.record(step)
                        if flush:
                            library.flush()
                with self.library(Path(folder)) as library:
                    self.agrees(library, ledger)

        check()

    def agrees(self, library: Any, ledger: Ledger) -> None:
        for state, reason, row in ledger.rows.values():
            stored = library.url_row(row.link.url)
            assert (stored.state, stored.reason) == (state, reason)
            assert (stored.link, stored.priority, stored.order) == (row.link, row.priority, row.order)
        for host in ("a.example", "b.example"):
            assert library.waiting(host, 100) == ledger.waiting(host)
        assert sorted(library.known()) == sorted(
            (number, state == "waiting") for number, (state, _, _) in ledger.rows.items() if state != "refused"
        )
        queues = {queue.host: (queue.waiting, queue.best) for queue in library.queues()}
        expected = {host: ledger.waiting(host) for host in ("a.example", "b.example")}
        assert queues == {host: (len(rows), rows[0].priority) for host, rows in expected.items() if rows}

    def test_the_store_is_ordered(self, tmp_path: Path) -> None:
        """Best first, then in the order of discovery; links that must rest are among them."""
        order = [(0.2, 1), (0.9, 5), (0.9, 2), (-1.0, 3), (0.2, 4)]
        found = [entry(f"http://a.example/{n}", p, n, not_before=99.0 * (n == 2)) for p, n in order]
        with self.library(tmp_path) as library:
            library.record(Step(lease=found[0], state="waiting", at=1.0, found=tuple(found)))
            assert [row.order for row in library.waiting("a.example", 10)] == [2, 5, 1, 4, 3]
            assert [row.order for row in library.waiting("a.example", 2)] == [2, 5]
            assert library.waiting("b.example", 10) == []

    def test_a_waiting_link_comes_back_whole(self, tmp_path: Path) -> None:
        link = Link("http://a.example/x?y=ü", SEED, "anchor\0é", "title", "the context", 3, 17, "ugc", "area")
        number = urls.fingerprint(link.url)
        row = Waiting(number, link, "a.example", 1 / 3, 7, 2, b"\x00\xff memory", 4, 1, 2, 1234.5)
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), found=(row,)))
        with self.library(tmp_path) as library:
            assert library.waiting("a.example", 1) == [row]

    def test_next_order_goes_on(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            assert library.next_order() == 0
            library.record(fetched(entry(SEED), found=(entry("http://a.example/x", order=41),)))
            assert library.next_order() == 42
        with self.library(tmp_path) as library:
            library.record(fetched(entry("http://a.example/x", order=41)))
            assert library.next_order() == 42

    def test_a_retry_keeps_its_count_and_its_reason(self, tmp_path: Path) -> None:
        retry = entry(SEED, 0.4, tries=2, not_before=50.0)
        with self.library(tmp_path) as library:
            library.record(Step(lease=retry, state="waiting", at=1.0, reason="timeout: read"))
            assert library.waiting("a.example", 1) == [retry]
            assert library.url_row(SEED).reason == "timeout: read"

    def test_a_refusal_keeps_the_score_the_link_had(self, tmp_path: Path) -> None:
        waiting = entry("http://a.example/private", 0.8, 3, SEED, depth=2)
        bare = Waiting(waiting.id, Link(url=waiting.link.url), "a.example", 0.0, 0)
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), found=(waiting,)))
            library.record(Step(lease=bare, state="refused", at=2.0, reason="robots"))
            row = library.url_row(waiting.link.url)
            assert (row.state, row.reason, row.priority, row.link) == ("refused", "robots", 0.8, waiting.link)
            assert library.counts().refused == {"robots": 1}

    # Pages

    def test_a_page_comes_back(self, tmp_path: Path) -> None:
        target = "http://a.example/next"
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), 5.0, b"<p>caf\xc3\xa9</p>", (target,), simhash=2**64 - 1))
            page = library.page(SEED)
            assert (page.url, page.status, page.media_type, page.relevance) == (SEED, 200, "text/html", 0.75)
            assert (page.fetched_at, page.bytes, page.simhash, page.versions) == (5.0, 12, 2**64 - 1, 1)
            assert library.text(SEED) == "<p>café</p>"
            assert library.body(SEED).body == b"<p>caf\xc3\xa9</p>"
            assert library.outlinks(SEED) == [Link(url=target, source=SEED, anchor="go")]
            assert [link.source for link in library.backlinks(target)] == [SEED]
            assert library.page(target) is None

    def test_two_visits_are_one_page_with_two_versions(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), 1.0, b"old", ("http://a.example/old",)))
            library.record(fetched(entry(SEED), 2.0, b"new", ("http://a.example/new",)))
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), 3.0, b"newer", ("http://a.example/new",)))
            page = library.page(SEED)
            assert (page.versions, page.first_at, page.fetched_at) == (3, 1.0, 3.0)
            assert [version.at for version in library.versions(SEED)] == [1.0, 2.0, 3.0]
            assert [library.body(SEED, n).body for n in range(3)] == [b"old", b"new", b"newer"]
            assert library.body(SEED, 3) is None
            assert len(list(library.pages())) == library.counts().fetched == 1
            assert list(library.backlinks("http://a.example/old")) == []
            assert len(list(library.backlinks("http://a.example/new"))) == 1

    def test_a_page_that_is_gone_is_not_forgotten(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), 1.0, b"once"))
            library.record(Step(lease=entry(SEED), state="failed", at=2.0, reason="status: 404"))
            library.flush()
            library.record(Step(lease=entry(SEED), state="failed", at=3.0, reason="status: 410"))
            assert library.url_row(SEED).reason == "status: 410"
            assert library.page(SEED).fetched_at == 1.0
            assert library.body(SEED).body == b"once"

    def test_a_copy_is_stored_once(self, tmp_path: Path) -> None:
        body, copies = b"<p>the same everywhere</p>" * 100, [f"http://a.example/{n}" for n in range(4)]
        with self.library(tmp_path) as library:
            library.record(fetched(entry(copies[0]), 1.0, body))
            library.record(fetched(entry(copies[1]), 2.0, body, duplicate_of=copies[0]))
            library.flush()
            library.record(fetched(entry(copies[2]), 3.0, body, duplicate_of=copies[0]))
            library.record(fetched(entry(copies[3]), 4.0, b"another"))
            assert [library.body(url).body for url in copies] == [body] * 3 + [b"another"]
            assert [library.text(url) for url in copies[:3]] == [body.decode()] * 3
            assert [library.page(url).duplicate_of for url in copies] == ["", copies[0], copies[0], ""]
            assert library.counts().duplicates == 2
            assert library.counts().relevant == 2
            assert [url for _, url in library.simhashes()] == [copies[0], copies[3]]

    def test_a_page_that_must_not_be_indexed_is_only_judged(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED), 1.0, b"secret", ("http://a.example/x",), noindex=True))
            library.record(fetched(entry("http://b.example/"), 2.0, b"secret"))
            assert library.page(SEED).noindex
            assert library.text(SEED) is None
            assert library.body(SEED) is None
            assert len(library.outlinks(SEED)) == 1
            assert library.text("http://b.example/") == "secret"
            assert library.body("http://b.example/").body == b"secret"

    def test_pages_stream_in_the_order_of_fetching(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for n in range(20):
                step = fetched(entry(f"http://a.example/{n}"), float(n))
                assert step.visit is not None
                library.record(replace(step, visit=replace(step.visit, relevance=n / 20, relevant=n >= 10)))
            assert [page.fetched_at for page in library.pages()] == list(range(20))
            assert [page.fetched_at for page in library.pages(relevant=True, since=15.0)] == [15, 16, 17, 18, 19]
            assert library.harvest() == [(n / 20, n >= 10) for n in range(20)]
            assert library.harvest_curve(4) == [0.0, 0.0, 1.0, 1.0]
            assert library.harvest_curve(3) == [0.0, 0.5714, 1.0]
            assert library.harvest_curve(100) == [0.0] * 10 + [1.0] * 10

    def test_new_pages_newest_or_best_first_and_no_more_than_wanted(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            assert library.harvest_curve(4) == []
            for n in (3, 1, 5, 2, 4):  # imported pages come in any order of time
                step = fetched(entry(f"http://a.example/{n}"), float(n))
                assert step.visit is not None
                library.record(replace(step, visit=replace(step.visit, relevance=1 / n, relevant=n < 5)))
            library.record(fetched(entry("http://a.example/1"), 9.0, b"new"))  # is not new

            def new(*args: Any, **options: Any) -> str:
                return "".join(page.url[-1] for page in library.new_pages(*args, **options))

            assert new(2.0) == "5432"
            assert new(2.0, relevant=True) == "432"
            assert new(0.0, limit=2) == "54"
            assert new(2.0, best=True) == "2345"
            assert new(0.0, best=True, limit=2) in ("12", "21")  # 1 was judged anew
            assert [library.count_new_pages(since) for since in (0.0, 2.0, 9.0)] == [5, 4, 0]
            assert library.count_new_pages(2.0, relevant=True) == 3

    def test_what_the_web_writes_cannot_break_it(self, tmp_path: Path) -> None:
        """Half a surrogate pair, control characters, a header that would end the record."""
        step = fetched(entry(SEED), text="\ud800 \0 text", title="\udfff")
        assert step.response is not None
        hostile = (("X-A", "b\r\n\r\nWARC/1.1\r\n"), ("Bad Name\n", "x"), ("Set-Cookie", "\x00é\ud800"))
        link = Link(url="http://a.example/y", source=SEED, anchor="\ud83d", context="\udc00")
        found = Waiting(urls.fingerprint(link.url), link, "a.example", 0.5, 1)
        response = replace(step.response, headers=step.response.headers + hostile)
        assert step.visit is not None
        visit = replace(step.visit, page=replace(step.visit.page, links=(link,)))
        with self.library(tmp_path) as library:
            library.record(replace(step, response=response, visit=visit, found=(found,)))
            library.flush()
            assert library.text(SEED) == "? \0 text"
            assert library.page(SEED).title == "?"
            assert library.waiting("a.example", 1)[0].link.anchor == "?"
            assert library.outlinks(SEED)[0].anchor == "?"
            assert library.body(SEED).body == response.body

    # Decisions and figures

    def test_the_way_to_a_page(self, tmp_path: Path) -> None:
        middle, end = (
            entry("http://a.example/m", 0.4, 1, SEED),
            entry("http://b.example/e", 0.9, 2, "http://a.example/m"),
        )
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED, 1e6), found=(middle,)))
            library.record(fetched(middle, found=(end,)))
            way = library.way(end.link.url)
            assert [step.link.url for step in way] == [SEED, middle.link.url, end.link.url]
            assert [step.priority for step in way] == [1e6, 0.4, 0.9]
            assert [step.relevance for step in way] == [0.75, 0.75, None]
            assert library.way("http://nowhere.example/") == []

    def test_counts(self, tmp_path: Path) -> None:
        def lost(url: str, reason: str) -> Step:
            return Step(lease=entry(url), state="failed", at=1.0, reason=reason)

        with self.library(tmp_path) as library:
            assert library.counts().fetched == 0
            library.record(
                fetched(entry(SEED), refused=(refusal("http://c.example/", "scope"),), found=(entry(POOL[0]),))
            )
            library.record(lost("http://b.example/1", "timeout: while reading"))
            library.record(lost("http://b.example/2", "timeout: while connecting"))
            library.record(lost("http://b.example/3", "status: 404"))
            library.record(Step(lease=entry("http://b.example/4"), state="moved", at=1.0, reason=SEED))
            counts = library.counts()
            assert (counts.fetched, counts.relevant, counts.waiting, counts.moved, counts.hosts) == (1, 1, 1, 1, 1)
            assert counts.failed == {"timeout": 2, "404": 1}
            assert counts.refused == {"scope": 1}
            hosts = {host.host: (host.asked, host.pages, host.failed) for host in library.hosts()}
            assert hosts == {"a.example": (1, 1, 0), "b.example": (4, 0, 3)}

    def test_runs(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.start_run('{"crawl": {}}')
            library.end_run("pages", {"pages": 3})
            library.start_run("{}")
            first, second = library.runs()
            assert (first.reason, first.config, first.counters) == ("pages", '{"crawl": {}}', {"pages": 3})
            assert first.ended_at >= first.started_at
            assert second.ended_at is None

    def test_reading_beside_the_writer(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED)))
            library.flush()
            reader = self.open_to_read(tmp_path)
            try:
                assert reader.counts().fetched == 1
                library.record(fetched(entry("http://b.example/")))
                library.flush()
                assert reader.counts().fetched == 2
                assert reader.body(SEED).body
            finally:
                reader.close()
