"""A library without a disk: for the lab, which makes thousands of crawls, for tests, and for a crawl of an afternoon.

`library.MemoryLibrary.record` does nothing but keep the step. Whoever asks first has the steps that came since worked
in, one after the other: into the table of URLs (`url_ledger`) and into the pages, versions and looks (`page_ledger`).
`search` ranks the texts when somebody searches.

It does what the library on disk does, by the plainest means, and passes the same conformance suite; so the two are held
against each other. All of it is in memory: ten thousand pages are fine, a million are not.
"""
