"""The task-graph form (TaskBench, UltraTool): declared tools as nodes, and tasks with their tools in order.

Only ``task_nodes`` is history. ``task_steps`` names the tools in prose and is not read; the ``links`` beside the
declared tools are built from all tasks and are not read either.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from graphstore.records import JSON, Rejected, StageRun, ToolCall, ToolSpec

from .fields import content_hash, kind, objects, text
from .json_records import JsonRecord
from .log_reader import Runs, at
from .outcome import PassedIf


def superseded(file: Path) -> bool:
    """Whether the file declares only tools that ``tool_desc.json`` beside it declares too, as their graph."""
    return file.name == "graph_desc.json" and file.with_name("tool_desc.json").exists()


def is_task(value: JSON) -> bool:
    """Whether a JSON value looks like a task of this form."""
    return isinstance(value, dict) and "task_nodes" in value


def is_node(value: JSON) -> bool:
    """Whether a JSON value looks like a declared tool of this form."""
    return isinstance(value, dict) and "id" in value and "desc" in value


def node_tool(node: dict[str, JSON]) -> ToolSpec:
    """A declared tool. Several domains are joined by ``", "``.

    :raises ValueError: It has no id, or a field of a wrong type.
    """
    name = node.get("id")
    if not isinstance(name, str) or not name.strip():
        raise ValueError("the tool has no id")
    domain = node.get("domain")
    if isinstance(domain, list) and all(isinstance(each, str) for each in domain):
        domain = ", ".join(map(str, domain))
    if domain is not None and not isinstance(domain, str):
        raise ValueError(f"domain is {kind(domain)}, not text or a list of texts")
    return ToolSpec(name, text(node, "desc"), domain=domain or None)


def task_runs(record: JsonRecord, path: str, passed_if: PassedIf | None = None) -> Runs:
    """The task as one run of one stage, ``1``: passed, unless a condition says otherwise."""
    try:
        passed = passed_if.verdict(record.value) if passed_if else True
        yield _task_run(record.value, passed, f"{path}:{record.line}")
    except ValueError as error:
        yield Rejected(path, record.line, at(record.where, error))


def _task_run(task: JSON, passed: bool | None, source: str) -> StageRun:
    if not isinstance(task, dict):
        raise ValueError(f"is {kind(task)}, not a task")
    name = text(task, "id")
    if not name.strip():
        raise ValueError("the task has no id")
    if task.get("task_nodes") is None:
        raise ValueError("the task has no task_nodes")
    tools = [_tool(node, index) for index, node in enumerate(objects(task["task_nodes"], "task_nodes"))]
    links = [(text(link, "source"), text(link, "target")) for link in objects(task.get("task_links"), "task_links")]
    if links and links != list(pairwise(tools)):
        raise ValueError("task_links are not the consecutive pairs of task_nodes: no order of calls to learn")
    return StageRun(
        task=name,
        stage=f"{name}/1",
        run=content_hash(task),
        request=text(task, "user_request").strip(),
        passed=passed,
        calls=tuple(ToolCall(tool, success=True) for tool in tools),
        source=source,
    )


def _tool(node: dict[str, JSON], index: int) -> str:
    name = node.get("task")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"task_nodes[{index}] has no task")
    return name
