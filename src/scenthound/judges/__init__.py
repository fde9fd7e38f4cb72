"""Judges: how relevant is this page to the topic, 0..1?

A judge is a dataclass whose fields are its parameters. `begin(context)` gives it topic, idf and example pages; then it
is called with one page after the other. It sees pages only, never where they came from: finding pages is
the strategy's business, and a judge that knew the way could not be used to compare strategies.

One file is one judge, decorated with its name: `@judge("name")`. `docs/settings.md` lists them by their docstrings.
Each has a scale of its own: its `threshold` says from which relevance a page counts (`threshold.py`), and 0.5 where it
names none. Each of ours can also say why: `strongest(page, n)` gives the terms that make up most of its score.
`questions.py` says about which page to ask a person next, so that the judge learns most.
"""
