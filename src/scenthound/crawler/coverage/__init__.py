"""How much of what can be reached has been found, and when that is enough. In the order one would read it:

stop_rules.py         what `until` says: `recall=0.9`, `harvest=0.05`
crawl_record.py       what the estimate has to know of every page that came; live, and from a library
recall_estimate.py    from these figures to what is still missing, with an interval; or why nobody can say
missing_quantiles.py  the interval: so many groups of pages, of so many pages each
known_links_file.py   how many links were known when, which a library does not tell
coverage_watch.py     has links drawn at random while a crawl runs, and ends it when a rule is met
recapture.py          the topic at large: two crawls from independent seeds, by what both found

The estimate is a function of what is stored: a crawl that was killed and goes on draws the same links and stops at the
same page. `docs/stopping.md` has the reasoning, and how often it was right.
"""
