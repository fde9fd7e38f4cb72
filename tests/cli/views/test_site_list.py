from __future__ import annotations

import csv
import io

from msgspec.structs import replace

from scenthound.cli.views.site_list import Form, write
from scenthound.sites.site_list import FoundSite, StrongPage

SITE = FoundSite(
    site="www.a.test",
    relevant=True,
    confidence=0.93,
    decided=True,
    pages=4,
    homepage="http://www.a.test/",
    title="=cmd()\x1b[31m",
    strongest=[StrongPage("http://www.a.test/x", "X", 0.97)],
    found_on="http://b.test/links",
    anchor="A\nand  co",
    way=["c.test", "b.test"],
    first_at=0.0,
)


def drawn(form: Form, *rows: FoundSite) -> str:
    stream = io.StringIO()
    write(rows, form, stream)
    return stream.getvalue()


def test_a_block_a_site_with_nothing_a_terminal_would_obey() -> None:
    text = drawn(Form(), SITE, replace(SITE, decided=False, found_on="", relevant=False))
    assert "\x1b[31m" not in text
    assert "0.93  www.a.test" in text
    assert "4 pages" in text
    assert "found on b.test/links, “A and co”; 2 sites from a seed" in text
    assert "4 pages, undecided" in text
    assert "4 pages, labelled" in drawn(Form(), replace(SITE, label=True))
    assert "a seed" in text


def test_formulas_are_defused_in_csv() -> None:
    (row,) = csv.DictReader(io.StringIO(drawn(Form("csv"), SITE)))
    assert row["title"].startswith("'=cmd()")
    assert row["way"] == "c.test > b.test"
    assert row["strongest"] == "http://www.a.test/x"


def test_an_empty_list_says_so() -> None:
    assert "No relevant site" in drawn(Form())
    assert "No site was looked at" in drawn(Form(everything=True))
    assert drawn(Form("json")) == ""
