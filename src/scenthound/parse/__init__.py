"""From the bytes of a response to a `Page`.

    bytes ──charset──▶ UTF-8 ──make safe, repair──▶ HTML ──lexbor──▶ tree ──marks──▶ marked text ──▶ blocks, links, text

A page has a thousand nodes, and asking Python about each of them would cost more than parsing it. So the tree is asked
once for the nodes that matter (links, headings, images, head elements), a mark is put into the tree where each of them
begins and ends, and the text is taken out in one piece by the C library. The marks then say at which character every
link and heading stands: anchor text, surrounding text and blocks are slices of that one string.

A page without any heading is cut into blocks by its structure instead; only there, that is marked in the tree, too.

`page.py` is the way in; `charset.py` finds the encoding; `hostile_html.py` and `nesting.py` see to pages made to cost
time, `source_repair.py` to broken ones; `tree.py` walks over the tree; `text_positions.py` reads the marked text;
`links.py`, `blocks.py` and `head.py` build the parts of the page; `robots.py` reads what the page asks of robots.

`parser_pool.py` parses beside the crawl, in processes that run `parser_worker.py`; `safe_parse.py` is for those who
have no event loop to wait in. By either way a page that fails, or takes too long, comes back with a `problem`.

Besides pages there are lists of pages: `feed.py` reads RSS, Atom and JSON feeds, `sitemap.py` sitemaps in all their
forms, both with the XML reader of `xml.py`, which expands nothing and fetches nothing.

What a page says, for readers and exports, is `main_text.py`: `content_tree.py` asks a library which texts are main
content, `main_content.py` mends its choice, `markdown.py` writes it down.

Nothing a server may send raises here: what cannot be read is left out.
"""
