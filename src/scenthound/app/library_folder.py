"""The folder of a library that is in PostgreSQL: where its WARC files, topic.toml and reports are."""

from __future__ import annotations

from pathlib import Path

from scenthound import config as toml
from scenthound.app.crawl_plan import CRAWLS, SETTINGS
from scenthound.library import keep_address, open_library
from scenthound.library.folder import address_in
from scenthound.library.library_address import read_address
from scenthound.library.run_settings import last_settings


def folder_of(text: str) -> Path:
    """The folder that the last crawl into this library had.

    On another machine there is none: one is made in ./crawls, with the library's address and its settings. What needs
    the WARC files says so there.
    """
    address = read_address(text)
    with open_library(str(address), write=False) as library:
        if library.folder is not None and address_in(library.folder) == str(address):
            return library.folder
        folder = CRAWLS / address.name
        if address_in(folder) != str(address):
            keep_address(folder, str(address))
            if not (folder / SETTINGS).exists():
                toml.save(last_settings(library), folder / SETTINGS)
        return folder
