"""All routes of the dashboard, in one application."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from scenthound.errors import ScenthoundError
from scenthound.web import api
from scenthound.web.endpoint import LIBRARY, Problem
from scenthound.web.live import LiveFeeds
from scenthound.web.openapi import description
from scenthound.web.shelf import Shelf
from scenthound.web.views import PAGES, STATIC, Views

FOR_THE_SANDBOX = "replay.css"
"""A stored page stands in no origin, so this file must be open to all."""


class CachedFiles(StaticFiles):
    """Files that a browser may keep for an hour; `views.static_address` gives a changed one another address."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        answer = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        answer.headers["Cache-Control"] = "max-age=3600"
        if str(args[0]).endswith(FOR_THE_SANDBOX):
            answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return answer


def dashboard(shelf: Shelf) -> Starlette:
    """The application for these libraries. Put a `guard` around it before anybody can reach it."""
    views = Views(shelf)
    described = api.answer(description())

    async def openapi(request: Request) -> Response:
        return described

    async def libraries(request: Request) -> Response:
        return api.answer([{"name": each.name, "crawl": each.live.state} for each in shelf.libraries.values()])

    async def unknown(request: Request, error: Exception) -> Response:
        if request.url.path.startswith("/api/"):
            return api.answer(Problem("There is no such address; /api/openapi.json has them all."), 404)
        return views.render("problem.html", {"error": "There is no page at this address.", "served": None}, 404)

    async def trouble(request: Request, error: Exception) -> Response:
        return api.answer(Problem(str(error)), 400)

    routes: list[BaseRoute] = [
        Route("/", views.home),
        Route("/lab", views.lab),
        Mount("/static", CachedFiles(directory=STATIC)),
        Route("/api/openapi.json", openapi),
        Route("/api/libraries", libraries),
        Route(f"{LIBRARY}/events", LiveFeeds(shelf).serve),
        *api.routes(shelf),
        Route("/{name}/replay", views.replay),
        *(Route(f"/{{name}}/{path}", views.view(view)) for path, view in PAGES.items()),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={404: unknown, ScenthoundError: trouble},
    )
