"""How a crawl introduces itself."""

from __future__ import annotations

from scenthound.config import PolitenessSection
from scenthound.version import __version__


def user_agent(politeness: PolitenessSection) -> str:
    """Who asks, and how to reach the operator; without a contact, at least what kind of program this is."""
    contact = " ".join(politeness.contact.split())
    if not contact:
        comment = "Scenthound focused crawler"
    else:
        comment = f"+{contact}"
    return _one_line(f"{politeness.agent}/{__version__} ({comment})")


def _one_line(text: str) -> str:
    return "".join(char if " " <= char <= "~" else "?" for char in text)
