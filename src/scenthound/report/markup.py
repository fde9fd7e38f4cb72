"""HTML and SVG that cannot be broken by what is put into it: every text is escaped, unless it came from here.

el("a", page.title, href=page.url, class_="title")
"""

from __future__ import annotations

from html import escape


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


_VOID = frozenset({"meta", "path", "rect", "line", "br"})


def el(name: str, /, *children: str, **attributes: str | float | None) -> Html:
    """An element. A trailing underscore of an attribute's name goes, others become hyphens; None leaves it out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(printable(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not children:
        return Html(f"<{name}{given}/>")
    return Html(f"<{name}{given}>{join(*children)}</{name}>")


def join(*children: str) -> Html:
    return Html("".join(child if isinstance(child, Html) else escape(printable(child)) for child in children))


def printable(text: str) -> str:
    """Without control characters, and without those that turn the direction of writing around."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def safe_href(url: str) -> str | None:
    """A URL one may click on: never `javascript:`, whatever it is disguised as."""
    return url if url.startswith(("http://", "https://")) else None


def short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
