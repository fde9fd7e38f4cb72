"""News, and the three forms they come in."""

from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.library import open_library
from scenthound.model import Check, Response, Step
from scenthound.parse.feed import feed_page
from scenthound.revisit.detect.text_diff import diff
from scenthound.revisit.tell.atom_feed import ATOM, atom, sentence
from scenthound.revisit.tell.broken_links import broken_links, is_broken
from scenthound.revisit.tell.change_log import ChangeLog, GatheredChanges, gather, pieces
from scenthound.revisit.tell.digest import markdown
from tests.library.collection import stored
from tests.library.steps import entry

HOME = "http://a.example/"
AT = 1_700_000_000.0


def look(url: str, outcome: str, at: float, text: str = "", relevance: float = 0.5, **about: object) -> Step:
    check = Check(outcome, 0.5, True, AT, status=200, **about)  # type: ignore[arg-type]
    if outcome == "changed":
        return replace(stored(url, text, title="Changed", relevance=relevance, at=at), check=check)
    state = {"gone": "failed", "moved": "moved"}.get(outcome, "fetched")
    return Step(entry(url), state, at, reason=f"{outcome}: {check.detail}", check=check)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with open_library(tmp_path, create=True) as library:
        for name in ("", "b", "c", "d", "e"):
            library.record(stored(HOME + name, f"Old text of {name}. It stays.", title=f"Page {name}", at=AT))
        library.record(stored(HOME + "off", "Nothing.", relevance=0.0, at=AT))
        library.record(
            look(HOME, "changed", AT + 10, "New text. It stays.", kind="text", size=0.5, detail="2 words new")
        )
        library.record(
            look(HOME + "b", "changed", AT + 20, "About cars. It stays.", relevance=0.1, kind="text", size=1.0)
        )
        library.record(look(HOME + "c", "noise", AT + 30, detail="- 1 visitors + 2 visitors"))
        library.record(look(HOME + "d", "gone", AT + 40, detail="404"))
        library.record(look(HOME + "e", "moved", AT + 50, detail=HOME + "e2"))
        library.record(look(HOME + "off", "same", AT + 60))
        library.record(stored(HOME + "e2", "New place.", title="E2", at=AT + 55))
        library.record(stored(HOME + "dull", "Not about it.", relevance=0.0, at=AT + 57))
    return tmp_path


def test_what_happened_newest_first(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        found = gather(library, AT + 1).changes
        assert [(item.sort, item.url.removeprefix(HOME)) for item in found] == [
            ("new", "dull"),
            ("new", "e2"),
            ("moved", "e"),
            ("gone", "d"),
            ("lost its relevance", "b"),
            ("changed", ""),
        ]
        assert [item.url.removeprefix(HOME) for item in gather(library, AT + 1, relevant=True).changes] == [
            "e2",
            "e",
            "d",
            "b",
            "",
        ]
        assert [item.sort for item in gather(library, AT + 1, noise=True).changes].count("noise") == 1
        assert [item.sort for item in gather(library, AT + 45).changes] == ["new", "new", "moved"]
        assert len(gather(library, 0.0).changes) == 12
        assert gather(library, AT + 1, limit=3) == GatheredChanges(found[:3], 6)
        assert gather(library, AT + 1, limit=1) == GatheredChanges(found[:1], 6)
        best = gather(library, AT + 1, best=True, limit=4).changes
        assert [item.url.removeprefix(HOME) for item in best][:1] == ["e2"]
        assert [item.relevance for item in best] == sorted((item.relevance for item in best), reverse=True)
        change = found[-1]
        assert [(part.op, part.text) for part in pieces(library, change)] == [
            ("gone", "Old text of ."),
            ("new", "New text."),
            ("same", "It stays."),
        ]
        assert pieces(library, found[0]) == []


def test_a_page_that_comes_to_the_topic(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(stored(HOME, "Nothing.", relevance=0.0, at=AT))
        step = look(HOME, "changed", AT + 10, "All about it.", relevance=0.9)
        library.record(replace(step, check=replace(step.check, before=0.0, was_relevant=False)))  # type: ignore[type-var]
        assert [item.sort for item in gather(library, AT + 1).changes] == ["became relevant"]


def with_diffs(folder: Path) -> list[tuple[ChangeLog, list]]:  # type: ignore[type-arg]
    with open_library(folder, write=False) as library:
        return [(item, pieces(library, item)) for item in gather(library, AT + 1).changes]


class TestFeed:
    def test_a_feed_reader_understands_it(self, folder: Path) -> None:
        xml = atom(with_diffs(folder), "otters & co", "x", AT + 100)
        page = feed_page(Response(url="http://feeds.example/f", status=200, body=xml.encode()), "en")
        assert page.title == "New on otters & co"
        assert [link.url for link in page.links][:2] == [HOME + "dull", HOME + "e2"]
        assert page.links[-1].anchor == "Changed: Changed"

    def test_it_has_what_atom_demands(self, folder: Path) -> None:
        feed = ElementTree.fromstring(atom(with_diffs(folder), "otters", "x", AT + 100))
        assert feed.tag == f"{{{ATOM}}}feed"
        entries = feed.findall(f"{{{ATOM}}}entry")
        assert len(entries) == 6
        for element in [feed, *entries]:
            for name in ("id", "title", "updated"):
                (child,) = element.findall(f"{{{ATOM}}}{name}")
                assert child.text
            datetime.fromisoformat(element.findtext(f"{{{ATOM}}}updated") or "")
            assert (element.findtext(f"{{{ATOM}}}id") or "").startswith("urn:uuid:")
        assert feed.find(f"{{{ATOM}}}author/{{{ATOM}}}name") is not None
        assert feed.findtext(f"{{{ATOM}}}updated") == "2023-11-14T22:14:17Z"
        content = entries[-1].findtext(f"{{{ATOM}}}content") or ""
        assert "<del>Old text of .</del> <ins>New text.</ins>" in content

    def test_ids_are_the_same_every_time_and_never_twice(self, folder: Path) -> None:
        def ids(library: str) -> list[str]:
            feed = ElementTree.fromstring(atom(with_diffs(folder), "otters", library, AT + 100))
            return [element.text or "" for element in feed.iter(f"{{{ATOM}}}id")]

        assert ids("x") == ids("x")
        assert len(set(ids("x"))) == len(ids("x")) == 7
        assert ids("x")[0] != ids("y")[0]
        assert ids("x")[1:] == ids("y")[1:]

    def test_an_empty_feed_is_a_feed(self) -> None:
        feed = ElementTree.fromstring(atom([], "", "x", AT))
        assert feed.findtext(f"{{{ATOM}}}updated") == "2023-11-14T22:13:20Z"

    @given(st.text(), st.text(), st.text())
    def test_whatever_a_page_says_it_stays_a_feed(self, title: str, old: str, new: str) -> None:
        item = ChangeLog("changed", f"{HOME}?a=1&b=<2>", title, AT, 0.5, True, 0.4, "text", 0.1, new, 3)
        feed = ElementTree.fromstring(atom([(item, diff(old, new))], title, "x", AT).encode("utf-8", "replace"))
        (link,) = feed.iter(f"{{{ATOM}}}link")
        assert link.get("href") == item.url


class TestDigest:
    def test_sections_in_the_order_of_interest(self, folder: Path) -> None:
        text = markdown(with_diffs(folder), "otters", AT, AT + 86_400)
        headings = [line for line in text.splitlines() if line.startswith("#")]
        assert headings[0].startswith("# otters: 2023-11-1")
        assert headings[1:] == [
            "## New pages (2)",
            "## Changed pages (1)",
            "## No longer about the topic (1)",
            "## Moved (1)",
            "## Gone (1)",
        ]
        assert "  - ~~Old text of .~~\n  - **New text.**\n" in text
        assert f"- [E2](<{HOME}e2>)" in text

    def test_nothing_new(self) -> None:
        assert "Nothing new." in markdown([], "", 0.0, AT)

    @given(st.text(), st.text())
    def test_titles_are_no_markup(self, title: str, word: str) -> None:
        item = ChangeLog("new", HOME, title, AT, 0.5, True)
        changed = ChangeLog("changed", HOME, word, AT, 0.5, True, detail=title, version=1)
        text = markdown([(item, []), (changed, diff(title, word))], "t", 0.0, AT)
        headings = [line for line in text.splitlines() if line.startswith("#")]
        assert len(headings) == 3
        assert "\n- [" in text


def test_one_line_says_it_all() -> None:
    item = ChangeLog("changed", HOME, "T", AT, 0.4, True, 0.7, "text", 0.125, "3 words new", 5)
    assert sentence(item) == "relevance 0.70, now 0.40; 3 words new; text, 12 % of it"
    assert (
        sentence(ChangeLog("moved", HOME, "T", AT, 0.4, True, 0.4, detail="http://b/"))
        == "relevance 0.40; to http://b/"
    )


class TestBroken:
    def test_with_the_pages_that_hold_them(self, tmp_path: Path) -> None:
        from scenthound.model import Link

        links = tuple(Link(url=HOME + name, source=HOME, anchor=f"to {name}") for name in ("lost", "slow", "locked"))
        with open_library(tmp_path, create=True) as library:
            library.record(stored(HOME, "home", links=links))
            for name, reason in (
                ("lost", "status: 404"),
                ("slow", "timeout: x"),
                ("locked", "status: 403"),
                ("x", "dns: no"),
            ):
                library.record(Step(entry(HOME + name, source=HOME), "failed", AT, reason=reason))
        with open_library(tmp_path, write=False) as library:
            (found,) = broken_links(library)
            assert (found.url, found.reason, found.since) == (HOME + "lost", "status: 404", AT)
            assert [(holder.url, holder.anchor) for holder in found.holders] == [(HOME, "to lost")]

    @pytest.mark.parametrize(
        ("reason", "broken"),
        [
            ("status: 404", True),
            ("status: 410", True),
            ("gone: 404", True),
            ("dns: no such name", True),
            ("connect: refused", True),
            ("status: 500", False),
            ("status: 403", False),
            ("status: 429", False),
            ("timeout: x", False),
            ("type: image/png", False),
        ],
    )
    def test_what_counts(self, reason: str, broken: bool) -> None:
        assert is_broken(reason) is broken
