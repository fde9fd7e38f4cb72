from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound import urls
from scenthound.learn.chains.page_features import (
    DEEPEST,
    FeatureReader,
    TargetVectors,
    by_row,
    description_of,
    heading_of,
    some_targets,
)
from scenthound.model import Block, Image, Keyword, Link, Page, Topic
from scenthound.text import idf
from scenthound.text.analysis import analyzer
from scenthound.text.nearest import Nearest

TOPIC = Topic("linux", (Keyword("linux kernel", 1.0),))


def page(text: str = "", url: str = "http://a.example/x/y.html", **more: Any) -> Page:
    return Page(url, text=text, terms=analyzer("en").counts(text), **more)


def reader(*targets: str, description: str = "", features: Any = "all") -> FeatureReader:
    counts = analyzer("en").counts
    return FeatureReader(TOPIC, idf.none(), [counts(text) for text in targets], counts(description), features)


def test_table_one_by_hand() -> None:
    seen = page(
        "linux linux penguin",
        title="Penguin",
        description="kernel",
        headings=("Drivers",),
        links=(Link("http://b.example/LINUX/"),),
    )
    found = reader("linux penguin", "museum", description="kernel kernel museum").of_page(seen)
    assert found["text"] == pytest.approx(3 / (5**0.5 * 2**0.5))  # (2, 1) and (1, 1)
    assert "description" not in reader("linux").of_page(page("linux"))
    assert found["description"] == pytest.approx(2 / 5**0.5)
    assert found["topic"] == pytest.approx(2 / (5**0.5 * 2**0.5))
    assert found["leads on"] == 1.0
    assert {name for name in found if name.startswith("word ")} == {"word penguin", "word kernel", "word driver"}


def test_liu_s_table_and_nothing_of_ours() -> None:
    seen = page(
        "linux linux penguin",
        title="Penguin",
        description="kernel",
        keywords="Tux",
        headings=("Drivers",),
        images=(Image("http://a.example/i.png", "Mascot"),),
        links=(Link("http://b.example/LINUX/"),),
    )
    liu = reader("linux penguin", "museum", description="kernel kernel museum", features="table-1")
    assert liu.of_page(seen) == {
        "text": pytest.approx(3 / (5**0.5 * 2**0.5)),
        "description": pytest.approx(2 / (2**0.5 * 5**0.5)),  # (kernel, tux) and (kernel twice, museum)
        "leads on": 1.0,
        **dict.fromkeys(["word penguin", "word kernel", "word tux", "word driver", "word mascot"], 1.0),
    }
    link = Link("http://a.example/linux/cs312.html", "http://a.example/", "Linux course")
    assert liu.of_link(link, heading="Teaching") == {"anchor linux": 1.0, "anchor cours": 1.0, "keyword in url": 1.0}
    assert liu.of_anchor("Linux", "child ") == {"child linux": 1.0}


def test_the_two_halves_of_the_table_are_the_whole() -> None:
    seen = page("linux", title="Penguin", images=(Image("http://a.example/i.png", "Mascot"),))
    link = Link("http://a.example/linux/", "http://a.example/", "Linux")
    whole, words, others = (reader("linux", features=f"table-1{half}") for half in ("", "-words", "-no-words"))
    assert whole.of_page(seen) == words.of_page(seen) | others.of_page(seen)
    assert words.of_page(seen) == {"word penguin": 1.0, "word mascot": 1.0}
    assert words.of_link(link) == {}
    assert whole.of_link(link) == others.of_link(link) != {}


def test_of_a_target_all_terms_count_as_liu_has_it() -> None:
    long = " ".join(f"word{number}" for number in range(300))
    assert reader(long, features="table-1").of_page(page(long))["text"] == pytest.approx(1.0)
    assert reader(long).of_page(page(long))["text"] < 0.6


def test_editors_descriptions_come_before_our_own() -> None:
    target = page("x", title="Penguins", description="Of the kernel.")
    assert set(description_of(TOPIC, [target])) == {"linux", "kernel", "penguin"}
    told = replace(TOPIC, description="Drivers and distributions.")
    assert set(description_of(told, [target])) == {"driver", "distribut"}


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9)), max_size=5),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9)),
)
def test_targets_are_compared_as_nearest_does(documents: list[dict[str, int]], terms: dict[str, int]) -> None:
    nearest, length = TargetVectors(documents).nearest(terms)
    assert nearest == pytest.approx(Nearest(documents, idf.none()).similarity(terms))
    assert length == pytest.approx(sum(count**2 for count in terms.values()) ** 0.5)
    for place in range(len(documents)):
        others = [document for at, document in enumerate(documents) if at != place]
        assert TargetVectors(documents).nearest(terms, place)[0] == pytest.approx(
            TargetVectors(others).nearest(terms)[0]
        )


def test_a_target_is_compared_with_the_others() -> None:
    seen = reader("linux penguin", "museum")
    assert seen.of_page(page("linux penguin"))["text"] == pytest.approx(1.0)
    assert seen.of_page(page("linux penguin"), itself=0)["text"] == 0.0
    assert seen.of_page(page("linux penguin"), itself=1)["text"] == pytest.approx(1.0)


def test_links() -> None:
    link = Link("http://a.example/~ann/linux/cs312.html", "http://a.example/~ann/", "Kernel course", title="not this")
    found = reader().of_link(link, heading="Teaching linux")
    names = {name for name in found if found[name] == 1.0}
    assert {"anchor kernel", "anchor cours", "near teach", "near linux", "keyword in url"} <= names
    assert {"path cs000", "path linux", "shape below ~", "shape depth 3", "shape file with digits"} <= names
    assert found["anchor (topic)"] == pytest.approx(0.5)  # kernel of (kernel, course) and (linux, kernel)
    assert "shape same folder or below" in names
    assert "shape ~ home" not in names
    assert "anchor topic" not in names


@pytest.mark.parametrize(
    ("url", "source", "shape"),
    [
        ("http://a.example/~ann/", "http://a.example/", "shape ~ home"),
        ("http://a.example/~ann/index.html", "http://a.example/", "shape index"),
        ("http://a.example/b/", "http://a.example/c/d", "shape same host"),
        ("http://b.example/b/", "http://a.example/c/d", "shape other host"),
        ("http://b.example/b/", "", "shape from nowhere"),
        ("http://b.example/b?x=1", "", "shape query"),
        ("http://b.example/b/", "", "shape folder"),
        ("http://b.example/b.html", "", "shape file"),
        ("http://b.example/~ann/b/", "", "shape below ~"),
    ],
)
def test_shapes(url: str, source: str, shape: str) -> None:
    assert shape in reader().of_link(Link(url, source))


def test_rows_stand_for_names() -> None:
    link = Link("http://a.example/~ann/linux/cs312.html?x", "http://a.example/", "Linux kernel course")
    seen = page("linux penguin", title="Penguin", description="kernel", links=(link,))
    named = reader("linux penguin", description="kernel")
    parts = [named.of_page(seen), named.of_link(link, "Linux course"), named.of_anchor("linux", "child ")]
    names = sorted({name for part in parts for name in part})
    columns = {name: row for row, name in enumerate(names) if "cours" not in name}
    counts = analyzer("en").counts
    given = [counts("linux penguin")], counts("kernel")
    numbered = FeatureReader(TOPIC, idf.none(), *given, called=by_row(columns), unknown=len(columns))
    found = [numbered.of_page(seen), numbered.of_link(link, "Linux course"), numbered.of_anchor("linux", "child ")]
    for part, rows in zip(parts, found, strict=True):
        unknown = {len(columns): 1.0} if any("cours" in name for name in part) else {}
        assert rows == {columns[name]: value for name, value in part.items() if name in columns} | unknown


def test_sets() -> None:
    seen = page("linux", title="Penguin")
    link = Link("http://a.example/linux", anchor="kernel")
    words, others = reader("linux", features="words"), reader("linux", features="no-words")
    assert set(words.of_page(seen)) == {"word penguin"}
    assert words.of_link(link) == {}
    assert not any(name.startswith("word ") for name in others.of_page(seen))
    assert others.of_link(link) == reader("linux").of_link(link)
    assert reader("linux").of_page(seen) == words.of_page(seen) | others.of_page(seen)


def plainly(url: str) -> set[str]:
    """What a URL says, piece by piece and with regular expressions."""
    folder, _, file = urls.path(url).rpartition("/")
    pieces = re.findall(r"[a-z0-9]{2,40}", re.sub(r"\d", "0", f"{folder}/{file}".lower()))
    found = {f"path {word}" for word in pieces} | {f"shape depth {min(folder.count('/') + 1, DEEPEST)}"}
    if not file:
        found.add("shape folder")
    elif re.match(r"(?i)(index|default|home|welcome)\.\w+$", file, re.ASCII):
        found.add("shape index")
    else:
        found.add("shape file with digits" if re.search("[0-9]", file) else "shape file")
    if "~" in folder:
        found.add("shape below ~" if "/" in folder.partition("~")[2] else "shape ~ home")
    if url.partition("?")[2]:
        found.add("shape query")
    if "linux" in url.lower() or "kernel" in url.lower():
        found.add("keyword in url")
    return found


PIECES = st.sampled_from(
    ["/", "//", "~", "?", ".", "-", "_", "%20", "a", "B7", "Linux", "kernel", "index.html", "Home.htm", "home-page.htm"]
) | st.sampled_from(["/~ann/", "cs312", "x" * 41, "y0" * 50, "tve/tve"])
PATHS = st.lists(PIECES, max_size=12).map("".join) | st.from_regex(r"[!-~]{0,60}", fullmatch=True)
ADDRESSES = st.builds("{}/{}".format, st.sampled_from(["http://x", "https://linux.example:80"]), PATHS)


@given(st.lists(ADDRESSES, max_size=6))
def test_urls_read_together_say_what_each_does_plainly(addresses: list[str]) -> None:
    seen = reader().urls(addresses)
    assert [set(features) - {None} for features in seen.there] == [plainly(url) for url in addresses]
    assert all(len(set(features)) == len(features) for features in seen.there)
    assert not seen.valued


@given(
    st.lists(st.lists(st.sampled_from(["Linux", "kernels", "the", "course", "courses", "Ünder", "漢字"]), max_size=5))
)
def test_anchors_read_together_say_what_each_does_plainly(said: list[list[str]]) -> None:
    texts = [" ".join(words) for words in said]
    asking = reader()
    seen = asking.anchors(texts, "near ")
    for place, text in enumerate(texts):
        terms = analyzer("en").terms(text)
        assert set(seen.there[place]) == {f"near {term}" for term in terms}
        likeness = {"near (topic)": pytest.approx(asking.query.of_text(text))} if asking.query.of_text(text) else {}
        assert seen.valued.get(place, {}) == likeness


def test_a_url_that_is_none_does_no_harm() -> None:
    for url in ("", "x", "http://", "mailto:ann", "http://x/\n/é/\ud800?\n", "http://x/" + "é" * 99):
        assert reader().of_url(url)


@given(st.text(), st.text(max_size=30), st.text(max_size=30))
def test_any_text_has_features(text: str, anchor: str, path: str) -> None:
    seen = reader("linux")
    assert all(0.0 <= value <= 1.0 + 1e-9 for value in seen.of_page(page(text, title=text)).values())
    assert all(
        0.0 <= value <= 1.0 + 1e-9 for value in seen.of_link(Link(f"http://x/{path}", "http://y/", anchor)).values()
    )


def test_small_parts() -> None:
    assert some_targets(range(200), 4) == [0, 50, 100, 150]
    assert some_targets([7, 8], 4) == [7, 8]
    assert description_of(TOPIC, [page(title="Penguins", description="kernel")]) == {
        "linux": 1,
        "kernel": 2,
        "penguin": 1,
    }
    shown = page(blocks=(Block("", 0, ""), Block("People", 1, "")))
    assert heading_of(shown, Link("http://x/", block=1)) == "People"
    assert heading_of(shown, Link("http://x/", block=9)) == ""
