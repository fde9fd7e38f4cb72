"""Steps from the network panel's export."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.graphs.trails import START, Trail, sessions
from scenthound.training import har

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")
NOON = 1_790_000_000


def entry(url: str, second: int, referer: str = "", page: str | None = None, **other: Any) -> dict[str, Any]:
    headers = [{"name": "Referer", "value": referer}] if referer else []
    made = {
        "startedDateTime": f"2026-09-21T14:13:{20 + second}.000Z",
        "request": {"method": other.get("method", "GET"), "url": url, "headers": headers},
        "response": {"status": other.get("status", 200), "content": {"mimeType": other.get("type", "text/html; x")}},
    }
    made |= {"pageref": page} if page else {}
    return made | ({"_resourceType": other["kind"]} if "kind" in other else {})


def trails(*entries: dict[str, Any]) -> list[Trail]:
    return sessions(har.clicks({"log": {"version": "1.2", "entries": list(entries)}}))


def test_documents_in_order_with_their_referers() -> None:
    found = trails(
        entry(B, 5, A, "page_2"),
        entry(A, 0, "", "page_1"),
        entry("http://a.test/style.css", 1, A, "page_1", type="text/css"),
        entry("http://ads.test/frame", 2, A, "page_1"),  # HTML within a page is not a step
        entry("http://a.test/data", 6, B, "page_2", kind="xhr"),
        entry(C, 7, A),
        entry("http://a.test/moved", 8, C, status=302),
        entry(D, 9, C, method="POST"),
        entry("http://a.test/gone", 10, D, status=404),
    )
    assert found == [Trail((A, B, C, D), (START, 0, 0, 2), float(NOON))]


def test_a_referer_that_names_no_more_than_the_site() -> None:
    found = trails(entry(A, 0), entry(B, 1, A), entry("http://b.test/x", 2, "http://a.test/"), entry(D, 3, "odd"))
    assert found[0].origins == (START, 0, 1, START)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["log", "entries", "request", "url", "response", "content"]), inner)
        ),
        max_leaves=20,
    )
)
def test_no_file_is_too_odd(data: Any) -> None:
    assert isinstance(har.clicks(data if isinstance(data, dict) else {"log": {"entries": data}}), list)
