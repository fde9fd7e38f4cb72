"""Who may ask: names, origins, tokens; and the policy on every answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.collection import zoo
from tests.web.served import Dashboard, opened

LABEL = {"url": "https://www.zoo.example/otters", "relevant": True}


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    with opened([zoo(tmp_path_factory.mktemp("guard") / "zoo")]) as found:
        yield found


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", ""]
)
def test_other_names_are_refused(dashboard: Dashboard, host: str) -> None:
    """A name of somebody else's that resolves to this machine: DNS rebinding."""
    answer = dashboard.ask("/zoo/", Host=host.format(port=dashboard.port))
    assert answer.status in (400, 421)
    assert b"otter" not in answer.body


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_own_names_are_served(dashboard: Dashboard, host: str) -> None:
    assert dashboard.ask("/zoo/", Host=host.format(port=dashboard.port)).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_pages_of_others_change_nothing(dashboard: Dashboard, headers: dict[str, str]) -> None:
    sent = {name: value.format(port=dashboard.port) for name, value in headers.items()}
    assert dashboard.ask("/api/libraries/zoo/labels", "POST", LABEL, **sent).status == 403
    assert dashboard.ask("/api/libraries/zoo/labels").json == []


def test_our_own_page_may(dashboard: Dashboard) -> None:
    own = {"Origin": f"http://127.0.0.1:{dashboard.port}", "Sec_Fetch_Site": "same-origin"}
    assert dashboard.ask("/api/libraries/zoo/labels", "POST", LABEL, **own).status == 200
    assert dashboard.ask("/api/libraries/zoo/labels", "POST", LABEL | {"relevant": None}, **own).status == 200


@pytest.mark.parametrize(
    "path",
    ["/zoo/", "/zoo/page?url=https%3A%2F%2Fwww.zoo.example%2Fotters", "/static/app.js", "/nobody/", "/api/libraries"],
)
def test_every_answer_has_a_strict_policy(dashboard: Dashboard, path: str) -> None:
    headers = dashboard.ask(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_no_template_has_a_script_or_style_of_its_own(dashboard: Dashboard) -> None:
    for path in ("", "watch", "pages", "search?q=otters", "label", "sites", "map", "groups", "changes", "labels"):
        page = dashboard.ask(f"/zoo/{path}").text
        assert "<script>" not in page
        assert " style=" not in page
        assert " on" + "click" not in page


def test_another_address_needs_the_token(tmp_path: Path) -> None:
    with opened([zoo(tmp_path / "zoo")], host="0.0.0.0") as dashboard:
        own = {"Host": f"0.0.0.0:{dashboard.port}"}
        assert len(dashboard.token) >= 32
        assert dashboard.ask("/zoo/", **own).status == 401
        assert dashboard.ask("/zoo/?token=wrong", **own).status == 401
        assert dashboard.ask("/zoo/", Cookie="scenthound_token=wrong", **own).status == 401
        assert dashboard.ask("/zoo/", Authorization=f"Bearer {dashboard.token}", **own).status == 200
        entered = dashboard.ask(f"/zoo/?token={dashboard.token}", **own)
        assert (entered.status, entered.headers["location"]) == (303, "/zoo/")
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        assert dashboard.ask("/zoo/", Cookie=cookie.partition(";")[0], **own).status == 200


def test_a_token_leads_nowhere_else(tmp_path: Path) -> None:
    with opened([zoo(tmp_path / "zoo")], host="0.0.0.0") as dashboard:
        own = {"Host": f"0.0.0.0:{dashboard.port}"}
        found = dashboard.ask(f"//evil.example/?token={dashboard.token}", **own)
        assert not found.headers.get("location", "/").startswith("//")
