"""Writes docs/notebook.ipynb and runs it, so that it is seen with what it shows. Needs the development environment.

./run python scripts/make_notebook.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebook.ipynb"

CELLS = [
    ("markdown", "# A crawl in a notebook\n\nThe demo crawls a built-in web over real HTTP: no internet is needed."),
    ("code", 'import scenthound\n\ncrawl = scenthound.crawl("orchids", demo=True, into="orchids", pages=200)\ncrawl'),
    ("markdown", "Pages as they arrive. Whoever leaves the loop stops the crawl; another loop goes on with it."),
    (
        "code",
        "best = []\nfor page in crawl:\n    if page.relevant and not page.duplicate_of:\n"
        "        best.append((page.relevance, page.title))\nsorted(best, reverse=True)[:5]",
    ),
    ("markdown", "The harvest: how many of the pages fetched are about the topic."),
    ("code", "crawl.plot()"),
    ("markdown", "What it brought home is a library: to search, to explain, to take away."),
    (
        "code",
        'library = scenthound.open_library("orchids")\n'
        '[(hit.title, round(hit.relevance, 2)) for hit in library.search("orchid growing", limit=5)]',
    ),
    ("code", 'table = library.to_pandas(relevant=True)\ntable.sort_values("relevance", ascending=False).head()'),
    ("code", 'table.groupby("host").size().sort_values(ascending=False).head()'),
    ("code", "library.close()"),
]


def make() -> nbformat.NotebookNode:
    kinds = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    notebook = nbformat.v4.new_notebook(cells=[kinds[kind](source) for kind, source in CELLS])
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"  # the same at every writing
    return notebook


def run(notebook: nbformat.NotebookNode) -> None:
    """Runs all cells in a kernel of its own, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}).execute()


if __name__ == "__main__":
    made = make()
    run(made)
    nbformat.write(made, NOTEBOOK)
    print(f"wrote docs/{NOTEBOOK.name}")
