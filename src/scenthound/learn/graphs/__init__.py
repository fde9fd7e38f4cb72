"""Graphs of pages, as the crawl sees them and as lessons.

    crawl_graph.py    the graph of a running crawl: pages by number, and who links to whom
    target_graph.py   a web graph grown backwards from target pages; trails.py: a person's browsing as a graph
    hops.py           how far each page is from a target
    sequences.py      ways through a graph, drawn at random, as a crawler might have gone them

Both kinds of graph end as `model.Lessons`: pages, edges, hops and sequences.
"""
