"""One spelling per page: the canonical form of a URL, and what can be read off it.

Two links are the same link when their canonical forms are equal, so everything that stores, compares or counts URLs
does it on this form, and no other module takes a URL apart. Parsing follows the WHATWG standard, as browsers do:

    HTTP://User:pw@Bücher.example:80/a/./b/%7ejo;jsessionid=9?utm_source=x&q=%c3%a9#top
    http://xn--bcher-kva.example/a/b/~jo?q=%C3%A9

Lower-case host in punycode, no default port, no credentials, no fragment, no dot segments, escapes in upper case,
escaped letters, digits and `-._~` written plainly, no tracking or session parameters, no empty query. Only what
cannot change the page is touched: `%2527` stays, parameters keep their order, a trailing slash is kept or absent.

`canonical` is idempotent by construction (it repeats until nothing changes) and never raises: what cannot be used is
a `Malformed` value with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import can_ada
from msgspec import Struct
from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_LENGTH = 2_000
"""Characters of a canonical URL. Longer ones are session state or traps; servers and caches refuse them too."""

MAX_FOLDERS = 20
"""Folders above a page that are worth going up to."""

_MAX_INPUT = 4 * MAX_LENGTH  # before tidying; keeps `data:` URLs of a megabyte away from the parser
_MAX_ROUNDS = 8

_WEB = ("http://", "https://")
# A path in which nothing needs tidying, as most links are: names of letters, digits and - _ ~, with dots inside only.
_is_plain = re.compile(r"(?:/|(?:\.\./)++)?[\w~][\w~.-]*+(?:/[\w~][\w~.-]*+)*+/?", re.ASCII).fullmatch
_SCHEME = re.compile(r"[\x00-\x20]*([a-zA-Z][a-zA-Z0-9+.\-]*):")
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_UNTIDY = re.compile(
    r"%(?:[0-9A-F]?[a-f]|2[DE]|3[0-9]|[46][1-9A-F]|5[0-9AF]|7[0-9AE])"  # lower case, or an unreserved character
)
_STRAY_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")
_CONTROL = re.compile(r"%(?:0[0-8BCEF]|1[0-9A-F]|7F)")  # tab, CR and LF occur in honest query strings
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_ESCAPES = {
    f"%{high}{low}": char if (char := chr(int(high + low, 16))) in _UNRESERVED else f"%{high}{low}".upper()
    for high in "0123456789abcdefABCDEF"
    for low in "0123456789abcdefABCDEF"
}

_SESSION_NAMES = r"phpsessid|jsessionid|aspsessionid[a-z]*|session_?id|sessid|cfid|cftoken|oscsid|zenid"
_NOISE = re.compile(
    r"(?:^|&)(?:(?:"
    r"utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_ga|_gl|"
    r"_hsenc|_hsmi|hsctatracking|mkt_tok|vero_id|oly_enc_id|oly_anon_id|_openstat|srsltid|wickedid|"
    rf"{_SESSION_NAMES})(?:=[^&]*)?"
    r"|(?:sid|s)=[0-9a-f]{16,})(?=&|$)",
    re.IGNORECASE,
)
_PATH_SESSION = re.compile(rf";(?:{_SESSION_NAMES})=[^/;?]*", re.IGNORECASE)
# No `js`, `md`, `py`, `com` and the like: /wiki/Node.js and /whois/example.com are pages.
_ENDINGS = {
    "image": "jpg jpeg jpe png gif bmp webp avif heic svg svgz ico tif tiff psd xcf djvu djv",
    "audio": "mp3 ogg oga opus wav flac m4a aac wma mid midi aif aiff m3u pls",
    "video": "mp4 m4v mkv avi mov wmv webm ogv mpg mpeg flv 3gp m2ts vob",
    "document": "pdf ps eps doc docx dotx odt ott rtf xls xlsx xlsm ods ppt pptx pps ppsx odp epub mobi azw3 tex dvi",
    "archive": "zip gz tgz bz2 tbz xz txz zst lz 7z rar tar jar war cab iso img dmg",
    "program": "exe msi apk ipa deb rpm bin dll swf whl crx xpi appimage",
    "data": "json jsonl xml rss atom csv tsv sql sqlite db parquet warc ics vcf bib ris kml kmz gpx yaml yml txt log",
    "style": "css scss less",
    "font": "ttf otf woff woff2 eot",
}
FILE_TYPES = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
"""Ending of a path -> what kind of file it is, for endings that are no web pages."""

# Codes that hosts and folders are named by, without those that are everyday words: am, as, my, or, so, to.
_CODES = (
    "ar|bg|bn|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fr|ga|gl|he|hi|hr|hu|hy|id|is|it|ja|ka|ko|lt|lv|mk|ml|ms|nb|ne|nl|"
    "nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|uk|ur|uz|vi|yi|zh"
)
_LANGUAGE = re.compile(
    rf"https?://(?:({_CODES})\.[^/]*\.|[^/?]*/({_CODES})(?:[-_][a-z]{{2,4}})?(?:[/?]|$)"
    rf"|[^?]*\?(?:[^&]*&)*?(?:lang|language|uselang|locale|hl)=({_CODES})(?![a-z]))",
    re.IGNORECASE,
)
_DEPARTMENTS = frozenset({"cs", "is", "it"})  # cs.example.edu teaches computer science, and not in Czech
_ACADEMIC = re.compile(r"\.(?:edu|ac)(?:\.[a-z]{2})?(?::\d+)?\Z")


class Malformed(Struct, frozen=True):
    """A URL that is not followed, and why."""

    url: str
    reason: str


def canonical(url: str) -> str | Malformed:
    """The one spelling of an absolute URL."""
    return _settle(url, None)


class Base:
    """What the links of one page are relative to: parsed once, and asked for every link."""

    __slots__ = ("_folder", "_known", "_parsed", "_root", "url")

    def __init__(self, url: str) -> None:
        self.url = url
        self._known: dict[str, str | Malformed] = {}
        self._root = self._folder = ""  # of a base in canonical form: what plain links are put behind
        try:
            self._parsed: can_ada.URL | None = can_ada.parse(url)
            if canonical(url) == url:
                self._root = origin(url)
                self._folder = self._root + path(url)[: path(url).rindex("/") + 1]
        except (ValueError, TypeError):
            self._parsed = None

    def resolve(self, href: str) -> str | Malformed:
        """The canonical form of a link as the page spells it."""
        known = self._known.get(href)
        if known is None:
            path = href.partition("#")[0] if "#" in href else href
            if self._root and _is_plain(path) and len(self.url) + len(href) < MAX_LENGTH:
                if path[0] == "/":
                    known = f"{self._root}{path}"
                else:
                    known = f"{self._folder}{path}" if path[0] != "." else self._above(path)
            else:
                known = _settle(href, self._parsed)
            self._known[href] = known
        return known

    def _above(self, path: str) -> str:
        """Where a plain path leads that begins with `../`; above the root there is the root."""
        folder = self._folder
        while path[0] == ".":
            path = path[3:]
            folder = folder[: folder.rfind("/", len(self._root), -1) + 1] or folder
        return f"{folder}{path}"


def _settle(url: str, base: can_ada.URL | None) -> str | Malformed:
    """Parse, tidy, and repeat while tidying changes something; nearly every URL is done after one round."""
    if len(url) > _MAX_INPUT:
        return Malformed(url[:MAX_LENGTH], _scheme_reason(url) or "too long")
    href = url
    try:
        parsed = can_ada.parse(url) if base is None else base + url
        for _ in range(_MAX_ROUNDS):
            href = parsed.href.partition("#")[0]
            if not href.startswith(_WEB):
                return Malformed(url, _scheme_reason(href) or "not a valid URL")
            tidy = _tidy(href, parsed)
            if tidy == href:
                return href if len(href) <= MAX_LENGTH else Malformed(url, "too long")
            parsed = can_ada.parse(tidy)
    except ValueError as error:
        return Malformed(url, error.args[0] if isinstance(error, _Refused) else "not a valid URL")
    except TypeError:
        return Malformed(url, "not Unicode text")
    return Malformed(url, "does not settle")


class _Refused(ValueError):
    """A URL that parses but must not be followed."""


def _scheme_reason(url: str) -> str:
    match = _SCHEME.match(url)
    return f"scheme {match[1].lower()[:20]}" if match and match[1].lower() not in ("http", "https") else ""


def _tidy(href: str, parsed: can_ada.URL) -> str:
    """What the standard leaves in that does not name a page. `href` itself when there is nothing to do."""
    if "@" in href and parsed.has_credentials():
        href = f"{parsed.protocol}//{parsed.host}{parsed.pathname}{parsed.search}"
    end = href.find("/", 8)
    if href[end - 1] == "." or ".:" in href[8:end]:
        href = _without_final_dot(href, end)
    if "%" in href:
        href = _tidy_escapes(href)
    if ";" in href:
        path, question, query = href.partition("?")
        href = f"{_PATH_SESSION.sub('', path)}{question}{query}"
    if "?" in href:
        path, _, query = href.partition("?")
        query = _NOISE.sub("", query).removeprefix("&")
        href = f"{path}?{query}" if query else path
    return href


def _without_final_dot(href: str, end: int) -> str:
    """`example.org.` is `example.org`, spelled as the name system does."""
    start = href.index("//") + 2
    name, colon, port = href[start:end].partition(":")
    if not (name := name.rstrip(".")):
        raise _Refused("no host name")
    return f"{href[:start]}{name}{colon}{port}{href[end:]}"


def _tidy_escapes(href: str) -> str:
    if not _UNTIDY.search(href):
        pass
    elif _STRAY_PERCENT.search(href):
        # With a stray % about, decoding could make a new escape (`%%341` -> `%41`) and so another page.
        href = _ESCAPE.sub(lambda match: match[0].upper(), href)
    else:
        href = _ESCAPE.sub(lambda match: _ESCAPES[match[0]], href)
    if _CONTROL.search(href):
        raise _Refused("control character")
    return href


# --- what can be read off a canonical URL -------------------------------------------------------------------------


def _host_span(url: str) -> tuple[int, int]:
    start = 8 if url[4:5] == "s" else 7
    end = url.find("/", start)
    return start, end if end >= 0 else len(url)


def host(url: str) -> str:
    """Name, with `:port` unless it is the default: `www.example.org`, `localhost:8000`, `[::1]:8000`."""
    start = 8 if url[4:5] == "s" else 7
    end = url.find("/", start)
    return url[start:end] if end >= 0 else url[start:]


def origin(url: str) -> str:
    """`https://www.example.org:8443`: what a robots.txt speaks for."""
    return url[: _host_span(url)[1]]


def other_scheme(url: str) -> str:
    """The same under http in place of https, or the other way round."""
    return f"http{url[5:]}" if url.startswith("https") else f"https{url[4:]}"


def path(url: str) -> str:
    """From the first slash to the query, the query left out; `/` at least."""
    return url[_host_span(url)[1] :].partition("?")[0] or "/"


def extension(url: str) -> str:
    """`pdf` of `/a/Report.PDF?page=3`; empty where the path has none.

    A last part with a colon has none either: `/wiki/File:Map.jpg` is a wiki's page about a picture.
    """
    name = url.partition("?")[0].rpartition("/")[2]  # a canonical URL has a slash after its host
    dot = name.rfind(".")
    return name[dot + 1 :].lower() if dot > 0 and ":" not in name else ""


def file_type(url: str) -> str:
    """`image`, `document`, ... by the ending of the path; `html` where it does not say otherwise."""
    return FILE_TYPES.get(extension(url), "html")


def ascending(url: str) -> list[str]:
    """The folders above a page, nearest first: `/a/b/c.html?x` lies in `/a/b/`, `/a/` and `/`.

    Many a page that nothing links to is found so. A folder's own page with a query has the folder itself above it.
    """
    root, folders = origin(url), path(url)
    own = folders if url == root + folders else ""
    cuts = [place for place, char in enumerate(folders) if char == "/"][:MAX_FOLDERS]
    return [root + folder for cut in reversed(cuts) if (folder := folders[: cut + 1]) != own]


def language(url: str) -> str:
    """The language a URL names: `de` of `//de.example.org/`, of `/de/x`, `/de-AT/x` and `?lang=de`; else empty."""
    mark = _LANGUAGE.match(url)
    if not mark:
        return ""
    code = (mark[1] or mark[2] or mark[3]).lower()
    return "" if code in _DEPARTMENTS and _ACADEMIC.search(host(url)) else code


def site(url: str) -> str:
    """The registrable domain, `example.co.uk`; for addresses and single names the name itself, without port."""
    return _site_of(host(url))


@lru_cache(maxsize=65_536)
def _site_of(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    name = host.partition(":")[0]
    if name.rpartition(".")[2].isdigit():
        return name
    return _suffixes().privatesuffix(name) or name


@cache
def _suffixes() -> PublicSuffixList:
    """The list inside the wheel: no download. Read when first asked for: a process that only parses never does."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def fingerprint(url: str) -> int:
    """64 bits that stand for the URL in sets and tables; signed, because SQLite's integers are."""
    value = xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))
    return value - (1 << 64) if value >= 1 << 63 else value


def fingerprints(urls: Iterable[str]) -> list[int]:
    """`fingerprint` of each, in a third of the time."""
    half, whole = 1 << 63, 1 << 64
    values = [xxh3_64_intdigest(url.encode("utf-8", "surrogatepass")) for url in urls]
    return [value - whole if value >= half else value for value in values]
