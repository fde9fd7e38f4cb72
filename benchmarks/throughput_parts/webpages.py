"""The web that is crawled: pages of installed documentation packages, or generated ones of like size.

Debian's python3-doc, sqlite3-doc, postgresql-doc and debian-handbook (English) are about 2,600 pages. In the mean:

|           | KB | elements | KB of text | terms | different ones | links | to different pages |
|-----------|---:|---------:|-----------:|------:|---------------:|------:|-------------------:|
| real      | 35 |      640 |         10 | 1,000 |            240 |   104 |                 22 |
| generated | 30 |      570 |          9 |   820 |            250 |    85 |                 77 |

So the generated ones are the harder work where links are resolved, ranked and looked up, and much the same elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

from scenthound.text.background import background

FRONT = "/index.html"
LINKS = 77
SECTIONS = 25
SPOKEN = 115  # words of a page beside those of its section
DOCUMENTATION = ("python3*/html", "sqlite3", "postgresql-doc-*/html", "debian-handbook/html/en-US")

BUILTIN_TOPIC = ["table", "query", "index", "transaction"]


class Web(NamedTuple):
    """Path -> HTML, and words that some of the pages are about."""

    name: str
    pages: dict[str, bytes]
    topic: list[str]


def make(kind: str, wanted: int) -> Web:
    """`kind` is "auto", "generated", or a folder with HTML files in it."""
    if kind == "generated":
        return generated(wanted)
    if kind != "auto":
        return stored(Path(kind).name, [Path(kind)], wanted)
    folders = [folder for pattern in DOCUMENTATION for folder in sorted(Path("/usr/share/doc").glob(pattern))]
    found = stored("installed documentation", folders, wanted)
    return found if len(found.pages) == wanted else generated(wanted)


# --- real ones ----------------------------------------------------------------------------------------------------


def stored(name: str, folders: Sequence[Path], wanted: int) -> Web:
    """The first HTML files of the folders, behind a front page that names them all."""
    files = list(dict.fromkeys(file.resolve() for folder in folders for file in sorted(folder.rglob("*.html"))))
    pages = {f"{_address(file)}": file.read_bytes() for file in files[: wanted - 1]}
    listed = "".join(f'<li><a href="{path}">{escape(Path(path).stem)}</a>\n' for path in pages)
    front = f"<!doctype html><title>All pages</title>\n<ul>\n{listed}</ul>\n"
    return Web(name, {FRONT: front.encode(), **pages}, BUILTIN_TOPIC)


def _address(file: Path) -> str:
    return "".join(char if char.isascii() and (char.isalnum() or char in "/._-") else "_" for char in str(file))


# --- generated ones -----------------------------------------------------------------------------------------------


def generated(wanted: int, seed: int = 1) -> Web:
    """Pages in sections, each with words of its own; every page is linked from the one before it, and by chance."""
    writer = Writer(seed, wanted)
    pages = {writer.address(number): writer.page(number).encode() for number in range(wanted)}
    return Web("generated", pages, writer.subjects[0][:4])


class Writer:
    """Writes pages about nothing in English words, as often as English has them."""

    def __init__(self, seed: int, wanted: int) -> None:
        self.random = Random(seed)
        self.wanted = wanted
        known = background("en")
        assert known is not None
        self.stopwords = sorted(known.stopwords)
        self.words = list(known.frequency)
        self.shares = list(accumulate(known.frequency.values()))
        # Rare enough to mean something.
        telling = sorted(
            word for word, share in known.frequency.items() if 1e-7 < share < 1e-5 and word.isascii() and word.isalpha()
        )
        self.subjects = [self.random.sample(telling, 40) for _ in range(SECTIONS)]
        self.titles = [" ".join(self.random.sample(self._subject(number), 2)) for number in range(wanted)]

    def address(self, number: int) -> str:
        return f"/{number % SECTIONS:02d}/{self.titles[number].replace(' ', '-')}-{number}.html" if number else FRONT

    def _subject(self, number: int) -> list[str]:
        return self.subjects[number % SECTIONS]

    def page(self, number: int) -> str:
        words = self._prose(number)
        targets = iter(self._targets(number))
        size = min(3.0, max(0.3, self.random.lognormvariate(-0.18, 0.5)))
        parts = [self._part(words, targets, f"s{part}", size) for part in range(8)]
        title = escape(self.titles[number])
        navigation = "".join(f'<li class="toctree-l2 nav-item">{self._link(target)}</li>\n' for target in targets)
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<title>{title} &mdash; Handbook</title>\n<meta name="description" content="{title}">\n'
            '<link rel="stylesheet" href="/static/handbook.css">\n'
            f"<style>{_STYLE}</style>\n</head>\n<body>\n"
            f'<div class="document"><div class="body" role="main">\n<h1>{title}</h1>\n{"".join(parts)}</div></div>\n'
            f'<div class="sidebar" role="navigation">\n<ul class="toctree">\n{navigation}</ul>\n</div>\n'
            "</body>\n</html>\n"
        )

    def _prose(self, number: int) -> Iterator[str]:
        """Half stop words; the rest from the few hundred words of this page, the first of them most often."""
        own = self.random.choices(self.words, cum_weights=self.shares, k=SPOKEN)
        own[5:5] = self.random.sample(self._subject(number), 15)
        often = list(accumulate(1 / (rank + 3) for rank in range(len(own))))
        while True:
            content = self.random.choices(own, cum_weights=often, k=500)
            filling = self.random.choices(self.stopwords, k=500)
            for pair in zip(filling, content, strict=True):
                yield from pair

    def _targets(self, number: int) -> list[int]:
        """Where the page points: on to the next page, to its section, and anywhere."""
        near = [(number + SECTIONS * self.random.randint(1, 40)) % self.wanted for _ in range(LINKS // 2)]
        away = [self.random.randrange(self.wanted) for _ in range(LINKS * 2)]
        targets = dict.fromkeys([(number + 1) % self.wanted, *near, *away])
        targets.pop(number, None)
        return list(targets)[:LINKS]

    def _link(self, target: int) -> str:
        return f'<a class="reference internal" href="{self.address(target)}">{escape(self.titles[target])}</a>'

    def _part(self, words: Iterator[str], targets: Iterator[int], name: str, size: float) -> str:
        """A heading, paragraphs with a link each, a list, and a piece of program."""
        paragraphs = "".join(self._paragraph(words, targets, round(29 * size)) for _ in range(4))
        items = "".join(
            f'<li class="list-group-item"><p class="simple">{_take(words, round(7 * size))}</p></li>\n'
            for _ in range(4)
        )
        program = "\n".join(
            f'<span class="k">{_take(words, 1)}</span> <span class="n">{_take(words, 1)}</span>'
            f'<span class="o">=</span><span class="mi">{self.random.randint(0, 999)}</span>'
            for _ in range(round(7 * size))
        )
        return (
            f'<div class="section" id="{name}">\n<h2>{_take(words, 3).title()}<a class="headerlink" href="#{name}" '
            f'title="Permalink to this headline">¶</a></h2>\n{paragraphs}<ul class="simple">\n{items}</ul>\n'
            f'<div class="highlight-default notranslate"><div class="highlight"><pre>{program}\n</pre></div></div>\n'
            "</div>\n"
        )

    def _paragraph(self, words: Iterator[str], targets: Iterator[int], length: int) -> str:
        target = next(targets, None)
        link = self._link(target) if target is not None else ""
        return (
            f'<p class="paragraph body-text">{_take(words, length // 2).capitalize()} {link} '
            f"{_take(words, length // 4)} "
            f'<code class="docutils literal notranslate"><span class="pre">{_take(words, 1)}</span></code>, '
            f"<em>{_take(words, 2)}</em> {_take(words, length // 4)}.</p>\n"
        )


def _take(words: Iterator[str], count: int) -> str:
    return escape(" ".join(next(words) for _ in range(max(1, count))))


_STYLE = "".join(f".toctree-l{n} {{ margin-left: {n}em; color: #{n:03x}; }}\n" for n in range(30))


def describe(web: Web) -> str:
    sizes = [len(page) for page in web.pages.values()]
    links = sum(page.count(b"<a ") for page in web.pages.values()) / len(sizes)
    return f"{web.name}: {len(sizes):,} pages, mean {sum(sizes) / len(sizes) / 1000:.1f} KB, {links:.0f} link elements"
