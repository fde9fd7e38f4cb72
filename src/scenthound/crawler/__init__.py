"""A crawl: what moves a link from the frontier to the library, and how the parts of a crawl are put together.

    engine.py              the only crawl loop: lease the best link, ask for it, have the answer digested, record it
    answer_digest.py       what an answer means: a page to be judged and its links ranked, a redirect, a failure
    rescored_links.py      the links that would go next, scored anew when a strategy has learned
    link_filter.py         which links of a page are followed: scope, traps, and what the page itself asks of robots
    form_questions.py      search forms, asked for words of the topic, where that is wanted
    mirrors.py             hosts whose pages are those of another host once more
    trap_watch.py          what a crawl knows of traps; it outlives the crawl
    traps.py               URLs that a server makes up as fast as a crawler asks for them
    barren_lines.py        pages that bring nothing but more of themselves, whatever their URLs look like
    barren_lines_file.py   those that are known, kept beside the library
    coverage/              how much is found, and when that is enough
    feeds_and_sitemaps.py  lists of links that a site offers beside its pages
    topic_update.py        the topic, built anew from the pages found relevant
    steady_clock.py        time for pacing, by a clock that nobody sets
    budget.py              what one run may spend, and what was spent
    fetch_pages.py         some pages and no others: a crawl that follows nothing but redirects
    examples.py            example pages of a topic, from files and by such a crawl
    context.py             what strategy and judge may know before the first page, and how one is built from its name
    present_judge.py       the judge as of now: settings, examples, labels, and the pages stored so far
    read_back.py           stored pages as they came, many at a time
    kept_pages.py          those of a small crawl, which need not be read back
    rank_again.py          what waiting links are worth when all visits are seen again
    judge_again.py         all stored pages, judged again
    crawl_judgements.py    when that is due: before a crawl goes on, and when it ends
    labels_on_the_way.py   and while it runs: labels that are set meanwhile change its course
    crawl_parts.py         the parts of a crawl as a value, and how they are put together over a library
    assemble.py            from settings to a crawl that is ready to run: the one composition root

Whoever makes a crawl makes it here: the command line, the lab, crawls for sites, revisits, training.
"""
