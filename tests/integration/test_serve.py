"""The MCP server, asked by the SDK's own client: over standard input and output, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graphstore.client import GraphStore
from graphstore.errors import SettingsError
from graphstore.serve.run import Http
from graphstore.serve.server import SERVED
from graphstore.server import ServerAddress

pytest.importorskip("mcp")
httpx = pytest.importorskip("httpx")

SALARIES = "hr/salary-review-2026.md"
TOKEN = "a-token-of-a-test-run"
COMMAND = [sys.executable, "-m", "graphstore", "serve", "--as", "staff"]


@pytest.fixture(scope="module")
def environment(sample: GraphStore, server: ServerAddress, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the sample is, for a process of its own."""
    place = {
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
        "GRAPHSTORE_CACHE": str(tmp_path_factory.mktemp("serve")),
    }
    return {**{k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "GRAPHSTORE_"))}, **place}


@asynccontextmanager
async def over_stdio(environment: dict[str, str], *more: str, errors: Path | None = None) -> AsyncIterator[Any]:
    from mcp import Client, StdioServerParameters, stdio_client

    command = [*COMMAND, *more]
    log = (errors or Path(os.devnull)).open("w")
    with log:
        transport = stdio_client(
            StdioServerParameters(command=command[0], args=command[1:], env=environment), errlog=log
        )
        async with Client(transport) as client:
            yield client


@pytest.fixture(scope="module")
def http(environment: dict[str, str]) -> Iterator[str]:
    process = subprocess.Popen(
        [*COMMAND, "--http", "--port", "0"],
        env={**environment, "GRAPHSTORE_SERVE_TOKEN": TOKEN},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stderr.readline()
        yield re.search(r"http://\S+", line)[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert process.stdout.read() == ""
    finally:
        process.kill()
        process.wait()


def text_of(result: Any) -> str:
    return "".join(part.text for part in result.content)


async def look_around(client: Any) -> None:
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [tool.name for tool in SERVED]
    assert all(tool.input_schema["additionalProperties"] is False and tool.output_schema for tool in tools)
    found = await client.call_tool("search", {"query": "When does Project Atlas launch?", "k": 5})
    assert not found.is_error
    path = found.structured_content["documents"][0]["path"]
    assert path in text_of(found)
    read = await client.call_tool("read_document", {"path": path})
    assert read.structured_content["text"] in text_of(read) + "\n\n"
    name = found.structured_content["pages"][0]["name"]
    page = await client.call_tool("read_page", {"name": name})
    assert page.structured_content["text"] == text_of(page)
    for call in (
        ("neighbours", {"of": name}),
        ("neighbours", {"of": path}),
        ("pages_of_document", {"path": path}),
        ("grep", {"pattern": "norrfjord", "context": 1}),
        ("find_tools", {"request": "approve that document access request"}),
    ):
        answer = await client.call_tool(*call)
        assert not answer.is_error, text_of(answer)
        assert answer.structured_content["tokens"] > 0
    templates = (await client.list_resource_templates()).resource_templates
    assert [each.uri_template for each in templates] == ["graphstore://page/{name}", "graphstore://document/{+path}"]
    resource = await client.read_resource(f"graphstore://document/{path}")
    assert resource.contents[0].text == text_of(
        await client.call_tool("read_document", {"path": path, "max_tokens": 50000})
    )


async def go_wrong(client: Any) -> None:
    for name, arguments, message in (
        ("search", {}, "query is missing"),
        ("search", {"query": "Atlas", "k": "many"}, "k is a whole number"),
        ("search", {"query": "Atlas", "limit": 1}, "there is no argument 'limit'"),
        ("cat", {"path": "/etc/passwd"}, "there is no tool 'cat'"),
        ("read_document", {"path": "../../../etc/passwd"}, "no document"),
        ("read_document", {"path": SALARIES}, "no document"),
        ("read_page", {"name": "Nobody Of That Name"}, "no page for"),
        ("grep", {"pattern": "(", "expression": True}, "is no regular expression"),
    ):
        answer = await client.call_tool(name, arguments)
        assert answer.is_error, name
        assert message in text_of(answer)
        assert "\n" not in text_of(answer)
        assert "Traceback" not in text_of(answer)
    with pytest.raises(Exception, match="no document"):
        await client.read_resource(f"graphstore://document/{SALARIES}")


def test_an_agent_looks_around_over_standard_input_and_output(environment, tmp_path):
    async def run() -> None:
        async with over_stdio(environment, errors=tmp_path / "log") as client:
            await look_around(client)
            await go_wrong(client)

    asyncio.run(run())
    log = (tmp_path / "log").read_text()
    assert "serving staff on standard input and output" in log
    assert "Traceback" not in log


def test_calls_at_the_same_time_are_answered_each(environment):
    async def run() -> None:
        async with over_stdio(environment) as client:
            words = ["Atlas", "Norrfjord", "Kestrel", "Lisbon", "Huaxin", "gateway"] * 3
            answers = await asyncio.gather(*(client.call_tool("grep", {"pattern": word}) for word in words))
            assert [each.structured_content["pattern"] for each in answers] == words
            assert all(each.structured_content["matching"] > 0 for each in answers)

    asyncio.run(run())


def test_what_is_loaded_meanwhile_is_found(environment, sample: GraphStore, tmp_path: Path):
    (tmp_path / "zeppelin.md").write_text("# Zeppelin memo\n\nProject Zeppelin begins on 9 September 2031.\n")

    async def run() -> None:
        async with over_stdio(environment) as client:
            before = await client.call_tool("search", {"query": "Zeppelin memo"})
            assert "zeppelin.md" not in text_of(before)
            await asyncio.to_thread(sample.load_documents, tmp_path)
            try:
                after = await client.call_tool("search", {"query": "Zeppelin memo"})
                assert "zeppelin.md" in text_of(after)
            finally:
                await asyncio.to_thread(sample.forget, "zeppelin.md")
            gone = await client.call_tool("search", {"query": "Zeppelin memo"})
            assert "zeppelin.md" not in text_of(gone)

    asyncio.run(run())


def started(environment: dict[str, str]) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    process = subprocess.Popen(COMMAND, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert "serving staff" in process.stderr.readline()
    return process


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.mark.parametrize(("end", "status"), [("EOF", 0), (signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_stops_when_told_and_writes_nothing_but_the_protocol(environment, end, status):
    process = started(environment)
    try:
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "graphstore"
        if end == "EOF":
            process.stdin.close()
        else:
            process.send_signal(end)
        assert process.wait(20) == status
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()


def test_an_agent_looks_around_over_http(http: str):
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async def run() -> None:
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"}) as with_token,
            Client(streamable_http_client(http, http_client=with_token)) as client,
        ):
            await look_around(client)
            await go_wrong(client)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer a-token-of-a-test-ruN"}, 401),
        ({"Host": "evil.example:80"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
        ({}, 200),
    ],
)
def test_host_origin_and_token_are_looked_at(http: str, headers: dict[str, str | None], status: int):
    sent = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    answer = httpx.post(http, json=HELLO, headers={k: v for k, v in sent.items() if v is not None}, timeout=20)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"host": "0.0.0.0"}, "can be reached by other machines"),
        ({"host": "192.0.2.7"}, "set GRAPHSTORE_SERVE_TOKEN"),
        ({"host": "0.0.0.0", "token": TOKEN}, "--name"),
        ({"token": "short"}, "16 or more"),
    ],
)
def test_an_address_for_other_machines_needs_a_token(options, message):
    with pytest.raises(SettingsError, match=message):
        Http(**options)


def test_names_of_the_server_are_known():
    assert "atlas.example:*" in Http(host="0.0.0.0", token=TOKEN, names=("atlas.example",)).hosts
    assert "0.0.0.0" not in Http(host="0.0.0.0", token=TOKEN, names=("atlas.example",)).hosts
    assert Http(host="::1").loopback


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["serve"], 2, "--as"),
        (["serve", "--as", "a", "--port", "1"], 2, "go with --http"),
        (["serve", "--as", "a", "--http", "--host", "0.0.0.0"], 1, "can be reached by other machines"),
    ],
)
def test_who_reads_must_be_said(environment, arguments, status, message):
    done = subprocess.run(
        [sys.executable, "-m", "graphstore", *arguments], env=environment, capture_output=True, text=True
    )
    assert done.returncode == status
    assert message in done.stderr
    assert done.stdout == ""
