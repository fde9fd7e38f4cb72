from scenthound.report.site_section import SiteLine, SitePageLine, site_section
from tests.report.test_crawl_report import Seen

PAGES = (SitePageLine("https://fern.example/care", "Fern care", 0.93), SitePageLine("javascript:alert(1)", "", 0.5))
FERN = SiteLine(
    "fern.example", "https://fern.example/", "The Fern House", 0.97, 5, found_on="https://list.example/",
    anchor="Ferns", strongest=PAGES,
)  # fmt: skip


def test_sites_with_name_way_and_strongest_pages() -> None:
    seen = Seen(str(site_section([FERN, SiteLine("moss.example", "https://moss.example/", "Moss", 0.9, 1)], "Note.")))
    text = " ".join(seen.text.split())
    for part in ("2 relevant sites", "Note.", "The Fern House", "fern.example", "0.93 Fern care", "a seed"):
        assert part in text
    assert "found on list.example , “Ferns”" in text
    links = {attributes["href"] for tag, attributes in seen.tags if tag == "a"}
    assert links == {
        "https://fern.example/",
        "https://fern.example/care",
        "https://list.example/",
        "https://moss.example/",
    }


def test_one_site_and_very_many() -> None:
    assert "1 relevant site<" in str(site_section([FERN], ""))
    assert "The 100 most certain of 101." in str(site_section([FERN] * 101, ""))
