from pathlib import Path

from scenthound.library import open_library
from scenthound.library.best_pages import best_pages
from tests.library.collection import collect, stored


def test_the_best_come_first_and_of_copies_one(tmp_path: Path) -> None:
    texts = {n: f"birds sing {n} " + " ".join(f"word{n}x{k}" for k in range(40)) for n in range(4)}
    pages = [stored(f"http://a.test/{n}", text, title=f"Page {n}") for n, text in texts.items()]
    twin = stored("http://b.test/", texts[0], title="Page 0")
    folder = collect(tmp_path / "x", [*pages, twin])
    with open_library(folder, write=False) as library:
        found = best_pages(library, 10)
        relevances = [page.relevance for page in found]
        assert relevances == sorted(relevances, reverse=True)
        assert len({page.title for page in found}) == len(found)
        assert [page.url for page in best_pages(library, 2)] == [page.url for page in found[:2]]
