"""Website classifier against homepage classifier, in 10-fold cross-validation: the figures of docs/sites.md.

    ./run python benchmarks/site_classification.py                    Apache sites and a generated web of 500
    ./run python benchmarks/site_classification.py --sites 100 --classes 2 --data FOLDER

Precision, recall and F with 95 % bootstrap intervals over sites, pages a site, and what the website classifier's F
is above the homepage classifier's, paired. Where the recorded sites are absent, the generated web is measured alone.
Ends with 1 if the website classifier at 0.9 is worse than the homepage classifier on the mean of the generated classes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: many small products, which threads only slow down

import argparse
import sys
import time
from pathlib import Path

from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.lab.measures.sites import precision_recall_f
from scenthound.lab.sites.site_trials import (
    ClassifierTrial,
    SiteWalker,
    generated_labelled_sites,
    homepages_of,
    read_labels,
    recorded_labelled_sites,
    try_sites,
)
from scenthound.lab.statistics import Estimate, mean_with_interval
from scenthound.lab.webs import open_web, recorded
from scenthound.sites.cross_validation import HOMEPAGE, CrossValidationSettings
from scenthound.text.idf import background

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
APACHE, LABELS = "apache.warc.gz", "apache-sites.tsv"
LEAST_SITES = 7
THRESHOLDS = (0.7, 0.8, 0.9, 0.99)
HEAD = "| class | sites | method | precision | recall | F | pages a site | F above homepage |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with apache.warc.gz and apache-sites.tsv")
    parser.add_argument("--sites", type=int, default=500, help="of the generated web; 0: leave it out")
    parser.add_argument("--classes", type=int, default=3, help="how many of its eight classes are asked for")
    parser.add_argument("--seed", type=int, default=1, help="of the generated web")
    parser.add_argument("--clusters", type=int, default=CrossValidationSettings().clusters)
    parser.add_argument("--plain", action="store_true", help="the document's rule, without balance")
    options = parser.parse_args()
    settings = CrossValidationSettings(thresholds=THRESHOLDS, clusters=options.clusters, published=options.plain)
    apache(options.data, settings)
    return generated(options.seed, options.sites, options.classes, settings) if options.sites else 0


def apache(data: Path, settings: CrossValidationSettings) -> None:
    """Every category of the Apache projects that has enough sites."""
    if not (data / APACHE).is_file() or not (data / LABELS).is_file():
        print(f"There are no {APACHE} and {LABELS} in {data}: left out. Name their folder with --data.\n")
        return
    labels = read_labels(data / LABELS)
    web = open_web(recorded([data / APACHE]))
    try:
        homepages, look = homepages_of(web.urls()), SiteWalker(web.answer)
        known = {name for site in homepages for name in labels.get(site, ())}
        sizes = {name: sum(name in labels[site] for site in labels if site in homepages) for name in sorted(known)}
        print(f"Apache sites\n\n{HEAD}\n|{'---|' * 8}")
        for name in sorted((name for name, size in sizes.items() if size >= LEAST_SITES), key=lambda n: -sizes[n]):
            show(trial(name, recorded_labelled_sites(labels, name, homepages, look), settings))
        print()
    finally:
        web.close()


def generated(seed: int, sites: int, classes: int, settings: CrossValidationSettings) -> int:
    web = SiteWeb(seed, sites)
    look = SiteWalker(GeneratedFetcher(web).answer)
    print(f"Generated web of {sites} sites, seed {seed}\n\n{HEAD}\n|{'---|' * 8}")
    trials = []
    for name in web.classes[:classes]:
        trials.append(trial(name, generated_labelled_sites(web, name, look), settings))
        show(trials[-1])
    print()
    for found in trials:
        print(f"F of the homepage classifier on {found.name}, cut at whatever serves it best: {best_cut(found):.2f}")
    for method in trials[0].gains:
        gain = mean_with_interval([found.gains[method].mean for found in trials])
        print(f"Mean gain in F over {classes} classes at {method}: {cell(gain)}")
    return int(mean_with_interval([found.gains["0.9"].mean for found in trials]).mean < 0)


def trial(name: str, labelled_sites: list, settings: CrossValidationSettings) -> ClassifierTrial:  # type: ignore[type-arg]
    started = time.process_time()

    def tell(done: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{name}: fold {done} of {settings.folds}, {time.process_time() - started:.0f} s CPU ")

    found = try_sites(name, labelled_sites, settings, idf=background("en"), tell=tell)
    if sys.stderr.isatty():
        sys.stderr.write("\r" + " " * 60 + "\r")
    return found


def show(found: ClassifierTrial) -> None:
    for method, figures in found.scores.items():
        name = method if method == HOMEPAGE else f"website {method}"
        parts = [figures.precision, figures.recall, figures.f]
        gain = cell(found.gains[method]) if method in found.gains else ""
        print(
            f"| {found.name} | {found.relevant}/{found.sites} | {name} | {' | '.join(map(cell, parts))} "
            f"| {figures.pages.mean:.1f} | {gain} |",
            flush=True,
        )


def best_cut(found: ClassifierTrial) -> float:
    """The homepage classifier's F if it knew the best cut for these very sites: no prior could do better."""
    verdicts = found.verdicts[HOMEPAGE]
    truth = [verdict.truth for verdict in verdicts]
    cuts = {verdict.probability for verdict in verdicts}
    called = ([verdict.probability >= cut for verdict in verdicts] for cut in cuts)
    return max(precision_recall_f(truth, said)[2] for said in called)


def cell(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]" if estimate.n else "–"


if __name__ == "__main__":
    sys.exit(main())
