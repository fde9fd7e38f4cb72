"""What the libraries in a database share: their tables, and the SQL that asks them.

The way of a `Step`, in SQLite as in PostgreSQL:

1. `record` hands it to the `writer`, a thread with a bounded queue, and returns at once.
2. The thread takes all that waits. What the steps do to URLs is settled by `url_table`, so that a URL touched ten
   times is written once; what they bring (answers, texts, links, judgements) is laid out in rows by `row_batch`.
3. The backend's `transactions` store every row in one transaction, and with them how long the WARC file is now.
4. Questions are answered by `frontier_store`, `stored_pages`, `decisions`, `figures`, `history`, `page_lists`;
   `judgements` and `snapshots` go through the writer's queue, behind the steps recorded before them.

All of it is written in the words that both databases know: no `iif`, no `INSERT OR REPLACE`, `CASE` for the larger of
two numbers, and `LIMIT` always a number. What only one of them has is a method that its backend overrides
(`queries.SqlQueries`). `connection` says what is asked of a database, `bulk_insert` writes many rows at once.
"""
