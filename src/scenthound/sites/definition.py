"""What a website is, read off a URL.

Who publishes a page cannot be told from its address, so a site is a convention (Ester 3.1):

    kind      key of the site                             https://www.cs.example.co.uk/~jo/work/a.html
    host      every page of one host; Ester's choice      www.cs.example.co.uk
    domain    what somebody registered, all hosts of it   example.co.uk
    folder    host and first part of the path             www.cs.example.co.uk/~jo

`folder` finds the sites that have no host of their own: people's pages under `~name`, projects and shops on shared
hosting. What lies in no folder (`/`, `/index.html`) belongs to the site of the host itself.
"""

from __future__ import annotations

from typing import Literal, get_args

from scenthound import urls

SiteKind = Literal["host", "domain", "folder"]
KINDS: tuple[SiteKind, ...] = get_args(SiteKind)


def site_of(url: str, kind: SiteKind = "host") -> str:
    """The key of the site that holds this page. `url` is canonical."""
    if kind == "domain":
        return urls.site(url)
    host = urls.host(url)
    if kind == "host":
        return host
    folder = _folder(url)
    return f"{host}/{folder}" if folder else host


def homepage(site: str, like: str = "") -> str:
    """The URL of the site's entry page: the one that knowing the site's name is enough for.

    `like` is a link that led there, if there is one: scheme and port are taken from it, and for a registered domain
    also the leading `www.`, since many domains answer under that name alone.
    """
    scheme = like.partition("://")[0] if like.startswith(("http://", "https://")) else "https"
    host, slash, folder = site.partition("/")
    return f"{scheme}://{_known_host(host, like)}/{folder}{slash}"


def _known_host(name: str, like: str) -> str:
    """The host as the link spells it, where it is the site's own: `www.` and port kept."""
    given = urls.host(like) if like else ""
    bare = given.partition("]")[0] + "]" if given.startswith("[") else given.partition(":")[0]
    if bare in (name, f"www.{name}"):
        return given
    if bare.endswith(f".{name}"):
        return name + given.removeprefix(bare)
    return name


def _folder(url: str) -> str:
    """The first part of the path, if that is a folder: it has a slash behind it, or a name without an ending."""
    first, slash, _ = urls.path(url)[1:].partition("/")
    is_folder = slash or first.startswith("~") or "." not in first
    return first if is_folder else ""
