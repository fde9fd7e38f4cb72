"""Tables as text, with commas, semicolons or tabs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from scenthound.model import Response
from scenthound.parse.document import Document, DocumentPart, document_reader
from scenthound.parse.documents.txt import MOST_LINKS, decoded_text, urls_in

_SEPARATORS = "\t;,|"


@document_reader("csv")
@dataclass
class TableReader:
    """The names of the columns are its description, and the file's name is its title."""

    def read(self, response: Response) -> Document:
        text, charset = decoded_text(response)
        first = text.partition("\n")[0]
        separator = max(_SEPARATORS, key=first.count)
        columns = ", ".join(name.strip().strip('"') for name in first[:2_000].split(separator))
        return Document(
            description=columns,
            charset=charset,
            parts=(DocumentPart(text),),
            links=tuple(islice(urls_in(text), MOST_LINKS)),
        )
