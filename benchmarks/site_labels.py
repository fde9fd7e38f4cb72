"""Lists of sites with labels and without: does a list ever get worse?

    ./run python benchmarks/site_labels.py                 three generated webs, and Apache's sites where they are
    ./run python benchmarks/site_labels.py --draws 1 --webs 1 --no-apache --judge auto
    ./run python benchmarks/site_labels.py --without       lists by the topic alone, of the judges `auto` and `keywords`

A crawl that knows the topic alone makes a list. Then 4 + 4 or 10 + 10 of the sites it looked at are labelled as the
truth has it, drawn by chance several times; fewer where a topic has fewer (two relevant sites always stay without).
*same*: the list of the same pages; *new*: that of a new crawl with these labels. Figures are true sites in the list and
its precision, means over draws, and the change in F that the worst draw brought; `others`, the true and wrong sites
that nobody labelled, in the list of the same pages, without and with labels; `used`, in how many draws what was learned
was used, the check on held-back sites being for it. Ends with 1 if on any line true sites or F are fewer than without
on the mean over draws.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: many small products, which threads only slow down

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import scenthound.judges.auto
import scenthound.judges.keywords  # noqa: F401  both are found by name otherwise, and a result's digest goes by imports
from scenthound.config import Config, SitesSection
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.vocabulary import TOPICS
from scenthound.lab.report.tables import markdown_table
from scenthound.lab.sites.label_trials import LabelledScores, LabelTrial, SiteListScore
from scenthound.lab.sites.site_trials import homepages_of, read_labels
from scenthound.lab.webs import open_web, recorded
from sites import answers, plain_http

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WEBS = {21: 300, 22: 200, 23: 400}
"""Seed and sites of each generated web. What the check demands was chosen on webs 1 to 3."""

SEEDS, PAGES, APACHE_PAGES = 3, 600, 900
NUMBERS = (4, 10)
SEEN, WORDS, JUDGES = range(1, 5), (8, 2), ("auto", "keywords")
"""For lists by the topic alone: webs that defaults saw, words of a topic that a crawl is told, and who judges pages."""
CATEGORIES = {
    "big-data": ["big data", "data", "query", "cluster"],
    "network-server": ["network", "server", "protocol"],
    "library": ["library"],
    "database": ["database", "sql"],
}

Named = tuple[str, Callable[[], LabelTrial]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", type=int, default=len(WEBS), help="generated webs, three topics each")
    parser.add_argument("--draws", type=int, default=3, help="of labels, of each number")
    parser.add_argument("--judge", default="keywords", help="who says of pages whether they are about the topic")
    parser.add_argument(
        "--without", action="store_true", help="lists by the topic alone, also of webs 1 to 4, which defaults saw"
    )
    parser.add_argument("--no-apache", action="store_true", help="leave Apache's sites out")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with apache.warc.gz and apache-sites.tsv")
    options = parser.parse_args()
    if options.without:
        return show_lists()
    print("| web, topic | without | labels | same | worst | new | worst | others | used |")
    print(f"|{'---|' * 9}")
    worse = 0
    for name, make in generated(list(WEBS)[: options.webs], options.judge):
        worse += show(name, make(), options.draws)
    if not options.no_apache:
        worse += on_apache(options.data, options.draws, options.judge)
    print(f"\nWorse than without, on the mean over draws: {worse} lines.")
    return int(worse > 0)


def show_lists() -> int:
    """True / wrong sites of the lists by the topic alone, and F, for each judge that a crawl for sites may have."""
    webs = [(seed, SiteWeb(seed, 300), place) for place, seed in enumerate(SEEN)]
    webs += [(seed, SiteWeb(seed, size), place) for place, (seed, size) in enumerate(WEBS.items())]
    rows, f = [], dict[str, dict[bool, list[float]]]()
    for seed, web, place in webs:
        for many in WORDS:
            cells = [f"web {seed}, {many} words"]
            for judge in JUDGES:
                trial = on_web(web, web.classes[place], nouns_of(web.classes[place])[:many], judge)
                cells.append(f"{trial.without.right}/{trial.without.wrong}")
                f.setdefault(judge, {}).setdefault(seed in SEEN, []).append(trial.f(trial.without))
            rows.append(cells)
            print(" ".join(cells), file=sys.stderr, flush=True)
    for told, seen in (("F, mean of webs 1 to 4", True), ("F, mean of the others", False)):
        rows.append([told, *(f"{mean(f[judge][seen]):.2f}" for judge in JUDGES)])
    print("\n".join(markdown_table(["true / wrong sites", *(f"`{judge}`" for judge in JUDGES)], rows)))
    return 0


def nouns_of(name: str) -> Sequence[str]:
    return next(theme.nouns for theme in TOPICS if theme.name == name)


def generated(seeds: Sequence[int], judge: str) -> Iterator[Named]:
    """Of each web one class, sought by many of its words, by two, and by one that says nothing."""
    for number, seed in enumerate(seeds):
        web = SiteWeb(seed, WEBS[seed])
        name = web.classes[number]
        nouns = nouns_of(name)
        for words in (nouns[:8], nouns[:2], nouns[-1:]):
            told = f"generated {seed}, {name}: {'8 words' if len(words) == 8 else ', '.join(words)}"
            yield told, lambda web=web, name=name, words=words: on_web(web, name, words, judge)  # type: ignore[misc]


def on_web(web: SiteWeb, name: str, words: Sequence[str], judge: str) -> LabelTrial:
    truth = set(web.relevant(name))
    fronts = [site.homepage for site in web.sites if site.key in truth][:SEEDS]
    return LabelTrial(settings(name, words, fronts, PAGES, judge), answers(web), truth)


def on_apache(data: Path, draws: int, judge: str) -> int:
    """All sites are seeds: the question is which of them are of the category."""
    if not (data / "apache.warc.gz").is_file() or not (data / "apache-sites.tsv").is_file():
        print(f"\nThere is no apache.warc.gz in {data}: these sites are left out. Name the folder with --data.")
        return 0
    labels, web = read_labels(data / "apache-sites.tsv"), open_web(recorded([data / "apache.warc.gz"]))
    try:
        fronts = homepages_of(web.urls())
        worse = 0
        for name, words in CATEGORIES.items():
            truth = {site for site in fronts if name in labels.get(site, ())}
            task = settings(name, words, sorted(fronts.values()), APACHE_PAGES, judge)
            worse += show(f"apache, {name}", LabelTrial(task, lambda link: plain_http(link, web.answer), truth), draws)
        return worse
    finally:
        web.close()


def settings(name: str, words: Sequence[str], seeds: Sequence[str], pages: int, judge: str) -> Config:
    made = Config(sites=SitesSection(active=1))
    made.topic.name, made.topic.keywords = name, list(words)
    made.crawl.seeds, made.crawl.pages, made.crawl.judge = list(seeds), pages, judge
    return made


def show(name: str, trial: LabelTrial, draws: int) -> int:
    """A line for each number of labels; how many of them are worse than without."""
    worse, started = 0, time.monotonic()
    for n in NUMBERS:
        drawn = [trial.labelled(n, draw) for draw in range(draws)]
        same, new = [each.same for each in drawn], [each.new for each in drawn]
        cells = [name, cell([trial.without]), f"{n} + {n}"]
        for scores in (same, new):
            gains = [trial.f(each) - trial.f(trial.without) for each in scores]
            worse += mean(gains) < 0 or mean(each.right for each in scores) < trial.without.right
            cells += [cell(scores), f"{min(gains):+.2f}"]
        print(f"| {' | '.join([*cells, others(drawn), used(drawn)])} |", flush=True)
    if sys.stderr.isatty():
        sys.stderr.write(f"{name}: {time.monotonic() - started:.0f} s\n")
    return worse


def cell(scores: Sequence[SiteListScore]) -> str:
    return f"{mean(each.right for each in scores):.1f} ({mean(each.precision for each in scores):.2f})"


def others(drawn: Sequence[LabelledScores]) -> str:
    before, after = [each.unlabelled_without for each in drawn], [each.unlabelled for each in drawn]
    return " → ".join(
        f"{mean(each.right for each in scores):.1f}/{mean(each.wrong for each in scores):.1f}"
        for scores in (before, after)
    )


def used(drawn: Sequence[LabelledScores]) -> str:
    return f"{sum(each.check is not None and each.check.helps for each in drawn)} of {len(drawn)}"


if __name__ == "__main__":
    sys.exit(main())
