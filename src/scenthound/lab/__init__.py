"""The lab: the same engine on webs that hold still, and an honest account of what came of it.

A strategy can only be compared with another on a web that is the same for both. The lab has two kinds. A *recorded*
web is what a crawl once brought home, replayed by URL. A *generated* web is made from a seed and a size, with
everything a crawler meets outside, and with a truth that is known for every page.

An experiment is strategies x topics x seeds on one web. This is its way through the package:

    experiment      what is asked: a plan, from options or one TOML file, and the settings of each crawl in it
    webs            the web it is asked of; topics.py reads what is to be found on it
    survey          the web as a whole, read through once: in how many pages each term stands, who links to whom
    bench           one crawl: the real engine and frontier, pages parsed once; it leaves a trace
    oracle          the strategy that knows the answers, as a bound; it needs the survey, so it cannot crawl outside
    assess          the trace against what was to be found, by the evaluation's own means; see measures/
    runner          all crawls, over all cores; results.py writes each down when it ends, and knows those done before
    summary         means with intervals, comparisons with a baseline (statistics.py), mean curves
    tables, charts, report      the same for the terminal, for papers, and as a page to look at
    conduct         all of that in order: what `scenthound lab` does
    evaluator       scores a crawl that was made elsewhere: what `scenthound evaluate` does

A generated web is made by the package `generated`; `server` serves it over real HTTP on loopback, with a resolver that
finds it there.
"""
