"""Trials: nothing that is asked is in the history, splits are the same each time, gold is what each data set says."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graphstore.errors import LoadError, SettingsError
from graphstore.evaluation.tool_sets import FORMS, form_of, read_tool_set
from graphstore.evaluation.tool_trials import PROTOCOLS, Trial, trials

ALL = [(form, protocol) for form, protocols in PROTOCOLS.items() for protocol in protocols]
TOOLS = [f"tool_{letter}" for letter in "abcdefghij"]


def lines(file: Path, rows: list[dict]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def path(number: int) -> list[str]:
    """One of ten paths."""
    return [TOOLS[number % 10], TOOLS[(number + 3) % 10], TOOLS[(number + 3) % 10]]


def ultratool(folder: Path) -> None:
    nodes = [{"id": tool, "desc": f"does {tool}", "domain": ["X"]} for tool in TOOLS]
    (folder / "tool_desc.json").write_text(json.dumps({"nodes": nodes}), "utf-8")
    tasks = [
        {"id": str(n), "user_request": f"request {n}", "task_nodes": [{"task": tool} for tool in path(n // 4)]}
        for n in range(40)
    ]
    lines(folder / "data.json", tasks)
    (folder / "split_ids.json").write_text(json.dumps({"test_ids": {"chain": ["0", "1", "2", "3", "4"]}}), "utf-8")


def traject(folder: Path) -> None:
    tools = [{"tool name": t, "tool description": t, "domain name": "X", "required_parameters": []} for t in TOOLS]
    lines(folder / "tools.jsonl", tools)
    rows = []
    for n in range(40):
        calls = [
            {"tool name": tool, "execution_status": "failed", "step_number": i} for i, tool in enumerate(path(n // 4))
        ]
        calls.append({"tool name": "not in the catalog", "execution_status": "success", "step_number": 9})
        rows.append({"id": f"X-{n}", "domain": "X", "query": f"request {n}", "tool list": calls})
    lines(folder / "sequential.jsonl", rows)


def toollinkos(folder: Path) -> None:
    def tool(name: str) -> dict:
        needs = [{"name": "tool_a", "dependence_type": "TOOL_DIRECTLY_DEPENDS_ON", "reason": ""}]
        return {"name": name, "description": name, "parameters": [], "depends_on": needs if name != "tool_a" else []}

    (folder / "core_tools.json").write_text(json.dumps([tool(t) for t in TOOLS[:2]]), "utf-8")
    (folder / "regular_tools.json").write_text(json.dumps([tool(t) for t in TOOLS[2:]]), "utf-8")
    rows = [
        {
            "user_query": f"request {n}",
            "main_golden_function_name": TOOLS[n // 4],
            "golden_function_names": [TOOLS[n // 4], TOOLS[(n // 4 + 1) % 10]],
        }
        for n in range(40)
    ]
    (folder / "instances.json").write_text(json.dumps(rows), "utf-8")


def workbench(folder: Path) -> None:
    tools = [{"name": t, "domain": "email", "description": t, "parameters": ["x"]} for t in TOOLS]
    (folder / "tools.json").write_text(json.dumps(tools), "utf-8")
    answers = folder / "queries_and_answers"
    answers.mkdir()
    with (answers / "email_queries_and_answers.csv").open("w", newline="", encoding="utf-8") as text:
        out = csv.writer(text)
        out.writerow(["query", "answer", "base_template", "chosen_template", "domains"])
        out.writerows([[f"request {n}", "[]", f"template {n // 4}", "", "['email']"] for n in range(40)])
    runs = []
    for n in range(40):
        for model, called, passed in (
            ("long", [*path(n // 4), TOOLS[0]], True),
            ("short", path(n // 4)[:2], n != 39),
            ("failed", [TOOLS[5]], False),
        ):
            task = f"email-{n:03}"
            run = {"run_id": f"{model}/{task}", "task_id": task, "query": f"request {n}", "observed_tool_path": called}
            runs.append({**run, "function_calls": [f"{t}.func()" for t in called], "error": "", "passed": passed})
    lines(folder / "agent_runs.jsonl", runs)


WRITERS: dict[str, Callable[[Path], None]] = {
    "ultratool": ultratool,
    "traject-bench": traject,
    "toollinkos": toollinkos,
    "workbench": workbench,
}


@pytest.fixture
def folder_of(tmp_path: Path) -> Callable[[str], Path]:
    def made(form: str) -> Path:
        folder = tmp_path / f"my-{form}"
        folder.mkdir()
        WRITERS[form](folder)
        return folder

    return made


def groups(trial: Trial) -> set[str]:
    return {asked.group for asked in trial.asked}


def leaks(trial: Trial) -> list[str]:
    """Asked requests that the history holds, by id or in words."""
    stages = {run.stage for run in trial.history} | {run.task for run in trial.history}
    requests = {run.request for run in trial.history}
    return [asked.id for asked in trial.asked if asked.id in stages or asked.request in requests]


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_is_told_by_its_files(form: str, folder_of):
    folder = folder_of(form)
    assert form_of(str(folder)) == form
    assert read_tool_set(str(folder)).name == folder.name


@pytest.mark.parametrize("held_out", ["test", "validation"])
@pytest.mark.parametrize(("form", "protocol"), ALL)
def test_nothing_that_is_asked_is_in_the_history(form: str, protocol: str, held_out, folder_of):
    for trial in trials(str(folder_of(form)), protocol, held_out=held_out):
        assert trial.asked
        assert leaks(trial) == []
        if protocol in ("by-path", "history", "declared", "by-template"):
            paths = {json.dumps([call.tool for call in run.calls]) for run in trial.history}
            mains = {run.task for run in trial.history}
            assert not groups(trial) & (paths | mains)


@pytest.mark.parametrize("held_out", ["test", "validation"])
@pytest.mark.parametrize(("form", "protocol"), ALL)
def test_the_same_name_gives_the_same_trials(form: str, protocol: str, held_out, folder_of):
    folder = str(folder_of(form))
    assert list(trials(folder, protocol, held_out=held_out)) == list(trials(folder, protocol, held_out=held_out))


@pytest.mark.parametrize(("form", "protocol"), ALL)
def test_validation_asks_nothing_of_the_test(form: str, protocol: str, folder_of):
    folder = str(folder_of(form))
    tests, choices = list(trials(folder, protocol)), list(trials(folder, protocol, held_out="validation"))
    assert [trial.split for trial in tests] == [trial.split for trial in choices]
    for test, choice in zip(tests, choices, strict=True):
        if test.history:  # all requests without history: nothing is left to ask
            assert not {a.id for a in test.asked} & {a.id for a in choice.asked}
            assert {run.stage for run in choice.history} < {run.stage for run in test.history}


@pytest.mark.parametrize("form", ["toollinkos", "workbench"])
def test_folds_ask_every_request_once(form: str, folder_of):
    protocol = "history" if form == "toollinkos" else "by-task"
    asked = [each.id for trial in trials(str(folder_of(form)), protocol) for each in trial.asked]
    assert len(asked) == len(set(asked)) == 40


def test_ultratools_own_test_tasks_are_asked_by_whether_their_path_was_seen(folder_of):
    (trial,) = trials(str(folder_of("ultratool")))
    assert [asked.id for asked in trial.asked] == ["0", "1", "2", "3", "4"]
    assert [asked.parts for asked in trial.asked] == [("unseen path",)] * 4 + [("seen path",)]
    assert trial.asked[0].gold == ("tool_a", "tool_d")
    assert len(trial.history) == 35


def test_tools_that_no_catalog_declares_are_neither_gold_nor_history(folder_of):
    trial = next(iter(trials(str(folder_of("traject-bench")))))
    known = {tool.id for tool in trial.catalog}
    assert {call.tool for run in trial.history for call in run.calls} <= known
    assert {tool for asked in trial.asked for tool in asked.gold} <= known
    assert all(run.passed for run in trial.history)


def test_declared_needs_are_seen_by_their_own_protocol_only(folder_of):
    folder = str(folder_of("toollinkos"))
    assert not any(tool.requires for trial in trials(folder, "history") for tool in trial.catalog)
    alone, *folds = trials(folder, "declared")
    assert (len(alone.asked), alone.history, alone.asked[0].parts) == (40, [], ("no history",))
    assert any(tool.requires for tool in alone.catalog)
    assert [asked.parts for fold in folds for asked in fold.asked] == [("history",)] * 40


def test_gold_of_a_real_task_is_its_shortest_passed_path(folder_of):
    every = list(trials(str(folder_of("workbench"))))
    gold = {asked.id: asked.gold for trial in every for asked in trial.asked}
    assert gold["email-000"] == ("tool_a", "tool_d")
    assert gold["email-039"] == ("tool_j", "tool_c", "tool_a")  # its short run failed
    assert all(run.passed for trial in every for run in trial.history)


def test_what_is_missing_is_named(tmp_path: Path, folder_of, monkeypatch):
    monkeypatch.setenv("GRAPHSTORE_DATA", str(tmp_path))
    with pytest.raises(LoadError, match="GRAPHSTORE_DATA must name"):
        list(trials("ultratool"))
    with pytest.raises(LoadError, match="neither a folder nor one of ultratool"):
        list(trials("nothing"))
    with pytest.raises(LoadError, match="none of the known forms"):
        list(trials(str(tmp_path)))
    with pytest.raises(SettingsError, match="has no protocol 'x': official"):
        list(trials(str(folder_of("ultratool")), "x"))


@pytest.mark.parametrize("written", ["", "{}", "[1]", '{"test_ids": {"chain": null}}'])
def test_a_folder_without_test_ids_is_refused_in_one_line(written: str, folder_of):
    folder = folder_of("ultratool")
    (folder / "split_ids.json").write_text(written, "utf-8")
    with pytest.raises(LoadError, match=r"split_ids\.json: is not"):
        list(trials(str(folder)))


@pytest.mark.parametrize("written", [b"query\nx\n", b"\xff"])
def test_a_table_without_templates_is_refused_in_one_line(written: bytes, folder_of):
    folder = folder_of("workbench")
    (folder / "queries_and_answers" / "email_queries_and_answers.csv").write_bytes(written)
    with pytest.raises(LoadError, match=r"answers\.csv: is no table with a column base_template"):
        list(trials(str(folder)))


@pytest.mark.parametrize(("tests", "held_out", "asked"), [(0, "test", 0), (40, "validation", 0), (30, "validation", 5)])
def test_a_split_that_asks_for_nothing_is_refused(tests: int, held_out, asked: int, folder_of):
    folder = folder_of("ultratool")
    (folder / "split_ids.json").write_text(json.dumps({"test_ids": {"chain": list(range(tests))}}), "utf-8")
    if asked:
        (trial,) = trials(str(folder), held_out=held_out)
        assert len(trial.asked) == asked
        return
    with pytest.raises(LoadError, match="split 0 asks for nothing"):
        list(trials(str(folder), held_out=held_out))


def test_a_data_set_with_a_broken_record_is_refused(folder_of):
    folder = folder_of("ultratool")
    with (folder / "data.json").open("a", encoding="utf-8") as text:
        text.write('{"id": "x", "user_request"')
    with pytest.raises(LoadError, match=r"data\.json:41"):
        list(trials(str(folder)))


@pytest.mark.parametrize(("form", "protocol"), ALL)
def test_the_published_data_sets_leak_nothing(form: str, protocol: str, data: Path, monkeypatch):
    monkeypatch.setenv("GRAPHSTORE_DATA", str(data))
    for trial in trials(form, protocol):
        stages = {run.stage for run in trial.history} | {run.task for run in trial.history}
        assert [asked.id for asked in trial.asked if asked.id in stages] == []
        if protocol in ("by-path", "history", "declared"):
            keys = {json.dumps([c.tool for c in run.calls], ensure_ascii=False) for run in trial.history}
            assert not groups(trial) & (keys | {run.task for run in trial.history})
