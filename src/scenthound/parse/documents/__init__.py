"""Readers of documents, one file a format: what is in each is told in `parse/document.py`."""
