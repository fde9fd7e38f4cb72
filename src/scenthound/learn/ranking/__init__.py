"""Parts of an order of links that is learned during the crawl; `strategies/auto.py` puts them together.

link_texts.py       what links say: the words of their anchors, of what stands around them, of their addresses
link_evidence.py    what all known in-links of a waiting link say, in a bounded number of bytes
outcome_records.py  what other links of the same page, and of the same list, turned out to be
feature_weights.py  how much each feature counts here: a cautious prior, corrected by what came back
"""
