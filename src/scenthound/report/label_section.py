"""What people, lists and programs said about pages, and what that decided, as a section of the report."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.library.label_figures import LabelFigures, LabelledPage, LabelTally
from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el, short
from scenthound.report.page_parts import day, named_page, section

MOST_PAGES = 25


def label_section(figures: LabelFigures, pages: Sequence[LabelledPage]) -> Html:
    decided = figures.stored.yes + figures.stored.no
    note = (
        f"A label wins over any score. It decided {plural(decided, 'page')} of the library, {figures.stored.yes:,} for "
        f"and {figures.stored.no:,} against; {figures.overturned:,} of them had been judged otherwise."
    )
    more = f"The last {MOST_PAGES} of {len(pages):,}." if len(pages) > MOST_PAGES else ""
    shown = [el("p", more, class_="note"), _pages(pages[:MOST_PAGES])] if pages else []
    return section("Labels", note, _speakers(figures), *shown, wide=True)


def _speakers(figures: LabelFigures) -> Html:
    rows = [_tally_row(who, said) for who, said in figures.by.items()]
    if figures.sites != LabelTally():
        rows.append(_tally_row("of sites", figures.sites))
    head = el("tr", el("th", "Said by"), *(el("th", name, class_="number") for name in ("Relevant", "Not relevant")))
    return el("table", el("thead", head), el("tbody", *rows))


def _tally_row(name: str, tally: LabelTally) -> Html:
    return el("tr", el("td", short(name, 80)), *(el("td", f"{n:,}", class_="number") for n in (tally.yes, tally.no)))


def _pages(pages: Sequence[LabelledPage]) -> Html:
    rows = [
        el(
            "tr",
            el("td", el("span", "yes" if each.label.relevant else "no", class_="pill")),
            el("td", *named_page(each.page.title, each.page.url, each.page.url)),
            el("td", f"{each.page.first_relevance:.2f}", class_="number"),
            el("td", day(each.label.at) if each.label.at else "–", class_="number when"),
        )
        for each in pages
    ]
    names = (("Label", None), ("Page", None), ("First judged", "number"), ("Said", "number"))
    head = el("tr", *(el("th", name, class_=kind) for name, kind in names))
    return el("table", el("thead", head), el("tbody", *rows), class_="best")
