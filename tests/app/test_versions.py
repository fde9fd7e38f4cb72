from pathlib import Path

import pytest

from scenthound.app.show import find_page
from scenthound.app.versions import compared, version_at
from scenthound.errors import LibraryError
from scenthound.library import open_library
from tests.library.collection import collect, stored

URL = "http://a.test/birds"


def test_a_page_that_never_changed(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", [stored(URL, "birds sing", at=1_700_000_000.0)])
    with open_library(folder, write=False) as library:
        page = find_page(library, URL)
        assert version_at(library, page, 1_700_000_001.0).at == 1_700_000_000.0
        with pytest.raises(LibraryError, match="was not stored before"):
            version_at(library, page, 1.0)
        with pytest.raises(LibraryError, match="has not changed"):
            compared(library, page, None)
