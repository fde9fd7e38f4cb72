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

The way of a `Step` is that of `library.sql`, whose tables and questions these are. What is SQLite's own:

1. `library.SqliteLibrary` opens the folder and holds its lock; `migrations` has the schema and how it grew.
2. `transactions` lays rows out, `archive.warc_files` appends the answers to the newest WARC file, one gzip member a
   record (`archive.warc`), and one transaction stores every row, and with them how long the WARC file is now. A crash
   before it leaves bytes that no row speaks of: the next opening cuts them off. So page, links, frontier and archive
   never disagree. `checkpoints` brings what was stored onto the disk.
3. `queries` tells SQLite which index to go through; `backlink_index`, `search_index` and `main_texts` derive files,
   `fts_query` says a search in the words of SQLite's full-text search, and `search` asks it.

Is all of it whole? `database_check` (with `row_rules`), `archive_check` and `index_check` look; `explain_error` says
what is not to whoever stumbles over it, `cut_archive` mends a WARC file that lost its end, and `repair` makes the
database anew: `salvage` (with `raw_rows`), `rebuild_answers`, `rebuild_pages`, `rebuild_frontier`, and `lost_answers`
for what is gone.

Decisions worth knowing:

- The writer speaks to SQLite in few, large statements. Each call gives up Python's lock, and getting it back from a
  busy crawl costs up to 5 ms: a hundred small calls a page would cost more than fetching it.
- A page that says `noindex` is judged and its links are followed, but neither its text nor its bytes are kept.
- An exact copy of a stored body is not stored again: its WARC record is a `revisit`, its text is shared.
- Links of a page are packed into one value; who links *to* a page is worked out from them into `index.db` when first
  asked. Kept up during the crawl, that index alone would cost as much as all the rest.
"""
