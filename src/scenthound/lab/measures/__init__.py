"""How good was a crawl? One name and one function for each answer.

A crawl leaves a `Trace` (trace.py): its requests in order, and nothing else. The evaluation adds its `Evidence`: which
pages were to be found, how similar each downloaded page is to pages known to be relevant (vectors.py), what a
classifier that never saw the crawl says of it (classifier.py). A measure turns the two into a curve, one value for
each page downloaded; the last value is its final number, unless the measure says otherwise (registry.py).

    targets.py      target recall, the area under it, pages to 50/80/90 % of the targets, target length
    target_sites.py on how many sites a target was found
    similarity.py   harvest ratio, average similarity, precision, both forms of maximum average similarity, APR
    harvest.py      harvest rate by a classifier trained apart; relevance by the crawl's own judge
    sites.py        of crawls for websites: pprs-rate, website harvest rate; precision, recall and F of site classifiers
    cost.py         requests, bytes, CPU milliseconds a page by stage
    freshness.py    how well a collection was kept up to date

A new measure is one decorated function in a module of this package, or one that an installed package names in its
entry points of the group `scenthound.measures`:

    @measure("target-recall", unit="share", needs=("targets",))
    def target_recall(trace: Trace, evidence: Evidence) -> Curve:
        "Share of the targets among the pages downloaded so far."
"""
