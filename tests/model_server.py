"""A local endpoint that speaks OpenAI's chat completions and says what a test wants: right, wrong, slow or nothing.

    with ModelServer(lambda request: Says("Ottawa")) as server:
        settings = Settings.load(llm_url=server.url, llm_model="scripted", llm_key="k")

A reply is a :class:`Says` (text), :class:`Calls` (tool calls; arguments as an object, or as a text that need not be
JSON), :class:`Status`, :class:`Raw` bytes, :class:`Dropped` connection, or :class:`After` seconds one of these. What
answers is a list of replies, one a request (the last again and again), or a function of the request. With
``"stream": true`` in the request the same is sent as events.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from graphstore.retrieval.prompt_tokens import estimated_tokens

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Says:
    """An answer in text."""

    text: str
    finish: str = "stop"
    usage: bool = True


@dataclass(frozen=True)
class Calls:
    """An answer that calls tools: ``Calls(("search", {"query": "Atlas"}), …)``."""

    calls: tuple[tuple[str, Any], ...]
    finish: str = "tool_calls"
    usage: bool = True

    def __init__(self, *calls: tuple[str, Any], finish: str = "tool_calls", usage: bool = True) -> None:
        object.__setattr__(self, "calls", calls)
        object.__setattr__(self, "finish", finish)
        object.__setattr__(self, "usage", usage)


@dataclass(frozen=True)
class Status:
    """An error of the endpoint."""

    code: int
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)
    error_code: str | None = None


@dataclass(frozen=True)
class Raw:
    """Any body at all, with status 200."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True)
class Dropped:
    """The connection ends without an answer; inside a stream after some events."""

    after: str = ""


@dataclass(frozen=True)
class After:
    """A reply that takes its time."""

    seconds: float
    reply: Says | Calls | Status | Raw | Dropped


Reply = Says | Calls | Status | Raw | Dropped | After
Script = Sequence[Reply] | Callable[[Body], Reply]


class ModelServer:
    """A server on a port of its own, from ``with`` to its end.

    ``requests`` holds the body of every request, ``keys`` the Authorization header that came with it, ``most_at_once``
    the most that were under way together.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer._serve(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base address, as the setting ``llm_url`` wants it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def tokens(self) -> int:
        """Tokens of all requests that came, as the server counts them."""
        return sum(map(prompt_tokens, self.requests))

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
            self.keys.append(handler.headers.get("Authorization"))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if not handler.path.endswith("/chat/completions"):
                reply: Reply = Status(404, f"no path {handler.path}")
            elif callable(self.script):
                reply = self.script(body)
            else:
                reply = self.script[min(number, len(self.script) - 1)]
            _send(handler, body, reply)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True
        finally:
            with self._lock:
                self._at_once -= 1


def last_text(body: Body) -> str:
    """The text of the last message of a request."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or ())


def prompt_tokens(body: Body) -> int:
    """Tokens of a request's messages and tools, estimated."""
    return estimated_tokens(json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False))


def _send(handler: BaseHTTPRequestHandler, body: Body, reply: Reply) -> None:
    if isinstance(reply, After):
        time.sleep(reply.seconds)
        reply = reply.reply
        assert not isinstance(reply, After)
    if isinstance(reply, Dropped):
        if reply.after and body.get("stream"):
            _events(handler, body, [{"role": "assistant", "content": reply.after}], None, usage=False, done=False)
        handler.close_connection = True
        handler.connection.close()
    elif isinstance(reply, Status):
        error = {"message": reply.message, "type": "scripted", "code": reply.error_code}
        _bytes(handler, reply.code, json.dumps({"error": error}).encode(), reply.headers)
    elif isinstance(reply, Raw):
        _bytes(handler, 200, reply.body, {}, reply.content_type)
    elif body.get("stream"):
        _events(handler, body, _deltas(reply), reply.finish, usage=reply.usage, done=True)
    else:
        _bytes(handler, 200, json.dumps(_completion(body, reply)).encode(), {})


def _bytes(
    handler: BaseHTTPRequestHandler,
    status: int,
    content: bytes,
    headers: Mapping[str, str],
    content_type: str = "application/json",
) -> None:
    handler.send_response(status)
    for name, value in {**headers, "Content-Type": content_type, "Content-Length": str(len(content))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


def _tool_calls(reply: Calls) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
            },
        }
        for index, (name, arguments) in enumerate(reply.calls)
    ]


def _message(reply: Says | Calls) -> dict[str, Any]:
    if isinstance(reply, Says):
        return {"role": "assistant", "content": reply.text}
    return {"role": "assistant", "content": None, "tool_calls": _tool_calls(reply)}


def _usage(body: Body, message: Any) -> dict[str, int]:
    asked, written = prompt_tokens(body), estimated_tokens(json.dumps(message, ensure_ascii=False))
    return {"prompt_tokens": asked, "completion_tokens": written, "total_tokens": asked + written}


def _completion(body: Body, reply: Says | Calls) -> dict[str, Any]:
    message = _message(reply)
    found: dict[str, Any] = {
        "id": "scripted",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
    }
    return {**found, "usage": _usage(body, message)} if reply.usage else found


def _deltas(reply: Says | Calls) -> list[dict[str, Any]]:
    if isinstance(reply, Calls):
        return [
            {"role": "assistant", "tool_calls": [{"index": index, **call}]}
            for index, call in enumerate(_tool_calls(reply))
        ]
    half = len(reply.text) // 2
    return [{"role": "assistant", "content": reply.text[:half]}, {"content": reply.text[half:]}]


def _events(
    handler: BaseHTTPRequestHandler,
    body: Body,
    deltas: Sequence[Mapping[str, Any]],
    finish: str | None,
    *,
    usage: bool,
    done: bool,
) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    chunk = {"id": "scripted", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    if done:
        choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    events = [json.dumps({**chunk, "choices": [choice]}, ensure_ascii=False) for choice in choices]
    if usage:
        events.append(json.dumps({**chunk, "choices": [], "usage": _usage(body, list(deltas))}))
    if done:
        events.append("[DONE]")
    for event in events:
        content = f"data: {event}\n\n".encode()
        handler.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        handler.wfile.flush()
    if done:
        handler.wfile.write(b"0\r\n\r\n")
