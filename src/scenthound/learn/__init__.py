"""Learning: what a strategy can know of pages and links beyond a formula.

Two kinds of learner live here, because a crawl has two kinds of teacher. Before the first page there are the user's
example pages: few, whole and trustworthy. During the crawl there is what became of every link that was followed: many
thousand small lessons, each seen once, from which one must learn in constant memory.

    example pages ──▶ naive_bayes, page_models ──▶ score ──(calibration)──▶ probability, 0..1

    link ──(link_features)──▶ slots of a fixed array ──▶ online    what its target will be, by logistic regression
                                                    └──▶ interest  how much more often than usual, by counting

    trails (a person's browsing) ───────┐
    webgraph (links, from targets back) ┴──▶ hops, sequences ──▶ Lessons: what models of the way to a page train on

    Lessons ──(clusters, xmeans)──▶ hmm                        ┐
            ──(page_features, chains)──▶ memm, crf ──(fitting) ┴──▶ belief: hops to a target, carried from page to page
            ──▶ layer_bayes (layers, rewards), genetic

`naive_bayes` needs nothing but the counts of terms. `page_models` trains a linear SVM, a small neural net or a decision
tree with scikit-learn (the extra `learn`) and then applies it without: what is learned is a few arrays. `small_net` is
the brain of an adaptive agent, taught one lesson at a time. `recent` keeps what must be looked up by page, and forgets
the oldest, so that nothing here grows with the length of a crawl.

Models of the way to a page (Batsakis 2.5, Liu 3-5) are trained ahead of the crawl. `labels` says what their states are,
`hmm_model` and `chain_model` take a model from lessons to the priorities of links, `viterbi` is the step along a way,
`assessment` examines what was learned, and `model_file` keeps it: arrays and JSON.
"""
