"""What Scenthound can do, without a screen: use cases that the command line, a notebook or a dashboard call alike.

    collect      crawl_plan.py (what the words after `crawl` mean), crawl.py (one crawl: run it, listen to it, stop it),
                 first_pages.py (do they speak the topic's language, and of it?), sites.py and site_table.py,
                 revisit.py, seeds.py; demo.py and site_demo.py need no internet
    understand   library_status.py, search.py, show.py and versions.py, changes.py, explanation.py
    teach        topic.py: from words (topic_words.py) and pages (topic_pages.py), tried out by topic_preview.py;
                 topic_expansion.py, trails.py, train.py, strategies.py
    measure      experiment.py, evaluate.py
    take away    export.py; library_check.py and library_repair.py look after the files
    for all      events.py: what happens in a crawl, as typed values that are JSON objects as well
                 crawl_progress.py: what a person wants to see of a running crawl, gathered from its events
                 judgement_words.py: what speaks for a page and against it
                 settings_file.py: changes to a topic.toml that leave its comments alone
                 user_input.py: URLs, days and lengths of time as people write them
                 event_loop.py: runs what waits for the network

Nothing here prints, draws, reads the command line or catches signals. What takes long takes a `progress` that is told
how far it is; what a person gets wrong is a `ScenthoundError`.
"""
