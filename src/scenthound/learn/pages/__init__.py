"""Models of single pages: what a page is about, by its words.

naive_bayes.py       two classes, from nothing but the counts of terms
page_models.py       a linear SVM, a small neural net or a decision tree, trained with scikit-learn (the extra
                     `learn`), then applied without: what is learned is a few arrays
calibration.py       the score of any of them as a probability, by Platt's method
clusters.py          pages in groups of like content: K-Means; xmeans.py finds the number of groups, too
term_vectors.py      vectors of terms, learned from pages as they come
packaged_vectors.py  the same from an installed package that brings a model along
"""
