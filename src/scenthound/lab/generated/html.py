"""Renders a page of the generated web from its number alone.

A page is a navigation bar, a heading, two to five blocks of prose with links in the sentences, perhaps a list
or a table, a see-also line where the web's accidents happen (dead links, files, copies), and a footer. An
index, a home page and a catalogue are mostly lists. How much of the prose is on the topic is the page's grade:

    core      5 to 8 sentences of 10 on the topic
    related   2 of 10, and 4 on the topic's kin or the background
    off       0 of 10; in every third page 2, a passing mention
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from scenthound.lab.generated.address import AddressEntry, Directory
from scenthound.lab.generated.hash_random import mix
from scenthound.lab.generated.layout import GeneratedSite
from scenthound.lab.generated.links import CORE, RELATED
from scenthound.lab.generated.prose import CLAUSES, Bank, Chance, foreign_paragraph, paragraph, sentence
from scenthound.lab.generated.vocabulary import BACKGROUND, TOPICS

VAGUE = ("click here", "more", "read on", "this page", "here", "link")
CHAIN = 4  # redirects in a chain


class Renderer:
    """Writes the HTML text of pages; bytes, headers and everything that is not a page are `generated`'s."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self.pages = directory.pages
        self.prose = directory.prose
        self.seed = directory.seed
        self._frames: dict[int, tuple[str, str]] = {}

    def html(self, page: int, copy: bool = False) -> str:
        """The page. A `copy` is nearly the same: another date, one more sentence."""
        chance = Random(mix(self.seed, 30, page)).random
        entry = self.directory.entry(page)
        language = self.language(page)
        section = self.directory.section(page)
        site = self.directory.layout.sites[section.site]
        top, bottom = self._frame(section.site, site)
        banks = self._banks(page)
        body = [f"<h1>{entry.title}</h1>"]
        if language != "en":
            body += [f"<p>{foreign_paragraph(chance, language)}</p>" for _ in range(3)]
        targets = self.ordered(page)
        if self.directory.is_index(page) or self.pages.catalogue[page]:
            body += self._listing(page, entry, targets, banks, chance)
        else:
            body += self._article(page, entry, targets, banks, chance)
        body.append(self._see_also(page, entry, chance))
        if copy:
            body.append(f"<p>Copied with permission. {sentence(chance, banks)}</p>")
        stamp = f"{1 + page % 28}.{1 + page % 12}.{2009 + page % 15 + copy}"
        head = self._head(entry, site, language, sentence(chance, banks))
        text = "\n".join(body)
        return f"{head}{top}<main>\n{text}\n<p><small>Last changed on {stamp}</small></p>\n</main>\n{bottom}"

    def ordered(self, page: int) -> list[int]:
        """Pages the content of this page links to, in the order it shows them."""
        indptr = self.pages.indptr
        row: list[int] = self.pages.targets[indptr[page] : indptr[page + 1]].tolist()
        return sorted(row, key=lambda target: mix(self.seed, 31, target ^ page << 20))

    def navigation(self, page: int) -> list[int]:
        """Pages that the navigation bar and the footer of this page link to."""
        site = self.directory.site(page)
        bar = [s.start for s in self.directory.layout.sections[site.first : site.last] if s.listed]
        return bar + self._patrons(site)

    def language(self, page: int) -> str:
        """English, but for a few background pages."""
        bits = mix(self.seed, 32, page)
        if bits % 32 or self.pages.island[page] >= 0 or self.directory.is_index(page):
            return "en"
        return ("de", "fr")[bits >> 8 & 1]

    def _banks(self, page: int) -> Sequence[Bank]:
        bank, theme, grade = self.prose.bank, int(self.pages.theme[page]), int(self.pages.grade[page])
        bits = mix(self.seed, 33, page)
        aside = bank(len(TOPICS) + bits % len(BACKGROUND))
        if grade == CORE:
            share = 5 + (bits >> 8) % 4
            return [bank(theme)] * share + [aside] * (8 - share) + [bank(-1)] * 2
        if grade == RELATED:
            second = self.directory.second_theme(page)
            return [bank(theme)] * 2 + [bank(-1 if second is None else second)] * 4 + [aside] * 2 + [bank(-1)] * 2
        if (bits >> 8) % 10 < 3:
            aside = bank((bits >> 16) % len(TOPICS))
        return [bank(theme)] * 6 + [aside] * 2 + [bank(-1)] * 2

    def _head(self, entry: AddressEntry, site: GeneratedSite, language: str, description: str) -> str:
        canonical = f'<link rel="canonical" href="{entry.url}">\n' if site.style in (0, 2) else ""
        return (
            f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<title>{entry.title} – {site.host[4:-5]}</title>\n'
            f'<meta name="description" content="{description}">\n{canonical}'
            '<link rel="stylesheet" href="/style.css">\n</head>\n<body>\n'
        )

    def _frame(self, number: int, site: GeneratedSite) -> tuple[str, str]:
        """Navigation bar and footer: the same on every page of a site."""
        if number not in self._frames:
            entry = self.directory.entry
            sections = self.directory.layout.sections[site.first : site.last]
            bar = [(entry(s.start).path, s.slug or "home") for s in sections if s.listed]
            items = "".join(f'<li><a href="{path}">{label.capitalize()}</a></li>' for path, label in bar)
            foot = [("/about.html", "About us"), ("/contact.html", "Contact"), ("/private/members.html", "Members")]
            foot += [(entry(page).url, f"Hosted by {entry(page).title}") for page in self._patrons(site)]
            if site.theme < 0:
                foot += [("/calendar/2026/11/", "Calendar"), ("/shop/?sid=0", "Shop"), ("/browse/", "Browse")]
            links = " | ".join(f'<a href="{path}">{label}</a>' for path, label in foot)
            top = f'<header><p class="logo">{entry(site.start).title}</p>\n<nav><ul>{items}</ul></nav></header>\n'
            self._frames[number] = (top, f"<footer><p>{links}</p></footer>\n</body>\n</html>\n")
        return self._frames[number]

    def _patrons(self, site: GeneratedSite) -> list[int]:
        """A footer credits a portal on one site in three: boilerplate that leads off topic."""
        bits = mix(self.seed, 34, site.start)
        portals = [other.start for other in self.directory.layout.sites if other.theme < 0]
        return [portals[(bits >> 8) % len(portals)]] if bits % 3 == 0 else []

    def _listing(
        self, page: int, entry: AddressEntry, targets: list[int], banks: Sequence[Bank], chance: Chance
    ) -> Iterator[str]:
        yield f"<p>{paragraph(chance, banks)}</p>"
        for begin in range(0, len(targets), 12):
            yield f"<h2>{self.prose.title(int(self.pages.theme[page]), mix(self.seed, 35, page + begin))}</h2>\n<ul>"
            for target in targets[begin : begin + 12]:
                openers = self._bank_of(target).openers
                yield f"<li>{self._anchor(entry, target)} – {openers[int(chance() * CLAUSES)]}.</li>"
            yield "</ul>"
        yield f"<p>{paragraph(chance, banks)}</p>"

    def _article(
        self, page: int, entry: AddressEntry, targets: list[int], banks: Sequence[Bank], chance: Chance
    ) -> Iterator[str]:
        theme = int(self.pages.theme[page])
        yield f"<p>{paragraph(chance, banks)}</p>"
        blocks = 2 + int(chance() * 4)
        waiting = list(targets)
        for block in range(blocks):
            level = 3 if block and chance() < 0.35 else 2
            yield f"<h{level}>{self.prose.title(theme, mix(self.seed, 36, page * 8 + block))}</h{level}>"
            share = len(waiting) if block == blocks - 1 else -(-len(targets) // blocks)
            own, waiting = waiting[:share], waiting[share:]
            for target in own[:4]:
                yield f"<p>{self._linking(entry, target, banks, chance)} {paragraph(chance, banks, 1, 4)}</p>"
            if own[4:]:
                yield "<ul>" + "".join(f"<li>{self._anchor(entry, target)}</li>" for target in own[4:]) + "</ul>"
            yield f"<p>{paragraph(chance, banks)}</p>"
        if chance() < 0.2:
            yield self._table(theme, chance)

    def _linking(self, entry: AddressEntry, target: int, banks: Sequence[Bank], chance: Chance) -> str:
        """A sentence with a link in it; mostly it speaks of what the link leads to."""
        bank = self._bank_of(target) if chance() < 0.6 else banks[int(chance() * len(banks))]
        opener = bank.openers[int(chance() * CLAUSES)]
        middle = bank.middles[int(chance() * CLAUSES)]
        return f"{opener} ({self._anchor(entry, target)}) {middle}."

    def _bank_of(self, page: int) -> Bank:
        return self.prose.bank(int(self.pages.theme[page]))

    def _anchor(self, source: AddressEntry, target: int) -> str:
        """A link as authors write it: mostly the title, sometimes vague, sometimes by an old or decorated URL."""
        entry = self.directory.entry(target)
        bits = mix(self.seed, 37, target ^ source.number << 20)
        where = self.spelled(entry, bits & 255)
        if entry.host != source.host and where[0] == "/":
            where = f"http://{entry.host}{where}"
        kind = bits >> 8 & 255
        if kind < 26:
            return f'<a href="{where}">{VAGUE[kind % len(VAGUE)]}</a>'
        if kind < 36:
            return f'<a href="{where}"><img src="/img/{target}.png" alt="{entry.title}"></a>'
        if kind < 46:
            return f'<a href="{where}" title="{entry.title}">{entry.host}</a>'
        return f'<a href="{where}">{entry.title}</a>'

    def spelled(self, entry: AddressEntry, die: int) -> str:
        """One of the addresses that lead to a page: nine in ten times its own."""
        mark = "&amp;" if "?" in entry.path else "?"
        if die < 6:
            return f"{entry.path}{mark}utm_source=newsletter"
        if die < 12:
            return f"/old/{entry.number}"
        if die < 14:
            return f"/moved/{CHAIN}/{entry.number}"
        if die < 17:
            return f"/enter/{entry.number}.html"
        if die < 22:
            return f"{entry.path}#notes"
        return entry.path

    def _see_also(self, page: int, entry: AddressEntry, chance: Chance) -> str:
        """Links that are no pages of the plan: what makes a crawl of the real web tiresome."""
        mark = "&amp;" if "?" in entry.path else "?"
        odds = (
            (0.12, f"/missing/{page}.html", "an older version"),
            (0.03, f"http://www.gone-{page % 7}.test/links.html", "our partners"),
            (0.10, f"/files/{page}.{('pdf', 'jpg', 'zip', 'txt')[page % 4]}", "download"),
            (0.08, f"{entry.path}{mark}print=1", "print version"),
            (0.03, f"/copy/{page}.html", "mirror of this page"),
            (0.04, f"/private/{page}.html", "for members only"),
            (0.01, f"/gone/{page}.html", "discontinued"),
            (0.01, f"/error/{page}.html", "search"),
            (0.01, "/loop/a", "continue"),
            (0.01, f"http://www.closed-shop.test/{page}.html", "the archive"),
            (0.01, f"http://www.under-repair.test/{page}.html", "the new archive"),
            (0.01, "http://[broken", "bad link"),
            (0.02, "mailto:editor@example.test", "write to us"),
        )
        links = [f'<a href="{where}">{label}</a>' for odd, where, label in odds if chance() < odd]
        return f"<p>See also: {', '.join(links)}</p>" if links else ""

    def _table(self, theme: int, chance: Chance) -> str:
        nouns = self.prose.words[theme].nouns
        rows = "".join(
            f"<tr><td>{nouns[int(chance() * 256)]}</td><td>{int(chance() * 900)}</td></tr>" for _ in range(5)
        )
        return f"<table><tr><th>Part</th><th>Number</th></tr>{rows}</table>"
