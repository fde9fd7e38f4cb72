"""Where nothing was seen yet, once relevant pages have become rare."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.ranking.new_ground import DUST, FALLEN, NAMESAKES, RATE, NewGround

HOST = "http://a.test/"
TRAVEL, ARCHIVE, OPEN = "http://a.test/travel/1.html", "http://a.test/archive/x/2.html", "http://a.test/3.html"


def crawled(*relevances: float, url: str = TRAVEL) -> NewGround:
    ground = NewGround()
    for relevance in relevances:
        ground.add_at(ground.place(url), ground.place(HOST), relevance)
    return ground


def new_ground(ground: NewGround, *urls: str, named: bool = False) -> list[float]:
    places = np.array(ground.places(urls), np.int32)
    found: list[float] = ground(places, np.full(len(urls), named)).tolist()
    return found


def test_by_hand() -> None:
    ground = crawled(1.0, *[0.0] * 60)
    barren = 1 - ((1 - RATE) ** 60 + DUST) / (FALLEN * (1 / 61))
    assert barren < 0, "one relevant page in sixty is what is usual here, so that little is not too little"
    assert new_ground(ground, ARCHIVE) == [0.0]
    ground = crawled(*[1.0] * 40, *[0.0] * 60)
    barren = 1 - ((1 - RATE) ** 60 + DUST) / (FALLEN * 0.4)
    assert 0.7 < barren < 1
    assert new_ground(ground, ARCHIVE, TRAVEL) == pytest.approx([barren, barren * NAMESAKES / (NAMESAKES + 100)])
    assert new_ground(ground, ARCHIVE, TRAVEL, named=True) == pytest.approx([barren, barren]), (
        "no worse than new ground"
    )


def test_as_long_as_relevant_pages_come_it_says_nothing() -> None:
    assert new_ground(NewGround(), ARCHIVE, TRAVEL) == [0.0, 0.0], "nor before the first page"
    assert new_ground(crawled(*[1.0, 0.0] * 50), ARCHIVE, TRAVEL) == [0.0, 0.0]


def test_where_nothing_was_ever_relevant_nothing_has_become_rare() -> None:
    assert crawled(*[0.0] * 50).barren() == 0.0
    assert crawled(*[0.01] * 20, *[0.0] * 80).barren() == 0.0, "that is dust"


def test_sections_of_one_name_are_alike_on_all_hosts_and_hosts_stand_for_what_has_no_section() -> None:
    place = NewGround.place
    assert place("http://b.test/travel/elsewhere/5?q=/x/") == place(TRAVEL) != place(ARCHIVE)
    assert place(OPEN) == place("http://a.test/?travel/1") == place(HOST)
    assert place(OPEN) != place("http://b.test/3.html")
    ground = NewGround()
    assert ground.places([TRAVEL, OPEN, TRAVEL]) == [place(url) for url in (TRAVEL, OPEN, TRAVEL)]


def test_one_link_and_several_are_told_alike() -> None:
    ground = crawled(*[1.0] * 30, *[0.0] * 50)
    for named in (False, True):
        alone = [ground.of_one(ground.place(url), named) for url in (TRAVEL, ARCHIVE, OPEN)]
        assert alone == pytest.approx(new_ground(ground, TRAVEL, ARCHIVE, OPEN, named=named))


def test_links_that_bring_no_page_count_as_seen() -> None:
    ground = crawled(*[1.0] * 30, *[0.0] * 50)
    recent = ground.barren()
    ground.miss_at(ground.place(ARCHIVE))
    assert ground.barren() == recent, "they say nothing of how relevant pages are"
    assert new_ground(ground, ARCHIVE) == pytest.approx([recent * NAMESAKES / (NAMESAKES + 1)])


def test_of_a_host_all_pages_count_and_each_once() -> None:
    ground = crawled(0.5, 0.5)
    ground.add_at(ground.place(OPEN), ground.place(HOST), 0.5)
    assert [ground.seen(ground.place(url)) for url in (TRAVEL, OPEN, ARCHIVE)] == [2, 3, 0]


@given(st.lists(st.tuples(st.sampled_from([TRAVEL, ARCHIVE, OPEN]), st.floats(0, 1)), max_size=60))
def test_what_is_taken_back_goes_on_as_if_nothing_had_been(pages: list[tuple[str, float]]) -> None:
    one, two = NewGround(), crawled(0.7, 0.2)
    for number, (url, relevance) in enumerate(pages):
        if number == len(pages) // 2:
            two.take_back(*one.kept())
        for each in (one, two) if number >= len(pages) // 2 else (one,):
            each.add_at(each.place(url), each.place(HOST), relevance)
    if pages:
        assert one.barren() == two.barren()
        assert 0.0 <= one.barren() <= 1.0
        assert new_ground(one, TRAVEL, ARCHIVE, OPEN) == new_ground(two, TRAVEL, ARCHIVE, OPEN)
