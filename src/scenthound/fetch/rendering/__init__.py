"""Pages made by scripts: read as a browser shows them, by a Chromium of this machine that cannot reach the network.

    rendering_fetcher.py  a fetcher around another: has the scripts run of pages that need it, or of all
    page_run.py           one page: answers what its scripts ask for, waits until it is quiet, reads what there is
    chromium.py           the browser: found, started without a network, watched, and ended when it takes too much

The browser makes no request by itself. It is started with a proxy that does not exist and no way to look up a name, and
whatever a page asks for is answered by the fetcher underneath, request by request: so addresses, robots.txt, scope and
delays are those of any request, and the page has no other way out. Scripts, and data they ask for by GET, are all it
gets. No picture, font, film or frame, nothing by POST, no socket, no worker that stays, no download, no second window.
"""
