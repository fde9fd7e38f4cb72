from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec

from scenthound.export.exporter import ChosenPages, exporter
from scenthound.export.file_tree import FileTree, file_name, zip_tree


@exporter("markdown")
@dataclass
class MarkdownExport:
    """A folder of Markdown files, one a page: the fields as front matter, then the main text.

    `--output notes` makes the folder, `--output notes.md.zip` packs it.
    """

    extensions = (".md.zip",)
    memory_a_page = 1_500

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        with zip_tree(stream) as tree:
            self.write_tree(pages, tree)

    def write_tree(self, pages: ChosenPages, tree: FileTree) -> None:
        for page in pages:
            front = "".join(
                f"{name}: {_yaml(value)}\n" for name, value in pages.row(page).items() if name != "markdown"
            )
            text = f"---\n{front}---\n\n{pages.main_text(page).markdown}"
            tree.add(file_name(page.url, ".md"), text.encode("utf-8", "replace"))


def _yaml(value: Any) -> str:
    """A value as YAML: JSON is YAML, but for a few characters that YAML takes for ends of lines."""
    text = msgspec.json.encode(value).decode()
    return (
        text.replace("\x7f", "\\u007f")
        .replace("\x85", "\\u0085")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
