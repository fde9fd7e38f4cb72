"""The description of the API, made from the table of its endpoints."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from scenthound.version import __version__
from scenthound.web.api import ENDPOINTS
from scenthound.web.endpoint import JSON, Endpoint, Problem

REFERENCE = "#/components/schemas/{name}"
PROBLEMS = {"400": "It cannot be meant", "404": "There is no such thing", "409": "Somebody else is writing"}


def description() -> dict[str, Any]:
    types = [each.gives for each in ENDPOINTS if each.gives is not None]
    types += [each.takes for each in ENDPOINTS] + [Problem]
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    gives = iter(schemas)
    paths: dict[str, dict[str, Any]] = {}
    for each in ENDPOINTS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, next(gives), components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Scenthound", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(endpoint: Endpoint, gives: Any, components: dict[str, Any]) -> dict[str, Any]:
    name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    found: dict[str, Any] = {
        "summary": endpoint.summary,
        "parameters": [name] if "{name}" in endpoint.path else [],
        "responses": _responses(gives, endpoint.media_type),
    }
    if endpoint.method == "GET":
        found["parameters"] += _query(endpoint.takes, components)
    else:
        reference = {"$ref": REFERENCE.format(name=endpoint.takes.__name__)}
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": reference}}}
    return found


def _query(takes: type[Struct], components: dict[str, Any]) -> list[dict[str, Any]]:
    schema = components[takes.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": _plain(each),
        }
        for name, each in schema["properties"].items()
    ]


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """In an address there is no null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    return {**kinds[0]} if kinds else schema


def _responses(gives: Any, media_type: str) -> dict[str, Any]:
    problem = {"$ref": REFERENCE.format(name=Problem.__name__)}
    return {
        "200": {"description": "The answer", "content": {media_type: {"schema": gives}}},
        **{status: {"description": text, "content": {JSON: {"schema": problem}}} for status, text in PROBLEMS.items()},
    }
