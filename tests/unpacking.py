"""Archives of the tests' own data, unpacked."""

import tarfile
from pathlib import Path


def unpack(path: Path, folder: Path) -> None:
    with tarfile.open(path) as archive:
        # Python 3.11.3 and older have no filters, and newer ones warn where none is named.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, place: member)
        archive.extractall(folder)
