"""How much of a page is looked at."""

MAX_TEXT = 1_000_000
"""Characters of visible text that are kept and counted."""
