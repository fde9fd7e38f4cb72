"""The seams: what each part of a crawl can rely on in the others.

crawl.py     Strategy, Judge, Fetcher, Frontier, Library: every extension point, on one screen
records.py   the values that a library's reading methods return
"""
