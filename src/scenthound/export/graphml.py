from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Any, BinaryIO

from scenthound import urls
from scenthound.export.exporter import ChosenPages, exporter
from scenthound.export.fields import NUMBERS, TRUTHS

_forbidden = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # by XML 1.0, however written
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'


@exporter("graphml")
@dataclass
class GraphmlExport:
    """The links among the pages as a graph, for Gephi, networkx and the like; a page's fields are its node's data."""

    extensions = (".graphml",)
    memory_a_page = 200

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        def put(text: str) -> None:
            stream.write(text.encode("utf-8", "replace"))

        put(_HEAD)
        for name in pages.fields:
            put(f'<key id="{escape(name)}" for="node" attr.name="{escape(name)}" attr.type="{_kind(name)}"/>\n')
        put('<key id="anchor" for="edge" attr.name="anchor" attr.type="string"/>\n<graph edgedefault="directed">\n')
        chosen: dict[int, int] = {}  # fingerprint of a URL -> the number of its node
        for page in pages:
            number = chosen.setdefault(urls.fingerprint(page.url), len(chosen))
            data = "".join(
                f'<data key="{escape(name)}">{_text(value)}</data>' for name, value in pages.row(page).items()
            )
            put(f'<node id="n{number}">{data}</node>\n')
        for source, links in pages.library.graph():
            if (start := chosen.get(urls.fingerprint(source))) is None:
                continue
            for link in links:
                if (end := chosen.get(urls.fingerprint(link.url))) is not None and link.kind in ("a", "area", "frame"):
                    anchor = f'<data key="anchor">{_text(link.anchor)}</data>'
                    put(f'<edge source="n{start}" target="n{end}">{anchor}</edge>\n')
        put("</graph>\n</graphml>\n")


def _kind(name: str) -> str:
    if name in TRUTHS:
        return "boolean"
    kind = NUMBERS.get(name)
    return "string" if kind is None else "double" if kind is float else "long"


def _text(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return escape(_forbidden.sub(" ", text)).replace("\r", "&#13;")
