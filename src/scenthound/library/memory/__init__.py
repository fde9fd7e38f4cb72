"""A library without a disk: for the lab, which makes thousands of crawls, for tests, and for a crawl of an afternoon.

`library.MemoryLibrary.record` notes the page, its version and the look (`page_ledger`) and keeps what the step does to
URLs for later: whoever first asks for a URL has all of it worked into the table (`url_ledger`), one step after the
other. `search` stems the texts when somebody searches.

It does what the library on disk does, by the plainest means, and passes the same conformance suite; so the two are held
against each other. All of it is in memory: ten thousand pages are fine, a million are not.
"""
