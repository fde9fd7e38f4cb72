"""Models of single links: what lies behind a link, by what it says and where it stands.

A link becomes numbers first: `link_features.py` makes a row of features, `feature_hashing.py` gives words places in an
array of fixed size. Then one of these learns from what became of the links that were followed:

    online.py         logistic regression, one example at a time
    interest.py       how much more often than usual a link with this feature was worth following
    small_net.py      a neural net small enough to be one agent among many; agents.py lets such agents live and breed
    genetic.py        weights of features, bred on trial crawls of a training graph
    reward.py         what following a link is worth, if targets further on count less
    tunnel_levels.py  how far a way may lead through irrelevant pages
"""
