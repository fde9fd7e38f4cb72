"""Has a page changed, and how? Cheapest test first (Mali, layer 2).

conditional_fetcher.py  asks for a page only if it changed: the server may answer "not modified"
stored_page.py          the page as it was stored, to compare with
changes.py              the tests in order: structure.py (tags), text_code.py (text), image_code.py (images), links
noise.py                what changes though nothing has changed: dates, counters, session ids
page_images.py          the images of watched pages, if asked for; perceptual_hash.py: do two look alike?
gone_or_moved.py        what it means that a page is not where it was
soft404.py              pages that say "not found" with the status 200
text_diff.py            what is new in a text, sentence by sentence
"""
