"""Readers for parser processes."""

from scenthound.model import Page


def read(page: Page, language: str) -> bytes:
    return f"{page.title} {language}".encode()


def fails(page: Page, language: str) -> bytes:
    raise LookupError(page.url)
