"""Scenthound with the cheapest order and judge that look at pages at all: what the engine itself costs."""

from __future__ import annotations

from hound import main

if __name__ == "__main__":
    main(strategy="best-first", judge="keywords")
