"""A library in PostgreSQL, for crawls that outgrow one disk or one machine. Its folder keeps the files:

    topic.toml        what the crawl is about (not ours)
    library.address   where the library is: postgresql://host/database#name
    warc/             every answer as it came, for archivists
    models/, training/, report.html   as everywhere (not ours)

The way of a `Step` is that of `library.sql`, whose tables and questions these are. What is PostgreSQL's own:

1. `library_address` reads addresses, `connection` speaks to the server, `explain_error` says what is wrong with it.
2. `schema` has the tables: a schema a library, so that a database holds many.
3. `library.PostgresLibrary` opens one and holds its lock; `transactions` store what its writer hands them.
4. `queries` says what PostgreSQL is asked otherwise than SQLite, `labels` keeps what people said.
5. `search` asks PostgreSQL's full text, over an index that `search_index` brings up to date when somebody searches;
   `backlink_index` does so for who links to whom. Both are `derived_tables`.

Decisions worth knowing:

- Numbers of pages, versions and links are given out under a lock that ends with the transaction: rows become visible in
  the order of their numbers, however many write.
- The driver is an extra, `scenthound[cluster]`. Nothing imports this package but `library.open_library`, and only for
  an address.
- Texts hold no NUL in PostgreSQL, and web pages do: see `connection`.
"""
