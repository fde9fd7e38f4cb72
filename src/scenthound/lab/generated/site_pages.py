"""The pages of one generated site, by path.

/                    the homepage; of one that is all frames /nav.html and /main.html, of a splash /enter.html
/about.html          what the site is, in words that half of all companies use
/products/3.html     what it is really about; one in four is a bare table
/news/2.html         a little of that, and much of what went on in town
/people/1.html       what one of its people likes: the topic of another site
/links.html          other sites
/contact.html, /legal.html, /privacy.html, /jobs.html      the same everywhere
/calendar/7.html     a month without an entry, and a link to the next; after the last month it ends

A directory has / and a list for each theme. Every page is made from the seed, the site's number and its path alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from zlib import crc32

from scenthound.lab.generated.hash_random import mix, share
from scenthound.lab.generated.prose import Bank, Chance, Prose, paragraph, sentence, words_of
from scenthound.lab.generated.site_plan import PlannedSite, SitePlan
from scenthound.lab.generated.vocabulary import BACKGROUND, THEMES, TOPICS, Theme

MONTHS = 60
"""Pages of a calendar. A trap for those who have no limit, and yet it ends."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


BUSINESS = Theme(
    "business",
    "business",
    "",
    _words(
        "customer company service team quality order delivery price offer solution office partner experience contract"
        " product request project standard advice manager support brochure catalogue address telephone range supplier"
        " partnership employee location certificate warranty"
    ),
    _words("reliable professional competitive free leading independent flexible modern responsible qualified"),
    _words("delivered ordered guaranteed offered supplied certified invoiced requested confirmed improved"),
)
BUSINESS_THEME = len(THEMES)
FILLER_THEME = -1

NOTICES = {
    "contact": "Please fill in the form. Fields marked with a star are required. Telephone and fax are answered from"
    " Monday to Friday. Directions by car, by train and by bus; visitor parking is behind the office.",
    "legal": "Terms and conditions. Liability for content and for links is excluded to the extent permitted by law. All"
    " trademarks and copyrights belong to their owners. The place of jurisdiction is the registered office.",
    "privacy": "Privacy policy. We process personal data only as far as necessary. You may object at any time, and ask"
    " for access, correction and deletion. Cookies are used for statistics; consent can be withdrawn.",
    "jobs": "Vacancies. Applications with curriculum vitae and certificates are welcome at any time. We offer training,"
    " flexible hours and a pension scheme. There are no open positions at the moment.",
}


class SitePages:
    """Writes pages: `html(site, path)` is the text, or None where the site has no such page."""

    def __init__(self, plan: SitePlan) -> None:
        self.plan = plan
        self.seed = plan.seed
        self.prose = Prose(plan.seed)
        self.prose.words.append(words_of(BUSINESS))  # theme number BUSINESS_THEME

    def paths(self, site: PlannedSite) -> list[str]:
        """Every page of a site but the calendar's, in the site's own folder: `/about.html`."""
        if site.theme < 0:
            return ["/", *(f"/{THEMES[theme].slug}/" for theme in self.plan.themes)]
        front = {"frames": ["/nav.html", "/main.html"], "splash": ["/enter.html"]}.get(site.front, [])
        fixed = [f"/{name}.html" for name in ("about", "links", *NOTICES)]
        many = [(site.offer, site.offers), ("news", site.news)]
        listed = [path for name, n in many for path in (f"/{name}/", *(f"/{name}/{i}.html" for i in range(n)))]
        return ["/", *front, *fixed, *listed, *(f"/people/{i}.html" for i in range(site.people))]

    def html(self, site: PlannedSite, path: str) -> str | None:
        chance = Random(mix(self.seed, 30, site.number << 32 | crc32(path.encode()))).random
        if path.startswith("/calendar/"):
            return self._calendar(site, path)
        if path not in self.paths(site):
            return None
        if site.theme < 0:
            return self._directory(site, path, chance)
        if path == "/" and site.front == "frames":
            return _frameset(site)
        if path == "/" and site.front == "splash":
            return _page(site, "Welcome", f'<p><a href="{site.root}/enter.html">Enter</a></p>')
        name, _, rest = path.strip("/").partition("/")
        body = "".join(self._body(site, name.removesuffix(".html"), rest, chance))
        return _page(site, _title(site, name), f"{self._top(site, path)}{body}{self._bottom(site)}")

    # What a page says

    def _body(self, site: PlannedSite, name: str, rest: str, chance: Chance) -> Iterator[str]:
        if name in NOTICES:
            yield f"<p>{NOTICES[name]}</p><p>{paragraph(chance, self._mixed(business=3, filler=1), 1, 2)}</p>"
        elif name == "links":
            yield from self._links(site, range(12), chance)
        elif name == "people":
            liked = int(chance() * self.plan.classes)
            yield from self._paragraphs(self._mixed(liked, own=6, filler=4), 2, chance)
        elif name == "news":
            yield from self._news(site, rest, chance)
        elif name == site.offer:
            yield from self._offer(site, rest, chance)
        elif name == "about":
            yield from self._paragraphs(self._mixed(site.theme, own=3, business=5, filler=2), 2, chance)
        elif name == "nav":
            yield self._menu(site)
        else:  # the homepage, or what stands in for it
            yield from self._front(site, chance)

    def _front(self, site: PlannedSite, chance: Chance) -> Iterator[str]:
        own = 1 if site.front == "vague" else 4
        yield from self._paragraphs(self._mixed(site.theme, own=own, business=7 - own, filler=3), 2, chance)
        if site.offers > 3:
            yield f'<p><a href="{site.root}/{site.offer}/0.html">New: {self._noun(site, chance)}</a></p>'

    def _offer(self, site: PlannedSite, rest: str, chance: Chance) -> Iterator[str]:
        if not rest:
            yield from self._listing(site, site.offer, site.offers, chance)
            return
        number = int(rest.removesuffix(".html"))
        if chance() < 0.25:
            rows = "".join(
                f"<tr><td>{self._noun(site, chance)}</td><td>{int(chance() * 900)}</td></tr>" for _ in range(4)
            )
            yield f"<table>{rows}</table><p>{sentence(chance, self._mixed(business=1))}</p>"
        else:
            own = 3 + int(chance() * 5)
            yield from self._paragraphs(self._mixed(site.theme, own=own, business=8 - own, filler=2), 3, chance)
        yield f'<p><a href="{site.root}/{site.offer}/{(number + 1) % site.offers}.html">Next</a></p>'
        if chance() < 0.2:
            yield from self._links(site, range(16 + 2 * number, 18 + 2 * number), chance)

    def _news(self, site: PlannedSite, rest: str, chance: Chance) -> Iterator[str]:
        if not rest:
            yield from self._listing(site, "news", site.news, chance)
            return
        town = len(TOPICS) + int(chance() * len(BACKGROUND))
        yield from self._paragraphs([*self._mixed(site.theme, own=2, filler=3), *self._mixed(town, own=5)], 2, chance)

    def _listing(self, site: PlannedSite, folder: str, n: int, chance: Chance) -> Iterator[str]:
        items = (
            f'<li><a href="{site.root}/{folder}/{i}.html">{self._noun(site, chance).title()}</a></li>' for i in range(n)
        )
        yield f"<ul>{''.join(items)}</ul>"

    def _links(self, site: PlannedSite, slots: range, chance: Chance) -> Iterator[str]:
        yield f"<p>{sentence(chance, self._mixed(filler=1))}</p><ul>"
        for slot in slots:
            other = self.plan.related(site, slot)
            if chance() < 0.05:
                yield f'<li><a href="http://www.gone-{slot}.test/">Old friends</a></li>'
            elif other is not site:
                deep = "about.html" if other.theme >= 0 and chance() < 0.15 else ""
                yield f'<li><a href="{other.homepage}{deep}">{other.name}</a></li>'
        yield "</ul>"

    def _directory(self, site: PlannedSite, path: str, chance: Chance) -> str:
        themes = {THEMES[theme].slug: theme for theme in self.plan.themes}
        slug = path.strip("/")
        lead = f"<p>{sentence(chance, self._mixed(filler=1))}</p>"
        if not slug:
            items = "".join(f'<li><a href="/{name}/">{THEMES[theme].name}</a></li>' for name, theme in themes.items())
            return _page(site, f"{site.name}: the directory", f"{lead}<ul>{items}</ul>")
        listed = self.plan.listed(site, themes[slug])
        items = "".join(
            f'<li><a href="{other.homepage}">{other.name}</a> {sentence(chance, self._listed(other))}</li>'
            for other in listed
        )
        return _page(site, THEMES[themes[slug]].name, f'{lead}<ul>{items}</ul><p><a href="/">All themes</a></p>')

    def _listed(self, site: PlannedSite) -> list[Bank]:
        """An editor's sentence about a site."""
        return self._mixed(site.theme, own=1, business=1)

    def _calendar(self, site: PlannedSite, path: str) -> str | None:
        month = path.removeprefix("/calendar/").removesuffix(".html")
        if site.theme < 0 or not month.isascii() or not month.isdigit() or not 0 <= int(month) < MONTHS:
            return None
        if path != f"/calendar/{int(month)}.html":
            return None
        more = int(month) + 1 < MONTHS
        link = f'<p><a href="{site.root}/calendar/{int(month) + 1}.html">Next month</a></p>' if more else ""
        return _page(site, "Calendar", f"<p>No entries.</p>{link}")

    # Parts

    def _mixed(self, theme: int = FILLER_THEME, *, own: int = 0, business: int = 0, filler: int = 0) -> list[Bank]:
        """Sentences are drawn from these: so many in ten on the theme, on business, on nothing in particular."""
        bank = self.prose.bank
        return [bank(theme)] * own + [bank(BUSINESS_THEME)] * business + [bank(FILLER_THEME)] * filler

    def _paragraphs(self, banks: Sequence[Bank], n: int, chance: Chance) -> Iterator[str]:
        for _ in range(n):
            yield f"<p>{paragraph(chance, banks)}</p>"

    def _noun(self, site: PlannedSite, chance: Chance) -> str:
        words = self.prose.words[site.theme if chance() < 0.7 else BUSINESS_THEME]
        return f"{words.adjectives[int(chance() * 256)]} {words.nouns[int(chance() * 256)]}"

    def _menu(self, site: PlannedSite) -> str:
        """Links to the parts of a site; in a site of frames they are in one frame alone."""
        parts = ["about.html", f"{site.offer}/", "news/", "links.html", "jobs.html", "contact.html", "legal.html"]
        if share(self.seed, 31, site.number) < 0.5:
            parts.reverse()  # not every site puts first what tells most
        target = ' target="main"' if site.front == "frames" else ""
        return " ".join(f'<a href="{site.root}/{part}"{target}>{_label(part)}</a>' for part in parts)

    def _top(self, site: PlannedSite, path: str) -> str:
        return "" if site.front == "frames" else f"<nav>{self._menu(site)}</nav>"

    def _bottom(self, site: PlannedSite) -> str:
        """The footer: privacy, people, the calendar, and on one site in three who made it, which is off topic."""
        links = [("privacy.html", "Privacy"), ("calendar/0.html", "Calendar")]
        links += [(f"people/{i}.html", "Our people") for i in range(site.people)]
        text = " | ".join(f'<a href="{site.root}/{where}">{label}</a>' for where, label in links)
        bits = mix(self.seed, 32, site.number)
        if bits % 3 == 0:
            maker = self.plan.sites[(bits >> 8) % len(self.plan.sites) // 10]
            text += f' | <a href="{maker.homepage}">Website by {maker.name}</a>'
        return f"<footer>{text}</footer>"


def _label(part: str) -> str:
    return part.rstrip("/").removesuffix(".html").capitalize()


def _title(site: PlannedSite, name: str) -> str:
    return f"{site.name} – {_label(name)}" if name else site.name


def _page(site: PlannedSite, title: str, body: str) -> str:
    return f'<!DOCTYPE html>\n<html lang="en"><head><title>{title}</title></head>\n<body>{body}</body></html>\n'


def _frameset(site: PlannedSite) -> str:
    return (
        f"<html><head><title>{site.name}</title></head>\n"
        f'<frameset cols="20%,80%"><frame src="{site.root}/nav.html" name="nav">'
        f'<frame src="{site.root}/main.html" name="main"></frameset></html>\n'
    )
