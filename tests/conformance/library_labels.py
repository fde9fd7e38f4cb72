"""Labels: which word counts, and that none is lost. A part of `LibraryConformance`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.model import Label

URL = "http://a.example/"
RANKS = {"person": 2, "asked": 2, "bookmarks": 1, "list": 1, "file": 1, "program:ask": 0, "program:other": 0}


def counting(words: Iterable[Label]) -> dict[tuple[str, str], bool]:
    """The rule, as it is told to people."""
    found: dict[tuple[str, str], Label] = {}
    for word in words:
        said = (word.kind, word.subject)
        if said in found and RANKS[word.by] < RANKS[found[said].by]:
            continue
        found.pop(said, None)
        if word.relevant is not None:
            found[said] = word
    return {said: bool(word.relevant) for said, word in found.items()}


words = st.builds(
    Label,
    subject=st.sampled_from(["http://a.example/", "http://b.example/ü", "c.example"]),
    relevant=st.sampled_from([True, False, None]),
    by=st.sampled_from(sorted(RANKS)),
    at=st.floats(1, 2e9),
    kind=st.sampled_from(["page", "site"]),
)


class LabelsConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def test_a_label_is_kept(self, tmp_path: Path) -> None:
        label = Label(URL, True, at=5.0)
        with self.library(tmp_path) as library:
            assert library.labels() == {}
            assert library.add_labels([label]) == [label]
            assert library.labels() == {URL: label}
        with self.library(tmp_path) as library:
            assert library.labels() == {URL: label}
            assert library.label_history(URL) == [label]
            assert library.label_history("http://b.example/") == []

    def test_when_it_was_said_is_noted(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.add_labels([Label(URL, True)])
            assert library.labels()[URL].at > 0

    @pytest.mark.parametrize(
        ("first", "second", "counts"),
        [
            ("person", "list", True),
            ("person", "program:x", True),
            ("bookmarks", "program:x", True),
            ("program:x", "list", False),
            ("list", "person", False),
            ("person", "person", False),
            ("file", "bookmarks", False),
            ("program:x", "program:y", False),
        ],
    )
    def test_whose_word_counts(self, tmp_path: Path, first: str, second: str, counts: bool) -> None:
        with self.library(tmp_path) as library:
            library.add_labels([Label(URL, True, first, 1.0)])
            changed = library.add_labels([Label(URL, False, second, 2.0)])
            assert library.labels()[URL].relevant is counts
            assert bool(changed) is not counts
            assert [word.by for word in library.label_history(URL)] == [first, second], "both were said"

    def test_taken_back(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.add_labels([Label(URL, False, "list"), Label(URL, True)])
            assert library.add_labels([Label(URL, None, "program:x")]) == []
            assert library.labels()[URL].relevant is True
            assert len(library.add_labels([Label(URL, None)])) == 1
            assert library.labels() == {}, "the list's word is outranked for good"
            assert len(library.add_labels([Label(URL, False, "program:x")])) == 1
            assert library.labels()[URL].by == "program:x"
            assert [word.relevant for word in library.label_history(URL)] == [False, True, None, None, False]

    def test_said_twice_is_said_once(self, tmp_path: Path) -> None:
        """A list may be read every day."""
        with self.library(tmp_path) as library:
            for _ in range(3):
                library.add_labels([Label(URL, True, "list"), Label("http://b.example/", None)])
            assert len(library.label_history(URL)) == 1
            assert library.label_history("http://b.example/") == []
            library.add_labels([Label(URL, True)])
            assert library.labels()[URL].by == "person"

    def test_sites_have_labels_too(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            library.add_labels([Label("a.example", True, kind="site"), Label(URL, False)])
            assert [*library.labels()] == [URL]
            assert [*library.labels("site")] == ["a.example"]

    def test_every_rank_rule_at_once(self) -> None:
        @settings(max_examples=60, deadline=None)
        @given(st.lists(words, max_size=14), st.integers(1, 4))
        def check(said: list[Label], at_once: int) -> None:
            with TemporaryDirectory() as folder:
                with self.library(Path(folder)) as library:
                    for start in range(0, len(said), at_once):
                        before = self.counts(library)
                        changed = library.add_labels(said[start : start + at_once])
                        differing = {what for what, _ in before.items() ^ self.counts(library).items()}
                        assert differing <= {(word.kind, word.subject) for word in changed}
                with self.library(Path(folder)) as library:
                    assert self.counts(library) == counting(said)
                    for word in said:
                        assert set(library.label_history(word.subject)) <= set(said)

        check()

    def counts(self, library: Any) -> dict[tuple[str, str], bool]:
        return {
            (kind, subject): label.relevant
            for kind in ("page", "site")
            for subject, label in library.labels(kind).items()
        }
