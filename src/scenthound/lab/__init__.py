"""The lab: the same engine on webs that hold still, and an honest account of what came of it.

A strategy can only be compared with another on a web that is the same for both. The lab has two kinds (`webs.py`). A
*recorded* web is what a crawl once brought home, replayed by URL. A *generated* web (`generated/`) is made from a seed
and a size, with everything a crawler meets outside, and with a truth that is known for every page.

An experiment is strategies x topics x seeds on one web. `run_experiment.py` takes one from its plan to its report, and
is what `scenthound lab` does:

    topics.py        what is to be found on the web
    crawls/          the crawls of an experiment: its plan, one crawl, all crawls over all cores, their results
    measures/        how good a crawl was: one name and one function for each answer
    statistics.py    what the numbers of a few topics allow to say: intervals, tests
    report/          the results as tables, charts and a page

Beside page crawls:

    judges/          how good judges are, over every page of a web; `run_judges.py` takes such a plan to its report
    sites/           crawlers and classifiers whose finds are websites
    freshness/       pages that change over years, and policies that keep a collection fresh
    evaluator.py     scores a crawl that was made elsewhere: what `scenthound evaluate` does
"""
