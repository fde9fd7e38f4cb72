"""Learning: what a strategy can know of pages and links beyond a formula.

Two kinds of learner live here, because a crawl has two kinds of teacher. Before the first page there are the user's
example pages: few, whole and trustworthy. During the crawl there is what became of every link that was followed: many
thousand small lessons, each seen once, from which one must learn in constant memory.

    pages/     models of single pages: classifiers, clusters, vectors of terms
    links/     models of single links, most of them learned while the crawl runs
    graphs/    webs and browsing trails as lessons: who links to whom, hops to a target, sequences of pages
    chains/    models of whole ways to a target, trained ahead of the crawl on such lessons

    example pages ──▶ pages/naive_bayes, page_models ──▶ score ──(calibration)──▶ probability, 0..1
    link ──(links/link_features)──▶ online: what its target will be; interest: how much more often than usual
    trails, web graph ──(graphs/hops, sequences)──▶ Lessons ──▶ chains/hmm, memm, crf ──▶ belief: hops to a target

`assessment.py` examines what was learned ahead of a crawl, and `model_file.py` keeps it: arrays and JSON, the arrays
read by `array_file.py`, which believes no header. What is learned on the way is kept by snapshots
(`protocols/snapshots.py`), with the help of `snapshot_arrays.py`. What must be looked up by page is kept in bounded
caches, so that nothing here grows with the length of a crawl.
"""
