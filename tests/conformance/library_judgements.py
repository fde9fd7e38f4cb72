"""Pages judged again, links ranked anew: what every library must do about it. A part of `LibraryConformance`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound import urls
from scenthound.model import Check, Step
from tests.library.steps import SEED, entry, fetched

PAGES = [f"http://{host}.example/{n}" for host in "ab" for n in range(3)]
scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def judged(url: str, relevance: float, relevant: bool, **more: Any) -> Step:
    step = fetched(entry(url), **more)
    assert step.visit is not None
    return replace(step, visit=replace(step.visit, relevance=relevance, relevant=relevant))


class JudgementsConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def test_a_page_judged_again_keeps_its_first_judgement(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(SEED, 0.75, True))
            assert (library.page(SEED).first_relevance, library.page(SEED).first_relevant) == (0.75, True)
            assert library.judge_again([(SEED, 0.25, False)]) == 1
        with self.library(tmp_path) as library:
            page = library.page(SEED)
            assert (page.relevance, page.relevant) == (0.25, False)
            assert (page.first_relevance, page.first_relevant) == (0.75, True)
            assert library.harvest() == [(0.75, True)]
            (step,) = library.way(SEED)
            assert (step.relevance, step.first_relevance) == (0.25, 0.75)

    def test_counts_follow(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for url in PAGES:
                library.record(judged(url, 0.75, True))
            assert library.judge_again((url, 0.5, not url.startswith("http://a")) for url in PAGES) == len(PAGES)
            assert library.counts().relevant == 3
            assert {host.host: host.relevant for host in library.hosts()} == {"a.example": 0, "b.example": 3}
            assert [page.url for page in library.pages(relevant=True)] == PAGES[3:]
            assert [page.relevant for page in library.watched()] == [False] * 3 + [True] * 3
            assert len(library.ages(100.0)) == 3
            assert library.harvest() == [(0.75, True)] * 6

    def test_a_copy_does_not_count(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(PAGES[0], 0.0, False))
            library.record(judged(PAGES[1], 0.0, False, duplicate_of=PAGES[0]))
            assert library.judge_again((url, 1.0, True) for url in PAGES[:2]) == 2
            assert library.counts().relevant == 1
            assert [host.relevant for host in library.hosts()] == [1]
            assert library.page(PAGES[1]).relevant

    def test_only_what_changes_is_told(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(SEED, 0.75, True))
            library.record(fetched(entry("http://a.example/x"), found=(entry("http://a.example/waits"),)))
            assert library.judge_again([(SEED, 0.75, True)]) == 0
            assert library.judge_again([("http://a.example/waits", 1.0, True), ("http://b.example/", 1.0, True)]) == 0
            assert library.judge_again([]) == 0
            assert library.judge_again([(SEED, 0.1, True), (SEED, 0.2, True)]) >= 1
            assert library.page(SEED).relevance == 0.2, "the last one counts"

    def test_a_page_fetched_again_has_the_judgement_of_that(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(SEED, 0.75, True, body=b"old"))
            library.judge_again([(SEED, 0.0, False)])
            (watched,) = library.watched()
            look = Check("changed", watched.relevance, watched.relevant, counted=watched.counts)
            library.record(replace(judged(SEED, 0.5, True, body=b"new"), check=look))
            page = library.page(SEED)
            assert (page.relevance, page.relevant, page.first_relevance, page.versions) == (0.5, True, 0.75, 2)
            assert (library.counts().relevant, library.hosts()[0].relevant) == (1, 1)

    def test_a_copy_whose_original_is_gone_may_come_to_count(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(PAGES[0], 0.75, True))
            library.record(judged(PAGES[1], 0.75, True, duplicate_of=PAGES[0]))
            gone = Check("gone", 0.75, True, counted=True)
            library.record(Step(entry(PAGES[0]), "failed", 2.0, "gone: 404", check=gone))
            copy = next(page for page in library.watched() if page.url == PAGES[1])
            assert (copy.relevant, copy.counts) == (True, False)
            look = Check("changed", copy.relevance, copy.relevant, counted=copy.counts)
            library.record(replace(judged(PAGES[1], 0.75, True, body=b"new"), check=look))
            assert (library.counts().relevant, library.hosts()[0].relevant) == (2, 2)

    def test_it_may_be_read_while_it_is_judged(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for n in range(40):
                library.record(judged(f"http://a.example/{n}", n / 40, n >= 20))

            def others() -> Iterator[tuple[str, float, bool]]:
                for page in library.pages():
                    assert library.text(page.url)
                    yield page.url, 1.0 - page.relevance, not page.relevant

            assert library.judge_again(others()) == 40
            assert [page.relevant for page in library.pages()] == [True] * 20 + [False] * 20

    def test_what_is_recorded_around_it_is_kept(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(PAGES[0], 0.75, True))
            library.judge_again([(PAGES[0], 0.1, False)])
            library.record(judged(PAGES[1], 0.75, True))
            library.judge_again([(PAGES[1], 0.2, False)])
            assert [page.relevance for page in library.pages()] == [0.1, 0.2]

    def test_figures_of_hosts_are_those_of_their_pages(self) -> None:
        rows = st.tuples(st.booleans(), st.sampled_from(PAGES), scores, st.booleans(), st.booleans())

        @settings(max_examples=30, deadline=None)
        @given(st.lists(rows, max_size=12))
        def check(history: list[tuple[bool, str, float, bool, bool]]) -> None:
            first = {SEED: (0.0, False)}
            present = dict(first)
            with TemporaryDirectory() as folder, self.library(Path(folder)) as library:
                library.record(judged(SEED, 0.0, False))
                for comes, url, relevance, relevant, is_copy in history:
                    if comes and url not in present:
                        original = {"duplicate_of": SEED} if is_copy else {}
                        library.record(judged(url, relevance, relevant, **original))
                        first[url] = (relevance, relevant)
                        present[url] = (relevance, relevant)
                    else:
                        library.judge_again([(url, relevance, relevant)])
                        present |= {url: (relevance, relevant)} if url in present else {}
                pages = list(library.pages())
                assert {page.url: (page.relevance, page.relevant) for page in pages} == present
                assert {page.url: (page.first_relevance, page.first_relevant) for page in pages} == first
                counted = [page.host for page in pages if page.relevant and not page.duplicate_of]
                assert library.counts().relevant == len(counted)
                assert {row.host: row.relevant for row in library.hosts()} == {
                    page.host: counted.count(page.host) for page in pages
                }

        check()

    # Links

    def test_links_that_wait_are_ranked_anew(self, tmp_path: Path) -> None:
        links = [entry(f"http://a.example/{n}", n / 10, n) for n in range(4)]
        with self.library(tmp_path) as library:
            library.record(fetched(entry(SEED, 0.9), found=tuple(links)))
            assert [row.order for row in library.waiting("a.example", 9)] == [3, 2, 1, 0]
            unknown, fetched_already = 1, urls.fingerprint(SEED)
            assert library.rank_again([(links[0].id, 2.0), (links[1].id, 0.1), (links[3].id, -1.0)]) == 2
            assert library.rank_again([(fetched_already, 5.0), (unknown, 5.0)]) == 0
        with self.library(tmp_path) as library:
            assert [row.order for row in library.waiting("a.example", 9)] == [0, 2, 1, 3]
            assert library.waiting("a.example", 1) == [replace(links[0], priority=2.0)]
            (queue,) = library.queues()
            assert (queue.waiting, queue.best) == (4, 2.0)
            assert library.url_row(SEED).priority == 0.9, "why it was fetched stays true"

    # By whom

    def test_judged_by_what(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(judged(SEED, 0.75, True))
            assert (library.judged_by(), library.judged_again()) == ("", None)
            library.note_judged_by("first")
            assert (library.judged_by(), library.judged_again()) == ("first", None), "nothing was judged again"
            library.judge_again([(SEED, 0.1, False)])
            assert library.judged_by() == "first", "until it is said to be done"
            library.note_judged_by("second", "keywords")
        with self.library(tmp_path) as library:
            assert library.judged_by() == "second"
            assert library.judged_again().judge == "keywords"
            assert library.judged_again().at > 0
