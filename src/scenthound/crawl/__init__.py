"""A crawl: what moves a link from the frontier to the library, and how the parts of a crawl are put together.

    engine.py              the only crawl loop: take the best link, fetch, and let the answer be digested
    link_filter.py         which links of a page are followed: scope, traps, and what the page itself asks of robots
    traps.py               URLs that a server makes up as fast as a crawler asks for them
    feeds_and_sitemaps.py  lists of links that a site offers beside its pages
    topic_update.py        the topic, built anew from the pages found relevant
    examples.py            example pages of a topic, from files and from the web
    assemble.py            from settings to a crawl that is ready to run: the one composition root

Whoever makes a crawl makes it through `assemble`: the command line, the lab, crawls for sites, revisits, training.
"""
