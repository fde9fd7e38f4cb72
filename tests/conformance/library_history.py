"""What every library must know about time: part of `LibraryConformance`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scenthound.model import Check, Response, Step
from scenthound.protocols.records import MissingPage, StoredImage
from tests.library.collection import id_of
from tests.library.steps import SEED, entry, fetched

OTHER = "http://b.example/"


def looked(url: str, outcome: str, at: float, response: Response | None = None, **about: object) -> Step:
    check = Check(outcome, 0.75, True, 1.0, **about)  # type: ignore[arg-type]
    state = {"gone": "failed", "moved": "moved"}.get(outcome, "fetched")
    return Step(entry(url), state, at, str(about.get("detail", "")), response, check=check)  # type: ignore[arg-type]


def changed(url: str, body: bytes, at: float, relevance: float = 0.75) -> Step:
    step = fetched(entry(url), at, body)
    assert step.visit is not None
    visit = replace(step.visit, relevance=relevance, relevant=relevance > 0.5)
    return replace(step, visit=visit, check=Check("changed", 0.75, True, 1.0, "text", 0.5, 200, "3 words new"))


def watch_two(library: Any) -> None:
    library.record(fetched(entry(SEED, priority=0.7, order=3, depth=2), 1.0, b"<p>one</p>", (OTHER,)))
    library.record(fetched(entry(OTHER, source=SEED), 2.0, b"<p>other</p>"))


class HistoryConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def test_a_look_that_shows_nothing_new_is_one_row(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            watch_two(library)
            answer = Response(url=SEED, status=304, headers=(("ETag", '"x"'),), at=100.0)
            library.record(looked(SEED, "same", 100.0, answer, etag='"x"', status=304))
            (page, _) = library.pages()
            assert (page.versions, page.fetched_at, page.checked_at, page.etag) == (1, 1.0, 100.0, '"x"')
            assert len(library.versions(SEED)) == 1
            (look,) = library.looks()
            assert (look.url, look.outcome, look.status, look.version, look.relevance) == (
                SEED,
                "same",
                304,
                None,
                0.75,
            )
            row = library.url_row(SEED)
            assert row is not None
            assert (row.priority, row.order, row.depth, row.state) == (0.7, 3, 2, "fetched")

    def test_versions_and_their_texts(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            watch_two(library)
            library.record(changed(SEED, b"<p>two</p>", 50.0, relevance=0.2))
            library.record(changed(SEED, b"<p>one</p>", 90.0))
            versions = library.versions(SEED)
            assert [library.text(SEED, version) for version in versions] == ["<p>one</p>", "<p>two</p>", "<p>one</p>"]
            assert [version.title for version in versions] == [f"Page {SEED}"] * 3
            assert library.version_at(SEED, 0.5) is None
            assert library.version_at(SEED, 60.0) == versions[1]
            assert library.version_at(SEED, 1e9) == versions[2]
            assert library.before(SEED, versions[1]) == versions[0]
            assert library.before(SEED, versions[0]) is None
            assert library.texts(versions[1].seq) == ("<p>one</p>", "<p>two</p>")
            assert library.texts(versions[0].seq) is None
            assert [(look.before, look.relevance, look.relevant) for look in library.looks()] == [
                (0.75, 0.2, False),
                (0.75, 0.75, True),
            ]
            assert [row.pages for row in library.hosts()] == [1, 1], "a look makes no new page"

    def test_what_is_gone_or_moved(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            watch_two(library)
            assert [page.url for page in library.watched()] == [SEED, OTHER]
            redirect = Response(url=SEED, status=301, headers=(("Location", "http://c.example/"),), at=5.0)
            library.record(looked(SEED, "moved", 5.0, redirect, detail="http://c.example/"))
            library.record(looked(OTHER, "missing", 5.0, detail="404"))
            (page,) = library.watched()
            assert page.url == OTHER
            assert [(look.at, look.outcome) for look in page.looks] == [(5.0, "missing")]
            library.record(looked(OTHER, "gone", 6.0, detail="gone: 404"))
            assert [(page.url, page.gone) for page in library.watched()] == [(OTHER, True)]
            moved, gone = library.pages()
            assert (moved.state, moved.reason, gone.state, gone.reason) == (
                "moved",
                "http://c.example/",
                "failed",
                "gone: 404",
            )
            assert [version.status for version in library.versions(SEED)] == [200, 301]
            assert library.body(SEED).status == 200, "the page, not the redirect"  # type: ignore[union-attr]
            assert library.text(SEED) == "<p>one</p>"
            assert [url for url, _, _ in library.broken()] == [OTHER]
            assert [link.source for link in library.holders(OTHER)] == [SEED]

    def test_looks_that_say_nothing_leave_no_trace(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            watch_two(library)
            library.record(looked(SEED, "nothing", 5.0))
            library.record(looked("http://a.example/no-such-page", "nothing", 5.0))
            assert list(library.looks()) == []
            assert library.url_row("http://a.example/no-such-page") is None

    def test_last_modified_is_kept_as_a_time(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            watch_two(library)
            library.record(looked(SEED, "same", 5.0, modified="Sun, 06 Nov 1994 08:49:37 GMT"))
            library.record(looked(SEED, "same", 6.0, modified="yesterday"))
            page = next(library.watched())
            assert [look.modified_at for look in page.looks] == [784_111_777.0, None]

    def test_many_pages_and_looks_come_in_slices(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            watch_two(library)
            for n in range(1200):
                library.record(fetched(entry(f"http://a.example/{n}"), 10.0 + n))
                library.record(looked(f"http://a.example/{n}", "same" if n % 2 else "noise", 5000.0 + n))
            assert sum(len(page.looks) for page in library.watched()) == 1200
            assert len(list(library.looks(since=5600.0))) == 600
            assert len(list(library.looks(outcomes=["noise"]))) == 600
            assert library.outcomes() == {"same": 600, "noise": 600}
            leases = library.leases([id_of(f"http://a.example/{n}") for n in range(1199, -1, -1)])
            assert [lease.link.url for lease in leases[:2]] == ["http://a.example/1199", "http://a.example/1198"]
            ages = library.ages(7000.0)
            assert ages == sorted(ages)
            assert len(ages) == 1202

    def test_notes_on_hosts_and_images(self, tmp_path: Path) -> None:
        missing = MissingPage("a.example", 5.0, 200, "", 2**64 - 1, b"x")
        image = StoredImage("http://a.example/i.png", 5.0, "e", "m", b"d", "{}")
        with self.library(tmp_path) as library:
            watch_two(library)
            assert library.missing("a.example") is None
            library.note_missing(missing)
            library.note_image(image)
        with self.library(tmp_path) as library:
            assert library.missing("a.example") == missing
            assert library.image(image.url) == image
            assert library.image(SEED) is None
