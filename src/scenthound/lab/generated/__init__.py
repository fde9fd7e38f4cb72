"""A web made from a seed. `web.py` is what others use; the rest is how it is made:

layout.py        hosts, communities, islands and tunnels: which page is about what
links.py         who links to whom
address.py       which URL a page has
vocabulary.py    the words of each topic; prose.py makes sentences of them
html.py          a page as HTML; oddities.py what else a web answers: redirects, traps, copies, dead ends
topics.py        the truth: which pages are about a topic
japanese.py      the same pages in another writing
sites.py         another kind of web: many small sites; site_plan.py says which, site_pages.py writes their pages
hash_random.py   numbers from numbers, so that any page can be made at any time
web_server.py    the web over real HTTP on loopback, with a resolver that finds it there
"""
