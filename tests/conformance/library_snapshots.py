"""What strategy and judge had learned, kept and found again. A part of `LibraryConformance`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scenthound.model import Link, Step
from scenthound.protocols.snapshots import Snapshot
from tests.library.steps import SEED, entry, fetched, refusal

MADE_WITH = "topic:1 judge:2"


def content(snapshot: Snapshot) -> Any:
    """All that is in a snapshot, to be compared bit by bit."""
    arrays = {name: (array.dtype, array.shape, array.tobytes()) for name, array in snapshot.arrays.items()}
    return snapshot.version, snapshot.values, arrays


def lost(url: str, kind: str = "a") -> Step:
    lease = entry(url)
    link = Link(url=url, source=SEED, anchor="gone", context="it is gone", kind=kind)
    return Step(lease=type(lease)(lease.id, link, lease.host, 0.5, 0), state="failed", at=2.0, reason="http: 404")


kinds = arrays.integer_dtypes(endianness="<") | arrays.floating_dtypes(endianness="<", sizes=(32, 64)) | st.just("?")
some_arrays = kinds.flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=0, min_side=0)))
some_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**130), 2**130) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
some_snapshots = st.builds(
    Snapshot,
    st.integers(0, 9),
    st.dictionaries(st.text(), some_values, max_size=3),
    st.dictionaries(st.text(max_size=5), some_arrays, max_size=3),
)


class SnapshotsConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def test_there_are_none_at_first(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            assert library.kept_snapshots(MADE_WITH) is None
            assert list(library.misses()) == []
            assert list(library.finds()) == []

    def test_they_come_back_as_they_were(self) -> None:
        @settings(max_examples=25, deadline=None)
        @given(st.dictionaries(st.text(min_size=1, max_size=5), some_snapshots, min_size=1, max_size=3))
        def check(given_ones: dict[str, Snapshot]) -> None:
            with TemporaryDirectory() as folder:
                with self.library(Path(folder)) as library:
                    library.keep_snapshots(given_ones, MADE_WITH)
                with self.library(Path(folder)) as library:
                    found = library.kept_snapshots(MADE_WITH).snapshots
                    assert {name: content(one) for name, one in found.items()} == {
                        name: content(one) for name, one in given_ones.items()
                    }

        check()

    def test_they_know_the_last_page_that_was_recorded_before_them(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for number in range(3):
                library.record(fetched(entry(f"{SEED}{number}")))
            library.keep_snapshots({"judge": Snapshot(1)}, MADE_WITH)
            for number in range(3, 5):
                library.record(fetched(entry(f"{SEED}{number}")))
            kept = library.kept_snapshots(MADE_WITH)
            assert [page.url for page in library.pages(after=kept.page)] == [f"{SEED}3", f"{SEED}4"]

    def test_those_made_with_something_else_are_set_aside(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.keep_snapshots({"judge": Snapshot(1)}, MADE_WITH)
            assert library.kept_snapshots("topic:3 judge:2") is None
            assert library.kept_snapshots(MADE_WITH) is not None

    def test_new_ones_take_the_place_of_old_ones(self, tmp_path: Path) -> None:
        weights = np.arange(200_000.0)
        with self.library(tmp_path) as library:
            library.keep_snapshots({"judge": Snapshot(1), "strategy": Snapshot(1, {}, {"w": weights})}, MADE_WITH)
            library.keep_snapshots({"strategy": Snapshot(2, {"n": 1}, {"w": weights + (weights > 9e4)})}, "other")
            assert library.kept_snapshots(MADE_WITH) is None
            [(name, snapshot)] = library.kept_snapshots("other").snapshots.items()
            assert (name, snapshot.version, snapshot.values) == ("strategy", 2, {"n": 1})
            assert snapshot.arrays["w"].sum() == weights.sum() + (weights > 9e4).sum()

    def test_links_that_brought_no_page_since_are_told_in_their_order(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.record(lost(f"{SEED}before"))
            library.record(fetched(entry(SEED)))
            library.keep_snapshots({"judge": Snapshot(1)}, MADE_WITH)
            library.record(lost(f"{SEED}z"))
            library.record(lost(f"{SEED}robots.txt", "robots"))
            library.record(fetched(entry(f"{SEED}1")))
            library.record(lost(f"{SEED}a"))
        with self.library(tmp_path) as library:
            page = library.kept_snapshots(MADE_WITH).page
            told = [(each.page - page, each.link.url, each.link.context, each.ending) for each in library.misses()]
            assert told == [(0, f"{SEED}z", "it is gone", "failed"), (1, f"{SEED}a", "it is gone", "failed")]
            library.keep_snapshots({"judge": Snapshot(1)}, MADE_WITH)
            assert list(library.misses()) == []

    def test_how_they_ended_is_told_whatever_became_of_them_later(self, tmp_path: Path) -> None:
        """A link that was given up is found again, waits, is given up once more, and then moves."""

        def refused(url: str, *, for_good: bool) -> Step:
            return Step(lease=entry(url), state="refused", at=2.0, reason="no", for_good=for_good)

        def moved(url: str, target: str, **more: Any) -> Step:
            return Step(lease=entry(url), state="moved", at=2.0, reason=target, **more)

        back, there = f"{SEED}back", f"{SEED}there"
        with self.library(tmp_path) as library:
            library.keep_snapshots({"strategy": Snapshot(1)}, MADE_WITH)
            library.record(fetched(entry(SEED), found=(entry(back), entry(f"{SEED}shut"), entry(f"{SEED}lost"))))
            library.record(refused(back, for_good=False))
            library.record(refused(f"{SEED}shut", for_good=True))
            library.record(refused(f"{SEED}lost", for_good=False))
            library.record(fetched(entry(f"{SEED}1"), found=(entry(back),)))
            library.record(refused(back, for_good=False))
            library.record(Step(lease=entry(f"{SEED}slow"), state="waiting", at=2.0, reason="timeout: "))
            library.record(fetched(entry(f"{SEED}2"), found=(entry(back),)))
            library.record(moved(back, there, found=(entry(there),)))
            library.record(moved(f"{SEED}out", "http://out.test/", refused=(refusal("http://out.test/", "scope"),)))
        with self.library(tmp_path) as library:
            assert [(each.page, each.link.url, each.ending, each.target) for each in library.misses()] == [
                (1, back, "given up", ""),
                (1, f"{SEED}shut", "refused", ""),
                (1, f"{SEED}lost", "given up", ""),
                (2, back, "given up", ""),
                (3, back, "moved", there),
                (3, f"{SEED}out", "refused", ""),
            ]

    def test_links_that_pages_since_were_the_first_to_show(self, tmp_path: Path) -> None:
        def page(number: int, *new: str) -> Step:
            found = tuple(entry(url, order=10 * number + nth, source=SEED) for nth, url in enumerate(new))
            again = entry(f"{SEED}seen", priority=0.9, source=SEED)
            return fetched(entry(f"{SEED}{number}"), found=(*found, again), new=tuple(row.id for row in found))

        with self.library(tmp_path) as library:
            library.record(page(1, f"{SEED}before"))
            library.keep_snapshots({"judge": Snapshot(1)}, MADE_WITH)
            library.record(page(2, f"{SEED}z", f"{SEED}a"))
            library.record(lost(f"{SEED}gone"))
            library.record(page(3))
            library.record(page(4, *(f"{SEED}{number}/" for number in range(3))))
        with self.library(tmp_path) as library:
            last = library.kept_snapshots(MADE_WITH).page
            assert [(number - last, found) for number, found in library.finds()] == [
                (1, [f"{SEED}z", f"{SEED}a"]),
                (3, [f"{SEED}0/", f"{SEED}1/", f"{SEED}2/"]),
            ]
            library.keep_snapshots({"judge": Snapshot(1)}, MADE_WITH)
            assert list(library.finds()) == []
