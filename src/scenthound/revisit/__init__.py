"""Keeping a library fresh: when to look at a page again, what has become of it, and who wants to know.

The life of a look:

1. `due` reads what all looks so far have shown (`library.history`) and lets a policy choose the pages that are worth a
   request now: by default the one that learned how each page and its kind change (`policies`, `beliefs`, `rates`,
   `pulses`, `schedule`). Nothing else has to survive a restart.
2. `run` puts them into the frontier of an ordinary crawl, where they stand above all links that wait. Politeness,
   robots.txt, retries and redirects are the engine's, as ever; `conditional` adds what the server needs to say "not
   modified".
3. `revisit_digest` says what each answer means. Most are 304 or the same bytes, and cost a row of a hundred bytes.
4. Other bytes are compared with what is stored (`stored`) by the documents' tests and by digests: `changes` over
   `structure`, `text_code`, `image_code`, `perceptual`; `noise` knows dates and counters. What is new is a new version,
   its links are ranked and wait; a page may lose or gain its relevance by it.
5. A page that is not there is missing until a second look confirms it (`verdict`); `soft404` knows pages that say "not
   found" with the status 200, by asking their host for one that cannot exist.
6. `pictures` looks at images too, where that is asked for.
7. When the due pages are through, a share of the requests goes to links that wait: new pages are part of keeping up.

And who wants to know: `news` gathers what happened since a time; `diffing` shows it sentence by sentence, `feed` as
Atom, `digest` as Markdown; `broken` lists the links that lead nowhere with the pages that hold them.
"""
