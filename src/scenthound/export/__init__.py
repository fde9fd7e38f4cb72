"""What was collected, to take away: one file a format.

    library ──▶ ChosenPages (exporter.py): which pages, which fields, one page at a time ──▶ Exporter.write ──▶ stream

    page_filter.py   which pages are taken
    fields.py        what can be told of a page
    exporter.py      what an exporter is, and what it is given
    file_tree.py     formats that are many files, and what these are called
    jsonl.py, csv.py, markdown.py, wacz.py, ...   the formats

A new format is one file here: a dataclass with a name, the endings of file names that ask for it, a docstring whose
first line says what is written, and `write`. The command's help, its completion, its errors and `docs/commands.md`
list it by themselves, and the tests of `tests/conformance/exporters.py` find it; tell them how to read it back.

    @exporter("urls")
    @dataclass
    class UrlsExport:
        "A URL a line."

        extensions = (".urls", ".txt")

        def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
            for page in pages:
                stream.write(f"{page.url}\\n".encode())

What a format needs to import beyond our own dependencies it imports in `write`, and says what to install where that is
missing. A package of yours offers its formats through the entry points `scenthound.export`, each naming such a class.
"""
