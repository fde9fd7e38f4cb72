"""The server, asked by the SDK's own client: in one process, and over standard input and output."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
from scenthound.errors import ScenthoundError, UsageError
from scenthound.library import open_library
from scenthound.mcp_server.library_tools import CHANGING, READING
from scenthound.mcp_server.serve import make_server
from tests.served_pages import serving_pages

mcp = pytest.importorskip("mcp")

WEB = {
    "/": "<title>Otters</title><p>The river otter. <a href=/food>otter food</a> <a href=/den>otter den</a>",
    "/food": "<title>Food</title><h1>What otters eat</h1><p>The river otter eats fish and crayfish all day long.",
    "/den": "<title>Den</title><p>The river otter sleeps in a den.",
}


def crawl(folder: Path, address: str, pages: int) -> None:
    options = CrawlOptions(seeds=[address], into=folder, pages=pages, allow_private=True, delay=0)
    asyncio.run(CrawlSession(plan_crawl("river otter", options)).run())


async def asked(client: Any, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    if result.is_error:
        raise ScenthoundError(text)
    return json.loads(text)


def test_a_library_is_searched_read_and_explained(tmp_path: Path) -> None:
    with serving_pages(WEB) as address:
        crawl(tmp_path / "otters", address, 10)

    async def talk() -> None:
        async with mcp.Client(make_server(tmp_path / "otters")) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == set(READING), "read-only unless allowed"
            assert all(tool.annotations.read_only_hint for tool in tools)
            found = await asked(client, "search", words="crayfish")
            assert [hit["url"] for hit in found["hits"]] == [f"{address}/food"]
            page = await asked(client, "read_page", url=f"{address}/food")
            assert page["text"].startswith("# What otters eat")
            piece = await asked(client, "read_page", url=f"{address}/food", characters=5)
            assert (piece["text"], piece["next"]) == ("# Wha", 5)
            why = await asked(client, "explain_page", url=f"{address}/food")
            assert why["url"] == f"{address}/food"
            assert (await asked(client, "library_status"))["pages"] == 3
            assert (await asked(client, "crawl_state"))["state"] == "none"
            with pytest.raises(ScenthoundError, match="never seen"):
                await asked(client, "read_page", url=f"{address}/nowhere")
            with pytest.raises(Exception, match=r"(?i)unknown tool"):
                await asked(client, "start_crawl")

    asyncio.run(talk())


def test_a_crawl_is_started_and_pages_labelled_where_that_is_allowed(tmp_path: Path) -> None:
    with serving_pages(WEB) as address:
        crawl(tmp_path / "otters", address, 1)

        async def talk() -> None:
            async with mcp.Client(make_server(tmp_path / "otters", allow_crawl=True)) as client:
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                assert set(tools) == {*READING, *CHANGING}
                assert not tools["start_crawl"].annotations.read_only_hint
                await asked(client, "start_crawl", pages=3)
                while (await asked(client, "crawl_state"))["state"] != "ended":  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
                assert (await asked(client, "library_status"))["pages"] == 3
                await asked(client, "label_page", url=f"{address}/den", relevant=False)
                with pytest.raises(ScenthoundError, match="No crawl"):
                    await asked(client, "pause_crawl")

        asyncio.run(talk())
    with open_library(tmp_path / "otters", write=False) as library:
        label = library.labels()[f"{address}/den"]
    assert (label.relevant, label.by) == (False, "program:mcp")


def test_over_standard_input_and_output(tmp_path: Path) -> None:
    with serving_pages(WEB) as address:
        crawl(tmp_path / "otters", address, 10)

    async def talk() -> None:
        program = "from scenthound.cli.main import main; main()"
        server = mcp.StdioServerParameters(
            command=sys.executable, args=["-c", program, "mcp", str(tmp_path / "otters")]
        )
        async with mcp.Client(server) as client:
            assert (await asked(client, "library_status"))["topic"] == "river otter"

    asyncio.run(talk())


def test_slips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ScenthoundError, match="no library"):
        make_server(tmp_path)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(UsageError, match=r"scenthound\[mcp\]"):
        make_server(tmp_path)
