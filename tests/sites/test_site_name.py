import pytest

from scenthound.sites.site_name import site_name

HOST = "www.fern.example"


@pytest.mark.parametrize(
    ("homepage", "titles", "anchor", "name"),
    [
        ("Welcome", ["Welcome", "The Fern House – About", "The Fern House – Care"], "ferns", "The Fern House"),
        ("Welcome", ["Welcome", "About | Fern House", "Care | Fern House", "Prices"], "", "Fern House"),
        ("The Fern House: all about ferns", ["The Fern House: all about ferns"], "", "The Fern House: all about ferns"),
        ("Welcome to the Fern House", ["Welcome to the Fern House", "Prices", "Map"], "", "Welcome to the Fern House"),
        ("HOME", ["HOME", "Prices"], "Fern House, Kew", "Fern House, Kew"),
        ("Home", ["Home", "Ferns - Home", "Moss - Home"], "click here", HOST),  # what they share says nothing
        ("", [], "https://www.fern.example/", HOST),
        ("", ["Ferns", "Ferns", "Ferns"], "", HOST),  # one title on all pages is one title
        ("Start", ["Start", "Café – Über uns", "Café – Preise"], "", "Café"),
    ],
)
def test_what_a_site_is_called(homepage: str, titles: list[str], anchor: str, name: str) -> None:
    assert site_name(HOST, homepage, titles, anchor) == name
