"""A library as a crawl of many hours would leave it, made from one of some minutes: `aged_library.py FOLDER TIMES`.

Its URLs and pages are copied under other names, so many times, as rows: what waits, what was seen and what pages are
compared with is then as much as if they had been crawled. Answers are not copied; a crawl does not look at old ones.
With `--pages-only` links that wait are not copied, either.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from scenthound import urls


def age(folder: Path, times: int, *, pages_only: bool = False) -> None:
    with sqlite3.connect(folder / "library.db") as database:
        database.execute("PRAGMA cache_size = -1000000")
        database.create_function("fingerprint", 1, urls.fingerprint, deterministic=True)
        database.create_function("other", 2, lambda simhash, n: urls.fingerprint(f"{simhash} {n}"))
        last, first_page = (
            database.execute(f"SELECT coalesce(max({name}), 0) FROM {table}").fetchone()[0]
            for name, table in (("nth", "urls"), ("seq", "pages"))
        )
        others = {
            "urls": {
                "id": "fingerprint(t.url || '?' || :n)",
                "url": "t.url || '?' || :n",
                "nth": f"t.nth + :n * {last}",
            },
            "pages": {
                "id": "fingerprint(u.url || '?' || :n)",
                "seq": f"t.seq + :n * {first_page}",
                "simhash": "other(simhash, :n)",
            },
        }
        copied = "instr(t.url, '?') = 0 AND t.kind != 'robots'" + " AND t.state > 0" * pages_only
        for n in range(1, times):
            for table, changed in others.items():
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                values = ", ".join(changed.get(name, f"t.{name}") for name in columns)
                rows = "pages t JOIN urls u ON u.id = t.id" if table == "pages" else "urls t"
                old = f"t.seq <= {first_page}" if table == "pages" else copied
                database.execute(f"INSERT INTO {table} SELECT {values} FROM {rows} WHERE {old} ORDER BY 1", {"n": n})
        for name, value in (("page", first_page), ("order", last)):
            database.execute("UPDATE counters SET value = ? WHERE name = ?", (times * value + 1, name))
        database.execute("UPDATE snapshots SET page = ?", (times * first_page,))  # what was learned has a bound
    database.close()


if __name__ == "__main__":
    age(Path(sys.argv[1]), int(sys.argv[2]), pages_only="--pages-only" in sys.argv)
