"""Strategies: one file is one idea of which waiting link to follow next.

A strategy is a dataclass. Its fields are its parameters; what it learns goes into fields whose names end in `_`. It is
given the context (topic, idf, example pages) once by `begin`, and then visits: a page, the link that led to it, and
what the judge said of it. It answers with a number for every link of the page, and the frontier does the rest. It
does no I/O, keeps no clock, and draws chance only from the context's generator, so a crawl can be repeated.

Registering is decorating: `@strategy("name")`, and the name works in `topic.toml` and on the command line.
"""
