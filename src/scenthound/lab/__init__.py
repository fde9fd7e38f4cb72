"""The lab: the same engine on webs that hold still.

A strategy can only be compared with another on a web that is the same for both. The lab has two kinds. A
*recorded* web is what a crawl once brought home, replayed by URL. A *generated* web is made from a seed and
a size, with everything a crawler meets outside, and with a truth that is known for every page:

    vocabulary      the words: twelve topics, what they drown in, and filler
    gen_dice        chance without state, so that any page can be made at any time
    gen_layout      hosts, sites, sections; islands of relevant pages, tunnels between them
    gen_links       who links to whom, as numpy arrays
    gen_address     number of a page -> its URL and title, and back
    gen_prose       sentences
    gen_html        pages
    gen_oddities    redirects, traps, files, errors, robots.txt
    gen_topics      which pages are relevant, and how far they are
    generated       the web as a whole: `GeneratedWeb`, its topics, and a fetcher that needs no network
    server          the same web over real HTTP on loopback, with a resolver that finds it there
"""
