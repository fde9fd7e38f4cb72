"""The same crawl on many processes and machines: PostgreSQL is the only truth, Ray starts and restarts the workers.

1. Hosts are divided among logical shards (`library.shards`). A worker owns shards by leases in PostgreSQL, each with a
   fencing number; a write under an old number is refused by the database (`library.postgres.shard_leases`).
   `lease_keeper` makes leases last while a worker is busy, and says how long it may rely on them.
2. `worker` runs the ordinary engine on its shards: `crawler.assemble` puts the crawl together, with a library that sees
   what waits in these shards, and `shard_frontier` around the ordinary frontier.
3. Links to another shard's host are stored with a note to its owner, who takes them in from there.
4. Workers report what their best links are worth; requests are allotted to where the best are, and a worker's frontier
   lets links wait that are not as good.
5. `shared_learning` has strategy and judge tell the other workers what each page taught them (`experience_format`), and
   learn from what these tell, every second.
6. `cluster_crawl` prepares the library, starts the workers through `ray_workers`, and watches the database until the
   crawl is over.

A worker that dies loses its leases after some seconds, and others take its hosts. What it had stored is stored; what it
had asked and not stored is asked again.
"""
