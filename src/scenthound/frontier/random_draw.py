"""The priority of links that were drawn at random from all that wait: they are next, whatever a strategy thinks."""

from __future__ import annotations

DRAWN = 999_999.0
"""Under seeds, over every link that a strategy ranks. A page that was fetched with it was drawn."""
