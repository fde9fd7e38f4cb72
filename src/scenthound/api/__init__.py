"""The front door: what `import scenthound` offers to scripts and notebooks, over the use cases of `app/`.

topic_crawl.py        `scenthound.crawl(...)`: a crawl to loop over
open_library.py       `scenthound.open_library(...)`: pages, search, explanations, data frames
picture.py            what a notebook shows by itself
progress_display.py   how far it is, in a cell or on a terminal's last line
background.py         a thread with an event loop of its own, and the way from there to here
"""
