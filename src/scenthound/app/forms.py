"""The search forms of a library's pages, and what is sent where: what `forms` lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from scenthound.library import open_library
from scenthound.library.stored_pages import answer_of
from scenthound.parse.forms import SearchForm, search_forms


class ListedForm(Struct, frozen=True):
    """A search form, and the first page it was seen on."""

    page: str
    form: SearchForm
    relevant: bool  # the page is: only such forms are asked in a crawl


def listed_forms(folder: Path) -> Iterator[ListedForm]:
    """The search forms of the stored pages, each once."""
    seen: set[tuple[str, str]] = set()
    with open_library(folder, write=False) as library:
        for page in library.pages():
            answer = answer_of(library, page.url, damaged_too=True)
            for form in search_forms(answer) if answer is not None else ():
                name = form.action.partition("?")[0], form.asks
                if name not in seen:
                    seen.add(name)
                    yield ListedForm(page.url, form, page.relevant)
