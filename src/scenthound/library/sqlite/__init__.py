"""A library as one folder: one SQLite file, and WARC files any archive tool can read.

    topic.toml      what the crawl is about (not ours)
    library.db      everything the crawl knows: URLs, pages, versions, links, texts, hosts, runs
    labels.jsonl    what people said about pages and sites: see `label_file`
    warc/           every answer as it came, for archivists
    library.db.damaged-TIME   a damaged one that was repaired; may be deleted
    index.db        derived from library.db when somebody asks; may be deleted at any time
    search.db       the full-text index, likewise
    main-text.db    what pages say as Markdown, likewise
    report.html     the last crawl as a page to look at
    models/         what strategies learned (not ours)
    training/       what they learn from (not ours); its pages are a library like this one
    writing.lock    held by the one process that crawls

The way of a `Step` through the package:

1. `library.SqliteLibrary.record` hands it to the `writer`, a thread with a bounded queue, and returns at once.
2. The thread takes all that waits. What the steps do to URLs is settled by `url_table`, so that a URL touched ten
   times is written once; what they bring (answers, texts, links, judgements) is laid out in rows by `row_batch`.
3. `archive.warc_files` appends the answers to the newest WARC file, one gzip member a record (`archive.warc`).
4. One transaction stores every row, and with them how long the WARC file is now. A crash before it leaves bytes
   that no row speaks of: the next opening cuts them off. So page, links, frontier and archive never disagree.
5. A look at a page that is stored already (`revisit`) is a row of `checks`, and a version only if something is new.
6. Questions are answered in this process, or in another one while the crawl goes on: by `frontier_store`,
   `stored_pages`, `decisions`, `figures`, `history` and `search`, which together are the `SqliteLibrary`.
7. Pages judged again and links ranked anew (`judgements`) go through the same queue, behind the steps before them.

Beside the way: `migrations` has the schema and how it grew, `checkpoints` brings what was stored onto the disk,
`bulk_insert` and `queries` speak to SQLite, `backlink_index`, `search_index` and `main_texts` derive files, `fts_query`
says a search in the words of SQLite's full-text search. Is all of it whole? `database_check` (with `row_rules`),
`archive_check` and `index_check` look; `explain_error` says what is not to whoever stumbles over it, `cut_archive`
mends a WARC file that lost its end, and `repair` makes the database anew: `salvage` (with `raw_rows`),
`rebuild_answers`, `rebuild_pages`, `rebuild_frontier`, and `lost_answers` for what is gone.

Decisions worth knowing:

- The writer speaks to SQLite in few, large statements. Each call gives up Python's lock, and getting it back from a
  busy crawl costs up to 5 ms: a hundred small calls a page would cost more than fetching it.
- A page that says `noindex` is judged and its links are followed, but neither its text nor its bytes are kept.
- An exact copy of a stored body is not stored again: its WARC record is a `revisit`, its text is shared.
- Links of a page are packed into one value; who links *to* a page is worked out from them into `index.db` when first
  asked. Kept up during the crawl, that index alone would cost as much as all the rest.
"""
