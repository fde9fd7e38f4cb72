"""What is new in a library, for people and for their programs.

change_log.py     pages that came, changed, moved or went since a time, newest first
atom_feed.py      the same as an Atom feed; digest.py: as Markdown
broken_links.py   links that lead nowhere, and the pages that hold them
"""
