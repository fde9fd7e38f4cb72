"""What a learning crawler is taught with, and where it comes from: `training/` in a library's folder.

Two ways lead to `model.Lessons` (pages, the links among them, hops to a target, sequences):

    history file ──browsing_history──▶ trails ──┐
    bookmarks, lists, answers ──▶ labels ───────┤                                 ┌─▶ load_lessons ──▶ Lessons
                                                ├──training_store──▶ training/ ───┤
    targets ──graph_collection──▶ graph ────────┘                       ▲         └─▶ graph_picture, to be looked at
                 ▲                                                      │
       backlink_sources: library, WARC, wiki            training_pages: from the library, a WARC, or the crawl engine

    browsers.py           history and bookmarks of Firefox and Chromium
    bookmarks.py, har.py, trail_files.py   other files
    browsing_history.py   which of them a file is, and what of it is taken
    training_store.py     trails and graph as lines of JSON; marks are labels of the folder
    training_pages.py     the pages they speak of
    backlink_sources.py   who links to a page; graph_collection.py grows a graph with them
                          (by the rules of `learn.graphs.target_graph`)
    program_answers.py    a program that says of pages whether they are relevant
    lessons.py            all of that as Lessons
    graph_picture.py      the graph as a page to look at

A history is a private thing. Only visits that were asked for are copied, marks are kept only for pages among them, and
nothing of the rest is stored anywhere, not even its count.
"""

from scenthound.training.lessons import load_lessons as load_lessons
