"""Question sets over documents: what is asked, and which documents hold the evidence.

A set is told by its files, so that a folder of the same form works under any name. ``A+B`` names the union of two sets
in one store: every question is then asked among the documents of both.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphstore.errors import LoadError
from graphstore.evaluation.data_folders import data_folder
from graphstore.records import SourceDocument

NAMES = ("2wikimultihopqa-101", "musique-100", "hotpotqa-100", "tau2-banking-knowledge")
UNION = "+"


@dataclass(frozen=True, slots=True)
class Question:
    """A question whose evidence is known.

    :param gold: Ids of the documents that hold it, each once.
    :param parts: Names of the parts of the set that it belongs to, such as its kind.
    :param published: System → ids of the documents that a published run of it found, best first.
    :param evidence: Document of ``gold`` → the texts in it that are needed: sentences, or the answer to a step of the
        question; empty where the set does not say.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    parts: tuple[str, ...] = ()
    published: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """A question set and the documents that it is asked of."""

    name: str
    documents: tuple[SourceDocument, ...]
    questions: tuple[Question, ...]


def read_document_set(name: str) -> DocumentSet:
    """The set of a name under ``GRAPHSTORE_DATA``, of a folder, or the union of several joined by ``+``.

    :raises LoadError: it is not there, has no known form, or names a document that it does not hold.
    """
    names = [name] if Path(name).is_dir() else name.split(UNION)
    sets = [_read(data_folder(each, "docs", NAMES)) for each in names]
    return sets[0] if len(sets) == 1 else _union(sets)


def _read(folder: Path) -> DocumentSet:
    if corpus := sorted(folder.glob("*_corpus.json*")):
        documents = _corpus(corpus[0])
        questions = _multihop(folder, corpus[0], documents)
    elif lines := sorted(folder.glob("documents.jsonl*")):
        documents = [_stored(record, lines[0]) for record in _lines(lines[0])]
        questions = _tasks(folder)
    else:
        raise LoadError("has none of the known forms (*_corpus.json, or documents.jsonl and tasks.jsonl)", str(folder))
    known = {document.id for document in documents}
    for question in questions:
        if missing := [id for id in question.gold if id not in known]:
            raise LoadError(f"question {question.id} needs {missing[0]!r}, which the corpus lacks", str(folder))
    return DocumentSet(folder.name, tuple(documents), tuple(q for q in questions if q.gold))


def _union(sets: Sequence[DocumentSet]) -> DocumentSet:
    """All documents and questions, ids and parts with the set's name before them."""
    documents, questions = [], []
    for data in sets:

        def named(id: str, name: str = data.name) -> str:
            return f"{name}/{id}"

        documents += [replace(d, id=named(d.id), path=named(d.path)) for d in data.documents]
        questions += [
            Question(
                id=named(q.id),
                text=q.text,
                gold=tuple(map(named, q.gold)),
                parts=(data.name, *map(named, q.parts)),
                evidence={named(id): texts for id, texts in q.evidence.items()},
            )
            for q in data.questions
        ]
    return DocumentSet(UNION.join(data.name for data in sets), tuple(documents), tuple(questions))


def _corpus(file: Path) -> list[SourceDocument]:
    """Documents numbered by their place; two may have one title."""
    value = _json(file)
    pairs: Iterable[tuple[str, str]]
    if isinstance(value, dict):
        pairs = ((title, text if isinstance(text, str) else "".join(text)) for title, text in value.items())
    else:
        pairs = ((each["title"], each["text"]) for each in value)
    return [SourceDocument(f"{i:06d}", f"{i:06d}.md", title, text) for i, (title, text) in enumerate(pairs)]


def _stored(record: Mapping[str, Any], file: Path) -> SourceDocument:
    text = record.get("content", record.get("text"))
    if not isinstance(record.get("id"), str) or not isinstance(text, str):
        raise LoadError("a document has no id or no content", str(file))
    return SourceDocument(record["id"], f"{record['id']}.md", record.get("title") or record["id"], text)


def _tasks(folder: Path) -> list[Question]:
    """Tasks, whose question is the customer's instructions, or records with a question of their own."""
    files = sorted([*folder.glob("tasks.jsonl*"), *folder.glob("questions.jsonl*")])
    if not files:
        raise LoadError("has documents but neither tasks.jsonl nor questions.jsonl", str(folder))
    questions = []
    for number, record in enumerate(_lines(files[0])):
        scenario = record.get("user_scenario") or {}
        text = record.get("question") or scenario.get("instructions")
        if not isinstance(text, str):
            raise LoadError("a task has neither a question nor instructions", f"{files[0]}:{number + 1}")
        gold = record.get("required_documents") or record.get("gold") or ()
        questions.append(Question(str(record.get("id", number)), text, tuple(dict.fromkeys(map(str, gold)))))
    return questions


def _multihop(folder: Path, corpus: Path, documents: Sequence[SourceDocument]) -> list[Question]:
    by_title: dict[str, list[str]] = {}
    for document in documents:
        by_title.setdefault(document.title, []).append(document.id)
    by_text = {(document.title, document.text): document.id for document in documents}
    published = {file.parent.name: _json(file) for file in sorted(folder.glob("results/*/*.json"))}
    name = corpus.name.replace("_corpus", "")
    asked = _json(folder / name) if (folder / name).is_file() else next(iter(published.values()), None)
    if asked is None:
        raise LoadError(f"has neither {name} nor results/*/*.json with the questions", str(folder))
    answered = {system: {r["question"]: r["evidence"] for r in run} for system, run in published.items()}
    return [
        Question(
            str(record.get("_id", record.get("id", number))),
            record["question"],
            _gold(record, by_title, by_text, str(folder)),
            _parts(record),
            {
                system: tuple(by_title[title][0] for title in run[record["question"]] if title in by_title)
                for system, run in answered.items()
                if record["question"] in run
            },
            _evidence(record, by_title, by_text),
        )
        for number, record in enumerate(asked)
    ]


def _gold(
    record: Mapping[str, Any],
    by_title: Mapping[str, Sequence[str]],
    by_text: Mapping[tuple[str, str], str],
    where: str,
) -> tuple[str, ...]:
    """The documents that hold a question's evidence, as the record's form names them."""
    try:
        if "paragraphs" in record:
            needed = [(p["title"], p["paragraph_text"]) for p in record["paragraphs"] if p["is_supporting"]]
            return tuple(dict.fromkeys(by_text[each] for each in needed))
        titles = record.get("ground_truth") or [title for title, _ in record["supporting_facts"]]
        return tuple(dict.fromkeys(by_title[title][0] for title in titles))
    except KeyError as error:
        raise LoadError(f"a question lacks or needs {error.args[0]!r}, which the corpus has not", where) from error


def _evidence(
    record: Mapping[str, Any], by_title: Mapping[str, Sequence[str]], by_text: Mapping[tuple[str, str], str]
) -> dict[str, tuple[str, ...]]:
    """The texts that are needed, by document: supporting sentences, or the answers that supporting paragraphs give."""
    needed: dict[str, list[str]] = {}
    context = {title: sentences for title, sentences in record.get("context", ())}
    for title, number in record.get("supporting_facts", ()):
        if number < len(sentences := context.get(title, ())):
            needed.setdefault(by_title[title][0], []).append(sentences[number].strip())
    paragraphs = {paragraph.get("idx"): paragraph for paragraph in record.get("paragraphs", ())}
    for step in record.get("question_decomposition", ()):
        if paragraph := paragraphs.get(step.get("paragraph_support_idx")):
            document = by_text[paragraph["title"], paragraph["paragraph_text"]]
            needed.setdefault(document, []).append(step["answer"])
    return {document: tuple(texts) for document, texts in needed.items()}


def _parts(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The kind of a question, where the set says it: its type, or its number of hops in a MuSiQue id."""
    if isinstance(kind := record.get("type"), str):
        return (kind,)
    hops = str(record.get("id", ""))[:4]
    return (hops,) if hops.endswith("hop") else ()


def _read_bytes(file: Path) -> bytes:
    try:
        raw = file.read_bytes()
        return gzip.decompress(raw) if file.suffix == ".gz" else raw
    except (OSError, EOFError) as error:
        raise LoadError("cannot be read", str(file)) from error


def _parsed(file: Path, read: Callable[[str], Any]) -> Any:
    try:
        return read(_read_bytes(file).decode("utf-8"))
    except ValueError as error:
        raise LoadError(f"is not the JSON it should be: {error}", str(file)) from error


def _json(file: Path) -> Any:
    return _parsed(file, json.loads)


def _lines(file: Path) -> list[Any]:
    return list(_parsed(file, lambda text: [json.loads(line) for line in text.split("\n") if line.strip()]))
