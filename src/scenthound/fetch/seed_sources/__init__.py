"""Where a crawl begins when nobody knows where: seeds from a search source (Aastha 2.5.1).

    "dengue fever" ──source──▶ questions ──client──▶ answers ──▶ hits ──find──▶ seeds: canonical, each once, best first

    source_client.py  one request at a time, with a pause between two, and a clear word when there is no answer
    mediawiki.py      a wiki's search, and the members of its categories
    searxng.py        an instance of SearXNG, which asks many engines at once
    opensearch.py     any engine that describes itself or has a template; answers in Atom, RSS, JSON or HTML
    choose_source.py  which of them a name or a URL means; `find` asks it until there are enough

A search is a person's question, asked once and on their behalf, so interfaces made for programs are asked as a browser
would ask them: without their robots.txt, which speaks to crawlers, but slowly, and not on after they said no. Pages
made for people (an engine's HTML results) are read only where robots.txt lets us.
"""
