"""Scenthound, a focused web crawler.

*A strategy turns what was visited into a number per waiting link; everything else moves links.*

Start reading at `model.py` (the nouns), `protocols.py` (the seams) and `engine.py` (the only crawl loop).
"""

__version__ = "0.1.0"
