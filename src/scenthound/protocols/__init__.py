"""The seams: what each part of a crawl can rely on in the others.

crawl.py     Strategy, Judge, Fetcher, Frontier, each optional hook with its signature: the extension points
hooks.py     how one asks for an optional hook, and how a misspelt one is noticed
library.py   what a library can do, by use
records.py   the values that a library answers with
snapshots.py what a strategy or judge has learned, as values and arrays
"""
