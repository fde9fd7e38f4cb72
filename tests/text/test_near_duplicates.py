"""Near pages are found among many as if each had been compared with all."""

from array import array
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.near_duplicates import MOST_ALIKE, WIDTH, NearDuplicates
from scenthound.text.simhash import DISTANCE, unsigned


def the_plain_way(stored: list[tuple[int, str]], simhash: int) -> str | None:
    """Compares with every page."""
    near = [((unsigned(known) ^ unsigned(simhash)).bit_count(), url) for known, url in stored if known]
    best = min((distance for distance, _ in near), default=DISTANCE + 1)
    return next(url for distance, url in near if distance == best) if simhash and best <= DISTANCE else None


hashes = st.integers(-(1 << 63), (1 << 63) - 1)
flips = st.sets(st.integers(0, 63), max_size=DISTANCE + 1)


@given(
    st.lists(hashes, min_size=1, max_size=20), st.lists(st.tuples(st.integers(0, 19), flips), max_size=20), st.data()
)
def test_as_if_compared_with_all(first: list[int], variants: list[tuple[int, set[int]]], data: st.DataObject) -> None:
    many = [unsigned(known) for known in first]
    for place, bits in variants:
        many.append(many[place % len(many)] ^ sum(1 << bit for bit in bits))
    stored = [(known, f"http://a.example/{n}") for n, known in enumerate(many)]
    near = NearDuplicates()
    for known, url in stored:
        near.add(known, url)
    assert len(near) == sum(1 for known, _ in stored if known)
    gone = data.draw(st.sets(st.sampled_from(stored), max_size=3))
    for _, url in gone:
        near.forget(url)
    left = [entry for entry in stored if entry not in gone]
    assert len(near) == sum(1 for known, _ in left if known)
    asked = data.draw(st.sampled_from(many)) ^ sum(1 << bit for bit in data.draw(flips))
    assert near.find(asked) == the_plain_way(left, asked)


@given(st.lists(st.integers(0, 0xFFFF), min_size=60, max_size=200), st.integers(0, 0xFFFF))
def test_as_if_compared_with_all_where_many_share_a_band(lowest: list[int], asked: int) -> None:
    stored = [(1 << 40 | bits, f"http://a.example/{n}") for n, bits in enumerate(lowest)]
    near = NearDuplicates()
    for known, url in stored:
        near.add(known, url)
    assert near.find(1 << 40 | asked) == the_plain_way(stored, 1 << 40 | asked)


def test_pages_alike_by_the_thousand_cost_no_more_than_a_few() -> None:
    """All share three bands of four."""
    near = NearDuplicates()
    many = [1 << 40 | number * 0xF1 % 0xFFFF for number in range(5_000)]
    for number, known in enumerate(many):
        near.add(known, f"http://a.example/{number}")
    assert max(len(band.pages(value)) for band in near._bands for value in range(1 << WIDTH)) == MOST_ALIKE
    assert near.find(many[-1]) == "http://a.example/4999"
    assert near.find(many[7]) is not None  # by the band in which they differ
    near.forget("http://a.example/7")
    assert len(near) == 4_999


def test_of_pages_alike_those_that_are_filed_are_the_first_and_then_the_latest() -> None:
    """Also where some of them were forgotten in between."""
    near, filed = NearDuplicates(), array("I")
    for number in range(600):
        near.add(1 << 40 | number + 1, f"http://a.example/{number}")
        if len(filed) < MOST_ALIKE:
            filed.append(number)
        else:
            filed[number % MOST_ALIKE] = number
        if number in (20, 90, 300):
            for gone in (number, number // 2, 7):
                near.forget(f"http://a.example/{gone}")
                if gone in filed:
                    filed.remove(gone)
        assert sorted(near._bands[1].pages(0)) == sorted(filed)


def test_urls_that_are_part_of_others_are_forgotten_alone() -> None:
    near = NearDuplicates()
    urls = [
        "http://a.example/",
        "http://a.example/b",
        "http://a.example/\u00e4\ud800",
        "http://a.example/b",
        "http://a.example/b/",
    ]
    hashes = [Random(number).getrandbits(64) for number in range(len(urls))]
    for known, url in zip(hashes, urls, strict=True):
        near.add(known, url)
    near.forget("http://a.example/b")
    near.forget("http://a.example/b")
    near.forget("http://a.example/c")
    assert len(near) == 3
    assert [near.find(known) for known in hashes] == [urls[0], None, urls[2], None, urls[4]]


def test_a_page_takes_a_few_bytes_and_its_url() -> None:
    near, dice, pages = NearDuplicates(), Random(1), 2_000
    empty = near.bytes
    for number in range(pages):
        near.add(dice.getrandbits(64) | 1, f"http://a.example/{number:08}")
    assert (near.bytes - empty) / pages <= 32 + len("http://a.example/00000000")
    assert empty < 1_500_000
