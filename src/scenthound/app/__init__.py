"""What Scenthound can do, without a screen: use cases that the command line, a notebook or a dashboard call alike.

    events.py           what happens in a crawl, as typed values that are JSON objects as well
    crawl_plan.py       what the words after `crawl` mean: which folder, which settings, start or go on
    crawl.py            one crawl from start to end: run it, listen to it, stop it from anywhere
    crawl_progress.py   what a person wants to see of a running crawl, gathered from its events
    export.py           pages into a file, in any format that is registered
    demo.py             the built-in web, and what there is to find in it
    event_loop.py       runs a use case that waits for the network

Nothing here prints, draws, reads the command line or catches signals. What takes long takes a `progress` to be told
how far it is; what a person gets wrong is a `ScenthoundError`.
"""
