"""Libraries that are named by their address where a command wants a folder: `scenthound status postgresql://...`."""

from __future__ import annotations

TAKES_ADDRESS = "--library"


def folders_for(words: list[str]) -> list[str]:
    """The words of a command, with the folder of a library in the place of its address."""
    if not any(word.startswith("postgres") for word in words):
        return words
    # Imported here because most commands name a folder, and these bring the store along.
    from scenthound.app.library_folder import folder_of
    from scenthound.library.library_address import is_address

    before = ["", *words]
    return [
        str(folder_of(word)) if is_address(word) and before[nth] != TAKES_ADDRESS else word
        for nth, word in enumerate(words)
    ]
