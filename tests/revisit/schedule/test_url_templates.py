from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.revisit.schedule.url_templates import UrlTemplates, form_of, kinds_of

SITE = "http://example.org"


def test_digits_are_left_out_of_the_form() -> None:
    assert form_of(f"{SITE}/errata52.html") == ("example.org/", "example.org/errata#.html")
    assert form_of(f"{SITE}/2015/05/news.html") == ("example.org/#/#/", "")
    assert form_of("http://[") == ("", "")


def test_three_of_a_form_are_a_kind_and_two_are_of_their_folder() -> None:
    paths = ["/a.html", "/sun3.html", "/hp300.html", "/plus1.html", "/plus2.html", "/plus30.html", "/faq/a.html"]
    kinds = kinds_of(SITE + path for path in paths)
    assert kinds[0] == kinds[1] == kinds[2]
    assert kinds[3] == kinds[4] == kinds[5] != kinds[0]
    assert kinds[6] not in kinds[:6]


def test_pages_join_when_the_third_appears() -> None:
    kinds = UrlTemplates()
    (first,), (second,) = kinds.add(0, f"{SITE}/p1"), kinds.add(1, f"{SITE}/p2")
    assert first[1] == second[1] == 0
    assert kinds.add(2, f"{SITE}/p3") == [(0, 1), (1, 1), (2, 1)]
    assert kinds.add(3, f"{SITE}/p4") == [(3, 1)]
    assert len(kinds) == 2


@given(st.lists(st.text(max_size=20), max_size=12))
def test_every_page_has_a_kind(urls: list[str]) -> None:
    assert len(kinds_of(urls)) == len(urls)
