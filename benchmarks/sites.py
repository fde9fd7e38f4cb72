"""Pages per relevant site: the website crawler against a homepage crawler and a page crawler with post-processing.

    ./run python benchmarks/sites.py                    generated webs, and Apache's sites where ../shared/data has them
    ./run python benchmarks/sites.py --webs 1           a quick look
    ./run python benchmarks/sites.py --picture docs/sites.svg

A generated web has 500 sites of four classes and the rest of the web. Each class of each web is a task: three of its
sites are known, all others are to be found, with a classifier that has learned from 12 sites of the class and 40 others
of *another* web. On Apache's sites a task is a category and a random half of its sites, which is what is known; the
other half is to be found. Webs 1 and 2 were looked at when defaults were chosen, so measuring begins with web 11.

Figures are over all tasks together, sum of pages / sum of sites found; intervals are bootstrap intervals over tasks,
95 %. Sites count as found if they are held to be relevant at the end and are. `difference` is against the page crawler,
in the same resamples of tasks. The last column is paired, task by task, with an interval that covers and a test: a
difference counts where both agree.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from scenthound.config import SitesSection
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.sites.site_crawls import SiteCrawler, SiteLab, SiteTask, train
from scenthound.lab.sites.site_experiment import answers, plain_http
from scenthound.lab.sites.site_trials import (
    SiteWalker,
    generated_labelled_sites,
    homepages_of,
    read_labels,
    recorded_labelled_sites,
)
from scenthound.lab.statistics import compare
from scenthound.lab.webs import open_web, recorded
from scenthound.report.curves_picture import draw
from scenthound.sites.measures import Log, accuracy, found_at, found_curve, pages_per_site
from scenthound.text import idf

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FIRST_WEB = 11
SITES, CLASSES, KNOWN = 500, 4, 3
TAUGHT, TAUGHT_OTHERS = 12, 40
PAGES = 600
WINDOW = 150
CATEGORIES = ("big-data", "network-server", "library", "database")
APACHE_PAGES = 250
RESAMPLES = 4000
PAGE = "page crawler"

Row = tuple[SiteTask, dict[str, Log]]


def contestants() -> list[SiteCrawler]:
    def site(name: str, p: float, weight: str = "combined") -> SiteCrawler:
        return SiteCrawler(name, sites=SitesSection(active=1, p_threshold=p, weight=weight))  # type: ignore[arg-type]

    return [
        site("website 0.9", 0.9),
        site("website 0.7", 0.7),
        SiteCrawler("homepage crawler", "homepage"),
        SiteCrawler(PAGE, "page"),
        site("website 0.9, global", 0.9, "global"),
        site("website 0.9, local", 0.9, "local"),
        site("website 0.9, bandit", 0.9, "bandit"),
        SiteCrawler("website 0.9, published", sites=SitesSection(active=1, p_threshold=0.9, published=True)),
    ]


DRAWN = ("website 0.9", "website 0.7", "homepage crawler", PAGE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", type=int, default=3, help="generated webs, four tasks each; 0 leaves them out")
    parser.add_argument("--splits", type=int, default=3, help="tasks of each Apache category; 0 leaves them out")
    parser.add_argument("--first", type=int, default=FIRST_WEB, help="seed of the first of them")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with apache.warc.gz and apache-sites.tsv")
    parser.add_argument("--picture", type=Path, help="where to draw the pprs-rates of the generated webs")
    options = parser.parse_args()
    if options.webs:
        on_generated(range(options.first, options.first + options.webs), options.picture)
    if options.splits:
        on_apache(options.data, options.splits)
    return 0


def on_generated(seeds: Sequence[int], drawing: Path | None) -> None:
    rows = list(_watched(generated(seeds), len(seeds) * CLASSES))
    report(f"{len(seeds)} generated webs of {SITES} sites, {PAGES} pages a task", rows)
    if drawing is not None:
        drawing.write_text(picture(rows), encoding="utf-8")
        print(f"\nThe pprs-rates are drawn in {drawing}.")


def on_apache(data: Path, splits: int) -> None:
    if not (data / "apache.warc.gz").is_file() or not (data / "apache-sites.tsv").is_file():
        print(f"\nThere is no apache.warc.gz in {data}: these sites are left out. Name the folder with --data.")
        return
    rows = list(_watched(apache(data, splits), len(CATEGORIES) * splits))
    report(f"Apache's sites, {APACHE_PAGES} pages a task", rows)


def _watched(rows: Iterator[Row], total: int) -> Iterator[Row]:
    started = time.monotonic()
    for number, row in enumerate(rows, 1):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{number} of {total} tasks, {time.monotonic() - started:.0f} s \x1b[K")
        yield row
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


# Tasks


def generated(seeds: Sequence[int]) -> Iterator[Row]:
    words = idf.background("en")
    for seed in seeds:
        web, school = SiteWeb(seed, SITES, CLASSES), SiteWeb(seed + 1000, SITES, CLASSES)
        lab, look = SiteLab(answers(web)), SiteWalker(answers(school))
        for name in web.classes:
            sites = generated_labelled_sites(school, name, look)
            good = [site for site in sites if site.relevant][:TAUGHT]
            others = [site for site in sites if not site.relevant][:TAUGHT_OTHERS]
            relevant = web.relevant(name)
            fronts = [site.homepage for site in web.sites if site.key in set(relevant[:KNOWN])]
            yield _row(
                lab, SiteTask(name, tuple(fronts), frozenset(relevant[KNOWN:]), PAGES, *train(good, others, words))
            )


def apache(data: Path, splits: int) -> Iterator[Row]:
    words, labels = idf.background("en"), read_labels(data / "apache-sites.tsv")
    web = open_web(recorded([data / "apache.warc.gz"]))
    try:
        lab = SiteLab(lambda link: plain_http(link, web.answer))
        fronts = homepages_of(web.urls())
        for name in CATEGORIES:
            sites = recorded_labelled_sites(labels, name, fronts, lab.look)
            for split in range(splits):
                dice = Random(split)
                good, others = ([site for site in sites if site.relevant is kind] for kind in (True, False))
                dice.shuffle(good)
                dice.shuffle(others)
                known, hidden = good[: len(good) // 2], good[len(good) // 2 :]
                taught = train(known, others[: len(others) // 2], words, split)
                seeds = tuple(site.start for site in known)
                yield _row(lab, SiteTask(name, seeds, frozenset(site.site for site in hidden), APACHE_PAGES, *taught))
    finally:
        web.close()


def _row(lab: SiteLab, task: SiteTask) -> Row:
    return task, {crawler.name: lab.run(crawler, task) for crawler in contestants()}


# Figures


def report(title: str, rows: Sequence[Row]) -> None:
    drawn = np.random.default_rng(0).multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=RESAMPLES)
    print(f"\n{title}; {len(rows)} tasks\n")
    print("| crawler | pages per relevant site | difference | harvest | pages per site | precision | recall | found "
          "| sites found more than by the page crawler, a task |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    base, more = ratios(rows, PAGE, drawn), found_more(rows)
    for crawler in contestants():
        here, name = ratios(rows, crawler.name, drawn), crawler.name
        cells = (name, _told(*here), _difference(here, base, name), shares(rows, name), more.get(name, ""))
        print(f"| {' | '.join(cells)} |", flush=True)


def found_more(rows: Sequence[Row]) -> dict[str, str]:
    """Sites found with the same pages, task by task; bold where interval (t) and Wilcoxon's test (Holm) agree."""
    counts = {
        crawler.name: {f"{place}": float(len(found_at(logs[crawler.name], task.truth)))
                       for place, (task, logs) in enumerate(rows)}
        for crawler in contestants()
    }  # fmt: skip
    told = {}
    for name, found in compare(counts, PAGE).items():
        gap = found.difference
        text = f"{gap.mean:+.1f} [{gap.low:+.1f}, {gap.high:+.1f}], p {found.p_holm:.3f}"
        told[name] = f"**{text}**" if found.clear else text
    return told


def ratios(rows: Sequence[Row], name: str, drawn: NDArray[np.int64]) -> tuple[float, NDArray[np.float64]]:
    """Pages per relevant site over all tasks, and the same in every resample of tasks."""
    pages = np.array([len(logs[name]) for _, logs in rows], dtype=np.float64)
    found = np.array([len(found_at(logs[name], task.truth)) for task, logs in rows], dtype=np.float64)
    return float(pages.sum() / max(found.sum(), 0.5)), (drawn @ pages) / np.maximum(drawn @ found, 0.5)


def _told(value: float, resampled: NDArray[np.float64]) -> str:
    low, high = np.quantile(resampled, [0.025, 0.975])
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def _difference(here: tuple[float, NDArray[np.float64]], base: tuple[float, NDArray[np.float64]], name: str) -> str:
    return "" if name == PAGE else _told(here[0] - base[0], here[1] - base[1])


def shares(rows: Sequence[Row], name: str) -> str:
    """Means over tasks. The sites known beforehand are held against the truth with the others."""
    figures = []
    for task, logs in rows:
        log = logs[name]
        known = {look.site for look in log[:1]} | {seed.split("/")[2] for seed in task.seeds}
        told = accuracy([look for look in log if look.site not in known], task.truth)
        sites = len({look.site for look in log})
        harvest = len(found_at(log, task.truth)) / sites if sites else 0.0
        figures.append((harvest, pages_per_site(log), told.precision, told.recall, told.reach))
    harvest, pages, precision, recall, reach = np.mean(figures, axis=0)
    return f"{harvest:.2f} | {pages:.1f} | {precision:.2f} | {recall:.2f} | {reach:.2f}"


def picture(rows: Sequence[Row]) -> str:
    """The pprs-rate over a sliding window, all tasks together."""
    lines: dict[str, list[tuple[float, float]]] = {name: pprs_line(rows, name) for name in DRAWN}
    return draw(lines, "pages fetched", "pages per relevant site", top=_top(lines))


def pprs_line(rows: Sequence[Row], name: str) -> list[tuple[float, float]]:
    curves = [found_curve(logs[name], task.truth) for task, logs in rows]
    line = []
    for end in range(WINDOW, PAGES + 1, 10):
        alive = [curve for curve in curves if len(curve) > end]
        found = sum(curve[end] - curve[end - WINDOW] for curve in alive)
        if alive and found:
            line.append((float(end), WINDOW * len(alive) / found))
    return line


def _top(lines: Mapping[str, Sequence[tuple[float, float]]]) -> float:
    """What most of it stays under; a rate that runs away is cut."""
    values = [value for line in lines.values() for _, value in line]
    return float(np.quantile(values, 0.9)) * 1.2 if values else 1.0


if __name__ == "__main__":
    sys.exit(main())
