"""Crawls for websites, measured: `site_crawls.py` lets the website crawler and those it is compared with loose on a
web that holds still, `site_trials.py` judges site classifiers on labelled sites, in ten folds, and
`label_trials.py` asks what labels make of a list of sites.
"""
