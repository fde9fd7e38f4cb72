"""What a learning crawler is taught with, and where it comes from: `training/` in a library's folder.

Two ways lead to `model.Lessons` (pages, the links among them, hops to a target, sequences):

    history file ──histories──▶ trails ──┐
    bookmarks, lists, answers ──▶ marks ─┤                        ┌─▶ load_lessons ──▶ Lessons
                                         ├──store──▶ training/ ───┤
    targets ──collecting──▶ graph ───────┘              ▲         └─▶ picture, to be looked at
                 ▲                                      │
              sources: library, WARC, wiki            pages: from the library, a WARC, or fetched by the crawl engine

    browsers.py     history and bookmarks of Firefox and Chromium; bookmarks.py, har.py, outlines.py: other files
    histories.py    which of them a file is, and what of it is taken
    store.py        trails, marks and graph as lines of JSON
    pages.py        the pages they speak of
    sources.py      who links to a page; collecting.py grows a graph with them (the rules are `learn.webgraph`'s)
    lessons.py      all of that as Lessons
    picture.py      the graph as a page to look at

A history is a private thing. Only visits that were asked for are copied, marks are kept only for pages among them, and
nothing of the rest is stored anywhere, not even its count.
"""

from scenthound.training.lessons import load_lessons as load_lessons
