"""Keeping a library fresh: when to look at a page again, what has become of it, and who wants to know.

    schedule/    which pages are worth a request now
    detect/      has a page changed, gone or moved?
    tell/        what is new, for people

The life of a look:

1. `schedule/due_pages` reads what all looks so far have shown and lets a policy choose the pages that are worth a
   request now. Nothing else has to survive a restart.
2. `rounds.py` puts them into the frontier of an ordinary crawl (`recrawl.py`), where they stand above all links that
   wait. Politeness, robots.txt, retries and redirects are the engine's, as ever.
3. `revisit_digest.py` says what each answer means. Most are "not modified" or the same bytes, and cost a row of a
   hundred bytes.
4. Other bytes are compared with what is stored (`detect/changes`). What is new is a new version, its links are ranked
   and wait; a page may lose or gain its relevance by it.
5. A page that is not there is missing until a second look confirms it (`detect/gone_or_moved`). One that may say "not
   found" with the status 200 waits until its host has been probed (`soft404_suspects.py`).
6. When the due pages are through, a share of the requests goes to links that wait: new pages are part of keeping up.
7. `tell/` says what is new.
"""
