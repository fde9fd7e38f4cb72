"""Sites ranked: hosts of a crawl for pages, with what was said of them."""

from __future__ import annotations

from pathlib import Path

from scenthound.app.label import set_labels
from scenthound.app.site_ranking import rank_sites
from scenthound.library import open_library
from tests.library.collection import zoo


def test_hosts_of_a_crawl_for_pages_come_with_labels(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    set_labels(folder, ["birds.example"], False, sites=True)
    with open_library(folder, write=False) as library:
        ranking = rank_sites(library)
        assert not ranking.looked_for
        assert ranking.sites[0].site == "www.zoo.example"
        said = {site.site: site.label for site in ranking.sites}
        assert said["birds.example"] is False
        assert said["www.zoo.example"] is None
        assert len(rank_sites(library, 2).sites) == 2
