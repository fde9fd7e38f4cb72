"""The list of licences is that of what is pinned."""

from __future__ import annotations

import re

import pytest
from scripts import licences

ROW = re.compile(r"^\| ([\w.-]+) \| (\d[\w.+!-]*) \| (.*) \|$", re.MULTILINE)
ROWS = {name: (version, licence) for name, version, licence in ROW.findall(licences.PAGE.read_text(encoding="utf-8"))}
AGAIN = "run: ./run python scripts/licences.py"


def test_every_pinned_package_is_listed_with_its_licence() -> None:
    pinned = licences.pinned() | licences.extras()
    assert {name: version for name, (version, _) in ROWS.items()} == pinned, AGAIN
    assert all(licence for _, licence in ROWS.values())


@pytest.mark.parametrize("name", sorted(ROWS))
def test_the_page_says_what_the_package_says(name: str) -> None:
    """Where it is installed as it is pinned: another version may have another licence."""
    try:
        installed = licences.metadata.version(name)
    except licences.metadata.PackageNotFoundError:
        return
    if installed == ROWS[name][0]:
        assert ROWS[name][1] == licences.licence_of(name), AGAIN


def test_no_licence_asks_for_more_than_ours_gives() -> None:
    """Copyleft that would reach into the program; that of single files (MPL) does not."""
    strict = re.compile(r"\b(A?GPL|SSPL|BUSL|proprietary|commercial)", re.IGNORECASE)
    assert [name for name, (_, licence) in ROWS.items() if strict.search(licence) and "LGPL" not in licence] == []


def test_a_package_says_its_licence_in_one_of_three_places(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, object] = {}

    class About:
        def get(self, name: str) -> object:
            return told.get(name)

        def get_all(self, name: str) -> object:
            return told.get(name)

    monkeypatch.setattr(licences.metadata, "metadata", lambda name: About())
    assert licences.licence_of("x") == ""
    told["License"] = "MIT\nwith its whole text"
    assert licences.licence_of("x") == "MIT"
    told["Classifier"] = ["Topic :: Web", "License :: OSI Approved", "License :: OSI Approved :: BSD License"]
    assert licences.licence_of("x") == "BSD License"
    told["License-Expression"] = "Apache-2.0"
    assert licences.licence_of("x") == "Apache-2.0"
