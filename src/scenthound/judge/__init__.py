"""Judges: how relevant is this page to the topic, 0..1?

A judge is a dataclass whose fields are its parameters. `begin(context)` gives it topic, idf and example pages; then it
is called with one page after the other. It sees pages only, never where they came from: finding pages is
the strategy's business, and a judge that knew the way could not be used to compare strategies.

| name | says |
|---|---|
| `keywords` | cosine of the page and the topic's keywords |
| `examples` | cosine of the page and the nearest example page |
| `blocks` | sum or mean over the page's blocks of the cosine with a table of ten terms (Aastha) |
| `topic-vector` | the share of the page's words that are the topic's (Mali) |
| `auto` | `examples` if there are any, else `keywords` |

Each can also say why: `strongest(page, n)` gives the terms that make up most of its score.
"""
