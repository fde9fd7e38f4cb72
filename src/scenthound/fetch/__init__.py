"""How a link becomes an answer.

A fetcher makes one request and returns one value: a `Response`, or a `Failed` that says what kind of no it was. It
follows no redirect, tries nothing twice and never waits on purpose. All of that belongs to the frontier and the
engine, so that every request a host ever sees from us has passed the same politeness gate: the target of a redirect
is a new link, a retry is the old link with a later date, and robots.txt is a link of the kind `robots`.

    fetcher_for.py  who answers: the network or a recording; nobody else makes a fetcher
    http.py       asks the web: aiohttp, limits on time and bytes, failures sorted into kinds
    guard.py      which addresses a crawler must not ask, checked on the very address that is connected to
    connections.py  few enough of them, whatever the number of hosts
    resolve.py    names to addresses: the system's resolver on threads of its own, and a fixed table for demos
    unpack.py     content codings undone piece by piece, never further than the limit
    answer.py     what an answer is worth: a page, a redirect, or a failure; the same for every fetcher
    robots.py     an answer to /robots.txt turned into rules (RFC 9309)
    robots_matching.py  which of them a URL meets, in bounded time
    replay.py     answers from a recorded web instead of the network
    recording.py  finds and reads single records of WARC files
    import_sources.py  other people's collections as recordings; common_crawl.py reads indexes of archives
    rendering/    has the scripts of pages run, in a browser that has no network but this
    seed_sources/ asks search sources for pages to start from

The web may do anything to a fetcher except make it raise.
"""
