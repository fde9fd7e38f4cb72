"""The crawls of an experiment, in the order of their making.

experiment.py       what is asked: a plan, from options or one TOML file, and the settings of each crawl in it
web_statistics.py   the web as a whole, read through once: in how many pages each term stands, who links to whom
lessons.py          what a learning strategy may be taught with on this web, topic by topic
lab_crawl.py        one crawl: the real engine and frontier, pages parsed once; it leaves a trace
oracle.py           the strategy that knows the answers, as a bound; it needs the statistics, so it cannot crawl
evidence.py         what the trace is held against, made by the evaluation's own means
runner.py           all crawls, over all cores
results.py          a line for each crawl, written when it ends; a crawl done before is not done again
"""
