"""Messages of chats into what happened in them: requests, calls, results.

Read are the dialects of OpenAI's chat completions (``tool_calls``, ``function_call``, messages of the role ``tool``),
of Anthropic (blocks ``tool_use`` and ``tool_result``, also of servers and MCP), and of OpenTelemetry (``parts``). They
do not contradict each other, so one reader reads them all, and a log that mixes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from graphstore.records import JSON

from .conversation import Answer, Ask, Event, Issue, Say
from .fields import kind, objects, text
from .json_records import parse

_TEXTS = ("text", "input_text", "output_text")
_RESULT_ROLES = ("tool", "function")
Object = Mapping[str, JSON]


def message_events(message: JSON, together: str) -> Iterator[Event]:
    """What one message brings.

    :param together: Marks the calls that this message issues.
    :raises ValueError: It is no message, or holds a call that is none.
    """
    if not isinstance(message, dict):
        raise ValueError(f"is {kind(message)}, not a message")
    said, role = _with_role(message)
    blocks = [*_blocks(said, "content"), *_blocks(said, "parts")]
    if role in _RESULT_ROLES and not any(_is_result(block) for block in blocks):
        yield _answer(text(said, "tool_call_id", "name"), said.get("content"), said)
        return
    if role in ("assistant", "model", "ai"):
        yield Say()
        yield from _issued(said, blocks, together)
        return
    yield from (_block_answer(block) for block in blocks if _is_result(block))
    asked = "\n".join(part for part in map(_text, blocks) if part.strip()).strip()
    if role in ("user", "human") and asked:
        yield Ask(asked)


def _with_role(message: Object) -> tuple[Object, str]:
    """The message and its role, also as LangChain writes it: by ``type``, or in the ``kwargs`` of a constructor."""
    kwargs = message.get("kwargs")
    if isinstance(kwargs, dict) and "lc" in message:
        path = message.get("id")
        name = str(path[-1]) if isinstance(path, list) and path else ""
        message = {"type": name.removesuffix("Chunk").removesuffix("Message").lower(), **kwargs}
    role = text(message, "role") or text(message, "type").removesuffix("Chunk").removesuffix("Message").lower()
    if not role:
        raise ValueError("the message has no role")
    return message, role


def _blocks(message: Object, name: str) -> list[Object]:
    content = message.get(name)
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, list):
        return [{"type": "text", "text": e} if isinstance(e, str) else e for e in content if isinstance(e, (str, dict))]
    if isinstance(content, dict):
        return [content]
    return []


def _text(block: Object) -> str:
    written = block.get("text", block.get("content")) if block.get("type") in _TEXTS else None
    return written if isinstance(written, str) else ""


def _is_result(block: Object) -> bool:
    written = str(block.get("type"))
    return written.endswith("tool_result") or written in ("tool_call_response", "tool-result")


def _is_call(block: Object) -> bool:
    written = str(block.get("type"))
    return written.endswith("tool_use") or written in ("tool_call", "tool-call")


def _issued(message: Object, blocks: list[Object], together: str) -> Iterator[Event]:
    """The calls of a message of the model, each once, and the results of those that the interface made itself."""
    seen: set[str] = set()
    for index, call in enumerate(objects(message.get("tool_calls"), "tool_calls")):
        inner = next((c for c in (call.get("function"), call.get("custom")) if isinstance(c, dict)), call)
        issued = issue(call, inner, f"tool_calls[{index}]", together)
        seen.add(issued.id)
        yield issued
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        yield issue({}, legacy, "function_call", together)
    elif legacy is not None:
        raise ValueError(f"function_call is {kind(legacy)}, not a call")
    for index, block in enumerate(blocks):
        if _is_result(block):
            yield _block_answer(block)
        elif _is_call(block):
            issued = issue(block, block, f"content[{index}]", together)
            if not issued.id or issued.id not in seen:  # LangChain writes a call in both places
                yield issued


def issue(outer: Object, inner: Object, where: str, together: str) -> Issue:
    """A call: its id from the outer object, name, arguments and server from the inner one.

    :raises ValueError: It has no name.
    """
    name = next((inner[field] for field in ("name", "toolName", "tool_name") if inner.get(field) is not None), None)
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{where} has no name")
    server = text(inner, "server_name", "server_label")
    written = next((inner[f] for f in ("arguments", "input", "args") if inner.get(f) is not None), None)
    tool = f"{server}/{name}" if server else name
    return Issue(text(outer, "call_id", "id", "toolCallId"), tool, arguments(written), together)


def arguments(value: JSON) -> Mapping[str, JSON]:
    """Arguments as an object; models also write them as JSON in a string, which is read, or kept under ``""``."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            parsed = parse(value.encode())
        except ValueError:
            return {"": value} if value.strip() else {}
        return parsed if isinstance(parsed, dict) else {"": value}
    return value if isinstance(value, dict) else {"": value}


def _block_answer(block: Object) -> Answer:
    """The result that a block holds. Anthropic's say whether they are an error; to say nothing is to say no."""
    identity = text(block, "tool_use_id", "id", "toolCallId")
    content = next((block[f] for f in ("content", "response", "result", "output") if block.get(f) is not None), None)
    if not str(block.get("type")).endswith("tool_result"):
        return _answer(identity, content, block)
    inner = content.get("type") if isinstance(content, dict) else None
    failed = block.get("is_error") is True or str(inner).endswith("_error")
    return Answer(identity, not failed, _error(content) if failed else None)


def _answer(identity: str, content: JSON, said: Object) -> Answer:
    success = result_success(content, said)
    return Answer(identity, success, _error(content) if success is False else None)


def result_success(content: JSON, said: Object | None = None) -> bool | None:
    """Whether a result is no error, where the format has no field for it; ``None`` if nothing is said.

    An error is a ``status`` of ``error``, a result that is an object with a true ``isError``, ``is_error`` or
    ``error``, or a false ``success`` or ``ok``, or a text that begins with ``Error:``. The object may be JSON in text,
    the text in parts.
    """
    if said and said.get("status") in ("error", "success"):
        return said["status"] == "success"
    if said and isinstance(said.get("is_error"), bool):
        return not said["is_error"]
    if isinstance(content, list):
        content = _joined(content)
    if isinstance(content, str):
        if content.lstrip().startswith("Error:"):
            return False
        content = _object(content)
    if not isinstance(content, dict):
        return None
    if any(content.get(name) not in (None, False, "") for name in ("isError", "is_error", "error")):
        return False
    return next((content[name] is True for name in ("success", "ok") if isinstance(content.get(name), bool)), None)


def _object(written: str) -> JSON:
    if not written.lstrip().startswith("{"):
        return None
    try:
        return parse(written.encode())
    except ValueError:
        return None


def _joined(parts: list[JSON]) -> str:
    """The words of a result that is written in parts."""
    return "\n".join(filter(None, (_text(part) if isinstance(part, dict) else str(part) for part in parts)))


def _error(content: JSON) -> str | None:
    """The words of a result that is an error, cut to a length that a reason may have."""
    if isinstance(content, list):
        content = _joined(content)
    if content is None:
        return None
    return (content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))[:2000]
