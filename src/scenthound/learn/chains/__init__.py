"""Models of the way to a page: how far is it from here to a target, given the pages and links passed so far?

The state of a page is its distance to a target, in hops (Batsakis 2.5, Liu 3-5). It is never seen; a model believes it
with a probability for each state, and carries that belief from page to page along the links.

    labels.py            the states: hops, as few enough classes to learn
    page_features.py     a page or link as named features; sequence_batches.py: sequences of them as arrays
    hmm.py               hidden Markov model, on clusters of pages; hmm_model.py trains and applies it
    memm.py, crf.py      maximum entropy Markov model and conditional random field; fitting.py finds their weights,
                         chain_model.py trains and applies them
    layer_bayes.py       naive Bayes over the layers of a context graph, or over bins of reward
    viterbi.py           one step along a way, by sum or by best path
    belief.py            a belief as bytes beside a link, and as its priority
"""
