"""Which links lead out of the folder of the page that has them, and which to parts of that page.

    /cs110/home.html  ->  /cs110/week1.html            a part: in the same folder
    /cs110.html       ->  /cs110/week1.html            a part: in the folder named like the page
    /cs110/           ->  /cs110/notes/week1.html      a part: below the folder that the page stands for
    /courses.html     ->  /cs110/home.html             another page, with parts of its own
    /                 ->  /about.html                  another page: the front page of a site has no parts

A page that others link to from outside is somebody's home page, or that of a course or a project; what only its own
folder links to is a part of it. Who has followed one part knows what the others are about. A page has parts where at
least `SHARE` of its links lead to them: in an encyclopaedia whose folders are the letters of the alphabet no page has.
"""

from __future__ import annotations

from collections.abc import Sequence

SHARE = 0.25


def lead_out(page: str, links: Sequence[str]) -> list[bool]:
    """Of each of the links that a page has, whether it leads out; all are URLs."""
    folder, _, name = _address(page).rpartition("/")
    folder += "/"
    if folder.count("/") <= 1:
        return [True] * len(links)
    below = f"{folder}{name.rpartition('.')[0] or name}/" if name else folder
    near = (f"http://{folder}", f"https://{folder}")
    # Most links are not even in the folder, which `below` is in as well.
    out = [not (link.startswith(near) and _is_part(link, folder, below)) for link in links]
    return out if out.count(False) >= SHARE * len(links) else [True] * len(links)


def _is_part(link: str, folder: str, below: str) -> bool:
    """Of a link into the folder."""
    address = _address(link)
    return address.startswith(below) or "/" not in address[len(folder) :]


def _address(url: str) -> str:
    """Host and path: the same page may be linked to by http and https, and with any query."""
    return url.partition("://")[2].partition("?")[0]
