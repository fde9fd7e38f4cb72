from __future__ import annotations

import io
from collections.abc import Mapping

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Response
from scenthound.parse.page import parse
from scenthound.revisit.detect.changes import PageFingerprints, detect, fingerprints

URL = "http://example.org/a/"
WORDS = " ".join(f"word{number}" for number in range(60))
PAGE = (
    f"<html><head><title>News</title></head><body><h1>Head</h1><p>{WORDS}</p><a href=/x>x</a>"
    "<img src=i.png><p>Last modified 3 May 2015</p></body></html>"
)


def seen(html: str, images: Mapping[str, bytes] | None = None) -> PageFingerprints:
    body = html.encode()
    return fingerprints(parse(Response(URL, 200, (("Content-Type", "text/html"),), body)), body, images)


def test_the_same_bytes_are_no_change() -> None:
    change = detect(seen(PAGE), seen(PAGE))
    assert (change.kind, change.size, change.tests) == ("none", 0.0, ())
    assert not change


def test_structure_comes_first_and_ends_the_search() -> None:
    other = PAGE.replace("<p>Last", "<hr><p>And more words. Last")
    change = detect(seen(PAGE), seen(other))
    assert change.kind == "structure"
    assert change.tests == ("structure-first", "structure-last", "structure-digest")
    assert 0 < change.size < 0.5
    assert "text-digest" in detect(seen(PAGE), seen(other), thorough=True).tests


def test_text_comes_second() -> None:
    change = detect(seen(PAGE), seen(PAGE.replace("word7 ", "another ")))
    assert change.kind == "text"
    assert {"text-code", "text-digest"} <= set(change.tests)
    assert 0 < change.size < 0.2
    assert change


def test_a_permutation_passes_the_documents_code_and_not_the_digest() -> None:
    change = detect(seen(PAGE), seen(PAGE.replace("word11 word12", "word12 word11")))
    assert change.kind == "text"
    assert change.tests == ("text-digest",)


def test_tags_that_the_strings_take_for_each_other() -> None:
    before, after = seen("<table><td>x</td></table>"), seen("<table><thead>x</thead></table>")
    change = detect(before, after)
    assert (change.kind, change.tests) == ("structure", ("structure-digest",))


def png(seed: int) -> bytes:
    image = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    noise = np.random.default_rng(seed).random((8, 8)) * 255
    image.fromarray(noise.astype(np.uint8)).resize((64, 64)).save(stream, "PNG")
    return stream.getvalue()


def test_an_image_in_the_place_of_another_comes_third() -> None:
    image = URL + "i.png"
    before, after = seen(PAGE, {image: png(1)}), seen(PAGE, {image: png(2)})
    assert detect(before, before).kind == "none"
    change = detect(before, after)
    assert change.kind == "images"
    assert change.tests == ("image-code", "image-digest", "perceptual-hash")
    assert change.images == (image,)
    assert change.size == 1.0


def test_the_same_picture_in_other_bytes_is_told_by_the_digest_alone() -> None:
    image, data = URL + "i.png", png(1)
    change = detect(seen(PAGE, {image: data}), seen(PAGE, {image: data + b"trailing"}))
    assert change.tests == ("image-digest",)


def test_images_not_fetched_are_compared_by_their_addresses() -> None:
    assert detect(seen(PAGE), seen(PAGE, {URL + "i.png": b"x"})).kind == "none"
    change = detect(seen(PAGE), seen(PAGE.replace("i.png", "j.png")))
    assert (change.kind, change.tests) == ("images", ("image-list",))
    assert change.images == (URL + "i.png", URL + "j.png")


def test_links_come_last() -> None:
    change = detect(seen(PAGE), seen(PAGE.replace("href=/x", "href=/y")))
    assert (change.kind, change.tests) == ("links", ("links-digest",))
    assert 0 < change.size < 0.1


@pytest.mark.parametrize(
    "other",
    [
        PAGE.replace("3 May 2015", "4 June 2016"),
        PAGE.replace("<p>", "<p class=new>"),
        PAGE.replace("<p>", "\n\n<p>").replace("word3 ", "word3   "),
        PAGE.replace("</body>", "<script>ad()</script><ins></ins></body>"),
        PAGE.replace("href=/x", "href=/x?PHPSESSID=1"),
        PAGE + "<!-- 17:03 -->",
    ],
    ids=["date", "attribute", "spaces", "advertisement", "session", "comment"],
)
def test_noise_is_recognised(other: str) -> None:
    change = detect(seen(PAGE), seen(other))
    assert (change.kind, change.size) == ("noise", 0.0)
    assert not change


def test_noise_need_not_be_ignored() -> None:
    change = detect(seen(PAGE), seen(PAGE.replace("3 May 2015", "4 June 2016")), ignore_noise=False)
    assert change.kind == "text"


def test_another_page_altogether_is_a_large_change() -> None:
    other = "<table>" + "<tr><td>quite</td><td>different</td></tr>" * 20 + "</table>"
    assert detect(seen(PAGE), seen(other)).size > 0.9


def test_fingerprints_survive_being_stored() -> None:
    prints = seen(PAGE, {URL + "i.png": b"x"})
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(prints), type=PageFingerprints)
    assert stored == prints
    assert detect(prints, stored).kind == "none"


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_pages_can_be_compared(one: str, other: str) -> None:
    before, after = seen(one), seen(other)
    change = detect(before, after, thorough=True)
    assert 0 <= change.size <= 1
    assert (change.size > 0) == bool(change)
    assert (change.kind == "none") == (one.encode() == other.encode())
    assert set(detect(before, after).tests) <= set(change.tests)
