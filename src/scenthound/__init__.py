"""Scenthound, a focused web crawler.

*A strategy turns what was visited into a number per waiting link; everything else moves links.*

Start reading at `model.py` (the nouns), `protocols/` (the seams) and `crawl/engine.py` (the only crawl loop).
"""

from scenthound.version import __version__ as __version__
