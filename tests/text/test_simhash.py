from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from scenthound.text import simhash as module
from scenthound.text.near_duplicates import NearDuplicates
from scenthound.text.simhash import signed, simhash, unsigned


def document(seed: int, size: int = 300) -> dict[str, int]:
    random = Random(seed)
    return {f"word{random.randrange(50_000)}": random.randrange(1, 9) for _ in range(size)}


def distance(a: int, b: int) -> int:
    return (a ^ b).bit_count()


@pytest.mark.parametrize("size", [17, 255, 256, 1000])  # a lane can count to 255
def test_by_hand(size: int) -> None:
    # The vote, bit by bit, with Python's integers.
    counts = {f"word{number}": 1 for number in range(size)}
    hashes = [xxh3_64_intdigest(term.encode()) for term in counts]
    expected = sum(1 << bit for bit in range(64) if 2 * sum(h >> bit & 1 for h in hashes) > len(hashes))
    assert simhash(counts) == expected


def test_the_same_in_every_run() -> None:
    # Stored hashes must stay comparable from one version to the next.
    assert simhash({f"t{i}": 1 for i in range(20)}) == 0x80BE45B0172EC479


def test_a_few_changed_words_change_few_bits_and_other_words_many() -> None:
    for seed in range(20):
        original = document(seed)
        changed = dict(list(original.items())[:-1]) | {"changed": 1}
        assert distance(simhash(original), simhash(changed)) <= 4
        assert distance(simhash(original), simhash(document(seed + 1000))) > 12


def test_a_word_repeated_often_does_not_make_pages_alike() -> None:
    assert distance(simhash(document(1) | {"lecture": 900}), simhash(document(2) | {"lecture": 900})) > 12


def test_too_few_terms() -> None:
    assert simhash({}) == simhash({f"t{i}": 5 for i in range(15)}) == 0
    assert simhash({f"t{i}": 5 for i in range(16)}) != 0


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1), st.integers(1, 10**9), min_size=16, max_size=40))
def test_any_terms(counts: dict[str, int]) -> None:
    assert 0 < simhash(counts) < 2**64


def test_lone_surrogates() -> None:
    assert simhash({f"\ud800{i}": 1 for i in range(20)})


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_signed_and_back(number: int) -> None:
    assert -(2**63) <= signed(number) < 2**63
    assert unsigned(signed(number)) == number


@pytest.mark.parametrize(("flipped", "found"), [(0, True), (3, True), (4, False)])
def test_near_means_three_bits(flipped: int, found: bool) -> None:
    near = NearDuplicates()
    near.add(2**63 + 12345, "http://a/")
    assert (near.find((2**63 + 12345) ^ (2**flipped - 1) << 20) == "http://a/") is found


def test_the_nearest_is_found_and_the_first_of_equals() -> None:
    near = NearDuplicates()
    near.add(0b111_0000, "two bits off")
    near.add(0b100_0000, "same")
    near.add(0b100_0000, "same again")
    assert near.find(0b100_0000) == "same"


def test_nothing_is_like_a_page_without_a_hash() -> None:
    near = NearDuplicates()
    near.add(0, "http://empty/")
    assert len(near) == 0
    near.add(1, "http://one-bit/")
    assert near.find(0) is None


def test_it_grows_and_takes_signed_hashes() -> None:
    random = Random(0)
    hashes = [random.getrandbits(64) | 1 for _ in range(5000)]
    near = NearDuplicates()
    for i, number in enumerate(hashes):
        near.add(signed(number), str(i))
    assert [near.find(hashes[i]) for i in (0, 1023, 1024, 4999)] == ["0", "1023", "1024", "4999"]
    assert near.find(random.getrandbits(64)) is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = module._lanes_of.__self__  # type: ignore[attr-defined]
    monkeypatch.setattr(remembered, "most", 100)
    before = simhash(document(4242))
    simhash(document(4243))
    assert simhash(document(4242)) == before
    assert len(remembered) <= 100


def test_a_page_that_is_gone_is_nobodys_original() -> None:
    near = NearDuplicates()
    for n in range(1, 2000):
        near.add(n << 20 | 0xABC, f"http://a/{n}")
    near.add(7 << 20 | 0xABC, "http://a/7")
    assert near.find(7 << 20 | 0xABC) == "http://a/7"
    before = len(near)
    near.forget("http://a/7")
    near.forget("http://a/unknown")
    assert len(near) == before - 2
    assert near.find(7 << 20 | 0xABC) != "http://a/7"
    near.add(7 << 20 | 0xABC, "http://b/7")
    assert near.find(7 << 20 | 0xABC) == "http://b/7"
    assert near.find(1999 << 20 | 0xABC) == "http://a/1999"
