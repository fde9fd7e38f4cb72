"""The dashboard: a library watched, steered, read and searched in a browser, and an API for programs.

    browser ──▶ guard ──▶ dashboard ──▶ views (HTML)   ──┐
                                   └──▶ api   (JSON)   ──┴──▶ answers ──▶ app/ ──▶ library, crawl

1. `server` opens an address and serves a `dashboard`, which has all the routes.
2. Every request passes `guard` first: which name was it sent to, from which page, with which token.
3. `shelf` has the folders that are served, and their crawls; `readers` lends open libraries to threads; a `slow_answer`
   is one that takes seconds to make.
4. `answers` asks `app/` and returns plain values. `api` gives them out as JSON (its endpoints are in `reading_api`,
   `words_api`, `trails_api`, `crawl_api` and `lab_api`), described by `openapi`; `views` as pages, made of `templates/`
   and `static/`. `live` sends what a crawl does as it does it.
5. `replay` shows a stored page in a sandbox. Whatever a page says is somebody else's text, everywhere.

The pages work without the internet and without anything that has to be built: htmx and uPlot lie in `static/`.
"""
