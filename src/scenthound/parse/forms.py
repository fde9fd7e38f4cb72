"""Search forms of a page: what a form asks for, and which URL an answer leads to (Mali 2.3.4, the deep web).

A form is one that searches if it asks by GET, has exactly one field for free text, none for a password or a file, and
no more than `MOST_FIELDS` of anything. Such a form only reads: RFC 9110 calls GET safe, and a server that changes
something by it has itself to blame. Forms by POST are none of ours.

    form = search_forms(response)[0]
    form.url("dengue fever")                http://example.org/find?lang=en&q=dengue+fever
"""

from __future__ import annotations

from urllib.parse import urlencode

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from scenthound import urls
from scenthound.model import Response

MAX_BYTES = 1_000_000
MOST_FORMS, MOST_FIELDS = 20, 30
TEXTS = frozenset({"", "text", "search"})
REFUSED = frozenset({"password", "file", "email", "tel"})
UNSENT = frozenset({"submit", "button", "reset", "image"})


class FormField(Struct, frozen=True):
    name: str
    kind: str  # text, search, hidden, select, checkbox ...
    value: str = ""  # what is sent where nobody fills it in


class SearchForm(Struct, frozen=True):
    """A form that searches. `asks` is the name of the field for the words."""

    action: str  # canonical URL
    asks: str
    fields: tuple[FormField, ...]

    def url(self, words: str) -> str | None:
        """Where the answer is; None where that is no URL we follow."""
        sent = [(field.name, words if field.name == self.asks else field.value) for field in self.fields]
        found = urls.canonical(f"{self.action.partition('?')[0]}?{urlencode(sent)}")
        return found if isinstance(found, str) else None


def search_forms(response: Response) -> list[SearchForm]:
    """The search forms of an answer, in their order; those that send the same to the same place once."""
    if response.media_type not in ("text/html", "application/xhtml+xml") or b"<form" not in response.body.lower():
        return []
    tree, base = LexborHTMLParser(response.body[:MAX_BYTES]), urls.Base(response.url)
    found = (_read(form, base) for form in tree.css("form")[:MOST_FORMS])
    return list(dict.fromkeys(form for form in found if form is not None))


def _read(form: LexborNode, base: urls.Base) -> SearchForm | None:
    method = (form.attributes.get("method") or "get").strip().lower()
    action = base.resolve(form.attributes.get("action") or base.url)
    nodes = form.css("input,select,textarea")
    if method != "get" or not isinstance(action, str) or len(nodes) > MOST_FIELDS:
        return None
    fields: list[FormField] = []
    for node in nodes:
        kind = _kind(node)
        if kind in REFUSED:
            return None
        if (name := node.attributes.get("name")) and kind not in UNSENT and not _unchecked(node, kind):
            fields.append(FormField(name, kind or "text", _value(node, kind)))
    asks = [field.name for field in fields if field.kind in ("text", "search", "textarea")]
    return SearchForm(action, asks[0], tuple(fields)) if len(asks) == 1 else None


def _kind(node: LexborNode) -> str:
    if node.tag != "input":
        return str(node.tag)
    kind = (node.attributes.get("type") or "").strip().lower()
    return "text" if kind in TEXTS - {"search"} else kind


def _unchecked(node: LexborNode, kind: str) -> bool:
    return kind in ("checkbox", "radio") and "checked" not in node.attributes


def _value(node: LexborNode, kind: str) -> str:
    if kind == "select":
        options = node.css("option")
        chosen = next((option for option in options if "selected" in option.attributes), next(iter(options), None))
        if chosen is None:
            return ""
        given = chosen.attributes.get("value")
        return chosen.text(strip=True) if given is None else given
    return node.attributes.get("value") or ("on" if kind in ("checkbox", "radio") else "")
